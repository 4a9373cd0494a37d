"""Code actions around judges: their rewrites, and to be judged now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchlint.catalogue.fingerprint import fingerprint
from benchlint.lsp.edits import EditWriter
from benchlint.lsp.lenses import JUDGE_BENCHMARK, JUDGE_TASK, counted, priced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.analysis.bench import Bench
    from benchlint.analysis.run import Result
    from benchlint.benchmark.model import Task
    from benchlint.catalogue.finding import Finding, Fix
    from benchlint.lsp.session import Session
    from benchlint.lsp.world import Json

JUDGE: Final = "refactor.judge.benchlint"
PREVIEW: Final = "benchlint.previewRewrite"


def is_judged(finding: Finding) -> bool:
    """Say whether a finding is a judge's: its fixes are rewrites of somebody who is no author."""
    return finding.found_by != "check"


def rewrites(session: Session, result: Result, finding: Finding, diagnostic: Json) -> Iterator[Json]:
    """Yield the rewrites of a judge's finding; what they change is told when one is chosen, where the client asks."""
    for number, fix in enumerate(finding.fixes):
        action: Json = {"title": fix.title, "kind": "quickfix", "diagnostics": [diagnostic], "isPreferred": False}
        data = {"path": finding.anchor.path, "rewrite": fingerprint(finding), "number": number}
        if session.client.lazy_edits:
            yield {**action, "data": data}
        else:
            filled = _filled(session, result, finding, fix)
            if filled is not None:
                yield {**action, **filled}


def resolved(session: Session, data: Json) -> Json:
    """Return what a chosen rewrite changes, from the findings of now; nothing where the finding is gone."""
    known = session.findings(str(data.get("path")))
    for finding in known[1] if known is not None else ():
        number = data.get("number")
        if fingerprint(finding) == data.get("rewrite") and isinstance(number, int) and number < len(finding.fixes):
            filled = _filled(session, known[0], finding, finding.fixes[number]) if known is not None else None
            if filled is not None:
                return filled
    return {"edit": {"changes": {}}}


def _filled(session: Session, result: Result, finding: Finding, fix: Fix) -> Json | None:
    """Return the edit of a rewrite; for a client that shows rewrites itself, the command with which it does."""
    writer = EditWriter(session.client, session.bridge)
    edit = writer.edit(result, fix.edits, label=fix.title, safe=fix.safe)
    if edit is None or not session.previews_rewrites:
        return {"edit": edit} if edit is not None else None
    (path,) = {item.anchor.path for item in fix.edits}
    argument = {
        "uri": session.bridge.uri_of(path),
        "version": result.documents[path].version,
        "edits": writer.plain(result, fix.edits),
        "title": fix.title,
        "task": finding.task,
    }
    return {"command": {"title": fix.title, "command": PREVIEW, "arguments": [argument]}}


def judge_now(session: Session, path: str, lines: tuple[int, int]) -> Iterator[Json]:
    """Yield what could be judged: the task at some lines, and in a policy or at the top of a file what is stale."""
    for bench in session.judges.benches:
        if not bench.hearing.judges:
            continue
        policy = bench.benchmark.policy
        of_policy = policy is not None and path in policy.paths
        task = task_at(bench, path, lines[0])
        if task is not None:
            yield from _one(session, bench, task)
        if bench.stale and (of_policy or task is not None):
            stale, _ = session.judges.lookups.offers(bench)
            title = f"Judge {counted(stale.tasks, 'stale task')} again{priced(stale.price)}"
            yield _action(title, JUDGE_BENCHMARK, {"uri": session.bridge.uri_of(path), "stale": True})


def _one(session: Session, bench: Bench, task: Task) -> Iterator[Json]:
    from benchlint.analysis.standing import text_key

    if bench.lacks(text_key(task)):
        price = session.judges.lookups.price(bench, text_key(task))
        argument = {"uri": session.bridge.uri_of(task.slice.document.path), "task": task.id}
        yield _action(f"Judge this task now{priced(price)}", JUDGE_TASK, argument)


def task_at(bench: Bench, path: str, line: int) -> Task | None:
    """Return the task at a line of a file, in the text of the last lint."""
    for task in bench.benchmark.tasks:
        document = task.slice.document
        if document.path == path:
            start, end = document.line_range(line) if line < document.line_count else (len(document.data),) * 2
            if task.slice.start <= end and task.slice.end >= start:
                return task
    return None


def _action(title: str, command: str, argument: Any) -> Json:
    return {"title": title, "kind": JUDGE, "command": {"title": title, "command": command, "arguments": [argument]}}

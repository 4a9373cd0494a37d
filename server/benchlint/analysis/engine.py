"""The pure function from a benchmark to its findings.

A finding of one task is kept, in a `Memo`, under the task's text and the
hashes of all else that its check reads. With or without a memo the result is
the same; with one, only what changed is checked again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from benchlint.catalogue.finding import Anchor, Finding, Severity
from benchlint.catalogue.rule import load_rules
from benchlint.checks.registry import Check, all_checks
from benchlint.checks.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.catalogue.rule import Rule


@dataclass(slots=True)
class Memo:
    """What an earlier run found: results by what they were made from."""

    findings: dict[Hashable, tuple[Finding, ...]] = field(default_factory=dict)
    digests: dict[Hashable, Hashable] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Analysis:
    """The findings of one benchmark, in the order of the checks.

    `unchecked` names, by the input that is missing, the rules that could not
    be checked. `memo` is for the next
    run, where one was asked for.
    """

    findings: tuple[Finding, ...]
    unchecked: Mapping[str, tuple[str, ...]]
    memo: Memo | None


def analyse(
    benchmark: Benchmark,
    rules: Mapping[str, Rule] | None = None,
    wanted: Callable[[str], bool] = lambda _: True,
    previous: Memo | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Analysis:
    """Check a benchmark.

    `wanted` selects rules by name. `previous` makes the run incremental: an
    empty memo for the first of many runs, None where no other will follow.
    `cancelled` is asked between tasks; a cancelled run returns what it has.
    """
    catalogue = dict(rules if rules is not None else load_rules())
    memo = Memo() if previous is not None else None
    found: list[Finding] = []
    unchecked: dict[str, list[str]] = {}
    for check in all_checks():
        names = [rule for rule in check.rules if rule in catalogue and wanted(rule)]
        if not names or cancelled():
            continue
        missing = next((need for need in check.needs if getattr(benchmark, need) is None), None)
        if missing is not None:
            unchecked.setdefault(missing, []).extend(names)
            continue
        found.extend(
            finding
            for finding in _run(check, benchmark, catalogue, previous, memo, cancelled)
            if finding.rule in names or finding.rule == "internal-error"
        )
    return Analysis(tuple(found), {key: tuple(names) for key, names in unchecked.items()}, memo)


def _run(
    check: Check,
    benchmark: Benchmark,
    rules: dict[str, Rule],
    previous: Memo | None,
    memo: Memo | None,
    cancelled: Callable[[], bool],
) -> Iterable[Finding]:
    try:
        summary = _summarise(check, benchmark, previous, memo)
    except Exception as error:
        yield _crash(check, benchmark, None, error)
        return
    view = View(benchmark, rules, summary)
    if check.scope == "benchmark":
        yield from _guarded(check, view, None)
        return
    inputs = (benchmark.default_reward_basis, *_hashes(benchmark, check.reads))
    for task in benchmark.tasks:
        if cancelled():
            return
        if previous is None or memo is None:
            yield from _guarded(check, view.of(task), task)
            continue
        key = (check.rules, task.slice.document.path, task.id, task.slice.hash, inputs, summary)
        kept = previous.findings.get(key)
        if kept is None:
            kept = tuple(_guarded(check, view.of(task), task))
        memo.findings[key] = kept
        yield from _moved(kept, task)


def _summarise(check: Check, benchmark: Benchmark, previous: Memo | None, memo: Memo | None) -> Any:
    summary = check.summary
    if summary is None:
        return None
    if previous is None or memo is None:
        return summary.reduce([summary.digest(task, benchmark) for task in benchmark.tasks], benchmark)
    inputs = tuple(_hashes(benchmark, summary.needs))
    digests = []
    for task in benchmark.tasks:
        key = (summary.name, task.slice.hash, inputs)
        digest = previous.digests.get(key)
        if digest is None:
            digest = summary.digest(task, benchmark)
        memo.digests[key] = digest
        digests.append(digest)
    return summary.reduce(digests, benchmark)


def _guarded(check: Check, view: View, task: Task | None) -> Sequence[Finding]:
    """Run a check; one that crashes is a finding, and the others go on."""
    try:
        return list(check.run(view))
    except Exception as error:
        return [_crash(check, view.benchmark, task, error)]


def _crash(check: Check, benchmark: Benchmark, task: Task | None, error: Exception) -> Finding:
    where = f' on task "{task.id}"' if task is not None else ""
    source = task.slice.document.path if task is not None else benchmark.sources[0].document.path
    return Finding(
        rule="internal-error",
        severity=Severity.ERROR,
        message=f"{', '.join(check.rules)} crashed{where}: {type(error).__name__}: {error}",
        anchor=Anchor(source, 0, 0, task.slice.index if task is not None else None),
        benchmark=benchmark.name,
        task=task.id if task is not None else None,
    )


def _hashes(benchmark: Benchmark, inputs: Iterable[str]) -> Iterable[Hashable]:
    return (getattr(getattr(benchmark, name), "hash", None) for name in inputs)


def _moved(findings: tuple[Finding, ...], task: Task) -> Iterable[Finding]:
    """Yield findings of a task at the place where its slice stands now."""
    path, index = task.slice.document.path, task.slice.index

    def here(anchor: Anchor) -> Anchor:
        if anchor.slice is None or anchor.slice == index or anchor.path != path:
            return anchor
        return replace(anchor, slice=index)

    for finding in findings:
        if finding.anchor.slice in (None, index):
            yield finding
            continue
        yield replace(
            finding,
            anchor=here(finding.anchor),
            related=tuple(replace(item, anchor=here(item.anchor)) for item in finding.related),
            fixes=tuple(
                replace(fix, edits=tuple(replace(edit, anchor=here(edit.anchor)) for edit in fix.edits))
                for fix in finding.fixes
            ),
        )

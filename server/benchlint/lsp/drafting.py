"""Code actions that draft a task for a policy item."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from benchlint.lsp.edits import EditWriter
from benchlint.lsp.spending import price

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.analysis.bench import Bench
    from benchlint.analysis.run import Result
    from benchlint.benchmark.model import Benchmark, PolicyItem
    from benchlint.judges.session import Session as Judge
    from benchlint.lsp.session import Session
    from benchlint.lsp.world import Json

DRAFT: Final = "refactor.draft.benchlint"
DRAFT_TASK: Final = "benchlint.draftTask"
UNCHALLENGED: Final = "unchallenged-policy-item"

_MOST: Final = 3
"""So many items at most are offered for one place."""


def drafts(
    session: Session, result: Result, path: str, lines: tuple[int, int], found: Sequence[Json]
) -> Iterator[Json]:
    """Yield an action for each policy item at some lines; a quick fix where nobody challenges it, as `found` says."""
    benchmark = target(session, result, path)
    if benchmark is None or benchmark.policy is None:
        return
    named = f" in {_name(benchmark)}" if _is_one_of_several(result, path) else ""
    title = f"Draft a task that challenges this policy item{named}"
    count = 0
    for item in benchmark.policy.items:
        if item.path != path or item.kind == "fact" or not _touches(session, result, item, lines):
            continue
        count += 1
        if count > _MOST:
            return
        place = session.bridge.range(result.documents[path], item.start, item.end)
        about = [one for one in found if one["code"] == UNCHALLENGED and one["range"] == place]
        kind: Json = {"kind": "quickfix", "diagnostics": about} if about else {"kind": DRAFT}
        yield {"title": title, **kind, "data": {"path": path, "draft": item.id}}
        for by_model in _by_model(session, benchmark, item, named):
            yield {**by_model, **kind}


def _by_model(session: Session, benchmark: Benchmark, item: PolicyItem, named: str) -> Iterator[Json]:
    """Yield what has a model draft the task, with its price, where one is asked and may see what it needs."""
    bench = session.judges.live.benches.get(benchmark.name)
    judge = writer_of(bench) if bench is not None else None
    policy = benchmark.policy
    if bench is None or judge is None or policy is None or not session.client.applies_edits:
        return
    from benchlint.analysis.task_drafts import can_ask, likely_usd

    prompts = bench.hearing.prompts
    if can_ask(benchmark, prompts):
        usd = likely_usd(benchmark, policy, item, prompts, judge.price) if judge.price is not None else None
        title = f"Have {judge.name} draft a task that challenges this policy item{named} ({price(usd)})"
        argument = {"uri": session.bridge.uri_of(item.path), "item": item.id}
        yield {"title": title, "command": {"title": title, "command": DRAFT_TASK, "arguments": [argument]}}


def writer_of(bench: Bench) -> Judge | None:
    """Return the model that writes drafts: the first one that is asked."""
    from benchlint.judges.session import Session as Judge

    return next((judge for judge in bench.hearing.judges if isinstance(judge, Judge)), None)


async def drafted(session: Session, data: Json) -> dict[str, Any]:
    """Return the edit that adds the task, made from the texts of now; nothing where the item is gone."""
    path = str(data.get("path"))
    linted = await session.settled()
    known = linted.found.get(path)
    benchmark = target(session, known[0], path) if known is not None else None
    policy = benchmark.policy if benchmark is not None else None
    item = next((one for one in policy.items if one.id == data.get("draft")), None) if policy is not None else None
    if known is None or benchmark is None or item is None:
        return {"changes": {}}
    from benchlint.analysis.drafting import draft

    # A large database takes half a second to look through.
    made = await asyncio.get_running_loop().run_in_executor(None, draft, benchmark, item)
    edit = None
    if made is not None:
        writer = EditWriter(session.client, session.bridge)
        edit = writer.edit(known[0], [made[1]], label=f'Add the task "{made[0]}"', safe=True)
    return edit or {"changes": {}}


def target(session: Session, result: Result, path: str) -> Benchmark | None:
    """Return the benchmark that gets a new task: one that is open, else the one with most tasks."""
    from benchlint.analysis.new_tasks import form_of

    readers = [item for item in _readers(result, path) if form_of(item) is not None]
    opened = session.world.documents
    return max(
        readers,
        key=lambda item: (any(source.document.path in opened for source in item.sources), len(item.tasks)),
        default=None,
    )


def _readers(result: Result, path: str) -> list[Benchmark]:
    return [item for item in result.benchmarks if item.policy is not None and path in item.policy.paths]


def _is_one_of_several(result: Result, path: str) -> bool:
    return len(_readers(result, path)) > 1


def _name(benchmark: Benchmark) -> str:
    return benchmark.name.replace("\\", "/").rpartition("/")[2]


def _touches(session: Session, result: Result, item: PolicyItem, lines: tuple[int, int]) -> bool:
    place = session.bridge.range(result.documents[item.path], item.start, item.end)
    start, end = place["start"]["line"], place["end"]["line"]
    return bool(start <= lines[1] and end >= lines[0])

"""Code actions that draft a task for a policy item."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from benchlint.lsp.edits import EditWriter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.analysis.run import Result
    from benchlint.benchmark.model import Benchmark, PolicyItem
    from benchlint.lsp.session import Session
    from benchlint.lsp.world import Json

DRAFT: Final = "refactor.draft.benchlint"
UNCHALLENGED: Final = "unchallenged-policy-item"

_MOST: Final = 3
"""So many items at most are offered for one place."""


def drafts(
    session: Session, result: Result, path: str, lines: tuple[int, int], found: Sequence[Json]
) -> Iterator[Json]:
    """Yield an action for each policy item at some lines; a quick fix where nobody challenges it, as `found` says."""
    benchmark = _target(session, result, path)
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
        action: Json = {"title": title, "kind": DRAFT}
        place = session.bridge.range(result.documents[path], item.start, item.end)
        about = [one for one in found if one["code"] == UNCHALLENGED and one["range"] == place]
        if about:
            action |= {"kind": "quickfix", "diagnostics": about}
        yield {**action, "data": {"path": path, "draft": item.id}}


async def drafted(session: Session, data: Json) -> dict[str, Any]:
    """Return the edit that adds the task, made from the texts of now; nothing where the item is gone."""
    path = str(data.get("path"))
    linted = await session.settled()
    known = linted.found.get(path)
    benchmark = _target(session, known[0], path) if known is not None else None
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


def _target(session: Session, result: Result, path: str) -> Benchmark | None:
    """Return the benchmark that gets a new task: one that is open, else the one with most tasks."""
    from benchlint.analysis.drafting import can_draft

    readers = [item for item in _readers(result, path) if can_draft(item)]
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

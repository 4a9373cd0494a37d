"""Code actions that draft a task for a policy item."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchlint.lsp.background import in_background
from benchlint.lsp.edits import EditWriter
from benchlint.lsp.spending import price

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.analysis.bench import Bench
    from benchlint.analysis.run import Result
    from benchlint.benchmark.model import Benchmark, Policy, PolicyItem
    from benchlint.judges.session import Session as Judge
    from benchlint.lsp.session import Session
    from benchlint.lsp.world import Json

DRAFT: Final = "refactor.draft.benchlint"
DRAFT_TASK: Final = "benchlint.draftTask"
UNCHALLENGED: Final = "unchallenged-policy-item"

_MOST: Final = 3
"""So many items at most are offered for one place."""


class Wanted(NamedTuple):
    """A policy item for which a task is drafted, in the texts of one result."""

    result: Result
    benchmark: Benchmark
    policy: Policy
    item: PolicyItem


def drafts(
    session: Session, result: Result, path: str, lines: tuple[int, int], found: Sequence[Json]
) -> Iterator[Json]:
    """Yield an action for each policy item at some lines; a quick fix where nobody challenges it, as `found` says."""
    benchmark = target(session, result, path)
    if benchmark is None or benchmark.policy is None:
        return
    named = f" in {_name(benchmark)}" if _is_one_of_several(result, path) else ""
    title = f"Draft a task that challenges this policy item{named}"
    rules = (item for item in benchmark.policy.items if item.path == path and item.kind != "fact")
    here = list(islice((item for item in rules if _touches(session, result, item, lines)), _MOST))
    by_model = _by_model(session, benchmark, here[0], named) if here else None
    for item in here:
        place = session.bridge.range(result.documents[path], item.start, item.end)
        about = [one for one in found if one["code"] == UNCHALLENGED and one["range"] == place]
        kind: Json = {"kind": "quickfix", "diagnostics": about} if about else {"kind": DRAFT}
        yield {"title": title, **kind, "data": {"path": path, "draft": item.id}}
        if by_model is not None:
            argument = {"uri": session.bridge.uri_of(path), "item": item.id}
            command = {"title": by_model, "command": DRAFT_TASK, "arguments": [argument]}
            yield {"title": by_model, **kind, "command": command}


def _by_model(session: Session, benchmark: Benchmark, item: PolicyItem, named: str) -> str | None:
    """Return what it is called to have a model draft a task for such an item, with the price.

    None where no model is asked, or it may not see what it needs.
    """
    bench = session.judges.live.benches.get(benchmark.name)
    judge = writer_of(bench) if bench is not None else None
    policy = benchmark.policy
    if bench is None or judge is None or policy is None or not session.client.applies_edits:
        return None
    from benchlint.analysis.task_drafts import can_ask, likely_usd

    prompts = bench.hearing.prompts
    if not can_ask(benchmark, prompts):
        return None
    usd = likely_usd(benchmark, policy, item, prompts, judge.price) if judge.price is not None else None
    return f"Have {judge.name} draft a task that challenges this policy item{named} ({price(usd)})"


def writer_of(bench: Bench) -> Judge | None:
    """Return the model that writes drafts: the first one that is asked."""
    from benchlint.judges.session import Session as Judge

    return next((judge for judge in bench.hearing.judges if isinstance(judge, Judge)), None)


async def drafted(session: Session, data: Json) -> dict[str, Any]:
    """Return the edit that adds the task, made from the texts of now; nothing where the item is gone."""
    await session.settled()
    wanted = wanted_item(session, str(data.get("path")), data.get("draft"))
    if wanted is None:
        return {"changes": {}}
    from benchlint.analysis.drafting import draft

    # A large database takes half a second to look through.
    made = await in_background("draft", lambda: draft(wanted.benchmark, wanted.item))
    edit = None
    if made is not None:
        writer = EditWriter(session.client, session.bridge)
        edit = writer.edit(wanted.result, [made[1]], label=f'Add the task "{made[0]}"', safe=True)
    return edit or {"changes": {}}


def wanted_item(session: Session, path: str, name: Any) -> Wanted | None:
    """Return the policy item with an id, by what was found last; None without it, or without a file for its task."""
    known = session.findings(path)
    benchmark = target(session, known[0], path) if known is not None else None
    policy = benchmark.policy if benchmark is not None else None
    item = next((one for one in policy.items if one.id == name), None) if policy is not None else None
    if known is None or benchmark is None or policy is None or item is None:
        return None
    return Wanted(known[0], benchmark, policy, item)


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

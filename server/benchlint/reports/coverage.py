"""Which items of a policy the tasks challenge, by who says so: never summed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from benchlint.reports.coverage_tasks import new_tasks
from benchlint.reports.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchlint.judges.metrics import BenchmarkScores, ItemRow
    from benchlint.reports.coverage_tasks import NewTask

_SOURCES: Final = ("judged", "guards", "offline")


@dataclass(frozen=True, slots=True)
class Coverage:
    """The items of a benchmark's policy.

    `guards` are the tasks of the items that have guards, `kinds` the kinds
    of all items. Into a fact nobody can run.
    """

    scores: BenchmarkScores
    guards: Mapping[str, Sequence[str]]
    kinds: Mapping[str, str]

    @property
    def items(self) -> list[ItemRow]:
        """The items that a request can run into: facts are none."""
        return [item for item in self.scores.items if self.kinds.get(item.id) != "fact"]

    def by_source(self, item: ItemRow) -> dict[str, Sequence[str] | None]:
        """Return the tasks that challenge an item by source; None where the source says nothing."""
        return {"judged": item.tasks, "guards": self.guards.get(item.id), "offline": item.offline}

    def covered(self, source: str) -> tuple[int, int] | None:
        """Return how many items K tasks challenge, of how many the source speaks of; None where of none."""
        counts = [len(tasks) for item in self.scores.items if (tasks := self.by_source(item)[source]) is not None]
        return (sum(count >= self.scores.threshold for count in counts), len(counts)) if counts else None

    @property
    def untouched(self) -> list[ItemRow]:
        """The items that no source sees a task challenge."""
        return [item for item in self.items if not any(self.by_source(item).values())]

    @property
    def new_tasks(self) -> list[NewTask]:
        """The three new tasks that would raise coverage most, by the first source that speaks of an item."""
        counts = {item.id: self._count(item) for item in self.items}
        return new_tasks(self.items, counts, self.kinds, self.scores.threshold)

    def _count(self, item: ItemRow) -> int:
        return next((len(tasks) for tasks in self.by_source(item).values() if tasks is not None), 0)


def render_text(found: Sequence[Coverage], width: int) -> str:
    """Write a table of the items, what is covered by source, the untouched ones, and three tasks to write."""
    return "\n".join(line for coverage in found for line in _text(coverage, width)) + ("\n" if found else "")


def _text(coverage: Coverage, width: int) -> Iterator[str]:
    yield visible(coverage.scores.name)
    yield f"{'judged':>7} {'guards':>7} {'offline':>7}  item"
    for item in coverage.items:
        counts = ["-" if tasks is None else str(len(tasks)) for tasks in coverage.by_source(item).values()]
        yield " ".join(f"{count:>7}" for count in counts) + f"  {_clipped(item.text, max(20, width - 25))}"
    yield ""
    yield f"covered, that is, challenged by {coverage.scores.threshold} tasks or more:"
    for source in _SOURCES:
        yield f"  {source:<8}{_covered(coverage, source)}"
    untouched = coverage.untouched
    yield f"no task is seen to challenge {len(untouched)} of {len(coverage.items)} items that a request can run into"
    found = coverage.new_tasks
    if found:
        yield f"{len(found)} new task{'s' if len(found) > 1 else ''} would raise coverage most:"
    for task, same in groupby(found):
        count = len(list(same))
        what = "a task" if count == 1 else f"{count} tasks, each"
        yield f"  {what} {_about(task)}, with a request that runs into"
        for item in task.items:
            yield f"    {_clipped(item.text, max(20, width - 4))}"
    yield ""


def _covered(coverage: Coverage, source: str) -> str:
    """Say how much is covered; the judged share is S_vcov, over all items."""
    found = coverage.covered(source)
    if source == "judged":
        value = coverage.scores.judged.coverage.value
        return "no verdict" if found is None or value is None else f"{found[0]} of {found[1]} items, S_vcov {value:.2f}"
    if found is None:
        return "no item has a guard" if source == "guards" else "it did not read"
    if source == "guards":
        return f"{found[0]} of {found[1]} items with guards"
    return f"at least {found[0]} of {found[1]} items; it speaks only where it is sure"


def _about(task: NewTask) -> str:
    return f'about "{visible(task.phase)}"' if task.phase else "about any request"


def _clipped(text: str, room: int) -> str:
    text = visible(text)
    return text if len(text) <= room else text[: room - 1] + "…"


def render_json(found: Sequence[Coverage]) -> str:
    """Write the same as an object for each benchmark."""
    value = [
        {
            "benchmark": coverage.scores.name,
            "threshold": coverage.scores.threshold,
            "covered": {source: _share(coverage, source) for source in _SOURCES},
            "s_vcov": coverage.scores.judged.coverage.value,
            "items": [{"id": item.id, "text": item.text, **_tasks(coverage, item)} for item in coverage.items],
            "untouched": [item.id for item in coverage.untouched],
            "new_tasks": [
                {"phase": task.phase, "items": [item.id for item in task.items]} for task in coverage.new_tasks
            ],
        }
        for coverage in found
    ]
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _share(coverage: Coverage, source: str) -> dict[str, int] | None:
    found = coverage.covered(source)
    return {"covered": found[0], "items": found[1]} if found is not None else None


def _tasks(coverage: Coverage, item: ItemRow) -> dict[str, list[str] | None]:
    found = coverage.by_source(item)
    return {source: None if tasks is None else list(tasks) for source, tasks in found.items()}

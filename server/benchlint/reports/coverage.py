"""Which items of a policy the tasks challenge, by who says so: never summed."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchlint.reports.visible import visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchlint.judges.metrics import BenchmarkScores, ItemRow

_SUGGESTED = 3
_NAMED = 4
"""How many items a suggested task may run into; more is no task that a person would write."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The items of a benchmark's policy.

    `guards` are the tasks of the items that have guards, `facts` the ids of
    the items that nobody can run into.
    """

    scores: BenchmarkScores
    guards: Mapping[str, Sequence[str]]
    facts: frozenset[str]

    @property
    def items(self) -> list[ItemRow]:
        """The items that a request can run into: facts are none."""
        return [item for item in self.scores.items if item.id not in self.facts]

    def by_source(self, item: ItemRow) -> dict[str, Sequence[str] | None]:
        """Return the tasks that challenge an item by source; None where the source says nothing."""
        return {"judged": item.tasks, "guards": self.guards.get(item.id), "offline": item.offline}

    @property
    def untouched(self) -> list[ItemRow]:
        """The items that no source sees a task challenge."""
        return [item for item in self.items if not any(self.by_source(item).values())]

    @property
    def suggestions(self) -> list[tuple[str, list[ItemRow]]]:
        """The new tasks that would raise coverage most: a phase and the untouched items that one task can run into.

        Items under the title alone are about every task, and come last.
        """
        phases: dict[str, list[ItemRow]] = {}
        for item in self.untouched:
            phases.setdefault(item.headings[-1] if item.headings else "", []).append(item)
        ranked: Counter[tuple[str, int]] = Counter()
        for phase, items in phases.items():
            own = len(items[0].headings) > 1
            for at in range(0, len(items), _NAMED):
                ranked[phase, at] = len(items[at : at + _NAMED]) + own * _NAMED
        return [(phase, phases[phase][at : at + _NAMED]) for (phase, at), _ in ranked.most_common(_SUGGESTED)]


def render_text(found: Sequence[Coverage], width: int) -> str:
    """Write a table of the items, the untouched ones, and three tasks to write."""
    return "\n".join(line for coverage in found for line in _text(coverage, width)) + ("\n" if found else "")


def _text(coverage: Coverage, width: int) -> list[str]:
    lines = [visible(coverage.scores.name), f"{'judged':>7} {'guards':>7} {'offline':>7}  item"]
    for item in coverage.items:
        counts = ["-" if tasks is None else str(len(tasks)) for tasks in coverage.by_source(item).values()]
        text = visible(item.text)
        room = max(20, width - 25)
        shown = text if len(text) <= room else text[: room - 1] + "…"
        lines.append(" ".join(f"{count:>7}" for count in counts) + f"  {shown}")
    untouched = coverage.untouched
    lines.append(f"no task is seen to challenge {len(untouched)} of {len(coverage.items)} items")
    for phase, items in coverage.suggestions:
        where = f'under "{visible(phase)}"' if phase else "at the top"
        lines.append(f"a new task {where} could run into: {'; '.join(item.id for item in items)}")
    return [*lines, ""]


def render_json(found: Sequence[Coverage]) -> str:
    """Write the same as an object for each benchmark."""
    value = [
        {
            "benchmark": coverage.scores.name,
            "items": [{"id": item.id, "text": item.text, **_counts(coverage, item)} for item in coverage.items],
            "untouched": [item.id for item in coverage.untouched],
            "new_tasks": [
                {"phase": phase, "items": [item.id for item in items]} for phase, items in coverage.suggestions
            ],
        }
        for coverage in found
    ]
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _counts(coverage: Coverage, item: ItemRow) -> dict[str, list[str] | None]:
    found = coverage.by_source(item)
    return {source: None if tasks is None else list(tasks) for source, tasks in found.items()}

"""Drafts of guards, run on the tasks of the benchmarks that they would look at."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from benchlint.benchmark.guard_writing import with_guards
from benchlint.benchmark.items import Items, ItemsFile
from benchlint.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchlint.benchmark.guard_writing import WrittenGuard
    from benchlint.benchmark.model import Benchmark

_SHARE: Final = 0.25
_FEW: Final = 2
"""So many expected actions a draft may reject, or that share of those that it looks at.

A benchmark rarely breaks its own policy more often: then the draft is wrong.
"""

_NAMED: Final = 5


class Draft(NamedTuple):
    """A guard that a model has written, and the index of the entry that it is for."""

    entry: int
    guard: WrittenGuard


class _Trial:
    """What one draft said of the expected actions of all tasks."""

    def __init__(self) -> None:
        self.looked = 0
        self.rejected: dict[str, None] = {}
        self.rejections = 0
        self.silent: dict[str, int] = defaultdict(int)
        self.failure = ""

    @property
    def problem(self) -> str | None:
        """Why the draft is dropped."""
        if self.failure:
            return f"it fails on an expected action: {self.failure}"
        if self.looked and sum(self.silent.values()) == self.looked:
            why = max(self.silent, key=lambda reason: self.silent[reason])
            return f"it says nothing about any of {self.looked} expected actions: {why}"
        if self.rejections > max(_FEW, _SHARE * self.looked):
            tasks = _listed(list(self.rejected))
            return f"it rejects {self.rejections} of {self.looked} expected actions, in {tasks}: too many to be right"
        return None

    @property
    def told(self) -> str:
        """What a person should know before accepting it."""
        if not self.looked:
            return "no expected action was there to try it on"
        what = f"it looks at {self.looked} expected actions and rejects {self.rejections or 'none'}"
        silent = sum(self.silent.values())
        said = f"{what}, in {_listed(list(self.rejected))}" if self.rejected else what
        return f"{said}; it says nothing about {silent}" if silent else said


def tried_on_tasks(
    file: ItemsFile, drafts: Sequence[Draft], benchmarks: Sequence[Benchmark], told: list[str]
) -> Mapping[int, Sequence[WrittenGuard]]:
    """Return the drafts that stand the trial, by the index of their entry; `told` is what became of each."""
    grouped: dict[int, list[WrittenGuard]] = defaultdict(list)
    for draft in drafts:
        grouped[draft.entry].append(draft.guard)
    trials = {(index, at): _Trial() for index, guards in grouped.items() for at in range(len(guards))}
    if grouped:
        active = with_guards(file, grouped, draft=False)
        items = Items([Document(file.path, active.encode("utf-8", "replace"))])
        for benchmark in benchmarks:
            _run(items, benchmark, trials)
    kept: dict[int, list[WrittenGuard]] = defaultdict(list)
    names = {entry.index: entry.id for entry in file.entries}
    for (index, at), trial in trials.items():
        guard = grouped[index][at]
        what = f"{guard.rule} on {', '.join(guard.tools)}"
        if trial.problem is not None:
            told.append(f"{names[index]}: a draft was dropped ({what}): {trial.problem}")
            continue
        kept[index].append(guard)
        told.append(f"{names[index]}: drafted {what}: {trial.told}")
    return kept


def _run(items: Items, benchmark: Benchmark, trials: Mapping[tuple[int, int], _Trial]) -> None:
    from benchlint.guards.guard import Failure, Violation
    from benchlint.guards.guard_set import GuardSet

    found = GuardSet(benchmark, items)
    own: dict[int, _Trial] = {}
    for guard in found.guards:
        at = guard.text.pointer[-1]
        if isinstance(at, int) and (guard.entry.index, at) in trials:
            own[id(guard)] = trial = trials[guard.entry.index, at]
            calls = (call for task in benchmark.tasks for call in task.actions if call.known)
            trial.looked += sum(call.name in guard.text.tools for call in calls)
    for task in benchmark.tasks:
        for said in found.check(task):
            outcome = said.outcome
            if id(outcome.guard) not in own:
                continue
            trial = own[id(outcome.guard)]
            if isinstance(outcome, Violation):
                trial.rejections += 1
                trial.rejected[task.id] = None
            elif isinstance(outcome, Failure):
                trial.failure = outcome.reason
            else:
                trial.silent[outcome.reason] += 1


def _listed(ids: Sequence[str]) -> str:
    shown = ", ".join(ids[:_NAMED]) + (f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else "")
    return f"{'task' if len(ids) == 1 else 'tasks'} {shown}"

"""Which tasks run into the items of a policy, as far as guards can tell."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from benchlint.guards.guard import Abstention, Violation
from benchlint.guards.guard_set import guard_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.guards.guard import Guard
    from benchlint.guards.guard_set import GuardSet


_STEM: Final = 5
"""So many letters of a verb tell it."""


def challenges(benchmark: Benchmark) -> dict[str, tuple[str, ...]]:
    """Return the ids of the tasks that challenge each item with a guard, by the item's id.

    A task does where a guard rejects one of its expected actions, or would
    reject an action that the scenario speaks of and that is not among the
    expected ones, on a record that the agent looks up and as it finds it
    then: a request that is refused. What an earlier expected write may have
    changed is known only where the tasks were replayed.
    """
    if benchmark.items is None:
        return {}
    found = guard_set(benchmark)
    tasks: dict[str, list[str]] = {found.item_id(guard): [] for guard in found.guards}
    for task in benchmark.tasks:
        for name in dict.fromkeys(found.item_id(guard) for guard in _challenged(benchmark, found, task)):
            tasks[name].append(task.id)
    return {name: tuple(ids) for name, ids in tasks.items()}


def _challenged(benchmark: Benchmark, found: GuardSet, task: Task) -> Iterator[Guard]:
    for told in found.check(task, benchmark.replay):
        if isinstance(told.outcome, Violation):
            yield told.outcome.guard
    asked = [(guard, tool, names) for guard in found.guards for tool, names in _asked(found, task, guard)]
    if not asked:
        return
    seen: list[tuple[int, dict[str, Any]]] = []
    for moment in found.moments(task, benchmark.replay):
        call = task.actions[moment.action]
        if not call.arguments or found.writes(call):
            continue
        for number, (guard, tool, names) in enumerate(asked):
            arguments = {name: call.arguments[name] for name in names if name in call.arguments}
            if len(arguments) < len(names) or (number, arguments) in seen:
                continue
            action = {"name": tool, "arguments": arguments, "requestor": "assistant"}
            moment.situation.set([guard], action, moment.before, found.now(guard))
            outcome = guard.ask(moment.situation.context)
            if isinstance(outcome, Violation):
                yield guard
            if not isinstance(outcome, Abstention):
                seen.append((number, arguments))


def _asked(found: GuardSet, task: Task, guard: Guard) -> Iterator[tuple[str, list[str]]]:
    """Yield the tools of a guard that a scenario speaks of and that are not expected, with the arguments it reads."""
    names = sorted({name for name, _, _, _ in guard.violated.arguments})
    words = _words(task.text)
    done = {call.name for call in task.actions if found.writes(call)}
    for tool in guard.text.tools if names else ():
        if tool not in done and tool.split("_")[0][:_STEM] in words:
            yield tool, names


@lru_cache(2)
def _words(text: str) -> frozenset[str]:
    """Return the beginnings of the words of a text."""
    return frozenset(word[:_STEM] for word in re.findall(r"[a-z]+", text.lower()))

"""Which tasks run into the items of a policy, as far as guards can tell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from benchlint.guards.guard import Situation, Violation
from benchlint.guards.guard_set import guard_set, plain_task
from benchlint.guards.state import State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.guards.guard import Guard
    from benchlint.guards.guard_set import GuardSet


def challenges(benchmark: Benchmark) -> dict[str, tuple[str, ...]]:
    """Return the ids of the tasks that challenge each item with a guard, by the item's id.

    A task does where a guard rejects one of its expected actions, or would
    reject an action that the scenario speaks of and that is not among the
    expected ones, on a record that the agent looks up: a request that is
    refused.
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
    for told in found.check(task):
        if isinstance(told.outcome, Violation):
            yield told.outcome.guard
    looked_up = [dict(call.arguments) for call in task.actions if call.arguments and not found.writes(call)]
    done = {call.name for call in task.actions if found.writes(call)}
    words = {word[:5] for word in re.findall(r"[a-z]+", task.text.lower())}
    situation = Situation(State(benchmark.database), plain_task(task))
    for guard in found.guards:
        wanted = {name for name, _, _, _ in guard.violated.arguments}
        for tool in guard.text.tools if wanted else ():
            if tool in done or tool.split("_")[0][:5] not in words:
                continue
            for arguments in _candidates(wanted, looked_up):
                situation.set(
                    [guard], {"name": tool, "arguments": arguments, "requestor": "assistant"}, (), found.now(guard)
                )
                if isinstance(guard.ask(situation.context), Violation):
                    yield guard
                    break


def _candidates(wanted: set[str], looked_up: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the arguments that a guard asks for, from each lookup that has them all."""
    seen = []
    for arguments in looked_up:
        candidate = {name: arguments[name] for name in sorted(wanted) if name in arguments}
        if len(candidate) == len(wanted) and candidate not in seen:
            seen.append(candidate)
            yield candidate

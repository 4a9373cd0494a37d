"""Tasks that are there twice."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from benchlint.checks.registry import Check, Summary
from benchlint.checks.traits import joined, listed
from benchlint.checks.values import title, value_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.catalogue.finding import Finding
    from benchlint.checks.view import View

_SPACES = b" \t\n\r\x0b\x0c"
_LOWER = bytes(range(256)).lower()


def _identity(task: Task, _: Benchmark) -> str:
    """Return a task's own id, "" where it has none."""
    return task.id if task.id_pointer else ""


def _taken(digests: Sequence[str], _: Benchmark) -> tuple[tuple[int, int], ...]:
    """Return the indices of tasks whose id is taken, each with that of the first one that has it."""
    first: dict[str, int] = {}
    pairs = ((index, first.setdefault(name, index)) for index, name in enumerate(digests) if name)
    return tuple(pair for pair in pairs if pair[0] != pair[1])


_IDS = Summary("task-ids", _identity, _taken)


def _duplicate_id(view: View) -> Iterator[Finding]:
    """Report tasks whose id is taken, in the same files or in others that are read together."""
    tasks = view.benchmark.tasks
    for index, earlier_index in view.summary:
        task, earlier = tasks[index], tasks[earlier_index]
        other = earlier.slice.document.path
        if task.slice.document.path in view.benchmark.layout.together and other in view.benchmark.layout.tasks:
            yield _conflict(view, task, earlier)
        else:
            yield view.finding(
                "duplicate-task-id",
                f'another task has the id "{task.id}" as well',
                task.id_pointer,
                task=task,
                related=(view.related("the first task with this id", earlier, earlier.id_pointer),),
            )


def _conflict(view: View, task: Task, earlier: Task) -> Finding:
    fields = dict.fromkeys((*earlier.value, *task.value))
    different = [f'"{name}"' for name in fields if earlier.value.get(name) != task.value.get(name)]
    file = PurePath(earlier.slice.document.path).name
    verb = "differs" if len(different) == 1 else "differ"
    return view.finding(
        "conflicting-definition",
        f'task "{task.id}" is another one in {file}: {joined(different)} {verb}',
        task.id_pointer,
        task=task,
        related=(view.related("the other definition", earlier, earlier.id_pointer),),
    )


def _sketch(task: Task, _: Benchmark) -> int | None:
    """Return a hash that is equal for tasks that may be duplicates; None for no duplicate."""
    told = "".join(item.text for item in (*task.scenario, *task.behaviour))
    if not told:
        return None
    if not told.isascii():
        told = "".join(told.split()).casefold()
    told_by = told.encode("utf-8", "surrogatepass").translate(_LOWER, _SPACES)
    calls = (*task.actions, *task.initial_calls, *task.env_assertions)
    return hash((told_by, *[call.name for call in calls]))


def _alike(digests: Sequence[int | None], _: Benchmark) -> tuple[tuple[int, ...], ...]:
    """Return the indices of tasks that may be duplicates, a group each."""
    groups: dict[int, list[int]] = defaultdict(list)
    for index, sketch in enumerate(digests):
        if sketch is not None:
            groups[sketch].append(index)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


_SKETCHES = Summary("task-sketches", _sketch, _alike)


def _duplicate_task(view: View) -> Iterator[Finding]:
    """Report tasks that say and expect the same, one finding a group."""
    for group in view.summary:
        equal: dict[str, list[Task]] = defaultdict(list)
        for task in (view.benchmark.tasks[index] for index in group):
            equal[_content(task)].append(task)
        for tasks in equal.values():
            by_id = list({task.id: task for task in reversed(tasks)}.values())[::-1]
            if len(by_id) > 1:
                yield _group(view, by_id)


def _group(view: View, tasks: Sequence[Task]) -> Finding:
    first, second, *_ = tasks
    ids = listed([task.id for task in tasks])
    pointer, part = title(second)
    return view.finding(
        "duplicate-task",
        f"tasks {ids} have the same scenario and the same expectation",
        pointer,
        part=part,
        task=second,
        related=tuple(
            view.related(f'task "{task.id}" is the same', task, *title(task)) for task in (first, *tasks[2:11])
        ),
    )


def _content(task: Task) -> str:
    """Write all that makes a task what it is: not its id, and no remarks."""
    calls = ((call.requestor, call.name, call.arguments) for call in task.actions)
    initial = ((call.requestor, call.name, call.arguments) for call in task.initial_calls)
    asserted = (value_at(task.value, call.pointer) for call in task.env_assertions)
    content = [
        [item.text for item in task.scenario],
        task.ticket.text if task.ticket else None,
        [item.text for item in task.behaviour],
        [*calls],
        [item.text for item in task.communicate_info],
        [item.text for item in task.nl_assertions],
        [*asserted],
        [*initial],
        task.initial_data,
        task.reward_basis,
        [item.text for item in task.user_tools] if task.user_tools is not None else None,
    ]
    return json.dumps(_folded(content), sort_keys=True, default=repr)


def _folded(value: Any) -> Any:
    """Fold case and white space in all strings of a value."""
    if isinstance(value, str):
        return " ".join(value.split()).casefold()
    if isinstance(value, (list, tuple)):
        return [_folded(item) for item in value]
    if isinstance(value, dict):
        return {key: _folded(item) for key, item in value.items()}
    return value


CHECKS = (
    Check(("duplicate-task-id", "conflicting-definition"), _duplicate_id, "benchmark", summary=_IDS),
    Check(("duplicate-task",), _duplicate_task, "benchmark", summary=_SKETCHES),
)

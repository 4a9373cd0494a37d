"""What tasks expect in the situations that a guard rejects: that the action is done, or that it is refused.

A situation is what the guard reads of the action and of the records, but for
ids and times. Guards that read more than these (the scenario, the actions
before) know no two equal situations, and are left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchlint.guards.guard import Violation
from benchlint.guards.guard_set import guard_set

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from benchlint.benchmark.model import Benchmark, Field, Task
    from benchlint.guards.guard import Guard
    from benchlint.guards.guard_set import GuardSet, Moment

_BLIND: Final = frozenset({"task", "before"})
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?|\d\d:\d\d(?::\d\d)?")
_NOT = (
    r"\b(?:(?:do|does|should|must|will|would|can|may|to)\s*(?:not|never)|(?:do|does|should|must|wo|would|ca)n['’]?t"
    r"|cannot|never|refus\w+|den(?:y|ies|ied)|declin\w+|reject\w*|unable)\b(?:\s+\w+){0,3}?\s+"
)
_OPEN = re.compile(r"\b(?:after|before|except|if|once|only|other|twice|unless|until|when|without)\b", re.IGNORECASE)
"""A refusal with one of these words is none in every case."""

_STEM: Final = 5


class Refusal(NamedTuple):
    """A task that expects an action to be refused, in a situation; `field` says so, None where the whole task does."""

    task: Task
    situation: Hashable
    field: Field | None


class _Refusing(NamedTuple):
    """A task that refuses a tool's action: what says so, and the text in which the ids of the records stand."""

    task: Task
    field: Field | None
    ids: str


class Outcomes(NamedTuple):
    """An expected action that a guard rejects, and the tasks that refuse it in the same situation."""

    guard: Guard
    task: Task
    action: int
    refusals: tuple[Refusal, ...]


def opposite_outcomes(benchmark: Benchmark) -> Iterator[Outcomes]:
    """Yield the expected actions that a guard rejects and that other tasks refuse in the same situation."""
    if benchmark.items is None:
        return
    found = guard_set(benchmark)
    done: list[tuple[Task, int, Guard]] = []
    for task in benchmark.tasks:
        for told in found.check(task, benchmark.replay):
            outcome = told.outcome
            if isinstance(outcome, Violation) and _BLIND.isdisjoint(outcome.guard.violated.names):
                done.append((task, told.action, outcome.guard))
    refusing: dict[str, list[_Refusing]] = {}
    refused: dict[tuple[int, str], list[Refusal]] = {}
    for task, action, guard in done:
        name = task.actions[action].name
        if name not in refusing:
            refusing[name] = list(_refusing(benchmark, found, name))
        key = id(guard), name
        if key not in refused:
            refused[key] = list(_refusals(benchmark, found, guard, name, refusing[name]))
        if not refused[key]:
            continue
        situation = _situation_of(benchmark, found, task, action, guard)
        same = tuple(item for item in refused[key] if item.situation == situation and item.task is not task)
        if same:
            yield Outcomes(guard, task, action, same)


def _refusing(benchmark: Benchmark, found: GuardSet, tool: str) -> Iterator[_Refusing]:
    """Yield the tasks that refuse a tool's action, by their texts."""
    for task in benchmark.tasks:
        known = found.memo.get((tool, task.id))
        if known is None or known[0] is not task.value:
            known = found.memo[tool, task.id] = task.value, *_refused(found, task, tool)
        if known[2] is not None:
            yield _Refusing(task, known[1], known[2])


def _situation_of(benchmark: Benchmark, found: GuardSet, task: Task, action: int, guard: Guard) -> Hashable:
    for moment in found.moments(task, benchmark.replay):
        if moment.action == action:
            return _situation(benchmark, found, guard, moment, moment.before[-1], moment.before[:-1])
    return None


def _refusals(
    benchmark: Benchmark, found: GuardSet, guard: Guard, tool: str, refusing: list[_Refusing]
) -> Iterator[Refusal]:
    """Yield the tasks that refuse an action which a guard rejects as well."""
    names = sorted({name for name, _, _, _ in guard.violated.arguments})
    for item in refusing if names else ():
        key, inputs = (id(guard), tool, item.task.id), (item.task.value, benchmark.replay)
        known = found.memo.get(key)
        if known is None or any(one is not other for one, other in zip(known[0], inputs, strict=True)):
            known = found.memo[key] = inputs, _rejected(benchmark, found, guard, tool, names, item)
        if known[1] is not None:
            yield Refusal(item.task, known[1], item.field)


def _rejected(
    benchmark: Benchmark, found: GuardSet, guard: Guard, tool: str, names: list[str], item: _Refusing
) -> Hashable:
    """Return the situation in which a guard rejects what a task refuses; None where it does not."""
    for moment in found.moments(item.task, benchmark.replay):
        call = item.task.actions[moment.action]
        arguments = {name: (call.arguments or {}).get(name) for name in names}
        if found.writes(call) or None in arguments.values() or not _concerns(arguments, item.ids):
            continue
        action = {"name": tool, "arguments": arguments, "requestor": "assistant"}
        situation = _situation(benchmark, found, guard, moment, action, moment.before)
        if situation is not None:
            return situation
    return None


def _refused(found: GuardSet, task: Task, tool: str) -> tuple[Field | None, str | None]:
    """Return what says that a task refuses a tool's action, and the text in which the ids of the records stand.

    A criterion says so, that names the tool's verb after a negation; or
    nothing is expected to change although the scenario asks for it. Without
    a text in second place nothing says so; an empty one is about all records
    that are looked up.
    """
    if any(call.name == tool for call in task.actions):
        return None, None
    verb = tool.split("_", maxsplit=1)[0][:_STEM]
    says = re.compile(_NOT + re.escape(verb), re.IGNORECASE)
    for field in (*task.nl_assertions, *task.behaviour):
        if says.search(field.text) and not _OPEN.search(field.text):
            return field, field.text if _ids(field.text) else ""
    if not any(found.writes(call) for call in task.actions) and re.search(rf"\b{verb}", task.text, re.IGNORECASE):
        return None, task.text if _ids(task.text) else None
    return None, None


def _ids(text: str) -> list[str]:
    """Return what looks like ids: words with a figure and a capital or a sign."""
    return [word for word in re.findall(r"#?[\w-]*\d[\w-]*", text) if not _TIME.fullmatch(word) and len(word) > 3]


def _concerns(arguments: dict[str, Any], ids: str) -> bool:
    """Say whether one of some arguments stands in a text; in an empty one all do."""
    return not ids or any(isinstance(value, str) and value.lstrip("#") in ids for value in arguments.values())


def _situation(
    benchmark: Benchmark, found: GuardSet, guard: Guard, moment: Moment, action: dict[str, Any], before: list[Any]
) -> Hashable:
    """Return what a guard and its message read of an action that it rejects; None where it does not reject it."""
    state = moment.situation.state
    moment.situation.set([guard], action, before, found.now(guard))
    reads = state.reads = []
    outcome = guard.ask(moment.situation.context)
    state.reads = None
    if not isinstance(outcome, Violation):
        return None
    fields = set(re.findall(r"\.\s*([A-Za-z_]\w*)", guard.violated.source))
    plain = _Plain(benchmark, fields)
    arguments = {("action", (name,), plain.of(action["arguments"].get(name))) for name, *_ in guard.violated.arguments}
    return frozenset(arguments).union((name, plain.path(path), plain.of(value)) for name, path, value in reads)


class _Plain:
    """Values without ids, times and the fields that a guard does not name."""

    def __init__(self, benchmark: Benchmark, fields: set[str]) -> None:
        self._database = benchmark.database
        self._fields = fields

    def path(self, path: tuple[Any, ...]) -> tuple[str, ...]:
        """Return the names in a path that are fields, and a mark for each other part."""
        return tuple(part if part in self._fields else "[]" for part in path)

    def of(self, value: Any) -> Hashable:
        """Return a value that can be compared."""
        if isinstance(value, dict):
            return frozenset((name, self.of(item)) for name, item in value.items() if name in self._fields)
        if isinstance(value, list):
            return frozenset(map(self.of, value))
        if isinstance(value, str):
            return "(id)" if self._is_id(value) else "(time)" if _TIME.fullmatch(value) else value
        return repr(value) if isinstance(value, float) else value

    def _is_id(self, value: str) -> bool:
        collections = self._database.data.values() if self._database is not None else ()
        return any(isinstance(records, dict) and value in records for records in collections)

"""Values in expected writes that nothing tells the agent.

Only values that nobody can guess are looked at (see `kind_of`), and an
argument whose values are often untold in a benchmark is left alone: the
agent makes them up, or learns them from something not seen here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from benchlint.checks import entities
from benchlint.checks.arguments import is_creating, is_listed, others, pointer_to, replacing, scalars, words
from benchlint.checks.kinds import kind_of
from benchlint.checks.registry import Check, Summary
from benchlint.checks.sources import Sources, scenario_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchlint.benchmark.model import Benchmark, Call, Task, Tools
    from benchlint.catalogue.finding import Finding
    from benchlint.checks.arguments import Places
    from benchlint.checks.view import View
    from benchlint.text.tree import Pointer

_SEVERAL = 3
_SHARE = 0.3
"""So many untold values of an argument, and this share of all, are its habit."""

_MANY = 10
_LARGE_SHARE = 0.1
"""So many untold values in all, and this share, say that the database is not the one that the tools read."""

_ELSEWHERE = frozenset(
    {"article", "articles", "browse", "docs", "document", "documents", "file", "files", "internet", "kb"}
    | {"knowledge", "page", "pages", "web", "wiki", "wikipedia"}
)
"""Words in the names of tools that read more than the database."""

_COMPUTING = frozenset({"compute", "convert", "estimate", "exchange", "fee", "quote", "rate", "shipping", "tax"})
"""Words in the names of tools whose results are amounts of their own."""


_Key = tuple[str, str, str | float]
"""Tool, argument and value."""


class _Value(NamedTuple):
    """A value in an expected write, whether something tells it, and whether nobody can guess it."""

    tool: str
    argument: str
    value: str | float
    told: bool
    unguessable: bool


_Suggestion = tuple[str | float, str]
"""What was probably meant, and where it stands, in words."""


def _digest(task: Task, benchmark: Benchmark) -> tuple[_Value, ...]:
    """Return the values that nothing tells."""
    return tuple(item for _, _, item in _values(task, benchmark) if not item.told)


def _values(
    task: Task, benchmark: Benchmark, wanted: frozenset[_Key] | None = None
) -> Iterator[tuple[int, Pointer, _Value]]:
    """Yield the values in a task's expected writes: index of the call, pointer from its arguments, value.

    `wanted` leaves out all others.
    """
    tools, database = benchmark.tools, benchmark.database
    if tools is None or database is None or not (task.scenario or task.ticket) or task.value.get("required_documents"):
        return
    sources = Sources(task, benchmark, database)
    for index, call in enumerate(task.actions):
        tool = tools.get(call.requestor, call.name)
        if tool is None or tool.effect != "write" or not call.arguments:
            continue
        for at, argument, value in scalars(call.arguments):
            if type(value) not in (str, int, float) or value == "":
                continue
            if wanted is not None and (call.name, argument, value) not in wanted:
                continue
            if sources.has(value):
                yield index, at, _Value(call.name, argument, value, True, False)
            elif not is_listed(tool, at):
                kind = kind_of(argument, value)
                told = kind is not None and (
                    sources.tells(argument, value, kind) or (kind == "code" and _may_return_codes(task, index, tools))
                )
                yield index, at, _Value(call.name, argument, value, told, kind is not None)


def _may_return_codes(task: Task, before: int, tools: Tools) -> bool:
    """Say whether an earlier call of the task may return an id that was not there before."""
    return any(_is_source(call, tools) for call in (*task.initial_calls, *task.actions[:before]))


def _is_source(call: Call, tools: Tools) -> bool:
    tool = tools.get(call.requestor, call.name)
    if tool and tool.effect != "write":
        return tool.effect == "unknown"
    return is_creating(call.name)


def _reduce(digests: Sequence[tuple[_Value, ...]], benchmark: Benchmark) -> frozenset[_Key]:
    """Return the values that are untold against the habit of their argument."""
    untold = [item for digest in digests for item in digest]
    suspects = [item for item in untold if item.unguessable]
    tools = benchmark.tools
    if not suspects or tools is None:
        return frozenset()
    reading = {word for tool in tools.by_name.values() if tool.effect != "write" for word in words(tool.name)}
    told = [item for task in benchmark.tasks for _, _, item in _values(task, benchmark) if item.told]
    if reading & _ELSEWHERE or _is_other_database(suspects, told):
        return frozenset()
    links = entities.learn([entities.digest(task, benchmark) for task in benchmark.tasks], benchmark)
    habits = {name for name in {item.argument for item in suspects} if _is_habit(name, untold, told)}
    return frozenset(
        (item.tool, item.argument, item.value)
        for item in suspects
        if item.argument not in habits
        and links.of(item.tool, item.argument) is None
        and not (isinstance(item.value, (int, float)) and reading & _COMPUTING)
    )


def _is_other_database(suspects: list[_Value], told: list[_Value]) -> bool:
    unknown = len({item.value for item in suspects})
    return unknown >= _MANY and unknown > _LARGE_SHARE * (unknown + len({item.value for item in told}))


def _is_habit(argument: str, untold: list[_Value], told: list[_Value]) -> bool:
    unknown = len({item.value for item in untold if item.argument == argument})
    known = len({item.value for item in told if item.argument == argument})
    return unknown >= _SEVERAL and unknown > _SHARE * (unknown + known)


def _undisclosed_argument(view: View) -> Iterable[Finding]:
    if not view.summary:
        return
    places: dict[tuple[str, str | float], list[tuple[int, Pointer]]] = {}
    for index, at, item in _values(view.task, view.benchmark, view.summary):
        if not item.told:
            places.setdefault((item.argument, item.value), []).append((index, at))
    for (argument, value), found in places.items():
        yield _finding(view, argument, value, found)


def _finding(view: View, argument: str, value: str | float, places: Places) -> Finding:
    index, at = places[0]
    call = view.task.actions[index]
    who = "user" if call.requestor == "user" else "agent"
    message = (
        f"nothing tells the {who} the {argument} {value}: "
        "it stands neither in the scenario nor in the database, the policy or the tools"
    )
    if kind_of(argument, value) == "amount":
        message += ", and no calculation gives it"
    suggestion = _in_record(view, call, at, argument, value) or _in_scenario(view, value)
    if suggestion:
        message += f"; {suggestion[1]} has {suggestion[0]}"
    return view.finding(
        "undisclosed-argument",
        message,
        pointer_to(view, places[0]),
        related=others(view, places),
        fixes=replacing(view, str(value), str(suggestion[0]), places) if suggestion else (),
    )


def _in_record(view: View, call: Call, at: Pointer, argument: str, value: str | float) -> _Suggestion | None:
    """Return what the records that a call names have in the value's place.

    The place is an object with the same field, in which all that stands
    beside the value in the call stands, too.
    """
    beside: Any = call.arguments
    for part in at[:-1]:
        beside = beside[part]
    if not isinstance(beside, dict):
        return None
    database = view.database
    siblings = {item for key, item in beside.items() if type(item) is str and key != at[-1]}
    siblings = {item for item in siblings if item and not database.collections_of(item)}
    if not siblings:
        return None
    found: dict[str | float, _Suggestion] = {}
    for _, _, item in scalars(call.arguments):
        for name in database.collections_of(item) if type(item) is str else ():
            for other in _objects(database.record(name, item)):
                meant = other.get(argument)
                if isinstance(meant, (str, int, float)) and siblings <= _own_values(other):
                    found.setdefault(meant, (meant, f"{database.collections()[name].kind} {item}"))
    if len(found) != 1 or value in found:
        return None
    return next(iter(found.values()))


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(item)


def _own_values(record: dict[str, Any]) -> set[Any]:
    """Return the texts of a record, those in its lists left out."""
    found: set[Any] = set()
    for item in record.values():
        if isinstance(item, dict):
            found |= _own_values(item)
        elif isinstance(item, str):
            found.add(item)
    return found


def _in_scenario(view: View, value: str | float) -> _Suggestion | None:
    """Return the words of the scenario of which a value is a slip of the keys."""
    if not isinstance(value, str) or len(value) < 4:
        return None
    from rapidfuzz.distance import OSA

    size = len(value.split())
    spoken = [word.strip(".,;:!?\"'()") for word in scenario_text(view.task).split()]
    phrases = {" ".join(spoken[start : start + size]) for start in range(len(spoken) - size + 1)}
    most = 1 if len(value) < 8 else 2
    near = [phrase for phrase in phrases if 0 < OSA.distance(value, phrase, score_cutoff=most) <= most]
    return (near[0], "the scenario") if len(near) == 1 else None


CHECKS = (
    Check(
        rules=("undisclosed-argument",),
        run=_undisclosed_argument,
        needs=("tools", "database"),
        reads=("tools", "database", "policy"),
        summary=Summary("disclosure", _digest, _reduce, needs=("tools", "database", "policy")),
    ),
)

"""Expected actions that change nothing."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from benchlint.benchmark.database_files import DatabaseError
from benchlint.catalogue.finding import Severity
from benchlint.checks.edits import removal
from benchlint.checks.registry import Check
from benchlint.checks.schema import shown
from benchlint.checks.traits import joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchlint.benchmark.database import Database
    from benchlint.benchmark.model import Call, Task, Tools
    from benchlint.catalogue.finding import Finding, Related
    from benchlint.checks.view import View
    from benchlint.text.tree import Pointer

_SETTING = frozenset(
    {"cancel", "change", "disable", "edit", "enable", "modify", "resume", "revoke", "grant", "set", "suspend", "update"}
)
"""Words with which a tool's name starts when a second call with the same
arguments finds the work done. A payment or a certificate is no such thing."""

_SHOWN = 3
"""How many values a message shows."""

_NUMBER = re.compile(r"\s*\(?\s*[-+]?[$€£]?\s*\d[\d,]*(\.\d+)?\s*\)?\s*", re.ASCII)


def _redundant(view: View) -> Iterator[Finding]:
    task, tools = view.task, view.tools
    replayed = view.replayed(task)
    steps = replayed.steps if replayed is not None else ()
    last: dict[tuple[str, str], list[int]] = {}
    for index, call in enumerate(task.actions):
        if call.arguments is None or not call.known:
            continue
        key = (call.requestor, call.name)
        tool = tools.by_name.get(key)
        if tool is None:
            continue
        same = last.setdefault(key, [])
        earlier = next((at for at in reversed(same) if task.actions[at].arguments == call.arguments), None)
        same.append(index)
        if tool.effect == "write":
            exchanged = list(_exchanges(view, call))
            yield from exchanged
            step = steps[index] if index < len(steps) else None
            if step is not None:
                if not exchanged and step.failure is None and not step.changed:
                    yield _without_change(view, earlier, index)
            elif not call.arguments:
                continue
            elif earlier is not None and _settled(task, earlier, index):
                yield _repeated(view, earlier, index)
            elif _sets(call.name):
                yield from _holds_already(view, index, call)
        elif tool.changes_nothing:
            if earlier is not None and _untouched(task, tools, earlier, index):
                yield _looked_up(view, earlier, index)
            elif _calculates(call.name):
                yield from _one_number(view, call)


@lru_cache(1000)
def _sets(name: str) -> bool:
    """Say whether a tool sets something to what its arguments say."""
    return re.split(r"[_\W]|(?<=[a-z])(?=[A-Z])", name)[0].lower() in _SETTING


def _settled(task: Task, first: int, second: int) -> bool:
    """Say whether a repeated write finds everything as the first one left it.

    It must be one that sets something, and no action in between may deal
    with anything that its arguments name.
    """
    call = task.actions[second]
    if not _sets(call.name):
        return False
    own = _words(call.arguments)
    between = task.actions[first + 1 : second]
    return bool(own) and all(other.arguments and not own & _words(other.arguments) for other in between)


def _untouched(task: Task, tools: Tools, first: int, second: int) -> bool:
    """Say whether nothing that may change data stands between two calls."""
    between = task.actions[first + 1 : second]
    effects = (tools.by_name.get((call.requestor, call.name)) for call in between)
    return all(tool is not None and tool.changes_nothing for tool in effects)


def _words(value: Any) -> set[str]:
    """Return the strings inside a value that are long enough to name something."""
    if isinstance(value, str):
        return {value} if len(value) > 2 else set()
    if isinstance(value, dict):
        return set().union(*map(_words, value.values()))
    if isinstance(value, list):
        return set().union(*map(_words, value))
    return set()


def _without_change(view: View, earlier: int | None, index: int) -> Finding:
    """Report a write that was run and changed nothing; say why, where that is known."""
    call = view.task.actions[index]
    known = next(_holds_already(view, index, call), None) if earlier is None and call.arguments else None
    if known is not None:
        return replace(known, found_by="replay")
    related: tuple[Related, ...] = ()
    message = f"{call.name} changes nothing in the database"
    if earlier is not None:
        message = f"{call.name} repeats expected action {earlier + 1} with the same arguments and changes nothing more"
        related = (view.related("the same call", view.task, view.task.actions[earlier].name_pointer),)
    fix = removal(view, "Remove the call", call.pointer, safe=False)
    return view.finding(
        "redundant-action",
        message,
        call.name_pointer,
        related=related,
        fixes=(fix,) if fix else (),
        found_by="replay",
    )


def _repeated(view: View, first: int, second: int) -> Finding:
    call, earlier = view.task.actions[second], view.task.actions[first]
    fix = removal(view, "Remove the repeated call", call.pointer, safe=False)
    return view.finding(
        "redundant-action",
        f"{call.name} repeats expected action {first + 1} with the same arguments and changes nothing more",
        call.name_pointer,
        related=(view.related("the same call", view.task, earlier.name_pointer),),
        fixes=(fix,) if fix else (),
    )


def _looked_up(view: View, first: int, second: int) -> Finding:
    call, earlier = view.task.actions[second], view.task.actions[first]
    fix = removal(view, "Remove the repeated call", call.pointer, safe=False)
    return view.finding(
        "redundant-action",
        f"{call.name} repeats expected action {first + 1}, and nothing in between changes its result",
        call.name_pointer,
        severity=Severity.HINT,
        related=(view.related("the same call", view.task, earlier.name_pointer),),
        fixes=(fix,) if fix else (),
    )


def _exchanges(view: View, call: Call) -> Iterator[Finding]:
    """Report a thing that is exchanged for itself: `item_ids` and `new_item_ids`."""
    arguments = call.arguments or {}
    for name, new in arguments.items():
        if not name.startswith("new_"):
            continue
        old = arguments.get(name.removeprefix("new_"))
        if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            for index, (before, after) in enumerate(zip(old, new, strict=True)):
                if before == after and before:
                    yield _for_itself(view, call, name, (index,), after)
        elif old == new and old and isinstance(old, (str, int, float)):
            yield _for_itself(view, call, name, (), old)


def _for_itself(view: View, call: Call, name: str, inner: Pointer, value: Any) -> Finding:
    replaced = name.removeprefix("new_")
    where = f"{replaced} and {name} have it at the same position" if inner else f"it is both {replaced} and {name}"
    return view.finding(
        "redundant-action",
        f"{call.name} replaces {shown(value)} by itself: {where}",
        (*call.arguments_pointer, name, *inner),
        related=(view.related("what is replaced", view.task, (*call.arguments_pointer, replaced, *inner)),),
    )


def _calculates(name: str) -> bool:
    return "calculat" in name.lower()


def _one_number(view: View, call: Call) -> Iterator[Finding]:
    """Report a calculation whose expression is a number by itself."""
    arguments = call.arguments or {}
    if len(arguments) != 1:
        return
    ((name, value),) = arguments.items()
    if isinstance(value, (int, float)) or (isinstance(value, str) and _NUMBER.fullmatch(value)):
        message = f"{call.name} is given one number and has nothing to calculate: {shown(value)}"
        yield view.finding("redundant-action", message, (*call.arguments_pointer, name))


def _holds_already(view: View, index: int, call: Call) -> Iterator[Finding]:
    """Report a write of what the database holds from the start.

    Only where this is sure: one argument is the id of one record, the record
    has all others, and nothing before touches the record.
    """
    task = view.task
    arguments = call.arguments or {}
    if task.initial_calls or task.initial_data or call.requestor != "assistant" or len(arguments) < 2:
        return
    database = view.benchmark.database
    if database is None:
        return
    try:
        found = _record(database, arguments)
    except DatabaseError:
        return
    if found is None:
        return
    key, collection, record = found
    identifier = arguments[key]
    earlier = task.actions[:index]
    if any(identifier in _words(other.arguments) and _is_write(view, other) for other in earlier):
        return
    rest = {name: value for name, value in arguments.items() if name != key}
    if _holds(record, rest):
        values = [f"{name} {shown(value, 30)}" for name, value in rest.items()]
        if len(values) > _SHOWN:
            values[_SHOWN:] = [f"{len(values) - _SHOWN} more values"]
        yield view.finding(
            "redundant-action",
            f"{call.name} changes nothing: {identifier} in {collection} already has {joined(values)}",
            call.name_pointer,
        )


def _is_write(view: View, call: Call) -> bool:
    tool = view.tools.by_name.get((call.requestor, call.name))
    return tool is None or tool.effect in ("write", "unknown")


def _record(database: Database, arguments: Mapping[str, Any]) -> tuple[str, str, Any] | None:
    """Return the argument that names a record, and the record; None unless there is just one."""
    collections = database.collections()
    found = [
        (name, collection, database.record(collection, value))
        for name, value in arguments.items()
        if isinstance(value, str) and len(value) > 2
        for collection in database.collections_of(value)
        if collections[collection].unique
    ]
    return found[0] if len(found) == 1 else None


def _holds(record: Any, values: Mapping[str, Any]) -> bool:
    """Say whether a record, or one object inside it, has all of some values."""
    if not isinstance(record, dict):
        return False
    inner = [value for value in record.values() if isinstance(value, dict)]
    return any(all(_has(holder, name, value) for name, value in values.items()) for holder in (record, *inner))


def _has(holder: Mapping[str, Any], name: str, value: Any) -> bool:
    field = name if name in holder else name.removeprefix("new_")
    return field in holder and holder[field] == value and type(holder[field]) is type(value)


CHECKS = (Check(("redundant-action",), _redundant, "task", ("tools",), ("tools", "database", "replay")),)

"""Calls that the domain's tools do not allow."""

from __future__ import annotations

from itertools import chain
from pathlib import PurePath
from typing import TYPE_CHECKING

from benchlint.checks.edits import insertion, rewriting
from benchlint.checks.naming import suggestion
from benchlint.checks.registry import Check, Summary
from benchlint.checks.schema import mismatches, placeholder, shown
from benchlint.checks.traits import is_trait, joined, listed
from benchlint.checks.values import value_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchlint.benchmark.model import Benchmark, Call, Requestor, Task, Tool, Tools
    from benchlint.catalogue.finding import Finding, Fix
    from benchlint.checks.schema import Mismatch
    from benchlint.checks.view import View
    from benchlint.text.tree import Pointer

_SIDES: dict[Requestor, str] = {"assistant": "the agent", "user": "the user"}
_OTHER: dict[Requestor, Requestor] = {"assistant": "user", "user": "assistant"}

_PLAIN = {str: ("string",), int: ("integer", "number"), float: ("number",), bool: ("boolean",)}
_PLAIN_KEYS = frozenset({"type", "description", "title", "default", "examples"})


def _digest(task: Task, benchmark: Benchmark) -> tuple[int, int]:
    """Return how many expected actions a task has, and of how many there is no tool."""
    tools = benchmark.tools
    if tools is None or tools.open:
        return 0, 0
    unknown = sum((call.requestor, call.name) not in tools.by_name for call in task.actions)
    return len(task.actions), unknown


def _reduce(digests: Sequence[tuple[int, int]], _: Benchmark) -> tuple[int, int] | None:
    """Return the sums where nearly all actions are unknown: the tools are others'."""
    actions, unknown = (sum(column) for column in zip(*digests, strict=True)) if digests else (0, 0)
    return (actions, unknown) if is_trait(unknown, actions) else None


_FOREIGN = Summary("foreign-tools", _digest, _reduce, ("tools",))


def _foreign_tools(view: View) -> Iterable[Finding]:
    """Report, once, a file whose actions hardly know the tools."""
    if view.summary is None:
        return
    actions, unknown = view.summary
    tools = view.tools
    calls = [(task, call) for task in view.benchmark.tasks for call in task.actions]
    strange = [(task, call) for task, call in calls if (call.requestor, call.name) not in tools.by_name]
    task, call = strange[0]
    names = listed(list(dict.fromkeys(call.name for _, call in strange)), 3)
    yield view.file_finding(
        "unknown-tool",
        f"{unknown} of {actions} expected actions call tools that {_file(tools)} does not have: {names}",
        view.anchor(task, call.name_pointer),
        quote=call.name,
    )


def _calls(view: View) -> Iterator[Finding]:
    if view.summary is not None:
        return
    task, tools = view.task, view.tools
    functions = tools.complete and not tools.open
    for call in task.actions:
        tool = tools.by_name.get((call.requestor, call.name))
        if tool is not None:
            if not _plainly_fits(call, tool):
                yield from _arguments(view, call, tool)
        elif not tools.open and call.name:
            yield _unknown_tool(view, call)
    for call in chain(task.initial_calls, task.env_assertions):
        tool = tools.by_name.get((call.requestor, call.name))
        if tool is not None:
            if not _plainly_fits(call, tool):
                yield from _arguments(view, call, tool)
        elif functions and call.name and call.name not in tools.internal:
            yield _unknown_function(view, call)
    yield from _compared(view)
    if task.user_tools and not tools.open:
        yield from _user_tools(view)
        yield from _withheld(view)


def _unknown_tool(view: View, call: Call) -> Finding:
    tools, side = view.tools, _SIDES[call.requestor]
    other = _OTHER[call.requestor]
    if tools.get(other, call.name) is not None:
        message = f'{side} has no tool "{call.name}": it is a tool of {_SIDES[other]}'
        return view.finding("unknown-tool", message, call.name_pointer, fixes=_requestor(view, call, other))
    names = tools.names(call.requestor)
    if not names:
        message = f'{side} has no tools in {_file(tools)}, and so no "{call.name}"'
        return view.finding("unknown-tool", message, call.name_pointer)
    message = f'{side} has no tool "{call.name}"'
    return view.finding(
        "unknown-tool",
        message,
        call.name_pointer,
        fixes=_nearest_name(view, call.name, names, call.name_pointer),
    )


def _requestor(view: View, call: Call, side: Requestor) -> tuple[Fix, ...]:
    """Return the fix that lets the other side make a call."""
    raw = value_at(view.task.value, call.pointer)
    title = f'Set requestor to "{side}"'
    fix = None
    if isinstance(raw, dict) and "requestor" in raw:
        fix = view.replacement(title, (*call.pointer, "requestor"), side, safe=False)
    elif view.benchmark.format == "tau2":
        fix = insertion(view, title, call.pointer, {"requestor": side}, safe=False)
    return (fix,) if fix else ()


def _unknown_function(view: View, call: Call) -> Finding:
    tools = view.tools
    message = f'neither a tool nor another function of the environment is called "{call.name}"'
    known = [*tools.names(call.requestor), *sorted(tools.internal)]
    return view.finding(
        "unknown-tool",
        message,
        call.name_pointer,
        fixes=_nearest_name(view, call.name, known, call.name_pointer),
    )


def _withheld(view: View) -> Iterator[Finding]:
    """Report actions of the user with tools that the task does not lend; not where it misspells them."""
    lent = [item.text for item in view.task.user_tools or ()]
    names = view.tools.names("user")
    meant = {found[0] for name in lent if name not in names and (found := suggestion(name, names))}
    for call in view.task.actions:
        known = view.tools.get("user", call.name) is not None
        if call.requestor == "user" and known and call.name not in lent and call.name not in meant:
            message = f'the user cannot call "{call.name}" in this task: user_tools has {listed(lent)}'
            yield view.finding("unknown-tool", message, call.name_pointer)


def _user_tools(view: View) -> Iterator[Finding]:
    names = view.tools.names("user")
    for item in view.task.user_tools or ():
        if item.text not in names:
            message = f'the user has no tool "{item.text}"'
            if view.tools.get("assistant", item.text) is not None:
                message += ": it is a tool of the agent"
            fixes = _nearest_name(view, item.text, names, item.pointer)
            yield view.finding("unknown-tool", message, item.pointer, fixes=fixes)


def _nearest_name(view: View, name: str, names: Iterable[str], pointer: Pointer) -> tuple[Fix, ...]:
    found = suggestion(name, names)
    if found is None:
        return ()
    fix = view.replacement(f'Change the name to "{found[0]}"', pointer, found[0], safe=found[1])
    return (fix,) if fix else ()


def _plainly_fits(call: Call, tool: Tool) -> bool:
    """Say whether a call is right at first sight; most are, and this is fast."""
    arguments, parameters = call.arguments, tool.parameters
    if arguments is None:
        return True
    for name, value in arguments.items():
        parameter = parameters.get(name)
        if parameter is None:
            return False
        schema = parameter.schema
        if schema.get("type") not in _PLAIN.get(type(value), ()) or not _PLAIN_KEYS.issuperset(schema):
            return False
    return len(arguments) == len(parameters) or not any(
        parameter.required and name not in arguments for name, parameter in parameters.items()
    )


def _arguments(view: View, call: Call, tool: Tool) -> Iterator[Finding]:
    """Compare a call's arguments with its tool's parameters."""
    arguments = call.arguments
    if arguments is None:
        return
    parameters = tool.parameters
    absent = [name for name, parameter in parameters.items() if parameter.required and name not in arguments]
    for name, value in arguments.items():
        parameter = parameters.get(name)
        if parameter is None:
            if not tool.open:
                yield _unknown_argument(view, call, tool, name, absent)
        elif value is not None or parameter.required:
            for wrong in mismatches(parameter.schema, value, (*call.arguments_pointer, name)):
                yield _invalid_argument(view, tool, wrong)
    if absent and call.known:
        yield _missing_arguments(view, call, tool, absent)


def _unknown_argument(view: View, call: Call, tool: Tool, name: str, absent: list[str]) -> Finding:
    """Report an argument; a missing one that it stands for is taken out of `absent`."""
    assert call.arguments is not None
    free = [other for other in tool.parameters if other not in call.arguments]
    found = suggestion(name, absent) or suggestion(name, free)
    fixes: tuple[Fix, ...] = ()
    pointer = (*call.arguments_pointer, name)
    if found is not None:
        if found[0] in absent:
            absent.remove(found[0])
        fix = view.replacement(f'Rename the argument to "{found[0]}"', pointer, found[0], part="key", safe=found[1])
        fixes = (fix,) if fix else ()
    message = f'{tool.name} has no argument "{name}"'
    return view.finding("unknown-argument", message, pointer, part="key", fixes=fixes)


def _missing_arguments(view: View, call: Call, tool: Tool, absent: list[str]) -> Finding:
    names = joined([f'"{name}"' for name in absent])
    entries = {name: placeholder(tool.parameters[name].schema, name) for name in absent}
    it = "a placeholder" if len(absent) == 1 else "placeholders"
    title = f"Add {names} with {it}"
    fix = insertion(view, title, call.arguments_pointer, entries, safe=False)
    given = value_at(view.task.value, call.arguments_pointer) is not None
    return view.finding(
        "missing-argument",
        f"{tool.name} needs {names}, which the call does not give",
        call.arguments_pointer if given else call.name_pointer,
        part="key" if given else "value",
        fixes=(fix,) if fix else (),
    )


def _invalid_argument(view: View, tool: Tool, wrong: Mismatch) -> Finding:
    fix = None
    if wrong.replacement is not None:
        if wrong.part == "key":
            title = f'Rename the field to "{wrong.replacement}"'
            fix = view.replacement(title, wrong.pointer, wrong.replacement, part="key", safe=wrong.certain)
        else:
            title = f"Change the value to {shown(wrong.replacement)}"
            fix = rewriting(view, title, wrong.pointer, wrong.replacement, safe=wrong.certain)
    return view.finding(
        "invalid-argument",
        f"{tool.name}: {wrong.message}",
        wrong.pointer,
        part=wrong.part,
        fixes=(fix,) if fix else (),
    )


def _compared(view: View) -> Iterator[Finding]:
    """Report names in `compare_args` that stand for no parameter."""
    task = view.task
    rows = value_at(task.value, task.criteria_pointers["actions"]) if "actions" in task.criteria_pointers else None
    if not isinstance(rows, list) or not any(isinstance(row, dict) and row.get("compare_args") for row in rows):
        return
    for call in task.actions:
        raw = value_at(task.value, call.pointer)
        names = raw.get("compare_args") if isinstance(raw, dict) else None
        if not names or not isinstance(names, list):
            continue
        tool = view.tools.get(call.requestor, call.name)
        if tool is None or tool.open:
            continue
        for index, name in enumerate(names):
            if isinstance(name, str) and name not in tool.parameters:
                pointer = (*call.pointer, "compare_args", index)
                message = f'compare_args names "{name}", but {tool.name} has no such argument'
                fixes = _nearest_name(view, name, tool.parameters, pointer)
                yield view.finding("unknown-argument", message, pointer, fixes=fixes)


def _file(tools: Tools) -> str:
    """Name the files in which the tools stand."""
    return joined([PurePath(path).name for path in tools.paths]) or "the benchmark"


CHECKS = (
    Check(("unknown-tool",), _foreign_tools, "benchmark", reads=("tools",), summary=_FOREIGN),
    Check(
        ("unknown-tool", "unknown-argument", "missing-argument", "invalid-argument"),
        _calls,
        "task",
        ("tools",),
        ("tools",),
        _FOREIGN,
    ),
)

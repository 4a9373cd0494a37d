"""tau-bench: Python modules with a list of `Task(...)`, read as syntax."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchlint.benchmark.formats.base import problems, strings, suppressions
from benchlint.benchmark.model import Call, Field, Problem, Task
from benchlint.benchmark.shape import OBJECT, TEXT, ListOf, Optional, Record, Shape
from benchlint.text.slices import UNKNOWN, UNPARSED

if TYPE_CHECKING:
    from benchlint.text.slices import Slice

name = "tau-bench"
default_reward_basis = ("DB", "COMMUNICATE")
"""The framework always compares the database and looks for the outputs."""
header: Shape | None = None

RESPOND = "respond"
"""The name of an action that is no call: the agent's words to the user."""

_ACTION = Record("an action", {"name": TEXT, "kwargs": OBJECT, "arguments": OBJECT}, ("name",))
TASK = Record(
    "a task",
    {
        "annotator": None,
        "user_id": TEXT,
        "instruction": TEXT,
        "actions": ListOf(_ACTION),
        "outputs": Optional(ListOf(TEXT)),
        "annotations": None,
    },
    ("instruction", "actions"),
)


def recognises(value: Any) -> bool:
    """Say whether a value has the fields that only this format has."""
    return isinstance(value, dict) and {"instruction", "actions"} <= value.keys()


def read(piece: Slice) -> tuple[Task | None, list[Problem]]:
    """Return a slice's task and where it differs from the format.

    Its id is its index: the format has none.
    """
    value = piece.value
    if value is UNPARSED or value is UNKNOWN:
        return None, []
    found = problems(TASK, value)
    if not isinstance(value, dict):
        return None, found
    instruction = value.get("instruction")
    pointers = {"actions": ("actions",), "communicate_info": ("outputs",)}
    return Task(
        id=str(piece.index),
        id_pointer=(),
        slice=piece,
        value=value,
        scenario=(Field(("instruction",), instruction),) if isinstance(instruction, str) else (),
        actions=_actions(value.get("actions")),
        communicate_info=strings(value.get("outputs"), ("outputs",)),
        criteria_pointers={kind: at for kind, at in pointers.items() if at[0] in value},  # type: ignore[misc]
        suppressions=suppressions(value),
    ), found


def _actions(value: Any) -> tuple[Call, ...]:
    """Return the expected actions; what the text does not tell is no known call."""
    if value is UNKNOWN:
        return (Call(("actions",), "", None, known=False, keys=()),)
    found = []
    for index, item in enumerate(value if isinstance(value, list) else ()):
        at = ("actions", index)
        if item is UNKNOWN:
            found.append(Call(at, "", None, known=False, keys=()))
            continue
        if not isinstance(item, dict) or item.get("name") == RESPOND:
            continue
        tool = item.get("name")
        key = "arguments" if "arguments" in item and "kwargs" not in item else "kwargs"
        arguments = item.get(key)
        if isinstance(tool, str) or tool is UNKNOWN:
            found.append(
                Call(
                    at,
                    tool if isinstance(tool, str) else "",
                    arguments if isinstance(arguments, dict) else None,
                    known=isinstance(tool, str) and arguments is not UNKNOWN,
                    keys=("name", key),
                )
            )
    return tuple(found)

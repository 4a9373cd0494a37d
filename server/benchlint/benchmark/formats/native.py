"""The native format, for authors who start afresh: `docs/native-format.md`.

YAML or JSON: an object with the version marker `benchlint: 1`, the paths of
policy, tools and database, and a list of tasks. JSON Lines: a task a line.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from benchlint.benchmark.formats.base import calls, problems, strings, suppressions, texts
from benchlint.benchmark.model import Problem, Task
from benchlint.benchmark.shape import (
    ID,
    OBJECT,
    TEXT,
    Either,
    ListOf,
    OneOf,
    Optional,
    Record,
    Shape,
    field_name,
    type_name,
)
from benchlint.text.slices import UNPARSED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Call, CriterionKind
    from benchlint.text.slices import Slice
    from benchlint.text.tree import Pointer

name = "native"
default_reward_basis: tuple[str, ...] = ()
"""The format itself scores nothing: what counts is told, or not known."""

VERSION = 1
MARKER = "benchlint"
REWARDS = ("DB", "ACTION", "COMMUNICATE", "NL_ASSERTION")


@dataclass(frozen=True, slots=True)
class _Version:
    """The number of a version of the format."""

    name: str = "a version of the format"

    def fits(self, value: Any) -> bool:
        return type(value) is int and value == VERSION

    def problems(self, value: Any, at: Pointer) -> Iterator[Problem]:
        if not self.fits(value):
            yield Problem(at, f'"{at[-1]}" is the version of the format: {VERSION} is the only one')


@dataclass(frozen=True, slots=True)
class _Texts:
    """A string, or a list of strings."""

    name: str = "a string or a list"

    def fits(self, value: Any) -> bool:
        return TEXT.fits(value) or ListOf(TEXT).fits(value)

    def problems(self, value: Any, at: Pointer) -> Iterator[Problem]:
        if isinstance(value, list):
            yield from ListOf(TEXT).problems(value, at)
        elif not self.fits(value):
            yield Problem(at, f"{field_name(at)} must be {self.name}, not {type_name(value)}")


_TEXTS = _Texts()
_CALL = Record(
    "a call",
    {"name": TEXT, "arguments": OBJECT, "requestor": OneOf(("assistant", "user"))},
    ("name",),
)
TASK = Record(
    "a task",
    {
        "id": ID,
        "description": Either(
            Record(
                "a description",
                {"scenario": TEXT, "persona": TEXT, "known": _TEXTS, "unknown": _TEXTS, "purpose": TEXT},
                ("scenario",),
            )
        ),
        "initial_state": Record("an initial state", {"data": OBJECT, "calls": ListOf(_CALL)}),
        "expected": Record(
            "the expected behaviour",
            {
                "behaviour": _TEXTS,
                "actions": ListOf(_CALL),
                "say": ListOf(TEXT),
                "assertions": ListOf(TEXT),
                "reward_basis": ListOf(OneOf(REWARDS)),
            },
        ),
        "annotations": Optional(OBJECT),
    },
    ("id", "description", "expected"),
)
_HEADER = Record(
    "a benchmark",
    {MARKER: _Version(), "policy": _TEXTS, "tools": _TEXTS, "database": _TEXTS, "splits": TEXT},
)
header: Shape | None = _HEADER
FILE = Record("a benchmark", {**_HEADER.fields, "tasks": ListOf(TASK)}, ("tasks",))

_TOLD = ("persona", "scenario", "known", "unknown")
_CRITERIA: dict[CriterionKind, str] = {
    "actions": "actions",
    "communicate_info": "say",
    "nl_assertions": "assertions",
}


def recognises(value: Any) -> bool:
    """Say whether a value is a task of this format, or the object around the tasks.

    A task alone must have nothing but the format's own fields: `description`
    and `expected` are words that test cases of all kinds use.
    """
    if not isinstance(value, dict):
        return False
    if MARKER in value:
        return True
    return {"id", "description", "expected"} <= value.keys() <= TASK.fields.keys() and isinstance(
        value["expected"], dict
    )


def read(piece: Slice) -> tuple[Task | None, list[Problem]]:
    """Return a slice's task and where it differs from the format."""
    value = piece.value
    if value is UNPARSED:
        return None, []
    if isinstance(value, dict) and MARKER in value:
        return None, problems(FILE, value)
    found = problems(TASK, value)
    if not isinstance(value, dict):
        return None, found
    expected, state = _object(value, "expected"), _object(value, "initial_state")
    description = value.get("description")
    at: Pointer = ("description",)
    told = list(texts(description, at)) if isinstance(description, str) else []
    if isinstance(description, dict):
        told = [text for key in _TOLD for text in texts(description.get(key), (*at, key))]
    purpose = _object(value, "description").get("purpose")
    basis = expected.get("reward_basis")
    identity = value.get("id")
    return Task(
        id=str(identity) if isinstance(identity, (str, int)) else "",
        id_pointer=("id",),
        slice=piece,
        value=value,
        scenario=tuple(told),
        purpose=tuple(texts(purpose, (*at, "purpose"))) if isinstance(purpose, str) else (),
        behaviour=tuple(texts(expected.get("behaviour"), ("expected", "behaviour"))),
        actions=_calls(expected, "expected", "actions"),
        communicate_info=strings(expected.get("say"), ("expected", "say")),
        nl_assertions=strings(expected.get("assertions"), ("expected", "assertions")),
        read_initial_calls=partial(_calls, state, "initial_state", "calls"),
        initial_data=state.get("data"),
        reward_basis=tuple(item for item in basis if isinstance(item, str)) if isinstance(basis, list) else None,
        reward_basis_pointer=("expected", "reward_basis") if isinstance(basis, list) else None,
        criteria_pointers={kind: ("expected", key) for kind, key in _CRITERIA.items() if key in expected},
        suppressions=suppressions(value),
    ), found


def _calls(value: dict[str, Any], parent: str, key: str) -> tuple[Call, ...]:
    """Return the calls of a list; one without arguments has none to give."""
    items: Any = value.get(key)
    found = calls(items, (parent, key), "name", "arguments", "requestor", "assistant")
    return tuple(
        replace(call, arguments={}) if call.arguments is None and "arguments" not in items[call.pointer[-1]] else call
        for call in found
    )


def _object(value: dict[str, Any], key: str) -> dict[str, Any]:
    item = value.get(key)
    return item if isinstance(item, dict) else {}

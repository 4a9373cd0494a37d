"""IntellAgent: tasks in prose, as a JSON list or as the original pickle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchlint.benchmark.formats.base import problems, suppressions
from benchlint.benchmark.model import Field, Problem, Task
from benchlint.benchmark.shape import ID, NUMBER, TEXT, ListOf, Optional, Record, Shape
from benchlint.text.slices import UNPARSED

if TYPE_CHECKING:
    from benchlint.text.slices import Slice

name = "intellagent"
default_reward_basis: tuple[str, ...] = ()
header: Shape | None = None

_POLICY = Record("a policy", {"flow": Optional(TEXT), "policy": TEXT, "score": Optional(NUMBER)}, ("policy",))
TASK = Record(
    "a task",
    {
        "id": ID,
        "event_description": TEXT,
        "expected_behaviour": TEXT,
        "policies": Optional(ListOf(_POLICY)),
        "challenge_level": Optional(NUMBER),
        "scenario": Optional(TEXT),
        "relevant_rows": None,
        "symbolic_info": None,
        "symbolic_restrictions": None,
        "annotations": None,
    },
    ("id", "event_description", "expected_behaviour"),
)


def recognises(value: Any) -> bool:
    """Say whether a value has the fields that only this format has."""
    return isinstance(value, dict) and "event_description" in value


def read(piece: Slice) -> tuple[Task | None, list[Problem]]:
    """Return a slice's task and where it differs from the format."""
    value = piece.value
    if value is UNPARSED:
        return None, []
    found = problems(TASK, value)
    if not isinstance(value, dict):
        return None, found
    identity, policies = value.get("id"), value.get("policies")
    cites = []
    for index, item in enumerate(policies if isinstance(policies, list) else ()):
        text = item.get("policy") if isinstance(item, dict) else None
        if isinstance(text, str):
            cites.append(Field(("policies", index, "policy"), text))
    return Task(
        id=str(identity) if isinstance(identity, (str, int)) else "",
        id_pointer=("id",),
        slice=piece,
        value=value,
        scenario=_texts(value, "event_description", "scenario"),
        behaviour=_texts(value, "expected_behaviour"),
        initial_data=value.get("relevant_rows"),
        cites=tuple(cites),
        suppressions=suppressions(value),
    ), found


def _texts(value: dict[str, Any], *keys: str) -> tuple[Field, ...]:
    return tuple(Field((key,), text) for key in keys if isinstance(text := value.get(key), str))

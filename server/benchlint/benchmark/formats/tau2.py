"""tau2-bench and tau3-bench: `tasks.json`, and files of one task each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from benchlint.benchmark.formats.base import calls, problems, strings, suppressions, texts
from benchlint.benchmark.model import CriterionKind, Field, Problem, Task
from benchlint.benchmark.shape import BOOLEAN, ID, OBJECT, TEXT, Either, ListOf, OneOf, Optional, Record
from benchlint.text.slices import UNPARSED

if TYPE_CHECKING:
    from benchlint.benchmark.model import Requestor
    from benchlint.benchmark.shape import Shape
    from benchlint.text.slices import Slice
    from benchlint.text.tree import Pointer

name = "tau2"
default_reward_basis = ("DB", "COMMUNICATE")
"""The framework's default (`EvaluationCriteria.reward_basis`)."""
header: Shape | None = None

REWARDS = ("DB", "ENV_ASSERTION", "NL_ASSERTION", "ACTION", "COMMUNICATE")

_SIDE = OneOf(("assistant", "user"))
_ACTION = Record(
    "an action",
    {
        "action_id": TEXT,
        "requestor": _SIDE,
        "name": TEXT,
        "arguments": OBJECT,
        "info": Optional(TEXT),
        "compare_args": Optional(ListOf(TEXT)),
    },
    ("action_id", "name", "arguments"),
)
_CALL = Record(
    "an initialization action",
    {"env_type": _SIDE, "func_name": TEXT, "arguments": OBJECT},
    ("env_type", "func_name", "arguments"),
)
_ASSERTION = Record(
    "an assertion of the environment",
    {"env_type": _SIDE, "func_name": TEXT, "arguments": OBJECT, "assert_value": BOOLEAN, "message": Optional(TEXT)},
    ("env_type", "func_name", "arguments"),
)
_INSTRUCTIONS = Record(
    "the instructions",
    {
        "domain": TEXT,
        "reason_for_call": TEXT,
        "known_info": Optional(TEXT),
        "unknown_info": Optional(TEXT),
        "task_instructions": TEXT,
    },
    ("domain", "reason_for_call", "task_instructions"),
)
TASK = Record(
    "a task",
    {
        "id": ID,
        "description": Optional(
            Record(
                "a description",
                {"purpose": Optional(TEXT), "relevant_policies": Optional(TEXT), "notes": Optional(TEXT)},
            )
        ),
        "user_scenario": Record(
            "a user scenario", {"persona": Optional(TEXT), "instructions": Either(_INSTRUCTIONS)}, ("instructions",)
        ),
        "ticket": Optional(TEXT),
        "initial_state": Optional(
            Record(
                "an initial state",
                {
                    "initialization_data": Optional(
                        Record("initialization data", {"agent_data": Optional(OBJECT), "user_data": Optional(OBJECT)})
                    ),
                    "initialization_actions": Optional(ListOf(_CALL)),
                    "message_history": Optional(ListOf(OBJECT)),
                },
            )
        ),
        "evaluation_criteria": Optional(
            Record(
                "evaluation criteria",
                {
                    "actions": Optional(ListOf(_ACTION)),
                    "env_assertions": Optional(ListOf(_ASSERTION)),
                    "communicate_info": Optional(ListOf(TEXT)),
                    "nl_assertions": Optional(ListOf(TEXT)),
                    "reward_basis": ListOf(OneOf(REWARDS)),
                },
            )
        ),
        "issues": None,
        "annotations": None,
        "user_tools": Optional(ListOf(TEXT)),
        "required_documents": Optional(ListOf(TEXT)),
    },
    ("id", "user_scenario"),
)
_CALL_KEYS: tuple[str, str, str, Requestor] = ("func_name", "arguments", "env_type", "assistant")
_CRITERIA: tuple[CriterionKind, ...] = ("actions", "communicate_info", "nl_assertions", "env_assertions")


def recognises(value: Any) -> bool:
    """Say whether a value has the fields that only this format has."""
    return isinstance(value, dict) and ("user_scenario" in value or {"id", "evaluation_criteria"} <= value.keys())


def read(piece: Slice) -> tuple[Task | None, list[Problem]]:
    """Return a slice's task and where it differs from the format."""
    value = piece.value
    if value is UNPARSED:
        return None, []
    found = problems(TASK, value)
    if not isinstance(value, dict):
        return None, found
    scenario = _object(value, "user_scenario")
    description = _object(value, "description")
    state = _object(value, "initial_state")
    criteria = _object(value, "evaluation_criteria")
    at: Pointer = ("evaluation_criteria",)
    identity = value.get("id")
    basis = criteria.get("reward_basis")
    tools = value.get("user_tools")
    ticket = value.get("ticket")
    history = state.get("message_history")
    told = [*texts(scenario.get("persona"), ("user_scenario", "persona"))]
    told += texts(scenario.get("instructions"), ("user_scenario", "instructions"))
    if isinstance(history, list):
        told += texts(history, ("initial_state", "message_history"))
    return Task(
        id=str(identity) if isinstance(identity, (str, int)) else "",
        id_pointer=("id",),
        slice=piece,
        value=value,
        scenario=tuple(told),
        purpose=tuple(texts(description, ("description",))),
        ticket=Field(("ticket",), ticket) if isinstance(ticket, str) else None,
        actions=calls(criteria.get("actions"), (*at, "actions"), "name", "arguments", "requestor", "assistant"),
        communicate_info=strings(criteria.get("communicate_info"), (*at, "communicate_info")),
        nl_assertions=strings(criteria.get("nl_assertions"), (*at, "nl_assertions")),
        read_env_assertions=partial(
            calls,
            criteria.get("env_assertions"),
            ("evaluation_criteria", "env_assertions"),
            *_CALL_KEYS,
        ),
        read_initial_calls=partial(
            calls,
            state.get("initialization_actions"),
            ("initial_state", "initialization_actions"),
            *_CALL_KEYS,
        ),
        initial_data=state.get("initialization_data"),
        reward_basis=tuple(item for item in basis if isinstance(item, str)) if isinstance(basis, list) else None,
        reward_basis_pointer=(*at, "reward_basis") if isinstance(basis, list) else None,
        criteria_pointers={kind: (*at, kind) for kind in _CRITERIA if kind in criteria},
        user_tools=strings(tools, ("user_tools",)) if isinstance(tools, list) else None,
        suppressions=suppressions(value),
    ), found


def _object(value: dict[str, Any], key: str) -> dict[str, Any]:
    item = value.get(key)
    return item if isinstance(item, dict) else {}

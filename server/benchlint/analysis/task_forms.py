"""A new task's contents in the form of another task of its file."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchlint.checks.values import value_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchlint.analysis.draft_records import Lookup
    from benchlint.benchmark.model import PolicyItem, Task
    from benchlint.text.tree import Pointer

_REQUEST: Final = re.compile(r"reason|request|want|goal|instruction|description|scenario|ticket", re.IGNORECASE)
_KNOWN: Final = re.compile(r"\bknow", re.IGNORECASE)


class Contents(NamedTuple):
    """What a new task says.

    `knows` is who the user is and what they know, `wants` their request,
    `manner` how they go on. `behaviour` is the agent's, in prose; `assertions`
    say the same of a finished conversation, one sentence each, as criteria
    where such are scored, else as notes. `must_say` are texts that the agent
    has to tell the user, and `changes` says that the calls change something.
    """

    knows: str
    wants: str
    manner: str
    behaviour: str
    assertions: Sequence[str] = ()
    must_say: Sequence[str] = ()
    calls: Sequence[Lookup] = ()
    changes: bool = False


def task_value(form: Task, item: PolicyItem, name: int | str, contents: Contents) -> dict[str, Any]:
    """Return the value of a task that challenges a policy item: that of `form`, with all of its own taken out."""
    value: dict[str, Any] = deepcopy(dict(form.slice.value))
    if form.id_pointer:
        _put(value, form.id_pointer, name)
    for key in ("initial_state", "annotations", "issues", "ticket", "user_tools", "persona"):
        if value.get(key) is not None:
            value[key] = [] if isinstance(value[key], list) else None
    for field in form.purpose:
        _put(value, field.pointer, "")
    _cite(value, form, item)
    description = value.get("description")
    if isinstance(description, dict) and "purpose" in description:
        description["purpose"] = f"Challenges the policy item: {item.text}"
        for key in ("relevant_policies", "notes"):
            if key in description:
                description[key] = None
    _tell(value, form, contents)
    _expect(value, form, contents, name)
    return value


def _tell(value: dict[str, Any], form: Task, contents: Contents) -> None:
    """Write what the user is told."""
    pointers = [field.pointer for field in form.scenario]
    request = next((pointer for pointer in pointers if _REQUEST.search(str(pointer[-1]))), pointers[0])
    known = next((pointer for pointer in pointers if _KNOWN.search(str(pointer[-1])) and pointer != request), None)
    if len(pointers) > 1:
        request = next((pointer for pointer in pointers if re.search("reason|request", str(pointer[-1]))), request)
    manner = next(
        (pointer for pointer in pointers if "instruction" in str(pointer[-1]) and pointer not in (request, known)), None
    )
    for pointer in pointers:
        _put(value, pointer, value_at(form.slice.value, pointer) if pointer[-1] == "domain" else None)
    before = contents.knows if known is None else ""
    after = contents.manner if manner is None else ""
    _put(value, request, " ".join(filter(None, (before, contents.wants, after))))
    if known is not None:
        _put(value, known, contents.knows)
    if manner is not None:
        _put(value, manner, contents.manner)


def _expect(value: dict[str, Any], form: Task, contents: Contents, name: int | str) -> None:
    """Write what is expected of the agent."""
    for field in form.behaviour:
        _put(value, field.pointer, "")
    if form.behaviour:
        _put(value, form.behaviour[0].pointer, contents.behaviour)
    is_prose_scored = bool(form.nl_assertions) or "NL_ASSERTION" in (form.reward_basis or ())
    assertions = contents.assertions if is_prose_scored and not form.behaviour else ()
    texts = {"communicate_info": contents.must_say, "nl_assertions": assertions}
    told = {}
    for kind, pointer in form.criteria_pointers.items():
        old = value_at(value, pointer)
        if kind != "actions" and isinstance(old, list):
            told[str(kind)] = list(texts.get(kind, ())) if all(isinstance(one, str) for one in old) else []
            _put(value, pointer, told[str(kind)])
    description = value.get("description")
    if contents.assertions and not (form.behaviour or told.get("nl_assertions")) and isinstance(description, dict):
        description.update({key: contents.behaviour for key in description if key == "notes"})
    calls = _calls(value, form, contents.calls, name)
    if form.reward_basis_pointer is not None:
        basis = {
            "DB": contents.changes and bool(calls),
            "ACTION": bool(calls),
            "COMMUNICATE": bool(told.get("communicate_info")),
            "NL_ASSERTION": bool(told.get("nl_assertions")),
        }
        kept = [kind for kind in form.reward_basis or () if basis.get(kind)]
        if kept or calls:
            _put(value, form.reward_basis_pointer, kept or ["ACTION"])


def _calls(value: dict[str, Any], form: Task, wanted: Sequence[Lookup], name: int | str) -> list[dict[str, Any]]:
    """Write the calls; return them, none where the form shows none."""
    pointer = form.criteria_pointers.get("actions")
    like = value_at(form.slice.value, form.actions[0].pointer) if form.actions else None
    if pointer is None or not isinstance(like, dict) or not isinstance(value_at(value, pointer), list):
        return []
    calls = [_call(like, form.actions[0].keys, call, f"{name}_{index}") for index, call in enumerate(wanted)]
    _put(value, pointer, calls)
    return calls


def _call(like: dict[str, Any], keys: tuple[str, ...], call: Lookup, name: str) -> dict[str, Any]:
    """Return a call in the form of another one."""
    made: dict[str, Any] = dict.fromkeys(like)
    for key, old in like.items():
        if key == "requestor":
            made[key] = "assistant"
        elif isinstance(old, str) and key.endswith("id"):
            made[key] = name
    made.update(zip(keys, (call.name, call.arguments), strict=False))
    return {key: item for key, item in made.items() if item is not None or like.get(key) is None}


def _cite(value: dict[str, Any], form: Task, item: PolicyItem) -> None:
    """Name the policy item alone, where a task names the items that it is about."""
    pointer = form.cites[0].pointer if form.cites else ()
    if len(pointer) > 2 and isinstance(pointer[-2], int):
        first = value_at(value, pointer[:-1])
        if isinstance(first, dict):
            _put(value, pointer[:-2], [{**first, str(pointer[-1]): item.text}])


def _put(value: Any, pointer: Pointer, new: Any) -> None:
    parent = value_at(value, pointer[:-1])
    if isinstance(parent, (dict, list)):
        parent[pointer[-1]] = new  # type: ignore[index]

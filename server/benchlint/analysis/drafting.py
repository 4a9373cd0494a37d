"""A new task that challenges a policy item: a template in the form of its file, for its author to finish.

It holds a person and a record of the database that the item has to do with,
and the calls that look both up. What the user asks for is left to the author:
the words of the item stand there in its place.
"""

from __future__ import annotations

import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

from benchlint.analysis.draft_records import find_records, told
from benchlint.analysis.task_writing import insertion_of
from benchlint.checks.values import value_at
from benchlint.text.slices import UNPARSED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.analysis.draft_records import Found, Lookup
    from benchlint.benchmark.model import Benchmark, PolicyItem, Task
    from benchlint.catalogue.finding import Edit
    from benchlint.text.tree import Pointer

_NEW: Final = "challenge"
_REQUEST: Final = re.compile(r"reason|request|want|goal|instruction|description|scenario|ticket", re.IGNORECASE)
_KNOWN: Final = re.compile(r"\bknow", re.IGNORECASE)
_MANNER: Final = "You insist on your request when it is refused once."
_SLUG = re.compile(r"[^a-z0-9]+")


def draft(benchmark: Benchmark, item: PolicyItem) -> tuple[str, Edit] | None:
    """Return the id of a new task and the edit that adds it at the end of its file.

    None where the benchmark has no file to which a task can be added: one of
    pickles, of Python, or of a single task.
    """
    model = _model(benchmark)
    if model is None:
        return None
    found = find_records(benchmark.database, benchmark.tools, item)
    name = _fresh_id(benchmark, model, item)
    value = _filled(model, item, found, name)
    edit = insertion_of(benchmark.source_of(model), value)
    return (str(name), edit) if edit is not None else None


def can_draft(benchmark: Benchmark) -> bool:
    """Say whether a task can be added to a benchmark."""
    return _model(benchmark) is not None


def _model(benchmark: Benchmark) -> Task | None:
    """Return the last task whose form a new one can take, of a file that is written as a list."""
    fit = None
    for task in benchmark.tasks:
        source = benchmark.source_of(task)
        if (
            source.language in ("json", "jsonl", "yaml")
            and task.slice.value is not UNPARSED
            and isinstance(task.slice.value, dict)
            and task.scenario
            and task.slice.pointer
            and not source.faults
            and (fit is None or task.actions or not fit.actions)
        ):
            fit = task
    return fit


def _fresh_id(benchmark: Benchmark, model: Task, item: PolicyItem) -> int | str:
    """Return an id that no task has: the next number where ids are numbers, else a name."""
    taken = {task.id for task in benchmark.tasks}
    if taken and all(re.fullmatch(r"\d{1,9}", name) for name in taken):
        number = max(map(int, taken)) + 1
        is_number = value_at(model.slice.value, model.id_pointer).__class__ is int
        return number if is_number else str(number)
    words = "-".join(_SLUG.sub("-", item.text.lower()).strip("-").split("-")[:6])
    stem = f"{_NEW}-{words}" if words else _NEW
    return next(name for name in _numbered(stem) if name not in taken)


def _numbered(stem: str) -> Iterator[str]:
    yield stem
    number = 2
    while True:
        yield f"{stem}-{number}"
        number += 1


def _filled(model: Task, item: PolicyItem, found: Found, name: int | str) -> dict[str, Any]:
    """Return the model's value with everything of its own taken out, and the draft's put in."""
    value: dict[str, Any] = deepcopy(dict(model.slice.value))
    if model.id_pointer:
        _put(value, model.id_pointer, name)
    for key in ("initial_state", "annotations", "issues", "ticket", "user_tools", "persona"):
        if value.get(key) is not None:
            value[key] = [] if isinstance(value[key], list) else None
    for field in model.purpose:
        _put(value, field.pointer, "")
    _cited(value, model, item)
    description = value.get("description")
    if isinstance(description, dict) and "purpose" in description:
        description["purpose"] = f"Challenges the policy item: {item.text}"
        for key in ("relevant_policies", "notes"):
            if key in description:
                description[key] = None
    _scenario(value, model, item, found)
    _expectation(value, model, item, found, name)
    return value


def _scenario(value: dict[str, Any], model: Task, item: PolicyItem, found: Found) -> None:
    who, what = " ".join(_person(found)), _request(item, found)
    pointers = [field.pointer for field in model.scenario]
    request = next((pointer for pointer in pointers if _REQUEST.search(str(pointer[-1]))), pointers[0])
    known = next((pointer for pointer in pointers if _KNOWN.search(str(pointer[-1])) and pointer != request), None)
    if len(pointers) > 1:
        request = next((pointer for pointer in pointers if re.search("reason|request", str(pointer[-1]))), request)
    _put(value, request, what if known is not None else f"{who} {what}".strip())
    if known is not None:
        _put(value, known, who)
    for pointer in pointers:
        if pointer[-1] == "domain":
            _put(value, pointer, value_at(model.slice.value, pointer))
        elif pointer not in (request, known):
            _put(value, pointer, _MANNER if "instruction" in str(pointer[-1]) else None)


def _person(found: Found) -> Iterator[str]:
    """Yield sentences about who the user is."""
    if found.person is None:
        return
    facts = told(found.person)
    whole = f"{facts.get('first_name', '')} {facts.get('last_name', '')}".strip()
    name = facts.get("full_name") or facts.get("name") or whole
    if name:
        yield f"You are {name}."
    if "email" in facts:
        yield f"Your email address is {facts['email']}."
    else:
        yield f"Your {found.person.kind} id is {found.person.id}."
    if "zip" in facts:
        yield f"Your zip code is {facts['zip']}."
    if "phone_number" in facts:
        yield f"Your phone number is {facts['phone_number']}."


def _request(item: PolicyItem, found: Found) -> str:
    about = f" about your {found.record.kind} {found.record.id}" if found.record is not None else ""
    rule = f'this rule of the policy (write the request in its place): "{item.text}"'
    return f"You have a request{about} that runs into {rule}"


def _expectation(value: dict[str, Any], model: Task, item: PolicyItem, found: Found, name: int | str) -> None:
    for field in model.behaviour:
        _put(value, field.pointer, "")
    if model.behaviour:
        _put(value, model.behaviour[0].pointer, f'The agent keeps to this rule of the policy: "{item.text}"')
    for kind, pointer in model.criteria_pointers.items():
        if kind != "actions" and isinstance(value_at(value, pointer), list):
            _put(value, pointer, [])
    actions = model.criteria_pointers.get("actions")
    form = value_at(model.slice.value, model.actions[0].pointer) if model.actions else None
    if actions is None or not isinstance(form, dict) or not isinstance(value_at(value, actions), list):
        return
    calls = [_call(form, model.actions[0].keys, call, f"{name}_{index}") for index, call in enumerate(found.lookups)]
    _put(value, actions, calls)
    if calls and model.reward_basis_pointer is not None:
        _put(value, model.reward_basis_pointer, ["ACTION"])


def _call(form: dict[str, Any], keys: tuple[str, ...], call: Lookup, name: str) -> dict[str, Any]:
    """Return a call in the form of another one."""
    made: dict[str, Any] = dict.fromkeys(form)
    for key, old in form.items():
        if key == "requestor":
            made[key] = "assistant"
        elif isinstance(old, str) and key.endswith("id"):
            made[key] = name
    made.update(zip(keys, (call.name, call.arguments), strict=False))
    return {key: item for key, item in made.items() if item is not None or form.get(key) is None}


def _cited(value: dict[str, Any], model: Task, item: PolicyItem) -> None:
    """Name the policy item alone, where a task names the items that it is about."""
    pointer = model.cites[0].pointer if model.cites else ()
    if len(pointer) > 2 and isinstance(pointer[-2], int):
        first = value_at(value, pointer[:-1])
        if isinstance(first, dict):
            _put(value, pointer[:-2], [{**first, str(pointer[-1]): item.text}])


def _put(value: Any, pointer: Pointer, new: Any) -> None:
    parent = value_at(value, pointer[:-1])
    if isinstance(parent, (dict, list)):
        parent[pointer[-1]] = new  # type: ignore[index]

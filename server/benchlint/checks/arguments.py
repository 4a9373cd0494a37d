"""The values in the arguments of a call."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.benchmark.model import Tool
    from benchlint.catalogue.finding import Fix, Related
    from benchlint.checks.view import View
    from benchlint.text.tree import Pointer

    Places = Sequence[tuple[int, Pointer]]
    """Where a value stands in a task: the index of the expected action, the pointer from its arguments."""

_VERBS = """
add apply book build buy checkout clone copy create draft duplicate enroll file generate hire import insert invite
issue log make new open order place post provision purchase record register request reserve schedule send sign start
submit upload
"""
_CREATING = frozenset(_VERBS.split())
"""What the name of a tool begins with that makes new records."""


def scalars(value: Any, at: Pointer = (), argument: str = "") -> Iterator[tuple[Pointer, str, Any]]:
    """Yield every value that is no list or object, its pointer, and the key it stands under.

    Elements of a list stand under the list's key: in
    `{"flights": [{"number": "HAT1"}], "ids": ["a"]}` under `number` and `ids`.
    """
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, (dict, list)):
                yield from scalars(item, (*at, key), str(key))
            else:
                yield (*at, key), str(key), item
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, (dict, list)):
                yield from scalars(item, (*at, index), argument)
            else:
                yield (*at, index), argument, item


def is_listed(tool: Tool | None, at: Pointer) -> bool:
    """Say whether a tool's schema lists the values that may stand at a place of its arguments."""
    parameter = tool.parameters.get(str(at[0])) if tool and at else None
    schema: Any = parameter.schema if parameter else None
    for part in at[1:]:
        if not isinstance(schema, dict):
            return False
        inner = schema.get("items") if isinstance(part, int) else schema.get("properties")
        schema = inner.get(part) if isinstance(inner, dict) and not isinstance(part, int) else inner
    return isinstance(schema, dict) and ("enum" in schema or "const" in schema)


def words(name: str) -> list[str]:
    """Return the words of a name in lower case: of `newItemIds` or of `new_item_ids`."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+", name)]


def is_creating(name: str) -> bool:
    """Say whether a function's name begins as those of functions that make new records."""
    parts = words(name)
    return bool(parts) and parts[0] in _CREATING


def pointer_to(view: View, place: tuple[int, Pointer]) -> Pointer:
    """Return the pointer from the task to a value in its expected actions."""
    index, at = place
    return (*view.task.actions[index].arguments_pointer, *at)


def others(view: View, places: Places) -> tuple[Related, ...]:
    """Return every place but the first as related ones."""
    return tuple(view.related("here, too", view.task, pointer_to(view, place)) for place in places[1:])


def replacing(view: View, old: str, new: str, places: Places) -> tuple[Fix, ...]:
    """Return the unsafe fix that writes another text in all places, where the file has them."""
    title = f"Replace {old} by {new}"
    fixes = [view.replacement(title, pointer_to(view, place), new, safe=False) for place in places]
    edits = tuple(edit for fix in fixes if fix for edit in fix.edits)
    return (replace(fixes[0], edits=edits),) if fixes[0] else ()

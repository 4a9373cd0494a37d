"""Samples of the values that an expression can meet: from the database, and from the schemas of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchlint.benchmark.model import Tool

Samples = list[Any]

FIELDS_OF_TIME: Final = ("getFullYear", "getMonth", "getDate", "getDayOfWeek", "getHours", "getMinutes")

_MOST: Final = 2000
"""So many values stand for all that there are."""

_MAP: Final = 4
"""From so many objects on, a key of records that less than a quarter of them have is an id, and no field."""

_TYPES: Final = {str: "text", bool: "true or false", int: "number", float: "number", list: "list", dict: "object"}
_EMPTY: Final[Mapping[str, Any]] = {"string": "", "integer": 0, "number": 0.0, "boolean": False, "null": None}


def inside(samples: Samples, part: str | None, *, as_field: bool = False) -> Samples:
    """Return samples of what stands under a key, or under any key or index where `part` is None.

    A key that no value has is taken for an id like the others, unless it is a field.
    """
    below: Samples = []
    if part is not None:
        below = [value[part] for value in samples if isinstance(value, dict) and part in value]
        if below or as_field:
            return below
    for value in samples:
        if isinstance(value, (dict, list)):
            below.extend(value.values() if isinstance(value, dict) else value)
    return below[:: -(-len(below) // _MOST)] if len(below) > _MOST else below


def members(samples: Samples) -> Iterator[tuple[str, str]]:
    """Yield the fields of objects, with the type of their values; keys that are ids are none."""
    objects = [value for value in samples if isinstance(value, dict)]
    counts: dict[str, int] = {}
    first: dict[str, Any] = {}
    for value in objects:
        for key, item in value.items():
            name = str(key)
            counts[name] = counts.get(name, 0) + 1
            if first.get(name) is None:
                first[name] = item
    for name, number in counts.items():
        is_id = isinstance(first[name], dict) and len(objects) >= _MAP and number * _MAP < len(objects)
        if name.isidentifier() and not is_id:
            yield name, _TYPES.get(type(first[name]), "")


def texts_of(samples: Samples) -> list[str]:
    """Return the texts among some values, in lists and in the choices of a schema, each once."""
    found: dict[str, None] = {}
    for value in samples:
        for item in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(item, str) and item:
                found[item] = None
    return list(found)


def sampled(tool: Tool) -> dict[str, Any]:
    """Return an action with a tool, as far as its schema tells."""
    arguments = {name: _of_schema(item.schema, 0) for name, item in tool.parameters.items()}
    return {"name": tool.name, "arguments": arguments, "requestor": tool.requestor}


def _of_schema(schema: Any, depth: int) -> Any:
    if not isinstance(schema, dict) or depth > 8:
        return None
    values = schema.get("enum")
    if isinstance(values, list) and values:
        return tuple(values)
    properties = schema.get("properties")
    if isinstance(properties, dict):
        return {str(name): _of_schema(item, depth + 1) for name, item in properties.items()}
    if schema.get("type") == "array":
        return [_of_schema(schema.get("items"), depth + 1)]
    kind = schema.get("type")
    return _EMPTY.get(kind) if isinstance(kind, str) else None

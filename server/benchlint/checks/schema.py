"""Where a value differs from its JSON schema.

A small part of JSON schema, with the exact place of what is wrong. Keywords
that it does not know allow everything.
"""

from __future__ import annotations

import json
import re
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from benchlint.benchmark.shape import field_name, type_name
from benchlint.checks.naming import suggestion
from benchlint.checks.traits import joined
from benchlint.text.slices import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchlint.text.locate import Part
    from benchlint.text.tree import Pointer

_TYPES = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "a boolean",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_INTEGER = re.compile(r"-?(0|[1-9]\d{0,17})", re.ASCII)
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,17})(\.\d{1,18})?", re.ASCII)
_NOTHING = object()
_FORMS = 3
"""Of how many forms a message says how a value differs from them."""


class Mismatch(Struct, frozen=True):
    """A value that its schema does not allow, and the value probably meant.

    `part` is the range at fault: the value's, its name's or its opening
    bracket's. `certain` says that the replacement is the same value, written
    as the schema wants it.
    """

    pointer: Pointer
    message: str
    replacement: Any = None
    certain: bool = False
    part: Part = "value"


def mismatches(schema: Any, value: Any, at: Pointer) -> Iterator[Mismatch]:
    """Yield what a schema does not allow in a value; `at` leads to the value."""
    if value is UNKNOWN or not isinstance(schema, dict) or not schema:
        return
    types = _types(schema)
    if types and not any(_is_type(value, name) for name in types):
        yield _wrong_type(types, value, at)
        return
    enum = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(enum, list) and enum and not any(_equal(value, item) for item in enum):
        yield _not_listed(enum, value, at)
        return
    for keyword in ("anyOf", "oneOf"):
        if isinstance(schema.get(keyword), list):
            yield from _branches(schema[keyword], value, at)
    if isinstance(schema.get("allOf"), list):
        for inner in schema["allOf"]:
            yield from mismatches(inner, value, at)
    if isinstance(value, dict):
        yield from _object(schema, value, at)
    elif isinstance(value, list):
        yield from _list(schema, value, at)
    elif isinstance(value, str):
        yield from _size(schema, len(value), ("minLength", "maxLength"), "character", at)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from _bounds(schema, value, at)


def fits(schema: Any, value: Any) -> bool:
    """Say whether a schema allows a value."""
    return next(mismatches(schema, value, ()), None) is None


def placeholder(schema: Mapping[str, Any], name: str) -> Any:
    """Return a value of the schema's form that an author is to replace."""
    if "default" in schema:
        return schema["default"]
    enum = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(enum, list) and enum:
        return enum[0]
    types = _types(schema)
    values = {"integer": 0, "number": 0, "boolean": False, "array": [], "object": {}, "null": None}
    return values.get(types[0], f"<{name}>") if types else f"<{name}>"


def _types(schema: Mapping[str, Any]) -> list[str]:
    """Return the types that a schema allows; empty where it allows all."""
    named = schema.get("type")
    names = [named] if isinstance(named, str) else named if isinstance(named, list) else []
    if not names or any(name not in _TYPES for name in names):
        return []
    return [*names, "null"] if schema.get("nullable") is True else names


def _is_type(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if isinstance(value, (int, float)):
        return name == "number" or (name == "integer" and float(value).is_integer())
    if isinstance(value, str):
        return name == "string"
    if value is None:
        return name == "null"
    return name == ("array" if isinstance(value, list) else "object")


def _equal(value: Any, other: Any) -> bool:
    return value == other and isinstance(value, bool) == isinstance(other, bool)


def _wrong_type(types: list[str], value: Any, at: Pointer) -> Mismatch:
    wanted = joined([_TYPES[name] for name in types], "or")
    what = type_name(value)
    if what in ("a string", "a number", "a boolean"):
        what = f"the {what[2:]} {shown(value)}"
    meant, certain = _converted(types, value)
    message = f"{field_name(at)} must be {wanted}, not {what}"
    part: Part = "opening" if isinstance(value, (list, dict)) else "value"
    return Mismatch(at, message, None if meant is _NOTHING else meant, certain, part)


def _converted(types: list[str], value: Any) -> tuple[Any, bool]:
    """Return a value in another type, and whether nothing can be lost by it."""
    if isinstance(value, str):
        if "integer" in types and _INTEGER.fullmatch(value):
            return int(value), True
        if "number" in types and _NUMBER.fullmatch(value):
            return float(value) if "." in value else int(value), True
        if "boolean" in types and value.lower() in ("true", "false"):
            return value.lower() == "true", True
    elif types == ["string"] and isinstance(value, (int, float)) and not isinstance(value, bool):
        return json.dumps(value), False
    return _NOTHING, False


def _not_listed(enum: list[Any], value: Any, at: Pointer) -> Mismatch:
    words = [shown(item) for item in enum[:10]]
    if len(enum) > len(words):
        words.append(f"{len(enum) - len(words)} more")
    message = f"{field_name(at)} must be {joined(words, 'or')}, not {shown(value)}"
    if len(words) > 1:
        message = message.replace(" must be ", " must be one of ", 1)
    found = suggestion(value, [item for item in enum if isinstance(item, str)]) if isinstance(value, str) else None
    meant, certain = found or (None, False)
    return Mismatch(at, message, meant, certain)


def _branches(branches: list[Any], value: Any, at: Pointer) -> Iterator[Mismatch]:
    """Yield what is wrong where a value fits no branch.

    Where one branch is of the value's own type, that one is meant.
    """
    known = [branch for branch in branches if isinstance(branch, dict)]
    near = [branch for branch in known if not (types := _types(branch)) or any(_is_type(value, name) for name in types)]
    if not branches or len(known) < len(branches) or any(fits(branch, value) for branch in near):
        return
    if len(near) == 1:
        yield from mismatches(near[0], value, at)
    elif not near:
        types = list(dict.fromkeys(name for branch in known for name in _types(branch)))
        yield _wrong_type(types, value, at)
    elif all(isinstance(branch.get("enum"), list) or "const" in branch for branch in near):
        yield _not_listed([item for branch in near for item in branch.get("enum", [branch.get("const")])], value, at)
    else:
        faults = dict.fromkeys(next(mismatches(branch, value, at)).message for branch in near)
        told = joined(list(faults)[:_FORMS], "or")
        yield Mismatch(at, f"{field_name(at)} has none of the forms that the tool allows: {told}", part="opening")


def _object(schema: Mapping[str, Any], value: dict[str, Any], at: Pointer) -> Iterator[Mismatch]:
    properties = schema.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    listed = schema.get("required")
    required = listed if isinstance(listed, list) else []
    for name in required:
        if isinstance(name, str) and name not in value:
            yield Mismatch(at, f'{field_name(at)} lacks "{name}"', part="opening")
    closed = schema.get("additionalProperties") is False and not schema.get("patternProperties")
    for name, item in value.items():
        if name in properties:
            if item is not None or name in required:
                yield from mismatches(properties[name], item, (*at, name))
        elif closed:
            found = suggestion(name, [field for field in properties if field not in value])
            message = f'{field_name(at)} has no field "{name}"'
            meant, certain = found or (None, False)
            yield Mismatch((*at, name), message, meant, certain, "key")
        else:
            yield from mismatches(schema.get("additionalProperties"), item, (*at, name))


def _list(schema: Mapping[str, Any], value: list[Any], at: Pointer) -> Iterator[Mismatch]:
    first = schema.get("prefixItems")
    first = first if isinstance(first, list) else []
    for index, item in enumerate(value):
        yield from mismatches(first[index] if index < len(first) else schema.get("items"), item, (*at, index))
    yield from _size(schema, len(value), ("minItems", "maxItems"), "element", at)


def _size(schema: Mapping[str, Any], size: int, keys: tuple[str, str], unit: str, at: Pointer) -> Iterator[Mismatch]:
    least, most = (schema.get(key) for key in keys)
    for limit, wrong, word in ((least, -1, "at least"), (most, 1, "at most")):
        if type(limit) is int and (size - limit) * wrong > 0:
            units = unit if limit == 1 else f"{unit}s"
            yield Mismatch(at, f"{field_name(at)} must have {word} {limit} {units}, not {size}", part="opening")


def _bounds(schema: Mapping[str, Any], value: float, at: Pointer) -> Iterator[Mismatch]:
    for key, words, allowed in (
        ("minimum", "at least", ge),
        ("maximum", "at most", le),
        ("exclusiveMinimum", "more than", gt),
        ("exclusiveMaximum", "less than", lt),
    ):
        limit = schema.get(key)
        if isinstance(limit, (int, float)) and not isinstance(limit, bool) and not allowed(value, limit):
            yield Mismatch(at, f"{field_name(at)} must be {words} {shown(limit)}, not {shown(value)}")


def shown(value: Any, limit: int = 60) -> str:
    """Write a value as JSON for a message, shortened where it is long."""
    text = json.dumps(value, ensure_ascii=False, default=lambda _: "...")
    return text if len(text) <= limit else f"{text[: limit - 3]}..."

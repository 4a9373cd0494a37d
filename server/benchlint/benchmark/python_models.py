"""Pydantic models in Python source, as the schema of the objects that they are made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchlint.benchmark.python_syntax import first, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

MODEL = "BaseModel"
_OWN_RULES = ("validator", "model_serializer", "root_validator")
"""Parts of the names of decorators with which a model takes more than its fields say."""

_LARGEST = 1_000
"""Parts of a schema; models that hold each other twice grow without end."""

_OWN_NAMES = frozenset({"alias", "validation_alias", "init"})
"""Arguments of `Field` after which a field is given under another name, or not at all."""


def schema_of_model(node: Node, schema: Callable[[Node], dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of a model's class; `{}` where the class says more than its fields do.

    `schema` reads an annotation. Numbers and truth values are left open: a
    model also takes them as text.
    """
    properties: dict[str, Any] = {}
    required = []
    for name, annotation, default in _fields(node):
        if name == "model_config" or annotation is None:
            return {}
        if text(annotation).startswith(("ClassVar", "typing.ClassVar", "PrivateAttr")) or name.startswith("_"):
            continue
        optional = default is not None
        if default is not None and _is_field(default):
            described = _field_arguments(default)
            if not _OWN_NAMES.isdisjoint(described):
                return {}
            optional = bool({"default", "default_factory", ""} & described.keys()) and described.get("") != "..."
        properties[name] = _lenient(schema(annotation))
        if not optional:
            required.append(name)
    if not properties or _has_own_rules(node):
        return {}
    found = {"type": "object", "properties": properties, "required": required}
    return found if _size(found) <= _LARGEST else {}


def _size(value: Any) -> int:
    """Count what is in a schema. Models in models, of which each is small enough, make it end."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_size, inner))


def _fields(node: Node) -> Iterator[tuple[str, Node | None, Node | None]]:
    """Yield the name, annotation and default of each assignment in a class."""
    body = node.child_by_field_name("body")
    for statement in body.named_children if body is not None else ():
        inner = first(statement) if statement.type == "expression_statement" else None
        left = inner.child_by_field_name("left") if inner is not None and inner.type == "assignment" else None
        if inner is not None and left is not None:
            yield text(left), inner.child_by_field_name("type"), inner.child_by_field_name("right")


def _is_field(node: Node) -> bool:
    function = node.child_by_field_name("function") if node.type == "call" else None
    return function is not None and text(function).rpartition(".")[2] == "Field"


def _field_arguments(call: Node) -> dict[str, str]:
    """Return the arguments of a call of `Field`; the positional one under an empty name."""
    listed = call.child_by_field_name("arguments")
    found = {}
    for node in listed.named_children if listed is not None else ():
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if node.type == "keyword_argument" and name is not None and value is not None:
            found[text(name)] = text(value)
        elif node.type != "comment":
            found[""] = text(node)
    return found


def _lenient(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that takes what a model takes: "2" for a number, any number for an enumeration of them."""
    if "enum" in schema:
        return schema if all(isinstance(value, str) for value in schema["enum"]) else {}
    if "anyOf" in schema:
        members = [_lenient(member) for member in schema["anyOf"]]
        return {"anyOf": members} if all(members) else {}
    if schema.get("type") == "array" and "items" in schema:
        items = _lenient(schema["items"])
        return {"type": "array", "items": items} if items else {"type": "array"}
    return schema if schema.get("type") in ("string", "object", "array", "null") else {}


def _has_own_rules(node: Node) -> bool:
    body = node.child_by_field_name("body")
    for member in body.named_children if body is not None else ():
        if member.type == "class_definition":
            return True
        for child in member.named_children if member.type == "decorated_definition" else ():
            if child.type == "decorator" and any(part in text(child) for part in _OWN_RULES):
                return True
    return False

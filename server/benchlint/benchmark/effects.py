"""What a Python function does to the data it is given, as far as its source shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchlint.benchmark.python_syntax import text, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from benchlint.benchmark.model import Effect

_MUTATORS = frozenset(
    {
        "add",
        "append",
        "clear",
        "discard",
        "extend",
        "insert",
        "pop",
        "popitem",
        "remove",
        "reverse",
        "setdefault",
    }
    | {"sort", "update"}
)
_INSIDE = frozenset({"get", "items", "values", "setdefault", "pop"})
"""Methods that return what lies inside their object."""

_PASSING = frozenset({"enumerate", "filter", "iter", "list", "next", "reversed", "sorted", "zip"})
"""Functions that return or yield what they are given."""

_PURE = _PASSING | frozenset(
    {
        "abs",
        "all",
        "any",
        "bool",
        "copy",
        "deepcopy",
        "dict",
        "dumps",
        "float",
        "int",
        "isinstance",
        "len",
        "loads",
    }
    | {"map", "max", "min", "print", "range", "repr", "round", "set", "str", "sum", "tuple", "type"}
)
_FRESH = frozenset(
    {
        "dictionary",
        "dictionary_comprehension",
        "float",
        "integer",
        "list",
        "list_comprehension",
        "set",
        "string",
    }
)
_TARGETS = ("subscript", "attribute")


def effect_on(function: Node, parameter: str) -> Effect:
    """Say what a function does to the object that it gets as `parameter`.

    `write`: it assigns into the object, or changes something taken out of
    it. `read`: it looks into the object, and nothing that it changes or
    hands on could be a part of it. `generic`: it does not use the object.
    `unknown`: none of these can be told for sure.
    """
    body = function.child_by_field_name("body")
    try:
        return "unknown" if body is None else _effect(list(walk(body)), parameter)
    except RecursionError:
        return "unknown"


def _effect(nodes: list[Node], parameter: str) -> Effect:
    if not any(node.type == "identifier" and text(node) == parameter for node in nodes):
        return "generic"
    parts = _parts(nodes, parameter)
    changed = [root for node in nodes for root in _changed(node)]
    if any(root in parts for root in changed):
        return "write"
    fresh = _fresh(nodes)
    if any(root not in fresh for root in changed) or any(_hands_on(node, parts) for node in nodes):
        return "unknown"
    return "read"


def _parts(nodes: list[Node], parameter: str) -> set[str]:
    """Return the names that may hold the object or a part of it."""
    bindings: list[tuple[list[str], Node]] = []
    for node in nodes:
        if node.type in ("assignment", "for_statement", "for_in_clause"):
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        elif node.type == "named_expression":
            left, right = node.child_by_field_name("name"), node.child_by_field_name("value")
        else:
            continue
        if left is not None and right is not None:
            names = [] if left.type in _TARGETS else [text(name) for name in walk(left) if name.type == "identifier"]
            bindings.append((names, right))
    parts = {parameter}
    size = 0
    while size != len(parts):
        size = len(parts)
        for names, value in bindings:
            if parts & set(_roots(value)):
                parts.update(names)
    return parts


def _roots(node: Node | None) -> list[str]:
    """Return the names out of which a value is taken without a copy."""
    if node is None:
        return []
    if node.type == "identifier":
        return [text(node)]
    if node.type == "subscript":
        return _roots(node.child_by_field_name("value"))
    if node.type == "attribute":
        return _roots(node.child_by_field_name("object"))
    if node.type == "call":
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return []
        if function.type == "attribute":
            name = function.child_by_field_name("attribute")
            return _roots(function) if name is not None and text(name) in _INSIDE else []
        if text(function) in _PASSING:
            values = [arguments] if arguments.type == "generator_expression" else arguments.named_children
            return [root for value in values for root in _roots(value)]
        return []
    if node.type in ("list_comprehension", "set_comprehension", "generator_expression"):
        clauses = [child for child in node.named_children if child.type == "for_in_clause"]
        return [root for clause in clauses for root in _roots(clause.child_by_field_name("right"))]
    if node.type in (
        "conditional_expression",
        "boolean_operator",
        "parenthesized_expression",
        "tuple",
        "list",
    ):
        return [root for child in node.named_children for root in _roots(child)]
    return []


def _changed(node: Node) -> list[str]:
    """Return the names whose objects a statement changes."""
    if node.type in ("assignment", "augmented_assignment"):
        left = node.child_by_field_name("left")
        targets = [] if left is None else [left, *(left.named_children if left.type == "pattern_list" else ())]
    elif node.type == "delete_statement":
        targets = [child for target in node.named_children for child in walk(target)]
    elif node.type == "call":
        function = node.child_by_field_name("function")
        name = function.child_by_field_name("attribute") if function is not None else None
        if function is None or name is None or text(name) not in _MUTATORS:
            return []
        return _roots(function) or [""]
    else:
        return []
    return [root for target in targets if target.type in _TARGETS for root in _roots(target) or [""]]


def _fresh(nodes: list[Node]) -> set[str]:
    """Return the names that are only ever given objects made on the spot."""
    fresh: set[str] = set()
    other: set[str] = set()
    for node in nodes:
        if node.type in ("assignment", "for_statement", "named_expression"):
            left = node.child_by_field_name("left") or node.child_by_field_name("name")
            right = node.child_by_field_name("right")
            if left is not None and left.type not in _TARGETS:
                made = node.type == "assignment" and right is not None and right.type in _FRESH
                names = {text(name) for name in walk(left) if name.type == "identifier"}
                (fresh if made else other).update(names)
    return fresh - other


def _hands_on(node: Node, parts: set[str]) -> bool:
    """Say whether a call hands a part of the object to a function that may change it."""
    if node.type != "call":
        return False
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return True
    if function.type == "attribute":
        name = function.child_by_field_name("attribute")
        owner = function.child_by_field_name("object")
        if name is None or text(name) in _PURE or (owner is not None and owner.type == "string"):
            return False
        if text(name) in _MUTATORS or parts & set(_roots(owner)):
            return False
    elif text(function) in _PURE:
        return False
    return any(name.type == "identifier" and text(name) in parts for name in walk(arguments))

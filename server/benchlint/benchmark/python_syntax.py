"""Python source as syntax: what can be read of it without running it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from benchlint.text.python_strings import decode_python
from benchlint.text.slices import UNKNOWN, Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from benchlint.text.document import Document

_DEPTH = 100
"""How deep literals may nest; deeper ones are unknown."""

_SIZE = 200_000
"""How many values the literals of a file may have, names replaced by what they stand for."""

_LENGTH = 1_000_000
"""How long a text put together with `+` may be."""

_CONSTANTS = {"true": True, "false": False, "none": None}
_LITERAL_NUMBER = re.compile(r"(?P<integer>\d+)|\d*\.\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+", re.ASCII)


class PythonSource:
    """A Python file and its module-level names.

    Nodes are tree-sitter's; their offsets are bytes of the document.
    """

    def __init__(self, document: Document) -> None:
        import tree_sitter
        import tree_sitter_python

        self.document = document
        parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
        self.module = parser.parse(document.data).root_node
        self._left = _SIZE
        self.values: dict[str, Node | None] = {}
        """What each name is assigned once; None where more than once."""
        for name, value in self._assignments():
            self.values[name] = None if name in self.values else value

    def _assignments(self) -> Iterator[tuple[str, Node]]:
        for statement in self.module.named_children:
            inner = first(statement) if statement.type == "expression_statement" else None
            if inner is None or inner.type != "assignment":
                continue
            left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
            if left is not None and right is not None and left.type == "identifier":
                yield text(left), right

    @property
    def fault(self) -> Fault | None:
        """The first place that does not parse."""
        if not self.module.has_error:
            return None
        node = self.module
        while not (node.is_error or node.is_missing):
            inner = next((child for child in node.children if child.has_error or child.is_missing), None)
            if inner is None:
                break
            node = inner
        line = self.document.line_range(node.start_point[0])[1]
        end = max(node.start_byte, min(node.end_byte, line))
        return Fault(node.start_byte, end, "the file is no Python from here on")

    def literal(self, node: Node, depth: int = 0) -> Any:
        """Return the value of an expression, `UNKNOWN` where it must be run.

        Tuples and sets are lists. A name stands for what the module assigns
        to it. An object or list may hold values that are `UNKNOWN`.
        """
        self._left -= 1
        if depth > _DEPTH or self._left < 0:
            return UNKNOWN
        kind = node.type
        if kind in _CONSTANTS:
            return _CONSTANTS[kind]
        if kind in ("string", "concatenated_string"):
            return string(self.document.data, node)
        if kind in ("integer", "float"):
            return _number(text(node))
        if kind in ("list", "tuple", "set"):
            items = [child for child in node.named_children if child.type != "comment"]
            if any(item.type == "list_splat" for item in items):
                return UNKNOWN
            return [self.literal(item, depth + 1) for item in items]
        if kind == "dictionary":
            return self._dictionary(node, depth)
        if kind == "parenthesized_expression":
            inner = first(node)
            return UNKNOWN if inner is None else self.literal(inner, depth + 1)
        if kind == "unary_operator" and node.child_count == 2 and text(node.children[0]) == "-":
            value = self.literal(node.children[1], depth + 1)
            return -value if type(value) in (int, float) else UNKNOWN
        if kind == "binary_operator" and node.child_count == 3 and text(node.children[1]) == "+":
            left, right = self.literal(node.children[0], depth + 1), self.literal(node.children[2], depth + 1)
            known = isinstance(left, str) and isinstance(right, str) and len(left) + len(right) <= _LENGTH
            return left + right if known else UNKNOWN
        if kind == "identifier":
            value_node = self.values.get(text(node))
            return UNKNOWN if value_node is None else self.literal(value_node, depth + 1)
        return UNKNOWN

    def _dictionary(self, node: Node, depth: int) -> Any:
        values = {}
        for pair in node.named_children:
            if pair.type == "comment":
                continue
            key_node, value_node = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            key = UNKNOWN if key_node is None else self.literal(key_node, depth + 1)
            if value_node is None or isinstance(key, (list, dict)) or key is UNKNOWN:
                return UNKNOWN
            values[key] = self.literal(value_node, depth + 1)
        return values

    def entry(self, node: Node, *keys: str) -> Node | None:
        """Return the node of a value in a dictionary, by its keys."""
        at: Node | None = node
        for key in keys:
            pairs = at.named_children if at is not None and at.type == "dictionary" else []
            at = None
            for pair in pairs:
                key_node = pair.child_by_field_name("key")
                if key_node is not None and self.literal(key_node) == key:
                    at = pair.child_by_field_name("value")
        return at


def text(node: Node) -> str:
    """Return the source of a node."""
    return (node.text or b"").decode("utf-8", "replace")


def first(node: Node | None) -> Node | None:
    """Return the first named node inside another, comments left out."""
    children = [] if node is None else node.named_children
    return next((child for child in children if child.type != "comment"), None)


def string(data: bytes, node: Node) -> Any:
    """Return the text of a string or of joined strings; `UNKNOWN` for f-strings and bytes."""
    parts = node.named_children if node.type == "concatenated_string" else [node]
    for part in parts:
        opening = text(part.children[0]).lower() if part.type == "string" and part.children else ""
        if part.type not in ("string", "comment") or "f" in opening or "b" in opening:
            return UNKNOWN
    return decode_python(data, node.start_byte, node.end_byte).text


def content_range(node: Node) -> tuple[int, int]:
    """Return the range of a string without its quotation marks."""
    strings = [node]
    if node.type == "concatenated_string":
        strings = [child for child in node.named_children if child.type == "string"]
    opening, closing = strings[0].children[0], strings[-1].children[-1]
    return opening.end_byte, max(opening.end_byte, closing.start_byte)


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes inside it, in the order of the text."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(node.named_children))


def _number(source: str) -> Any:
    match = _LITERAL_NUMBER.fullmatch(source.replace("_", ""))
    if match is None or len(source) > 300:
        return UNKNOWN
    return int(match[0]) if match["integer"] else float(match[0])

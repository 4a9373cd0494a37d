"""Python source as syntax: what can be read of it without running it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchlint.text.python_literals import Literals, python_parser
from benchlint.text.slices import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from benchlint.text.document import Document


class PythonSource:
    """A Python file and its module-level names.

    Nodes are tree-sitter's; their offsets are bytes of the document.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.module = python_parser().parse(document.data).root_node
        self._literals = Literals(document.data, self.module, [])
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

    def literal(self, node: Node) -> Any:
        """Return the value of an expression, `UNKNOWN` where it must be run. See `Literals.value`."""
        return self._literals.value(node)

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

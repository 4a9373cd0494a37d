"""From a pointer to the bytes that a reader would underline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from benchlint.text.tree import Node, Pointer, Tree

Part = Literal["value", "key", "opening"]


def locate(tree: Tree, pointer: Pointer, part: Part = "value", span: tuple[int, int] | None = None) -> tuple[int, int]:
    """Return the byte range of a value, of its key, or of its opening bracket.

    A string's range leaves out its quotation marks, unless it is empty.
    `span` selects characters of a decoded string. Where the pointer leads
    nowhere, the closest value around it is meant.
    """
    if part == "key":
        key = tree.find_key(pointer)
        if key is not None:
            return _content(tree, key, None)
        part, pointer = "opening", pointer[:-1]
    node = tree.nearest(pointer)
    if part == "opening" and node.kind in ("object", "array"):
        return node.start, min(node.start + 1, node.end)
    return _content(tree, node, span)


def _content(tree: Tree, node: Node, span: tuple[int, int] | None) -> tuple[int, int]:
    if node.kind != "string":
        return node.start, node.end
    decoded = tree.decode(node)
    start, end = span or (0, len(decoded.text))
    if start >= end:
        return node.start, node.end
    return decoded.span(start, min(end, len(decoded.text)))

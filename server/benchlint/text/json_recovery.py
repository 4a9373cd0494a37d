"""What tree-sitter still sees in JSON that does not parse."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from benchlint.text.strings import decode_json
from benchlint.text.tree import Node, Tree

if TYPE_CHECKING:
    from tree_sitter import Node as SyntaxNode
    from tree_sitter import Parser

_MAX_DEPTH = 250


@cache
def _parser() -> Parser:
    import tree_sitter_json
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_json.language()))


def tolerant_tree(data: bytes) -> Tree:
    """Return the syntax of a JSON text, as far as it can be told."""
    root = _parser().parse(data).root_node
    value = _first_value(root)
    node = _convert(value, data, 0) if value is not None else Node("unknown", 0, len(data))
    return Tree(data, node, lambda data, node: decode_json(data, node.start, node.end))


def element_end(data: bytes, offset: int) -> int:
    """Return where the array element that starts at `offset` ends.

    `data` starts with the array's bracket. The element ends before the next
    object that tree-sitter sees as an element, else with the text.
    """
    root = _parser().parse(data).root_node
    pending: list[SyntaxNode] = [root]
    starts: list[int] = []
    while pending:
        node = pending.pop()
        if node.type == "object":
            starts.append(node.start_byte)
        elif node.type in ("document", "ERROR", "array") or node.has_error:
            pending.extend(node.children)
    following = [start for start in starts if start > offset and data[:start].rstrip(b" \t\r\n").endswith(b",")]
    if following:
        return min(following)
    end = len(data.rstrip())
    return end - 1 if data[:end].endswith(b"]") else end


def _first_value(node: SyntaxNode) -> SyntaxNode | None:
    """Return the largest object or array at the top, else any value."""
    candidates = [child for child in node.children if child.is_named and child.type != "comment"]
    if not candidates:
        return None
    brackets = [child for child in candidates if child.type in ("object", "array")]
    if brackets:
        return max(brackets, key=lambda child: child.end_byte - child.start_byte)
    error = next((child for child in candidates if child.type == "ERROR"), None)
    return error if error is not None else candidates[0]


def _convert(node: SyntaxNode, data: bytes, depth: int) -> Node:
    kind: Any = {"object": "object", "array": "array", "string": "string", "ERROR": "object"}.get(node.type, "scalar")
    if depth > _MAX_DEPTH:
        return Node("unknown", node.start_byte, node.end_byte)
    entries: list[tuple[Node, Node]] = []
    items: list[Node] = []
    for child in node.named_children:
        if child.type == "pair":
            key = child.child_by_field_name("key")
            value = child.child_by_field_name("value")
            if key is None:
                continue
            text = decode_json(data, key.start_byte, key.end_byte).text
            key_node = Node("string", key.start_byte, key.end_byte, key=text)
            if value is None:
                entries.append((key_node, Node("unknown", child.end_byte, child.end_byte)))
            else:
                entries.append((key_node, _convert(value, data, depth + 1)))
        elif kind == "array" and child.type not in ("comment", "ERROR"):
            items.append(_convert(child, data, depth + 1))
    return Node(kind, node.start_byte, node.end_byte, entries, items)

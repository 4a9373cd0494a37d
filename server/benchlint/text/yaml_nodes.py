"""The syntax of a YAML text, from the parser's events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchlint.text.slices import UNKNOWN
from benchlint.text.tree import Node, Tree
from benchlint.text.yaml_events import Anchors, Piece, Target, merges, scalar_value
from benchlint.text.yaml_strings import decode_yaml

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.text.tree import Decoded, Kind


class _OpenNode:
    """An object or array whose end has not come yet."""

    __slots__ = ("children", "column", "event", "height", "kind", "size")

    def __init__(self, event: Any, kind: Kind, column: int) -> None:
        self.event = event
        self.kind: Kind = kind
        self.column = column
        self.children: list[Node] = []
        self.size = 1
        self.height = 1

    @property
    def expects_key(self) -> bool:
        return self.kind == "object" and len(self.children) % 2 == 0


class Nodes:
    """Composes the syntax of a piece that `Values` has accepted.

    Offsets count from `origin`. An alias is the node of its anchor, and the
    entries that a merge key brings stand before the object's own.
    """

    def __init__(self, piece: Piece, origin: int) -> None:
        self.piece = piece
        self.origin = origin
        self.roots: list[Node] = []
        self._indents: dict[int, int] = {}
        self._stack: list[_OpenNode] = []
        self._end = 0
        self._merging: set[int] = set()
        self._anchors = Anchors()
        self._texts: dict[str, str] = {}

    def compose(self) -> list[Node]:
        """Return the root of each document; fewer where the piece does not parse."""
        import yaml

        next_event = self.piece.events()
        handlers: dict[type, Callable[[Any], None]] = {
            yaml.ScalarEvent: self._scalar,
            yaml.AliasEvent: self._alias,
            yaml.MappingStartEvent: lambda event: self._open(event, "object"),
            yaml.SequenceStartEvent: lambda event: self._open(event, "array"),
            yaml.MappingEndEvent: self._close,
            yaml.SequenceEndEvent: self._close,
            yaml.DocumentStartEvent: self._begin,
        }
        try:
            while type(event := next_event()) is not yaml.StreamEndEvent:
                if handler := handlers.get(type(event)):
                    handler(event)
        except yaml.YAMLError:
            pass
        return self.roots

    def tree(self, root: Node) -> Tree:
        """Return a tree over the bytes from `origin` to the piece's end."""
        return Tree(self.piece.data[self.origin : self.piece.end], root, self._decode)

    def _decode(self, data: bytes, node: Node) -> Decoded:
        return decode_yaml(data, node.start, node.end, self._indents.get(node.start, -1))

    def _begin(self, _event: Any) -> None:
        self._anchors = Anchors()
        self._texts.clear()

    def _range(self, event: Any) -> tuple[int, int]:
        start, end = event.start_mark.index, event.end_mark.index
        return self.piece.byte(start) - self.origin, self.piece.byte(end) - self.origin

    def _source(self, start: int, end: int) -> bytes:
        return self.piece.data[self.origin + start : self.origin + end]

    def _scalar(self, event: Any) -> None:
        try:
            value = scalar_value(event)
        except ValueError:
            value = UNKNOWN
        kind: Kind = "string" if isinstance(value, str) else "unknown" if value is UNKNOWN else "scalar"
        indent = self._stack[-1].column if self._stack else -1
        start = self.piece.content(event) - self.origin
        end = self.piece.scalar_end(event, indent) - self.origin
        if event.start_mark.index == event.end_mark.index:
            start = end = len(self._source(0, end).rstrip(b" \t\r\n"))
        elif start > end:
            start = end
        if event.style in ("|", ">"):
            self._indents[start] = indent
        self._end = end
        node = Node(kind, start, end)
        if self._stack and self._stack[-1].expects_key:
            node.key = event.value
            if merges(event):
                self._merging.add(id(node))
        if event.anchor is not None:
            self._texts[event.anchor] = event.value
        self._anchors.define(event.anchor, Target(node, 1, 0))
        self._add(node, 1, 0)

    def _alias(self, event: Any) -> None:
        start, self._end = self._range(event)
        target = self._anchors.resolve(event.anchor, len(self._stack))
        if not isinstance(target, Target):
            target = Target(Node("unknown", start, self._end), 1, 0)
        node = target.item
        if self._stack and self._stack[-1].expects_key:
            text = self._texts[event.anchor] if node.kind == "string" else f"*{event.anchor}"
            node = Node("scalar", start, self._end, key=text)
        self._add(node, target.size, target.height)

    def _open(self, event: Any, kind: Kind) -> None:
        self._anchors.open(event.anchor)
        self._stack.append(_OpenNode(event, kind, self.piece.column(event)))

    def _close(self, event: Any) -> None:
        opened = self._stack.pop()
        start = self.piece.content(opened.event) - self.origin
        if opened.event.flow_style:
            self._end = self._range(event)[1]
        if opened.kind == "array":
            node = Node(opened.kind, start, self._end, items=opened.children)
        else:
            node = Node(opened.kind, start, self._end, entries=self._entries(opened.children))
        if self._stack and self._stack[-1].expects_key:
            node.key = self._source(start, self._end).decode()
        self._anchors.define(opened.event.anchor, Target(node, opened.size, opened.height))
        self._add(node, opened.size, opened.height)

    def _entries(self, children: list[Node]) -> list[tuple[Node, Node]]:
        own: list[tuple[Node, Node]] = []
        merged: list[Node] = []
        for key, value in zip(children[::2], children[1::2], strict=True):
            found = value.items if value.kind == "array" else [value]
            if id(key) in self._merging and found and all(item.kind == "object" for item in found):
                merged.extend(found)
            else:
                own.append((key, value))
        brought = {entry[0].key: entry for item in reversed(merged) for entry in item.entries}
        return [*brought.values(), *own]

    def _add(self, node: Node, size: int, height: int) -> None:
        if not self._stack:
            self.roots.append(node)
            return
        parent = self._stack[-1]
        parent.children.append(node)
        parent.size += size
        parent.height = max(parent.height, height + 1)

"""A syntax tree that is the same for JSON, YAML and Python literals."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Pointer = tuple[str | int, ...]
"""A path to a value: the keys of objects and the indices of arrays."""

Kind = Literal["object", "array", "string", "scalar", "unknown"]


def format_pointer(pointer: Iterable[str | int]) -> str:
    """Write a pointer as a JSON pointer (RFC 6901)."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in pointer)


class Decoded:
    """A string as its reader sees it, and where each character stands.

    `starts[i]` and `ends[i]` are the offsets of the source of character i:
    one byte, an escape, or a folded line end.
    """

    __slots__ = ("_ends", "_starts", "text")

    def __init__(self, text: str, starts: Sequence[int], ends: Sequence[int]) -> None:
        self.text = text
        self._starts = array("q", starts)
        self._ends = array("q", ends)

    def count_before(self, offset: int) -> int:
        """Return how many characters stand before an offset of the source."""
        return bisect_left(self._starts, offset, 0, len(self._ends))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the source range of the characters from `start` to `end`."""
        if start >= end:
            at = self._starts[start] if start < len(self._starts) else (self._ends[-1] if self._ends else 0)
            return at, at
        return self._starts[start], self._ends[end - 1]


class Node:
    """A value in a text: its kind and the byte range of its source.

    An object has `entries` of key and value, an array has `items`. The range
    of a string includes its quotation marks. A value that the text lacks
    (after a colon, say) is `unknown` and has an empty range. `key` is the
    decoded text of the key of an object.

    A node may be given an `expand` function in place of its children; it is
    called once, when they are first asked for.
    """

    __slots__ = ("_entries", "_expand", "_items", "end", "key", "kind", "start")

    def __init__(
        self,
        kind: Kind,
        start: int,
        end: int,
        entries: list[tuple[Node, Node]] | None = None,
        items: list[Node] | None = None,
        key: str | None = None,
        expand: Callable[[Node], tuple[list[tuple[Node, Node]], list[Node]]] | None = None,
    ) -> None:
        self.kind: Kind = kind
        self.start = start
        self.end = end
        self.key = key
        self._entries = entries if entries is not None else []
        self._items = items if items is not None else []
        self._expand = expand

    def __repr__(self) -> str:
        return f"Node({self.kind}, {self.start}-{self.end})"

    def _expanded(self) -> None:
        if self._expand is not None:
            expand, self._expand = self._expand, None
            self._entries, self._items = expand(self)

    @property
    def entries(self) -> list[tuple[Node, Node]]:
        """The keys and values of an object, in the order of the text."""
        self._expanded()
        return self._entries

    @property
    def items(self) -> list[Node]:
        """The elements of an array."""
        self._expanded()
        return self._items

    def child(self, part: str | int) -> Node | None:
        """Return the value under a key (the last one, as parsers do) or an index."""
        if self.kind == "object":
            return next((value for key, value in reversed(self.entries) if key.key == part), None)
        if self.kind == "array" and isinstance(part, int) and 0 <= part < len(self.items):
            return self.items[part]
        return None


class Tree:
    """The syntax of one text or slice; all offsets count from `data`'s start."""

    __slots__ = ("_decode", "data", "root")

    def __init__(self, data: bytes, root: Node, decode: Callable[[bytes, Node], Decoded]) -> None:
        self.data = data
        self.root = root
        self._decode = decode

    def find(self, pointer: Pointer) -> Node | None:
        """Return the node of a value."""
        node: Node | None = self.root
        for part in pointer:
            if node is None:
                return None
            node = node.child(part)
        return node

    def nearest(self, pointer: Pointer) -> Node:
        """Return the node of a value or of the closest value around it."""
        node = self.root
        for part in pointer:
            child = node.child(part)
            if child is None:
                break
            node = child
        return node

    def find_key(self, pointer: Pointer) -> Node | None:
        """Return the node of the key under which a value stands."""
        parent = self.find(pointer[:-1]) if pointer else None
        if parent is None or parent.kind != "object":
            return None
        return next((key for key, _ in reversed(parent.entries) if key.key == pointer[-1]), None)

    def decode(self, node: Node) -> Decoded:
        """Return a string node's text, each character with its place."""
        return self._decode(self.data, node)

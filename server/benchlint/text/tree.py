"""A syntax tree that is the same for JSON, YAML and Python literals."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
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

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the source range of the characters from `start` to `end`."""
        if start >= end:
            at = self._starts[start] if start < len(self._starts) else (self._ends[-1] if self._ends else 0)
            return at, at
        return self._starts[start], self._ends[end - 1]


@dataclass(slots=True)
class Node:
    """A value in a text: its kind and the byte range of its source.

    An object has `entries` of key and value, an array has `items`. The range
    of a string includes its quotation marks. `missing` marks a value that
    the text lacks (after a colon, say) and has an empty range.
    """

    kind: Kind
    start: int
    end: int
    entries: list[tuple[Node, Node]] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)
    key: str | None = None
    """For the key of an object: its decoded text."""

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

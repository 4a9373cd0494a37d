"""The syntax of JSON that parses: found on demand, by walking down and letting the C scanner skip what lies beside."""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

from benchlint.text.strings import decode_json
from benchlint.text.tree import Node, Tree

if TYPE_CHECKING:
    from benchlint.text.tree import Kind

_SPACE = re.compile(r"[ \t\n\r]*")


def json_tree(data: bytes, *, parses: bool) -> Tree:
    """Return the syntax of a JSON text; one that does not parse is read tolerantly."""
    if parses:
        return Tree(data, Scanner(data).root(), lambda data, node: decode_json(data, node.start, node.end))
    from benchlint.text.json_recovery import tolerant_tree

    return tolerant_tree(data)


class Scanner:
    """Builds the nodes of a text that parses, one level when it is asked for."""

    def __init__(self, data: bytes) -> None:
        self.text = data.decode("utf-8", "surrogateescape")
        self._decoder = decoder(digits=False)
        self._bytes: list[int] | None = None
        if not data.isascii():
            offsets, total = [], 0
            for character in self.text:
                offsets.append(total)
                total += len(character.encode("utf-8", "surrogateescape"))
            self._bytes = [*offsets, total]
        self._characters = {offset: at for at, offset in enumerate(self._bytes)} if self._bytes else None

    def _byte(self, at: int) -> int:
        return self._bytes[at] if self._bytes else at

    def root(self) -> Node:
        """Return the value of the text; an empty text is of no known kind."""
        start = space(self.text, 1 if self.text.startswith("\ufeff") else 0)
        if start == len(self.text):
            return Node("unknown", self._byte(start), self._byte(start))
        return self._node(start)[0]

    def _node(self, at: int) -> tuple[Node, int]:
        """Return the value at a character and the character after it."""
        _, end = self._decoder.raw_decode(self.text, at)
        kind: Kind = {"{": "object", "[": "array", '"': "string"}.get(self.text[at], "scalar")  # type: ignore[assignment]
        expand = self._expand if kind in ("object", "array") else None
        return Node(kind, self._byte(at), self._byte(end), expand=expand), end

    def _expand(self, node: Node) -> tuple[list[tuple[Node, Node]], list[Node]]:
        text = self.text
        entries: list[tuple[Node, Node]] = []
        items: list[Node] = []
        start = self._characters[node.start] if self._characters else node.start
        at = space(text, start + 1)
        while text[at] not in "]}":
            if node.kind == "object":
                key, end = scanstring(text, at + 1, False)
                key_node = Node("string", self._byte(at), self._byte(end), key=key)
                value, at = self._node(space(text, space(text, end) + 1))
                entries.append((key_node, value))
            else:
                value, at = self._node(at)
                items.append(value)
            at = space(text, at)
            if text[at] == ",":
                at = space(text, at + 1)
        return entries, items


def space(text: str, at: int) -> int:
    """Return the first character from `at` on that is not white space."""
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]


def decoder(
    duplicates: list[str] | None = None, constants: list[str] | None = None, *, digits: bool = True
) -> json.JSONDecoder:
    """Return a decoder that notes duplicate keys and NaN.

    Without `digits`, integers beyond the interpreter's limit are read as 0.
    """
    hook = None
    if duplicates is not None:

        def hook(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            values = dict(pairs)
            if len(values) != len(pairs):
                duplicates.append("")
            return values

    constant = constants.append if constants is not None else (lambda _: None)
    integer = None if digits else (lambda digits: 0 if len(digits) > 4300 else int(digits))
    return json.JSONDecoder(object_pairs_hook=hook, parse_constant=constant, parse_int=integer, strict=True)

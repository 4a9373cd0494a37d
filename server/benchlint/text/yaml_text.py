"""YAML: slices and syntax under the core schema of YAML 1.2.

The parser is PyYAML's, libyaml where it is there; values are ours: `no`,
`12:30` and dates are strings. The merge key `<<`, which 1.2 dropped, is
still read, because authors write it. The key of an object is its text as
written, so that `007` and `true` stay what they look like. Line breaks are
those of PyYAML: U+0085, U+2028 and U+2029 end a line too.

Each element of the sequence of tasks is a slice, and so is a document that
has no such sequence. Where an alias leads from one task into another or into
the header, no task can be read alone: then every slice covers the whole
file, and its pointer and its tree lead to its own task.
"""

from __future__ import annotations

import re
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from benchlint.text.json_text import CONTAINERS, readable
from benchlint.text.slices import UNPARSED, Fault, Slice
from benchlint.text.tree import Node, Tree
from benchlint.text.yaml_events import Broken, Nodes, Piece, Values

if TYPE_CHECKING:
    from benchlint.text.document import Document
    from benchlint.text.slices import Language
    from benchlint.text.tree import Pointer
    from benchlint.text.yaml_events import Composed

_CONTROL = re.compile(rb"[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x84\x86-\x9f]|\xef\xbf[\xbe\xbf]")
_ESCAPED = re.compile("[\udc80-\udcff]")
_DOCUMENT = re.compile(rb"^---(?=\s|$)", re.MULTILINE)
_BEFORE_CONTENT = re.compile(rb"(?:[ \t]*(?:#[^\r\n]*)?[\r\n]|%[^\r\n]*[\r\n]|\.\.\.[ \t]*[\r\n])*[ \t]*(?:#[^\r\n]*)?")
_FILLING = re.compile(rb"(?:[ \t]*(?:#[^\r\n]*)?(?:[\r\n]|\Z))*")
_TOP_KEY = re.compile(rb"^(?:[A-Za-z_][\w .-]*|\"[^\"\r\n]*\"|'[^'\r\n]*')[ \t]*:(?=\s|\Z)", re.MULTILINE)


class YamlText:
    """A YAML document cut into slices. See `Sliced`.

    `header` and `header_tree` are of the first document in the file.
    """

    language: Language = "yaml"

    def __init__(self, document: Document) -> None:
        self.document = document
        self.slices: list[Slice] = []
        self.faults: list[Fault] = []
        self.header: dict[str, Any] = {}
        self._data = document.data
        self._pieces: list[Piece | int] = []
        """How to read each slice: alone, or as a part of the document with this number."""
        self._header: Piece | None = None
        self._sequence: tuple[Pointer, int, int] | None = None
        self._trees: dict[int, Tree] = {}

    def tree(self, index: int) -> Tree:
        """Return the syntax of a slice, offsets counted from the slice's start.

        The root of a slice that does not parse is `unknown`.
        """
        tree = self._trees.get(index)
        if tree is None:
            tree = self._trees[index] = self._build(index)
        return tree

    def _build(self, index: int) -> Tree:
        piece, part = self._pieces[index], self.slices[index]
        if part.value is UNPARSED:
            return Tree(part.data, Node("unknown", 0, len(part.data)), _no_strings)
        if isinstance(piece, int):
            nodes, roots = self._whole
            root = Tree(b"", roots[piece], _no_strings).find(part.pointer)
        else:
            nodes = Nodes(piece)
            roots = nodes.compose()
            root = roots[0] if roots else None
            if root is not None and piece.prefix:
                root = root.items[0] if root.items else None
        return nodes.tree(root or Node("unknown", 0, len(part.data)))

    @cached_property
    def _whole(self) -> tuple[Nodes, list[Node]]:
        """The syntax of the whole file, shared by slices that cannot be read alone."""
        nodes = Nodes(Piece(self._data, self.document.bom, len(self._data)))
        return nodes, nodes.compose()

    def header_tree(self) -> Tree:
        """Return the syntax of the whole document, the slices left empty."""
        return self._header_tree

    @cached_property
    def _header_tree(self) -> Tree:
        ...


def _no_strings(_data: bytes, _node: Node) -> Any:
    raise ValueError("an unknown node has no text")

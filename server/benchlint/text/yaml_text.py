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
from typing import TYPE_CHECKING, Any

from benchlint.text.slices import UNPARSED, Fault, Slice, readable
from benchlint.text.tree import Node, Tree
from benchlint.text.yaml_events import Broken, Piece
from benchlint.text.yaml_nodes import Nodes
from benchlint.text.yaml_strings import decode_yaml
from benchlint.text.yaml_values import Values

if TYPE_CHECKING:
    from benchlint.text.document import Document
    from benchlint.text.slices import Language
    from benchlint.text.tree import Pointer
    from benchlint.text.yaml_values import Composed

_CONTROL = re.compile(rb"[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x84\x86-\x9f]|\xef\xbf[\xbe\xbf]")
_ESCAPED = re.compile("[\udc80-\udcff]")
_WIDE_BREAK = re.compile(rb"(\xc2\x85|\xe2\x80[\xa8\xa9])")
_SPACES = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))


class YamlText:
    """A YAML document cut into slices. See `Sliced`.

    `header` and `header_tree` are of the first document of the file.
    """

    def __init__(self, document: Document, data: bytes) -> None:
        self.document = document
        self.language: Language = "yaml"
        self.slices: list[Slice] = []
        self.faults: list[Fault] = []
        self.header: dict[str, Any] = {}
        self._data = data
        self._readings: list[tuple[Piece, int | None]] = []
        self._sequence: tuple[Pointer, int, int] | None = None
        self._trees: dict[int, Tree] = {}
        self._shared: dict[int, tuple[Nodes, list[Node]]] = {}

    def add(self, piece: Piece, value: Any, pointer: Pointer, shared: int | None = None) -> None:
        """Add a slice that `piece` reads.

        Where the piece is more than the slice, `shared` is the number of the
        document in it to which the pointer belongs.
        """
        kind = Slice if shared is None else _Shared
        self.slices.append(kind(self.document, len(self.slices), piece.start, piece.end, value, pointer))
        self._readings.append((piece, shared))

    def set_header(self, value: Any, pointer: Pointer, start: int, end: int) -> None:
        """Note the first document's value and where its sequence of tasks stands."""
        if self._sequence is None:
            self._sequence = (pointer, start, end)
            if isinstance(value, dict):
                self.header = {key: item for key, item in value.items() if key != pointer[0]}

    def tree(self, index: int) -> Tree:
        """Return the syntax of a slice, offsets counted from the slice's start.

        The root of a slice that does not parse is `unknown`.
        """
        tree = self._trees.get(index)
        if tree is None:
            tree = self._trees[index] = self._build(index)
        return tree

    def _build(self, index: int) -> Tree:
        part = self.slices[index]
        piece, shared = self._readings[index]
        unknown = Node("unknown", 0, part.end - part.start)
        if part.value is UNPARSED:
            return _tree(part.data, unknown)
        if shared is None:
            nodes = Nodes(piece, part.start)
            roots = nodes.compose()
            pointer: Pointer = (0,) if piece.prefix.strip() else ()
        else:
            if id(piece) not in self._shared:
                nodes = Nodes(piece, part.start)
                self._shared[id(piece)] = nodes, nodes.compose()
            nodes, roots = self._shared[id(piece)]
            roots, pointer = roots[shared : shared + 1], part.pointer
        root = _tree(b"", roots[0]).find(pointer) if roots else None
        return nodes.tree(root or unknown)

    def header_tree(self) -> Tree:
        """Return the syntax of the whole document, the slices left empty."""
        return self._header_tree

    @cached_property
    def _header_tree(self) -> Tree:
        pointer, start, end = self._sequence or ((), 0, 0)
        data = blank(self._data, start, end)
        if self._sequence and not pointer:
            return _tree(data, Node("array", start, end))
        nodes = Nodes(Piece(data, self.document.bom, len(data)), 0)
        roots = nodes.compose()
        tree = nodes.tree(roots[0] if roots else Node("unknown", 0, len(data)))
        array = tree.find(pointer) if self._sequence else None
        if array is not None and end > start:
            array.kind, array.start, array.end = "array", start, end
        return tree


class _Shared(Slice):
    """A task that can only be read with the text around it, which is its range."""

    @cached_property
    def hash(self) -> bytes:
        """A hash of the text and of the task's place in it, 16 bytes long."""
        place = f"{self.index} {self.pointer}".encode()
        return blake2b(self.data + place, digest_size=16).digest()


def _tree(data: bytes, root: Node) -> Tree:
    return Tree(data, root, lambda data, node: decode_yaml(data, node.start, node.end))


def blank(data: bytes, start: int, end: int) -> bytes:
    """Return the text with spaces in place of a part of it; whatever YAML takes for a line end stays."""
    parts = _WIDE_BREAK.split(data[start:end])
    parts[::2] = [part.translate(_SPACES) for part in parts[::2]]
    return data[:start] + b"".join(parts) + data[end:]


def slice_yaml(document: Document, at: Pointer | None = None) -> YamlText:
    """Cut a YAML document into slices.

    The slices are the elements of the top-level sequence, or of the sequence
    under a top-level key of `CONTAINERS`; any other value is one slice. `at`
    names another place of the sequence by its keys. The documents of a stream
    are read in order, each for itself.
    """
    data, faults = _legible(document)
    sliced = YamlText(document, data or b"")
    sliced.faults.extend(faults)
    if data is None:
        return sliced
    piece = Piece(data, document.bom, len(data))
    found: list[Fault] = []
    try:
        documents = Values(piece, found, at).compose()
    except Broken as broken:
        from benchlint.text.yaml_recovery import recover

        recover(sliced, data, broken, at)
    else:
        sliced.faults.extend(found)
        add_documents(sliced, piece, documents, at)
        if all(composed.value is None for composed in documents):
            sliced.faults.append(Fault(0, 0, "the file is empty"))
    return sliced


def parse_yaml(document: Document) -> tuple[Any, list[Fault]]:
    """Return the value of a document's first YAML document, or `UNPARSED`, and its faults."""
    data, faults = _legible(document)
    if data is None:
        return UNPARSED, faults
    try:
        documents = Values(Piece(data, document.bom, len(data)), faults).compose()
    except Broken as broken:
        return UNPARSED, [*faults, broken.fault]
    if not documents:
        return UNPARSED, [*faults, Fault(0, 0, "the file is empty")]
    return documents[0].value, faults


def add_documents(sliced: YamlText, piece: Piece, documents: list[Composed], at: Pointer | None) -> None:
    """Add the slices of the documents that `piece` holds."""
    data = piece.data
    for number, composed in enumerate(documents):
        if composed.pointer is not None:
            sliced.set_header(composed.value, composed.pointer, *composed.sequence)
        elif not at and composed.root is not None and composed.value is not None:
            root = composed.root
            alone = Piece(data, root.start, root.end, b" " * root.column)
            shared = number if composed.crossing else None
            sliced.add(alone if shared is None else piece, composed.value, (), shared)
        for index, element in enumerate(composed.elements):
            pointer = (*(composed.pointer or ()), index)
            if composed.crossing:
                sliced.add(piece, element.value, pointer, number)
                continue
            alone = Piece(data, element.start, element.end, *frame(element.column, composed.column, flow=composed.flow))
            sliced.add(alone, element.value, pointer)


def frame(column: int, dash: int, *, flow: bool) -> tuple[bytes, bytes]:
    """Return what makes a sequence of an element alone: text before and after it.

    The element keeps its `column`, and the sequence its own (`dash`).
    """
    if flow:
        return b"[\n" + b" " * column, b"\n]"
    return b" " * dash + b"-\n" + b" " * column, b""


def _legible(document: Document) -> tuple[bytes | None, list[Fault]]:
    """Return a document's bytes with `?` for what YAML cannot hold; None if it is no text."""
    faults: list[Fault] = []
    text = readable(document, faults)
    if text is None:
        return None, faults
    data = document.data if text.isascii() or not faults else _ESCAPED.sub("?", text).encode()
    control = _CONTROL.search(data)
    if control:
        name = f"U+{ord(control[0].decode()):04X}"
        faults.append(Fault(*control.span(), f"the control character {name} cannot stand in YAML"))
        data = _CONTROL.sub(lambda match: b"?" * len(match[0]), data)
    return data, faults

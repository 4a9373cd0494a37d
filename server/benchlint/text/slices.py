"""A file as a sequence of task slices."""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from benchlint.text.document import Document
    from benchlint.text.tree import Pointer, Tree

Language = Literal["json", "jsonl", "yaml", "python", "pickle"]


CONTAINERS: Final = ("tasks", "simulations")
"""The top-level keys under which the slices of an object may stand."""

MAX_DEPTH: Final = 200
"""How deep objects and arrays may nest; deeper text is a fault."""


class _Unparsed:
    """The value of a slice whose text does not parse."""

    def __repr__(self) -> str:
        return "UNPARSED"


UNPARSED: Final = _Unparsed()


class _Unknown:
    """A value that the text does not tell: an expression in Python."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = _Unknown()


class Fault(Struct, frozen=True):
    """A place where a text is not what its language allows.

    Offsets count from the start of the document. `message` is a whole
    sentence without a full stop.
    """

    start: int
    end: int
    message: str


class Slice:
    """The text of one task: its range in the document and its value.

    `pointer` leads from the document's root to the slice. `value` is
    `UNPARSED` where the text does not parse.
    """

    def __init__(self, document: Document, index: int, start: int, end: int, value: Any, pointer: Pointer) -> None:
        self.document = document
        self.index = index
        self.start = start
        self.end = end
        self.value = value
        self.pointer = pointer

    def __repr__(self) -> str:
        return f"Slice({self.index}, {self.start}-{self.end})"

    @property
    def data(self) -> bytes:
        """The slice's own bytes."""
        return self.document.data[self.start : self.end]

    def moved(self, document: Document, index: int, shift: int, pointer: Pointer) -> Slice:
        """Return the same text and value at another place, or in a later document."""
        piece = Slice(document, index, self.start + shift, self.end + shift, self.value, pointer)
        hashed = self.__dict__.get("hash")
        if hashed is not None:
            piece.__dict__["hash"] = hashed
        return piece

    @cached_property
    def hash(self) -> bytes:
        """A hash of the slice's bytes, 16 bytes long."""
        return blake2b(self.data, digest_size=16).digest()


class Sliced(Protocol):
    """A document cut into slices, with what stands around them."""

    document: Document
    language: Language
    slices: list[Slice]
    faults: list[Fault]
    header: dict[str, Any]
    """The top-level values beside the array of slices, if the top is an object."""

    def tree(self, index: int) -> Tree:
        """Return the syntax of a slice, offsets counted from the slice's start."""

    def header_tree(self) -> Tree:
        """Return the syntax of the whole document, the slices left empty."""


def readable(document: Document, faults: list[Fault]) -> str | None:
    """Decode a document; where it is not UTF-8 text, note why.

    A text with some wrong bytes is still returned, with surrogate escapes in
    their place. None where the file is no text at all.
    """
    data = document.data
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            faults.append(Fault(0, 2, "the file is UTF-16; save it as UTF-8"))
            return None
        if b"\0" not in data:
            faults.append(Fault(error.start, error.start + 1, "this byte is not UTF-8; save the file as UTF-8"))
            return data.decode("utf-8", "surrogateescape")
        text = "\0"
    if "\0" in text:
        at = data.find(b"\0")
        faults.append(Fault(at, at + 1, "the file is binary: it contains a NUL byte"))
        return None
    return text

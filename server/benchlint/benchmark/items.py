"""The items file of a policy: its rules as data, with guards and notes, one entry an item."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from benchlint.benchmark.item_entry import EntryReader, Example, GuardText, ItemEntry, merged
from benchlint.text.locate import locate
from benchlint.text.slices import UNPARSED, Fault
from benchlint.text.yaml_text import slice_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchlint.text.document import Document
    from benchlint.text.tree import Pointer
    from benchlint.text.yaml_text import YamlText

__all__ = ["SUFFIX", "Example", "GuardText", "ItemEntry", "Items", "ItemsFile", "merged"]

SUFFIX = ".items.yaml"
"""What the name of an items file ends with: `policy.items.yaml` beside `policy.md`."""

_HEADER = ("policy", "reviewed", "now", "records", "items")


class ItemsFile:
    """One items file; what is wrong in it is in `faults`, and the rest is read.

    `reviewed` says when a person has reviewed it, "" without a date; None
    where nobody has.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.sliced: YamlText = slice_yaml(document, ("items",))
        self.faults: list[Fault] = list(self.sliced.faults)
        self.now: str | None = None
        self.reviewed: str | None = None
        self.records: Mapping[str, Any] = {}
        self._read_header()
        listed = [piece for piece in self.sliced.slices if piece.pointer]
        if not listed and self.sliced.slices and not self.faults:
            self.faults.append(Fault(0, 0, "the file has no list of items"))
        self.entries: list[ItemEntry] = []
        for piece in listed:
            if piece.value is not UNPARSED:
                entry = EntryReader(self, piece.index, piece.value).read()
                if entry is not None:
                    self.entries.append(entry)

    @property
    def path(self) -> str:
        """The path of the file."""
        return self.document.path

    def place(self, index: int, pointer: Pointer, span: tuple[int, int] | None = None) -> tuple[int, int]:
        """Return the range in bytes of a value of an entry; `span` selects characters of a text."""
        piece = self.sliced.slices[index]
        start, end = locate(self.sliced.tree(index), pointer, "value", span)
        return piece.start + start, piece.start + end

    def fault(self, index: int, pointer: Pointer, message: str) -> None:
        """Note what is wrong with a value of an entry."""
        self.faults.append(Fault(*self.place(index, pointer), message))

    def _read_header(self) -> None:
        tree = self.sliced.header_tree()
        for key, value in self.sliced.header.items():
            if key not in _HEADER:
                node = tree.find_key((key,))
                place = (node.start, node.end) if node else (0, 0)
                self.faults.append(Fault(*place, f'there is no key "{key}"; there are {", ".join(_HEADER)}'))
            elif key == "now" and value is not None:
                self.now = str(value)
            elif key == "reviewed" and value is not None and value is not False:
                self.reviewed = "" if value is True else str(value)
            elif key == "records" and isinstance(value, dict):
                self.records = value


class Items:
    """The items files of a benchmark."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.files = [ItemsFile(document) for document in documents]
        digest = blake2b(digest_size=16)
        for document in documents:
            digest.update(PurePath(document.path).name.encode("utf-8", "surrogateescape") + b"\0" + document.hash)
        self.hash = digest.digest()
        self.made: dict[str, Any] = {}
        """What other rooms make of the items, kept with them."""

    @property
    def entries(self) -> Iterator[tuple[ItemsFile, ItemEntry]]:
        """All items, each with its file."""
        return ((file, entry) for file in self.files for entry in file.entries)

"""JSON and JSON Lines: slices by the C scanner, ranges on demand."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from benchlint.text.json_slicer import Slicer
from benchlint.text.json_tree import json_tree, space
from benchlint.text.slices import UNPARSED, readable

if TYPE_CHECKING:
    from benchlint.text.document import Document
    from benchlint.text.slices import Fault, Language, Slice
    from benchlint.text.tree import Pointer, Tree


class JsonText:
    """A JSON or JSON Lines document cut into slices. See `Sliced`."""

    def __init__(self, document: Document, language: Language) -> None:
        self.document = document
        self.language: Language = language
        self.slices: list[Slice] = []
        self.faults: list[Fault] = []
        self.header: dict[str, Any] = {}
        # What stands between the brackets of the array of slices, in bytes.
        self.array: tuple[int, int] | None = None
        # How the lines of elements are indented, and the keys that lead to them.
        self.indent: str | None = None
        self.path: Pointer = ()
        # The place of the list that the caller named.
        self.wanted: Pointer | None = None
        self._trees: dict[int, Tree] = {}

    def tree(self, index: int) -> Tree:
        """Return the syntax of a slice, offsets counted from the slice's start."""
        tree = self._trees.get(index)
        if tree is None:
            piece = self.slices[index]
            tree = self._trees[index] = json_tree(piece.data, parses=piece.value is not UNPARSED)
        return tree

    def take_trees(self, earlier: JsonText) -> None:
        """Take over the syntax of the slices that have the same text and value in an earlier document."""
        trees = {id(earlier.slices[index].value): tree for index, tree in earlier._trees.items()}
        for piece in self.slices if trees else ():
            if piece.value is not UNPARSED and id(piece.value) in trees:
                self._trees[piece.index] = trees[id(piece.value)]

    def header_tree(self) -> Tree:
        """Return the syntax of the whole document, the slices left empty."""
        return self._header_tree

    @cached_property
    def _header_tree(self) -> Tree:
        data = self.document.data
        if self.array is not None:
            start, end = self.array
            data = data[:start] + b" " * (end - start) + data[end:]
        return json_tree(data, parses=not self.faults)


def slice_json(document: Document, at: Pointer | None = None) -> JsonText:
    """Cut a JSON document into slices.

    The slices are the elements of the top-level array, or of the array under
    the first key of `CONTAINERS`; any other object is one slice. `at` names
    another place of the array by its keys.
    """
    sliced = JsonText(document, "json")
    sliced.wanted = at
    text = readable(document, sliced.faults)
    if text is not None:
        Slicer(sliced, text).run(at)
    return sliced


def slice_jsonl(document: Document) -> JsonText:
    """Cut a JSON Lines document into slices, one a line that is not blank."""
    sliced = JsonText(document, "jsonl")
    text = readable(document, sliced.faults)
    if text is None:
        return sliced
    slicer = Slicer(sliced, text)
    at = document.bom and 1
    for line in re.split(r"\r\n|\n|\r", text[at:]):
        end = at + len(line)
        start = space(text, at)
        if start < end:
            slicer.line(start, end - (len(line) - len(line.rstrip(" \t"))))
        at = end + (2 if text[end : end + 2] == "\r\n" else 1)
    return sliced


def parse_json(document: Document) -> tuple[Any, list[Fault]]:
    """Return a document's whole value, or `UNPARSED`, and its faults."""
    sliced = JsonText(document, "json")
    text = readable(document, sliced.faults)
    if text is None:
        return UNPARSED, sliced.faults
    slicer = Slicer(sliced, text)
    slicer.whole(space(text, document.bom and 1))
    return sliced.slices[0].value, sliced.faults

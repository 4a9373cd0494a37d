"""Cuts JSON anew after an edit: the slices on both sides of it keep their values."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from benchlint.text.document import Document
from benchlint.text.json_slicer import Slicer
from benchlint.text.json_text import JsonText, slice_json
from benchlint.text.slices import UNPARSED, Fault, readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchlint.text.slices import Slice


def reslice(old: JsonText, document: Document, start: int, old_end: int, new_end: int) -> JsonText:
    """Cut a document anew that differs from an earlier one in one range.

    The bytes from `start` to `old_end` were replaced by those from `start`
    to `new_end`. The slices on both sides keep their values; the result is
    that of `slice_json`, which is also what does the work where the range
    does not lie well among the elements of the list.
    """
    return _Resumed(old, document, start, old_end, new_end - old_end).run() or _sliced_again(old, document)


def _sliced_again(old: JsonText, document: Document) -> JsonText:
    """Cut all of a document; from both ends on, slices of the same text keep their values."""
    new = slice_json(document, old.wanted)
    for pieces, known in ((new.slices, old.slices), (new.slices[::-1], old.slices[::-1])):
        for piece, earlier in zip(pieces, known, strict=False):
            if piece.data != earlier.data:
                break
            if piece.value is not UNPARSED and earlier.value is not UNPARSED:
                piece.value = earlier.value
    return new


class _Resumed:
    """Slices a changed stretch of a list and takes over what stands around it."""

    def __init__(self, old: JsonText, document: Document, start: int, old_end: int, shift: int) -> None:
        self.old = old
        self.document = document
        self.start = start
        self.old_end = old_end
        self.shift = shift

    def run(self) -> JsonText | None:
        """Return the new slices; None where the whole text must be read."""
        old, slices = self.old, self.old.slices
        first = max(0, bisect_left(slices, self.start, key=_end) - 2)
        last = bisect_left(slices, self.old_end + 1, key=_start)
        if old.array is None or first < 1 or last + 1 >= len(slices) or not self._indented(first):
            return None
        begin, end = slices[first].start, slices[last + 1].end
        if any(fault.start < begin or fault.end > end for fault in old.faults):
            return None
        stretch = Document(self.document.path, self.document.data[begin : end + self.shift + 1])
        part = JsonText(stretch, "json")
        part.indent = old.indent
        text = readable(stretch, part.faults)
        if text is None or part.faults:
            return None
        known = {piece.start + self.shift - begin: piece.index for piece in slices[last : last + 2]}
        slicer = Slicer(part, text)
        stop = slicer.elements(0, 0, known)
        index = known.get(slicer.byte(stop)) if stop < len(text) and not slicer.ran_out else None
        return self._joined(part, first, index, begin) if index is not None else None

    def _indented(self, first: int) -> bool:
        """Say whether the list's indentation was found before a slice."""
        data = self.document.data
        lines = ((data.rfind(b"\n", 0, piece.start), piece.start) for piece in self.old.slices[: min(first, 2)])
        return any(line >= 0 and not data[line + 1 : start].strip(b" \t") for line, start in lines)

    def _joined(self, part: JsonText, first: int, index: int, begin: int) -> JsonText:
        """Put the slices before, in and behind the stretch together."""
        old, document = self.old, self.document
        new = JsonText(document, "json")
        new.header, new.indent, new.path, new.wanted = old.header, old.indent, old.path, old.wanted
        new.slices = [piece.moved(document, piece.index, 0, piece.pointer) for piece in old.slices[:first]]
        for number, piece in enumerate(part.slices, first):
            new.slices.append(piece.moved(document, number, begin, (*old.path, number)))
        more = len(new.slices) - index
        for piece in old.slices[index:]:
            pointer = piece.pointer if not more else (*old.path, piece.index + more)
            new.slices.append(piece.moved(document, piece.index + more, self.shift, pointer))
        kept = (item for item in old.faults if item.start >= old.slices[index].start)
        new.faults = [*_shifted(part.faults, begin), *_shifted(kept, self.shift)]
        assert old.array is not None
        new.array = (old.array[0], old.array[1] + self.shift)
        return new


def _shifted(faults: Iterable[Fault], shift: int) -> Iterator[Fault]:
    return (Fault(item.start + shift, item.end + shift, item.message) for item in faults)


def _start(piece: Slice) -> int:
    return piece.start


def _end(piece: Slice) -> int:
    return piece.end

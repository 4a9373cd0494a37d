"""Cuts JSON anew after an edit: the slices on both sides of it keep their values."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from benchlint.text.document import Document
from benchlint.text.json_slicer import Slicer
from benchlint.text.json_text import JsonText, slice_json
from benchlint.text.json_tree import space
from benchlint.text.slices import UNPARSED, Fault, readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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
    _keep(new.slices, old.slices)
    return new


def _keep(new: Sequence[Slice], old: Sequence[Slice]) -> None:
    """Let slices of the same text keep their values, from both ends on."""
    for pieces, known in ((new, old), (new[::-1], old[::-1])):
        for piece, earlier in zip(pieces, known, strict=False):
            if piece.data != earlier.data:
                break
            if piece.value is not UNPARSED and earlier.value is not UNPARSED:
                piece.value = earlier.value


class _Resumed:
    """Slices a changed stretch of a list and takes over what stands around it.

    The stretch begins at an element some way before the change, or where the
    list begins, and goes on to an element behind it, or to the list's end.
    """

    def __init__(self, old: JsonText, document: Document, start: int, old_end: int, shift: int) -> None:
        self.old = old
        self.document = document
        self.shift = shift
        slices = old.slices
        self.first = max(0, bisect_left(slices, start, key=_end) - 2)
        last = bisect_left(slices, old_end + 1, key=_start)
        self.behind = slices[last : last + 2] if last + 1 < len(slices) else []
        """The elements before which the stretch may end; none where it goes to the end of the list."""
        self.is_inside = old.array is not None and old.array[0] <= start and old_end <= old.array[1]

    def run(self) -> JsonText | None:
        """Return the new slices; None where the whole text must be read."""
        if not self.is_inside or not (self.first == 0 or self._indented(self.document.data, self.old.slices)):
            return None
        begin, end = self._stretch()
        if end is None or any(fault.start < begin or fault.end > end for fault in self.old.faults):
            return None
        stretch = Document(self.document.path, self.document.data[begin : end + self.shift])
        part = JsonText(stretch, "json")
        part.indent = self.old.indent if self.first else None
        text = readable(stretch, part.faults)
        if text is None or part.faults:
            return None
        known = {piece.start + self.shift - begin: piece.index for piece in self.behind}
        slicer = Slicer(part, text)
        stop = slicer.elements(0 if self.first else space(text, 0), 0, known)
        if not self._is_like_before(part) or stop >= len(text):
            return None
        if not known:
            ends = text[stop:].strip(" \t\n\r") == "]" and (self._ends_all or not slicer.ran_out)
            return self._joined(part, len(self.old.slices), begin) if ends else None
        index = known.get(slicer.byte(stop)) if not slicer.ran_out else None
        return self._joined(part, index, begin) if index is not None else None

    def _stretch(self) -> tuple[int, int | None]:
        """Return where the stretch begins in both texts, and ends in the old one; None where the list has no end."""
        old = self.old
        assert old.array is not None
        begin = old.slices[self.first].start if self.first else old.array[0]
        if self.behind:
            return begin, self.behind[-1].end + 1
        data = old.document.data
        if not old.slices or data[old.array[1] : old.array[1] + 1] != b"]":
            return begin, None
        return begin, len(data) if self._ends_all else old.array[1] + 1

    @property
    def _ends_all(self) -> bool:
        """Whether nothing follows the list."""
        assert self.old.array is not None
        return not self.old.document.data[self.old.array[1] + 1 :].strip(b" \t\n\r")

    def _is_like_before(self, part: JsonText) -> bool:
        """Say whether what was not read again would be read as before.

        The elements behind need the same indentation, found in the first of
        them; and around a list without faults the text is looked at as well.
        """
        if not part.slices or (self.old.header and self.old.faults and not part.faults):
            return False
        return bool(self.first) or (
            part.indent == self.old.indent and self._indented(part.document.data, part.slices[:1])
        )

    def _indented(self, data: bytes, slices: Sequence[Slice]) -> bool:
        """Say whether the list's indentation was found before a slice."""
        lines = ((data.rfind(b"\n", 0, piece.start), piece.start) for piece in slices[: min(self.first, 2) or 1])
        return any(line >= 0 and not data[line + 1 : start].strip(b" \t") for line, start in lines)

    def _joined(self, part: JsonText, index: int, begin: int) -> JsonText:
        """Put the slices before, in and behind the stretch together."""
        old, document = self.old, self.document
        _keep(part.slices, old.slices[self.first : index])
        new = JsonText(document, "json")
        new.header, new.indent, new.path, new.wanted = old.header, old.indent, old.path, old.wanted
        new.slices = [piece.moved(document, piece.index, 0, piece.pointer) for piece in old.slices[: self.first]]
        for number, piece in enumerate(part.slices, self.first):
            new.slices.append(piece.moved(document, number, begin, (*old.path, number)))
        more = len(new.slices) - index
        for piece in old.slices[index:]:
            pointer = piece.pointer if not more else (*old.path, piece.index + more)
            new.slices.append(piece.moved(document, piece.index + more, self.shift, pointer))
        kept = (item for piece in old.slices[index : index + 1] for item in old.faults if item.start >= piece.start)
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

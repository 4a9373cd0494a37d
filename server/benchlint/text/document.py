"""A text as UTF-8 bytes, and the one place where offsets become positions."""

from __future__ import annotations

from enum import Enum
from functools import cached_property
from hashlib import blake2b

from benchlint.text.lines import Lines

BOM = b"\xef\xbb\xbf"
_REMEMBERED = 4096
"""After how many changes a text forgets which earlier text it came from."""


class Encoding(Enum):
    """The unit in which a column is counted."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def width(data: bytes, encoding: Encoding) -> int:
    """Return the length of UTF-8 `data` in units of `encoding`.

    Bytes that are not UTF-8 count as one replacement character each run, as
    an editor would show them.
    """
    if encoding is Encoding.UTF8 or data.isascii():
        return len(data)
    text = data.decode("utf-8", "replace")
    if encoding is Encoding.UTF32:
        return len(text)
    return len(text) + sum(character > "\uffff" for character in text)


def difference(old: bytes, new: bytes) -> tuple[int, int, int]:
    """Return the one range in which two texts differ: its start, and its end in each of them."""
    start = _common(old, new)
    end = _common(old[: start - 1 if start else None : -1], new[: start - 1 if start else None : -1])
    return start, len(old) - end, len(new) - end


def _common(first: bytes, second: bytes) -> int:
    """Return how many bytes two texts have in common at their start."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


class Document:
    r"""An immutable text.

    Offsets are bytes from the start of `data`, a byte order mark included.
    Lines end at `\n`, `\r\n` or `\r`, and nowhere else. Lines and columns are
    0-based; a byte order mark has no width.
    """

    def __init__(self, path: str, data: bytes, version: int | None = None) -> None:
        self.path = path
        self.data = data
        self.version = version
        # Every change since some first text, shared by all texts made from it, and how many of them are in this one.
        self._changes: list[tuple[int, int, int]] = []
        self._made = 0

    def __repr__(self) -> str:
        return f"Document({self.path!r}, {len(self.data)} bytes)"

    @property
    def bom(self) -> int:
        """The number of bytes of the byte order mark: 3 or 0."""
        return len(BOM) if self.data.startswith(BOM) else 0

    @cached_property
    def hash(self) -> bytes:
        """A hash of the bytes, 16 bytes long."""
        return blake2b(self.data, digest_size=16).digest()

    def splice(self, start: int, end: int, data: bytes, version: int | None = None) -> Document:
        """Return a document in which other bytes stand from `start` to `end`."""
        old = memoryview(self.data)
        changed = Document(self.path, b"".join((old[:start], data, old[end:])), version)
        changed.__dict__["_lines"] = self._lines.spliced(changed.data, start, end, start + len(data))
        if self._made == len(self._changes) < _REMEMBERED:
            self._changes.append((start, end, start + len(data)))
            changed._changes = self._changes
            changed._made = self._made + 1
        return changed

    def change_since(self, earlier: Document) -> tuple[int, int, int] | None:
        """Return the one range in which this text differs from an earlier one that it was made from.

        That is its start, its end in the earlier text and its end in this
        one; None where the texts are not known to be related.
        """
        if earlier._changes is not self._changes or earlier._made >= self._made:
            return None
        start, old_end, new_end = self._changes[earlier._made]
        for first, last, end in self._changes[earlier._made + 1 : self._made]:
            old_end += max(0, last - new_end)
            new_end = max(new_end, last) + end - last
            start = min(start, first)
        return start, old_end, new_end

    @cached_property
    def _lines(self) -> Lines:
        return Lines.of(self.data)

    @property
    def line_count(self) -> int:
        """The number of lines; an empty text has one."""
        return self._lines.count

    def line_range(self, line: int) -> tuple[int, int]:
        """Return the offsets of a line's first byte and of its line end.

        A byte order mark is left out. A line past the end is empty.
        """
        start, end = self._lines.span(self.data, line)
        return (max(start, min(self.bom, end)) if line == 0 else start), end

    def line_text(self, line: int) -> str:
        """Return a line without its line end and byte order mark."""
        start, end = self.line_range(line)
        return self.data[start:end].decode("utf-8", "replace")

    def position(self, offset: int, encoding: Encoding) -> tuple[int, int]:
        """Return the line and column of a byte offset.

        An offset inside a line end is the end of its line; one past the end
        of the text is its last position.
        """
        offset = max(0, min(offset, len(self.data)))
        line, start, end = self._lines.at(self.data, offset)
        if line == 0:
            start = max(start, min(self.bom, end))
        return line, width(self.data[start : max(start, min(offset, end))], encoding)

    def offset(self, line: int, column: int, encoding: Encoding) -> int:
        """Return the byte offset of a line and column.

        A column past the end of its line is the line's end, and one inside a
        character is the character's start: what editors do.
        """
        if line < 0:
            return 0
        start, end = self.line_range(line)
        data = self.data[start:end]
        if encoding is Encoding.UTF8:
            cut = min(max(column, 0), len(data))
            while 0 < cut < len(data) and data[cut] & 0xC0 == 0x80:
                cut -= 1
            return start + cut
        if data.isascii():
            return start + min(max(column, 0), len(data))
        return start + _bytes_before(data, column, encoding)


def _bytes_before(data: bytes, column: int, encoding: Encoding) -> int:
    """Return how many bytes of `data` the first `column` units take."""
    units = offset = 0
    for character in data.decode("utf-8", "surrogateescape"):
        units += 2 if encoding is Encoding.UTF16 and character > "\uffff" else 1
        if units > column:
            break
        offset += len(character.encode("utf-8", "surrogateescape"))
    return offset

"""Where in an items file a guard's expression stands, while it is being typed."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from benchlint.benchmark.loader import recut
from benchlint.lsp.places import descend
from benchlint.text.slices import UNPARSED

if TYPE_CHECKING:
    from benchlint.analysis.run import Result
    from benchlint.benchmark.items import ItemsFile
    from benchlint.benchmark.model import Benchmark
    from benchlint.text.document import Document
    from benchlint.text.tree import Pointer

_EXPRESSIONS: Final = ("violated", "message")
_LINE: Final = re.compile(rb"(?:^|[\s{,-])(violated|message):[ \t]+([\"']?)")
_WORD: Final = re.compile(rb"[A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Typing:
    """A place in an entry of an items file.

    `pointer` leads from the entry to the value, or to the value of the key,
    that is being typed; `text` is what stands of the value before the place.
    `start` and `end` are the range in bytes of the word at the place. `value`
    is the entry, None where it cannot be read.
    """

    benchmark: Benchmark
    pointer: Pointer
    is_key: bool
    text: str
    start: int
    end: int
    value: Any

    @property
    def expression(self) -> str | None:
        """What stands of an expression before the place; None where there is none."""
        if self.is_key or not self.pointer or self.pointer[-1] not in _EXPRESSIONS:
            return None
        return self.text if self.pointer[-1] == "violated" else _placeholder(self.text)

    @property
    def guard(self) -> Any:
        """The innermost guard around the place, as it is written; None where there is none."""
        found, value = None, self.value
        for part in self.pointer:
            found = value if isinstance(value, dict) and "violated" in value else found
            inner = value.get(part) if isinstance(value, dict) else None
            is_there = isinstance(value, list) and isinstance(part, int) and part < len(value)
            value = value[part] if is_there else inner
        return found


def items_file(result: Result, path: str) -> tuple[Benchmark, ItemsFile] | None:
    """Return the items file of a path, with the first benchmark that reads it."""
    for benchmark in result.benchmarks:
        for file in benchmark.items.files if benchmark.items is not None else ():
            if file.path == path:
                return benchmark, file
    return None


def typing_at(result: Result, document: Document, offset: int) -> Typing | None:
    """Return what is being typed at an offset of an items file, which may be newer than the result."""
    found = items_file(result, document.path)
    if found is None:
        return None
    benchmark, file = found
    sliced = file.sliced if file.document is document else recut(file.sliced, document, ("items",))
    index = bisect_right([piece.start for piece in sliced.slices], offset) - 1
    start, end = _word(document.data, offset)
    piece = sliced.slices[index] if index >= 0 else None
    if piece is None or piece.value is UNPARSED or not piece.pointer:
        known = next((entry.tools for entry in file.entries if entry.index == index), ())
        return _on_line(benchmark, document.data, offset, start, end, {"tools": list(known)})
    tree = sliced.tree(index)
    at = min(offset, piece.end) - piece.start
    pointer, part, node = descend(tree.root, at)
    text = ""
    if node is not None and node.kind in ("string", "scalar"):
        decoded = tree.decode(node)
        text = decoded.text[: decoded.count_before(at)]
    return Typing(benchmark, pointer, part == "key", text, start, end, piece.value)


def _on_line(benchmark: Benchmark, data: bytes, offset: int, start: int, end: int, value: Any) -> Typing | None:
    """Read the line alone, where the text around it does not parse."""
    line = data[max(data.rfind(b"\n", 0, offset), data.rfind(b"\r", 0, offset)) + 1 : offset]
    keys = list(_LINE.finditer(line))
    if not keys:
        return None
    text = line[keys[-1].end() :].decode("utf-8", "replace")
    name = keys[-1][1].decode()
    value = {"guard": {**value, "violated": ""}}
    return Typing(benchmark, ("guard", name), False, text, start, end, value)


def _word(data: bytes, offset: int) -> tuple[int, int]:
    """Return the range of the letters, digits and underscores around an offset."""
    start = offset
    while start and _WORD.fullmatch(data, start - 1, start) and start - 1 >= 0:
        start -= 1
    match = _WORD.match(data, offset)
    return start, match.end() if match is not None else offset


def _placeholder(text: str) -> str | None:
    """Return what stands of the placeholder that a message ends in; None where it ends in none."""
    opened, at = None, 0
    while at < len(text):
        if text.startswith("{{", at) and opened is None:
            at += 2
            continue
        if text[at] == "{" and opened is None:
            opened = at + 1
        elif text[at] == "}":
            opened = None
        at += 1
    return text[opened:] if opened is not None else None

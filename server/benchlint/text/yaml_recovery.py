"""Tasks of a YAML text that does not parse: each element of the sequence is read alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from benchlint.text.slices import CONTAINERS, UNPARSED
from benchlint.text.yaml_events import Broken, Piece
from benchlint.text.yaml_text import add_documents, blank, frame
from benchlint.text.yaml_values import Values

if TYPE_CHECKING:
    from benchlint.text.slices import Fault
    from benchlint.text.tree import Pointer
    from benchlint.text.yaml_text import YamlText

_LINE = rb"(?:^|(?<=\r)(?!\n)|(?<=\A\xef\xbb\xbf))"
_MARKER = re.compile(_LINE + rb"---(?=\s|\Z)", re.MULTILINE)
_FILLING = re.compile(rb"(?:[ \t]*(?:#[^\r\n]*)?[\r\n])*")
_PREAMBLE = re.compile(
    rb"(?:[ \t]*(?:#[^\r\n]*)?[\r\n]|%[^\r\n]*[\r\n]|\.\.\.[ \t]*[\r\n])*"
    rb"(?:---(?=\s|\Z)[ \t]*)?(?:[ \t]*(?:#[^\r\n]*)?[\r\n])*"
)
_DASH = re.compile(rb"(?P<indent> *)-(?=\s|\Z)")
_BRACKET = re.compile(rb"[ \t]*\[[ \t]*(?:#[^\r\n]*)?[\r\n](?:[ \t]*(?:#[^\r\n]*)?[\r\n])*(?P<indent>[ \t]*)(?=[{\[])")
_KEY = rb"(?:[A-Za-z_][\w .-]*|\"[^\"\r\n]*\"|'[^'\r\n]*')[ \t]*:(?=\s|\Z)"
_PROPERTY = re.compile(rb"[ \t]*(?:[&!]\S*[ \t]*)*")
_FILLED = re.compile(rb"\s*")
_HEADS_LIST = re.compile(
    _LINE + rb"[ \t]*" + _KEY + rb"[ \t]*(?:[|>]\S*[ \t]*)?(?:#[^\r\n]*)?[\r\n](?:[ \t]*(?:#[^\r\n]*)?[\r\n])*\Z",
    re.MULTILINE,
)
_TAIL = re.compile(rb"[\s,]*\Z")


class _Layout(NamedTuple):
    """Where the sequence of tasks stands in a text: its elements, by their first bytes."""

    pointer: Pointer
    starts: list[int]
    end: int
    flow: bool


def recover(sliced: YamlText, data: bytes, broken: Broken, at: Pointer | None) -> None:
    """Add the slices of a text that does not parse, and where its faults are.

    An element that does not parse is a slice without a value, with one fault.
    A text without a sequence is one such slice. `broken` is the fault of the
    whole text; it counts only where no part alone has one.
    """
    parts = _parts(data, sliced.document.bom)
    before = len(sliced.faults)
    for start, end in parts:
        piece = Piece(data, start, end)
        faults: list[Fault] = []
        try:
            documents = Values(piece, faults, at).compose()
        except Broken as error:
            _recover_part(sliced, piece, error, at)
        else:
            sliced.faults.extend(faults)
            add_documents(sliced, piece, documents, at)
    if len(sliced.faults) == before:
        sliced.faults.append(broken.fault)


def _parts(data: bytes, start: int) -> list[tuple[int, int]]:
    """Return the range of each document of the stream."""
    cuts = [start]
    for marker in _MARKER.finditer(data, start):
        preamble = _PREAMBLE.match(data, cuts[-1])
        if preamble is None or preamble.end() < marker.start():
            cuts.append(marker.start())
    return list(zip(cuts, [*cuts[1:], len(data)], strict=True))


def _recover_part(sliced: YamlText, whole: Piece, broken: Broken, at: Pointer | None) -> None:
    """Add the slices of one document that does not parse."""
    data = whole.data
    layout = _layout(whole, at)
    if layout is None:
        start, end = _trim(data, whole.start, whole.end)
        if not at and start < end:
            sliced.add(Piece(data, start, end), UNPARSED, ())
        sliced.faults.append(broken.fault)
        return
    before = len(sliced.faults)
    for index, (start, end) in enumerate(zip(layout.starts, [*layout.starts[1:], layout.end], strict=True)):
        _recover_element(sliced, Piece(data, start, end), (*layout.pointer, index), flow=layout.flow)
    header = None
    if layout.pointer:
        around = Piece(blank(data, layout.starts[0], layout.end), whole.start, whole.end)
        faults: list[Fault] = []
        try:
            documents = Values(around, faults, lenient=True).compose()
            header = documents[0].value if documents else None
        except Broken as error:
            faults = [error.fault]
        sliced.faults.extend(faults)
    sliced.set_header(header, layout.pointer, layout.starts[0], layout.end)
    if len(sliced.faults) == before:
        sliced.faults.append(broken.fault)


def _recover_element(sliced: YamlText, piece: Piece, pointer: Pointer, *, flow: bool) -> None:
    """Add the slice of one element, which `piece` holds with its dash or its comma."""
    data, faults = piece.data, sliced.faults
    start, end = _trim(data, piece.start, piece.end)
    if flow:
        tail = _TAIL.search(data[start:end])
        end = start + tail.start() if tail else end
        piece = Piece(data, start, end, *frame(0, 0, flow=True))
    found: list[Fault] = []
    try:
        documents = Values(piece, found, lenient=True).compose()
    except Broken as error:
        faults.append(error.fault)
        documents = []
    elements = documents[0].elements if len(documents) == 1 else []
    if len(elements) == 1:
        element, composed = elements[0], documents[0]
        around = frame(element.column, composed.column, flow=flow)
        sliced.add(Piece(data, element.start, element.end, *around), element.value, pointer)
        faults.extend(found)
        return
    if not flow and (dash := _DASH.match(data, start, end)):
        start = min(_FILLED.match(data, dash.end(), end).end(), end)  # type: ignore[union-attr]
    sliced.add(Piece(data, start, end), UNPARSED, pointer)


def _layout(whole: Piece, at: Pointer | None) -> _Layout | None:
    """Find the sequence of tasks by its lines."""
    data, start, end = whole.data, whole.start, whole.end
    preamble = _PREAMBLE.match(data, start, end)
    assert preamble is not None
    content = preamble.end()
    if not at and (found := _elements(data, content, end, (), b"")):
        return found
    names = b"|".join(re.escape(str(name).encode()) for name in (at[-1:] if at else CONTAINERS))
    nested = (at and len(at) > 1) or data[content : content + 1] == b"{"
    indent = rb"(?P<indent>[ {]*)" if nested else rb"(?P<indent>)"
    key = re.compile(_LINE + indent + rb"(?P<quote>[\"']?)(?P<name>" + names + rb")(?P=quote)[ \t]*:", re.MULTILINE)
    for match in key.finditer(data, content, end):
        pointer = at or (match["name"].decode(),)
        if found := _elements(data, match.end(), end, pointer, match["indent"]):
            return found
    return None


def _elements(data: bytes, at: int, end: int, pointer: Pointer, key_indent: bytes) -> _Layout | None:
    """Find the elements of the sequence that starts at `at`, below a key or at the top."""
    bracket = _BRACKET.match(data, at, end)
    if bracket:
        starts = _lines(data, bracket.start("indent"), end, bracket["indent"], rb"(?=[{\[])")
        width = len(bracket["indent"])
        closing = [line for line in _lines(data, starts[0], end, rb"[ \t]*", rb"\]") if _indent(data, line) < width]
        end = closing[0] if closing else end
        return _Layout(pointer, [start for start in starts if start < end], end, flow=True)
    if pointer:
        rest = _PROPERTY.match(data, at, end)
        at = rest.end() if rest else at
    filling = _FILLING.match(data, at, end)
    dash = _DASH.match(data, filling.end() if filling else at, end)
    starts = _lines(data, dash.start(), end, dash["indent"], rb"-(?=\s|\Z)") if dash else []
    if dash is None or starts[:1] != [dash.start()]:
        return None
    if pointer:
        for key in re.compile(_LINE + rb" {0,%d}" % len(key_indent) + _KEY, re.MULTILINE).finditer(
            data, dash.start(), end
        ):
            following = bisect_right(starts, key.start())
            if following == len(starts) or _HEADS_LIST.search(data, key.start(), starts[following]):
                end = key.start()
                break
    return _Layout(pointer, [start for start in starts if start < end], end, flow=False)


def _lines(data: bytes, start: int, end: int, indent: bytes, opening: bytes) -> list[int]:
    """Return the starts of the lines with an indentation and an opening."""
    return [match.start() for match in re.compile(_LINE + indent + opening, re.MULTILINE).finditer(data, start, end)]


def _indent(data: bytes, line: int) -> int:
    """Return how many blanks a line starts with."""
    text = data[line : line + 1000]
    return len(text) - len(text.lstrip(b" \t"))


def _trim(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Return a range without the white space at its ends."""
    text = data[start:end]
    start += len(text) - len(text.lstrip())
    return start, start + len(text.strip())

"""From the source of a YAML scalar to its text, each character with its place; and back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from benchlint.text.strings import DecodedBuilder, escape
from benchlint.text.yaml_schema import resolve

if TYPE_CHECKING:
    from benchlint.text.tree import Decoded

_BREAK = rb"(?:\r\n|[\r\n]|\xc2\x85|\xe2\x80[\xa8\xa9])"
_NO_BREAK = rb"(?:[^\r\n\xc2\xe2]|\xc2(?!\x85)|\xe2(?!\x80[\xa8\xa9]))"
_BREAKS = re.compile(_BREAK)
_FOLD = re.compile(rb"[ \t]*" + _BREAK + rb"(?:[ \t]|" + _BREAK + rb")*")
_INLINE = rb"(?P<blank>[ \t]+)|(?P<plain>(?:[^%s \t\r\n\xc2\xe2]|\xc2(?!\x85)|\xe2(?!\x80[\xa8\xa9]))+)"
_PLAIN_TOKEN = re.compile(_INLINE % b"")
_SINGLE_TOKEN = re.compile(_INLINE % b"'" + rb"|(?P<quote>'')")
_DOUBLE_TOKEN = re.compile(
    _INLINE % rb'"\\' + rb"|\\(?P<continuation>" + _BREAK + rb"(?:[ \t]|" + _BREAK + rb")*)"
    rb"|\\(?:x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})|U(?P<U>00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}))"
    rb'|\\(?P<short>[0abt\tnvfre "/\\N_LP])'
    rb"|(?P<stray>\\)"
)
_SHORT = {
    b"0": "\0",
    b"a": "\a",
    b"b": "\b",
    b"t": "\t",
    b"\t": "\t",
    b"n": "\n",
    b"v": "\v",
    b"f": "\f",
    b"r": "\r",
    b"e": "\x1b",
    b" ": " ",
    b'"': '"',
    b"/": "/",
    b"\\": "\\",
    b"N": "\x85",
    b"_": "\xa0",
    b"L": "\u2028",
    b"P": "\u2029",
}
_HEADER = re.compile(rb"(?P<style>[|>])(?P<indicators>[-+1-9]{0,2})[ \t]*(?:#" + _NO_BREAK + rb"*)?")
_SPACES = re.compile(rb" *")
_LINE = re.compile(_NO_BREAK + rb"*")

_AMBIGUOUS = re.compile(r"[-?:,\[\]{}#&*!|>'\"%@`=<~]|\.\.\.|[yYnN]$")
_STRUCTURE = re.compile(r": |:$| #|[,\[\]{}]|^\s|\s$")
_ESCAPES = {character: source.decode() for source, character in _SHORT.items() if source not in b"\t/ "}


def decode_yaml(data: bytes, start: int, end: int, indent: int = -1) -> Decoded:
    """Decode the YAML scalar whose source is `data[start:end]`.

    The range holds the quotation marks or the header of a block scalar, but
    no anchor and no tag. `indent` is the column of the innermost block
    collection around a block scalar, -1 if there is none. Line breaks are
    those of PyYAML, U+0085, U+2028 and U+2029 among them. Half-typed text is
    read as far as it goes.
    """
    first = data[start : min(start + 1, end)]
    if first in (b"|", b">"):
        return _decode_block(data, start, end, indent)
    builder = DecodedBuilder(data)
    tokens = {b'"': _DOUBLE_TOKEN, b"'": _SINGLE_TOKEN}.get(first, _PLAIN_TOKEN)
    at = start if tokens is _PLAIN_TOKEN else start + 1
    while at < end:
        if fold := _FOLD.match(data, at, end):
            _fold(builder, data, at, fold.end())
            at = fold.end()
            continue
        token = tokens.match(data, at, end)
        if token is None:
            break
        kind, stop = token.lastgroup or "", token.end()
        if kind in {"blank", "plain", "stray"}:
            builder.copy(at, stop)
        elif kind == "quote":
            builder.put("'", at, stop)
        elif kind == "short":
            builder.put(_SHORT[token[kind]], at, stop)
        elif kind == "continuation":
            _put_breaks(builder, data, at, stop, [match.span() for match in _BREAKS.finditer(data, at, stop)][1:])
        else:
            builder.put(chr(int(token[kind], 16)), at, stop)
        at = stop
    return builder.build(at)


def _character(data: bytes, start: int, end: int) -> str:
    """Return the line break that stands for the one in the source."""
    return data[start:end].decode() if data[start] == 0xE2 else "\n"


def _fold(builder: DecodedBuilder, data: bytes, start: int, end: int) -> None:
    """Fold the line breaks and the white space from `start` to `end`."""
    breaks = [match.span() for match in _BREAKS.finditer(data, start, end)]
    if _character(data, *breaks[0]) != "\n":
        _put_breaks(builder, data, start, end, breaks)
    elif len(breaks) == 1:
        builder.put(" ", start, end)
    else:
        _put_breaks(builder, data, start, end, breaks[1:])


def _put_breaks(builder: DecodedBuilder, data: bytes, start: int, end: int, breaks: list[tuple[int, int]]) -> None:
    """Put line breaks, which share the source from `start` to `end`."""
    for number, (first, last) in enumerate(breaks):
        stop = breaks[number + 1][0] if number + 1 < len(breaks) else end
        builder.put(_character(data, first, last), start if number == 0 else first, stop)


def _decode_block(data: bytes, start: int, end: int, parent: int) -> Decoded:
    """Decode a literal or folded block scalar, as libyaml does."""
    builder = DecodedBuilder(data)
    header = _HEADER.match(data, start, end)
    assert header is not None
    indicators = header["indicators"]
    digits = indicators.strip(b"+-")[:1]
    indent = max(parent, 0) + int(digits) if digits else 0
    content = at = header.end()
    if first := _BREAKS.match(data, at, end):
        at = first.end()
    breaks, at, indent = _block_breaks(data, at, end, indent, parent)
    line_break: tuple[int, int] | None = None
    after_blank = True
    while at < end and _column(data, at, indent):
        blank = data[at : at + 1] in (b" ", b"\t")
        kept = breaks
        if line_break is not None:
            if header["style"] == b">" and not after_blank and not blank and _character(data, *line_break) == "\n":
                if not breaks:
                    builder.put(" ", line_break[0], at)
            else:
                kept = [line_break, *breaks]
        if kept:
            _put_breaks(builder, data, line_break[0] if line_break else kept[0][0], at, kept)
        after_blank = blank
        line = _LINE.match(data, at, end)
        assert line is not None
        content = line.end()
        builder.copy(at, content)
        at = content
        line_break = None
        if match := _BREAKS.match(data, at, end):
            line_break = match.span()
            at = match.end()
        breaks, at, indent = _block_breaks(data, at, end, indent, parent)
    tail = [line_break] if line_break and b"-" not in indicators else []
    if b"+" in indicators:
        tail += breaks
    for first_byte, last_byte in tail:
        builder.put(_character(data, first_byte, last_byte), first_byte, last_byte)
        content = last_byte
    return builder.build(content)


def _column(data: bytes, at: int, indent: int) -> bool:
    """Tell whether `indent` spaces and nothing else stand before `at` on its line."""
    return data[max(at - indent, 0) : at] == b" " * indent


def _block_breaks(data: bytes, at: int, end: int, indent: int, parent: int) -> tuple[list[tuple[int, int]], int, int]:
    """Skip empty lines and the next line's indentation.

    Returns the line breaks, the offset reached and the indentation, which is
    found here when `indent` is 0.
    """
    breaks: list[tuple[int, int]] = []
    deepest = 0
    while True:
        spaces = _SPACES.match(data, at, min(end, at + indent) if indent else end)
        assert spaces is not None
        deepest = max(deepest, spaces.end() - at)
        at = spaces.end()
        match = _BREAKS.match(data, at, end)
        if match is None:
            return breaks, at, indent or max(deepest, parent + 1, 1)
        breaks.append(match.span())
        at = match.end()


def encode_yaml(text: str, old: bytes = b"") -> str:
    """Write a scalar on one line, fit to stand in a flow collection too.

    `old` is the source of the scalar it replaces: its quotation marks are
    kept where the text allows them. A plain scalar is written only where
    readers of YAML 1.1 and 1.2 both see this string. A lone surrogate, which
    YAML cannot hold, becomes U+FFFD.
    """
    line_end = _BREAKS.search(old, len(old.rstrip(b"\r\n"))) if old[:1] in (b"|", b">") else None
    if not _printable(text) or old[:1] == b'"':
        scalar = _encode_double(text)
    elif old[:1] == b"'":
        scalar = "'" + text.replace("'", "''") + "'"
    else:
        scalar = text if _plain(text) else _encode_double(text)
    return scalar + (line_end[0].decode() if line_end else "")


def _printable(text: str) -> bool:
    return all(character.isprintable() or character == "\xa0" for character in text)


def _encode_double(text: str) -> str:
    parts = []
    for character in text:
        if character in _ESCAPES and character != "\xa0":
            parts.append("\\" + _ESCAPES[character])
        elif "\ud800" <= character <= "\udfff":
            parts.append("\ufffd")
        elif character.isprintable():
            parts.append(character)
        else:
            parts.append(escape(character))
    return '"' + "".join(parts) + '"'


def _plain(text: str) -> bool:
    """Tell whether readers of YAML 1.1 and 1.2 see `text` as this string without quotation marks."""
    import yaml

    if not text or _AMBIGUOUS.match(text) or _STRUCTURE.search(text):
        return False
    try:
        if not isinstance(resolve(text), str):
            return False
    except ValueError:
        return False
    resolvers = yaml.SafeLoader.yaml_implicit_resolvers
    return not any(pattern.match(text) for _, pattern in resolvers.get(text[0], []))

"""From the source of a Python string to its text, each character with its place; and back."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from benchlint.text.strings import DecodedBuilder, escape

if TYPE_CHECKING:
    from benchlint.text.tree import Decoded

_BETWEEN = re.compile(rb"(?:[\s\\()]|#[^\r\n]*)*")
_OPENING = re.compile(rb"(?P<prefix>[a-zA-Z]{0,2})(?P<quote>\"\"\"|'''|\"|')")
_TOKEN = re.compile(
    rb"(?P<plain>[^\\\r\n\"']+)"
    rb"|(?P<end>\r\n|\r|\n)"
    rb"|(?P<mark>[\"'])"
    rb"|\\(?P<continuation>\r\n|\r|\n)"
    rb"|\\(?P<short>[\\'\"abfnrtv])"
    rb"|\\(?P<octal>[0-7]{1,3})"
    rb"|\\(?:x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})|U(?P<U>00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}))"
    rb"|\\N\{(?P<name>[^}\r\n]*)\}"
    rb"|(?P<stray>\\)"
)
_RAW_TOKEN = re.compile(
    rb"(?P<plain>[^\\\r\n\"']+)|(?P<end>\r\n|\r|\n)|(?P<mark>[\"'])"
    rb"|(?P<escaped>\\(?:\r\n|\r|\n))|(?P<stray>\\[\\\"']?)"
)
_SHORT = {
    b"\\": "\\",
    b"'": "'",
    b'"': '"',
    b"a": "\a",
    b"b": "\b",
    b"f": "\f",
    b"n": "\n",
    b"r": "\r",
    b"t": "\t",
    b"v": "\v",
}
_ESCAPES = {character: "\\" + source.decode() for source, character in _SHORT.items() if source not in b"'\""}


def decode_python(data: bytes, start: int, end: int) -> Decoded:
    r"""Decode the Python strings whose source is `data[start:end]`.

    One literal or several that Python joins, with white space, comments and
    parentheses between them; prefixes `r` and `u` in any case. A line end in
    the source is `\n`, as Python reads it. Half-typed text is read as far as
    it goes, and an escape that Python does not know stands for itself.
    """
    builder = DecodedBuilder(data)
    at = start
    while at < end:
        between = _BETWEEN.match(data, at, end)
        assert between is not None
        opening = _OPENING.match(data, between.end(), end)
        if opening is None:
            break
        raw = b"r" in opening["prefix"].lower()
        at, stop = _literal(builder, data, opening.end(), end, opening["quote"], raw=raw)
        start, at = at, stop
    return builder.build(start)


def _literal(builder: DecodedBuilder, data: bytes, at: int, end: int, quote: bytes, *, raw: bool) -> tuple[int, int]:
    """Read a literal's content; return where the content and the literal end."""
    tokens = _RAW_TOKEN if raw else _TOKEN
    while at < end:
        token = tokens.match(data, at, end)
        assert token is not None
        kind, stop = token.lastgroup or "", token.end()
        if kind in {"plain", "stray"}:
            builder.copy(at, stop)
        elif kind == "mark":
            if data.startswith(quote, at):
                return at, at + len(quote)
            builder.copy(at, stop)
        elif kind == "end":
            if len(quote) == 1:
                return at, at
            builder.put("\n", at, stop)
        elif kind == "escaped":
            builder.copy(at, at + 1)
            builder.put("\n", at + 1, stop)
        elif kind == "short":
            builder.put(_SHORT[token[kind]], at, stop)
        elif kind == "octal":
            builder.put(chr(int(token[kind], 8)), at, stop)
        elif kind == "name":
            character = _named(token[kind])
            if character is None:
                builder.copy(at, stop)
            else:
                builder.put(character, at, stop)
        elif kind != "continuation":
            builder.put(chr(int(token[kind], 16)), at, stop)
        at = stop
    return end, end


def _named(name: bytes) -> str | None:
    """Return the character of a Unicode name."""
    try:
        character = unicodedata.lookup(name.decode("ascii"))
    except (KeyError, UnicodeDecodeError):
        return None
    return character if len(character) == 1 else None


def encode_python(text: str, quote: str = '"') -> str:
    """Write a Python string between `quote`, one of `"`, `'` and their triples.

    Line ends stay as they are in a triple-quoted string; what is not
    printable becomes an escape.
    """
    parts = []
    for character in text:
        if character == quote[0]:
            parts.append("\\" + character)
        elif character == "\n" and len(quote) == 3:
            parts.append(character)
        elif character in _ESCAPES:
            parts.append(_ESCAPES[character])
        elif character.isprintable():
            parts.append(character)
        else:
            parts.append(escape(character))
    return quote + "".join(parts) + quote

"""From the source of a string to its text, each character with its place; and back.

This module has what all languages share, and JSON.
"""

from __future__ import annotations

import json
import re

from benchlint.text.tree import Decoded

_JSON_TOKEN = re.compile(
    rb'(?P<plain>[^"\\]+)'
    rb"|(?P<pair>\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|\\u(?P<unit>[0-9a-fA-F]{4})"
    rb'|\\(?P<short>["\\/bfnrt])'
    rb"|(?P<stray>\\)"
)
_JSON_SHORT = {
    b'"': '"',
    b"\\": "\\",
    b"/": "/",
    b"b": "\b",
    b"f": "\f",
    b"n": "\n",
    b"r": "\r",
    b"t": "\t",
}


class DecodedBuilder:
    """Collects the characters of a string and the source of each."""

    __slots__ = ("_data", "_ends", "_parts", "_starts")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._parts: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []

    def copy(self, start: int, end: int) -> None:
        """Take the bytes from `start` to `end` as they are.

        Each byte that is not UTF-8 becomes one U+FFFD.
        """
        if start >= end:
            return
        source = self._data[start:end]
        if source.isascii():
            self._parts.append(source.decode("ascii"))
            self._starts.extend(range(start, end))
            self._ends.extend(range(start + 1, end + 1))
            return
        for character in source.decode("utf-8", "surrogateescape"):
            size = len(character.encode("utf-8", "surrogateescape"))
            self._parts.append("\ufffd" if "\udc80" <= character <= "\udcff" else character)
            self._starts.append(start)
            start += size
            self._ends.append(start)

    def put(self, text: str, start: int, end: int) -> None:
        """Take `text`; each of its characters comes from all of `start` to `end`."""
        self._parts.append(text)
        self._starts.extend([start] * len(text))
        self._ends.extend([end] * len(text))

    def build(self, end: int) -> Decoded:
        """Return the string, whose content ends at offset `end` of the source.

        One more start than there are characters, so that the empty range at
        the end of the text (all there is of an empty string) has a place.
        """
        return Decoded("".join(self._parts), [*self._starts, end], self._ends)


def decode_json(data: bytes, start: int, end: int) -> Decoded:
    r"""Decode the JSON string whose source, quotation marks included, is `data[start:end]`.

    Half-typed text is read as far as it goes: the closing quotation mark may
    be absent, and a backslash that starts no escape stands for itself. A
    lone surrogate (`\ud83d`) stays one.
    """
    builder = DecodedBuilder(data)
    at = start + 1 if data[start : start + 1] == b'"' and start < end else start
    while at < end and (token := _JSON_TOKEN.match(data, at, end)):
        kind, stop = token.lastgroup, token.end()
        if kind in {"plain", "stray"}:
            builder.copy(at, stop)
        elif kind == "short":
            builder.put(_JSON_SHORT[token["short"]], at, stop)
        elif kind == "unit":
            builder.put(chr(int(token["unit"], 16)), at, stop)
        else:
            builder.put(json.loads(b'"' + token["pair"] + b'"'), at, stop)
        at = stop
    return builder.build(at)


def encode_json(text: str) -> str:
    r"""Write a JSON string: characters as they are, lone surrogates as `\u` escapes."""
    encoded = json.dumps(text, ensure_ascii=False)
    return re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", encoded)


def escape(character: str) -> str:
    r"""Write a character as the `\x`, `\u` or `\U` escape that Python and YAML share."""
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"

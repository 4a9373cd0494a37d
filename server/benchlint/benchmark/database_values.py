"""Whether a value stands anywhere in a database."""

from __future__ import annotations

import json
import re
from datetime import date, time
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchlint.benchmark.records import Collection
    from benchlint.text.document import Document

_JSON_NUMBER = re.compile(rb"-?\d[\d.eE+-]*")
_JSON_STRING = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)

_NEAR = 1000
"""How many bytes around the last value found are looked at first."""

_FEW = 12
"""How many values are looked for in the bytes before the sets of all values are made."""


class DatabaseValues:
    """Looks values up: by id, in the bytes of the files, and, where many are asked for, in sets of all values.

    `contents` are the values of the `documents`, in their order.
    """

    def __init__(
        self, documents: Sequence[Document], contents: Sequence[Any], collections: Mapping[str, Collection]
    ) -> None:
        self._documents = documents
        self._contents = contents
        self._collections = collections
        self._misses = 0
        self._found_at: dict[int, int] = {}
        self._looked_up: dict[str, bool | None] = {}

    @cached_property
    def _scalars(self) -> tuple[set[str], set[float | str]]:
        """All strings and keys, and all numbers."""
        strings: set[str] = set()
        numbers: set[float | str] = set()
        for document, content in zip(self._documents, self._contents, strict=True):
            if PurePath(document.path).suffix.lower() == ".json":
                _scan_json(document.data, strings, numbers)
            else:
                _walk(content, strings, numbers)
        return strings, numbers

    @cached_property
    def _folded(self) -> str:
        strings, numbers = self._scalars
        return "\n".join((*strings, *map(str, numbers))).casefold()

    def has(self, value: str | float) -> bool:
        """Say whether a value stands in the database, as a key or as a value.

        Numbers compare by value, also when they are written as text: "250"
        is 250 and 250.0 (2.5e2, a form that databases do not use, may be
        missed). Other text must be equal in every character.
        """
        text = value if isinstance(value, str) else json.dumps(value)
        stands = self._stands(text) if "_scalars" not in self.__dict__ else None
        if stands is not None:
            return stands
        strings, numbers = self._scalars
        if text in strings:
            return True
        if not _NUMBER.fullmatch(text):
            return False
        number = _number(text)
        return number in numbers or (isinstance(number, float) and number.is_integer() and str(int(number)) in strings)

    def _stands(self, text: str) -> bool | None:
        """Look a text up without the sets of all values; None where that does not tell.

        Between two strings of JSON stands no letter or digit next to a
        quotation mark, so that a quoted word in the bytes is a whole string.
        """
        if any(text in collection.records for collection in self._collections.values()):
            return True
        plain = text.isascii() and text[:1].isalnum() and text[-1:].isalnum() and text.isprintable()
        if not plain or self._misses > _FEW or not self._is_plain or '"' in text or "\\" in text:
            return None
        if text not in self._looked_up:
            self._looked_up[text] = self._in_bytes(text)
        return self._looked_up[text]

    def _in_bytes(self, text: str) -> bool | None:
        quoted = b'"%b"' % text.encode()
        for number, document in enumerate(self._documents):
            # What is looked up together mostly stands together: an address, a profile.
            near = self._found_at.get(number, 0)
            if document.data.find(quoted, max(0, near - _NEAR), near + _NEAR) >= 0:
                return True
            at = document.data.find(quoted)
            if at >= 0:
                self._found_at[number] = at
                return True
        self._misses += 1
        if _NUMBER.fullmatch(text) is None:
            return False
        digits = f"{_number(text.lstrip('-'))}".removesuffix(".0").encode()
        return None if b"e" in digits or any(digits in document.data for document in self._documents) else False

    @cached_property
    def _is_plain(self) -> bool:
        """Whether all files are JSON without escapes."""
        return all(
            PurePath(document.path).suffix.lower() == ".json" and b"\\" not in document.data
            for document in self._documents
        )

    def search(self, text: str) -> bool:
        """Say whether a text stands in some key or value, or in a part of it.

        Letter case does not count. Numbers are searched as they are written
        in Python.
        """
        if text.isdigit() and text.isascii() and "_scalars" not in self.__dict__ and self._is_plain:
            digits = text.encode()
            return any(digits in document.data for document in self._documents)
        return text.casefold() in self._folded


def _scan_json(data: bytes, strings: set[str], numbers: set[float | str]) -> None:
    """Add the strings and numbers of a JSON text that parses.

    Quotation marks are the only borders that matter, so that splitting at
    them is several times faster than walking the values.
    """
    if b'\\"' in data:
        quoted = set(_JSON_STRING.findall(data))
        between = {_JSON_STRING.sub(b" ", data)}
    else:
        pieces = data.split(b'"')
        quoted, between = set(pieces[1::2]), set(pieces[::2])
    strings.update(json.loads(b'"%b"' % text) if b"\\" in text else text.decode() for text in quoted)
    numbers.update(_number(text.decode()) for text in set(_JSON_NUMBER.findall(b" ".join(between))))


def _walk(value: Any, strings: set[str], numbers: set[float | str]) -> None:
    """Add the keys, strings and numbers of plain values."""
    if isinstance(value, dict):
        strings.update(value)
        for item in value.values():
            _walk(item, strings, numbers)
    elif isinstance(value, list):
        for item in value:
            _walk(item, strings, numbers)
    elif isinstance(value, (int, float)):
        if not isinstance(value, bool):
            numbers.add(value)
    elif isinstance(value, str):
        strings.add(value)
    elif isinstance(value, (date, time)):
        strings.add(value.isoformat())


def _number(text: str) -> float | str:
    """Return a number by value; one too long to be read stays text."""
    if len(text) > 300:
        return text
    return int(text) if text.lstrip("-").isdigit() else float(text)

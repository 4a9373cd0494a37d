"""The database of a domain: its records, their ids, and the values in it."""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import suppress
from datetime import date, time
from functools import cached_property
from hashlib import blake2b
from itertools import islice
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from benchlint.text.slices import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, KeysView, Mapping, Sequence

    from benchlint.text.document import Document

_JSON_NUMBER = re.compile(rb"-?\d[\d.eE+-]*")
_JSON_STRING = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d(-\d\d.*)?|\d\d:\d\d(:\d\d)?", re.ASCII)
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")

_SHAPE_SAMPLE = 64
"""How many records of a map tell the shape of the others."""

_FIELD_SAMPLE = 2000
"""How many records tell which fields the others have."""

_NEAR = 1000
"""How many bytes around the last value found are looked at first."""

_FEW = 12
"""How many values are looked for in the bytes before the sets of all values are made."""

_DEPTH = 6
"""How deep collections may lie inside the records of others."""


class DatabaseError(Exception):
    """A database that cannot be read: the file, and what is wrong where."""

    def __init__(self, path: str, fault: Fault) -> None:
        super().__init__(f"{path}: {fault.message}" if path else fault.message)
        self.path = path
        self.fault = fault


class Collection(Struct, frozen=True):
    """Records of one kind, by id.

    The name is the path of keys that lead to the records, ids left out:
    `orders`, `products.variants`. `id_field` is the field that holds the id,
    None where the ids are keys. Of records with the same id the first is
    kept, and `unique` is False: such a collection mentions more than it
    defines (the items of all orders).
    """

    name: str
    records: Mapping[str, Any]
    id_field: str | None = None
    unique: bool = True

    @property
    def ids(self) -> KeysView[str]:
        """The ids of the records; numbers in their decimal form."""
        return self.records.keys()

    @property
    def kind(self) -> str:
        """What one record is, in words: `payment method`."""
        return _singular(self.name.rpartition(".")[2]).replace("_", " ")


class Database:
    """The records of a domain, read when they are first asked for.

    One file is the database as it stands. Of several files, each that is
    itself a collection (a list of records, a map of records, a CSV table) is
    named by its stem, and every other brings its own top-level keys.

    Everything but `paths` and `hash` raises `DatabaseError` where a file
    does not parse.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = tuple(documents)
        self._error: DatabaseError | None = None
        self._misses = 0
        self._found_at: dict[int, int] = {}
        self._looked_up: dict[str, bool | None] = {}

    def __repr__(self) -> str:
        return f"Database({', '.join(self.paths)})"

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of the files."""
        return tuple(document.path for document in self._documents)

    @cached_property
    def hash(self) -> bytes:
        """A hash of the files' names and bytes, 16 bytes long."""
        digest = blake2b(digest_size=16)
        for document in self._documents:
            digest.update(PurePath(document.path).name.encode("utf-8", "surrogateescape") + b"\0" + document.hash)
        return digest.digest()

    @cached_property
    def _files(self) -> list[tuple[str, Any]]:
        """The stem and the values of each file."""
        if self._error is None:
            try:
                return [(PurePath(document.path).stem, _parse(document)) for document in self._documents]
            except DatabaseError as error:
                self._error = error
        raise self._error

    @cached_property
    def data(self) -> dict[str, Any]:
        """The plain values: objects, arrays and scalars."""
        return _merge(self._files)

    @cached_property
    def _collections(self) -> dict[str, Collection]:
        found: dict[str, Collection] = {}
        _collect([self.data], "", 0, found)
        return found

    def collections(self) -> Mapping[str, Collection]:
        """Return the collections by name: records with an id each.

        A collection is a map whose values are records of one shape, or a
        list of records with a field `id` or the like; at the top, under
        other keys, or inside the records of another collection. Maps keyed
        by dates, or by the same few words in every record, are none.
        """
        return MappingProxyType(self._collections)

    def record(self, collection: str, identifier: str) -> Any:
        """Return a record by its id, or None."""
        found = self._collections.get(collection)
        return found.records.get(identifier) if found else None

    def collections_of(self, identifier: str) -> list[str]:
        """Return the names of the collections that have a record with this id."""
        return [name for name, collection in self._collections.items() if identifier in collection.records]

    @cached_property
    def _scalars(self) -> tuple[set[str], set[float | str]]:
        """All strings and keys, and all numbers."""
        strings: set[str] = set()
        numbers: set[float | str] = set()
        for document, (_, content) in zip(self._documents, self._files, strict=True):
            if PurePath(document.path).suffix.lower() == ".json":
                _scan_json(document.data, strings, numbers)
            else:
                _walk(content, strings, numbers)
        return strings, numbers

    @cached_property
    def _folded(self) -> str:
        strings, numbers = self._scalars
        return "\n".join((*strings, *map(str, numbers))).casefold()

    def contains_value(self, value: str | float) -> bool:
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


def _parse(document: Document) -> Any:
    """Return a file's values; DatabaseError where it does not parse."""
    suffix = PurePath(document.path).suffix.lower()
    if suffix == ".json":
        # A good half of the standard parser's time; what it refuses that one may take, or tell the place.
        with suppress(msgspec.MsgspecError, RecursionError):
            return msgspec.json.decode(memoryview(document.data)[document.bom :])
    try:
        text = document.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = error.start + (document.bom if error.encoding == "utf-8-sig" else 0)
        raise _error(document, at, "this byte is not UTF-8; save the file as UTF-8") from None
    try:
        if suffix == ".toml":
            return _parse_toml(document, text)
        if suffix == ".csv":
            return _parse_csv(document, text)
        return _parse_json(document, text)
    except RecursionError:
        raise _error(document, 0, "the values nest too deep to be read") from None


def _parse_json(document: Document, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at = document.bom + len(text[: error.pos].encode())
        message = "the file is empty" if not text.strip() else f"the file is no JSON: {_lower(error.msg)}"
        raise _error(document, at, message) from None
    except ValueError:
        raise _error(document, 0, "a number in the file has more digits than can be read") from None


def _parse_toml(document: Document, text: str) -> Any:
    import tomllib

    from benchlint.text.document import Encoding

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = _TOML_PLACE.search(message)
        at = len(document.data)
        if place and place[1]:
            at = document.offset(int(place[1]) - 1, int(place[2]) - 1, Encoding.UTF32)
        message = message[: place.start()] if place else message
        raise _error(document, at, f"the file is no TOML: {_lower(message)}") from None
    except ValueError:
        raise _error(document, 0, "a number in the file has more digits than can be read") from None


def _parse_csv(document: Document, text: str) -> list[dict[str, str]]:
    """Return a row for each line after the header; the separator is what the header uses."""
    import csv
    import io

    header = text.partition("\n")[0]
    separator = max(",;\t", key=header.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        return [{key: value for key, value in row.items() if key and value is not None} for row in reader]
    except csv.Error as error:
        at = document.line_range(max(reader.reader.line_num - 1, 0))[0]
        raise _error(document, at, f"the file is no CSV: {_lower(str(error))}") from None


def _error(document: Document, at: int, message: str) -> DatabaseError:
    return DatabaseError(document.path, Fault(at, min(at + 1, len(document.data)), message))


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]


def _merge(files: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the values of all files as one object."""
    if len(files) == 1 and isinstance(files[0][1], dict):
        stem, only = files[0]
        return {stem: only} if _is_map([only], least=20) else only
    merged: dict[str, Any] = {}
    for stem, content in files:
        if isinstance(content, dict) and not _is_map([content], least=2):
            for key, value in content.items():
                merged[f"{stem}.{key}" if key in merged else key] = value
        else:
            merged[stem] = content
    return merged


def _collect(owners: Sequence[dict[str, Any]], prefix: str, depth: int, found: dict[str, Collection]) -> None:
    """Find the collections under the fields of objects that have one shape.

    `owners` are the records of one collection, or the one object at the top.
    """
    fields = {
        key: None
        for owner in _sample(owners, _FIELD_SAMPLE)
        for key, value in owner.items()
        if value and isinstance(value, (dict, list))
    }
    for field in fields:
        name = f"{prefix}{field}"
        values = [value for owner in owners if (value := owner.get(field))]
        maps = [value for value in values if isinstance(value, dict)]
        rows = [row for value in values if isinstance(value, list) for row in value if isinstance(row, dict)]
        inside = list(rows)
        if maps and _is_map(maps, least=2):
            if _are_ids(maps):
                found[name] = _collection(name, (pair for group in maps for pair in group.items()), None)
            inside += (record for group in maps for record in group.values() if isinstance(record, dict))
        else:
            inside += maps
        id_field = _id_field(rows, field, top=not prefix) if rows else None
        if id_field is not None and name not in found:
            keyed = ((str(row[id_field]), row) for row in rows if _is_id(row.get(id_field)))
            found[name] = _collection(name, keyed, id_field)
        if inside and depth < _DEPTH:
            _collect(inside, f"{name}.", depth + 1, found)


def _collection(name: str, pairs: Iterable[tuple[str, Any]], id_field: str | None) -> Collection:
    records: dict[str, Any] = {}
    unique = True
    for identifier, record in pairs:
        if records.setdefault(identifier, record) is not record:
            unique = False
    return Collection(name, records, id_field, unique)


def _sample(items: Sequence[dict[str, Any]], size: int) -> Sequence[dict[str, Any]]:
    """Return at most `size` items from all over a list."""
    return items if len(items) <= size else items[:: -(-len(items) // size)]


def _entries(maps: Sequence[dict[str, Any]]) -> list[tuple[str, Any]]:
    """Return some entries of the maps, from all over them."""
    groups = _sample(maps, _SHAPE_SAMPLE)
    each = max(2, _SHAPE_SAMPLE // len(groups))
    return [pair for group in groups for pair in islice(group.items(), 0, None, -(-len(group) // each) or 1)]


def _is_map(maps: Sequence[dict[str, Any]], least: int) -> bool:
    """Say whether objects hold records of one shape under their keys.

    They do where the records name their keys or the keys are dates; else
    there must be at least `least` records that share most of their fields.
    """
    entries = _entries(maps)
    records = [record for _, record in entries if isinstance(record, dict) and record]
    if len(records) < 0.9 * len(entries):
        return False
    if _name_themselves(entries) or _all_dates(key for key, _ in entries):
        return True
    if len(records) < least:
        return False
    count = Counter(field for record in records for field in record)
    common = {field for field, times in count.items() if times >= 0.8 * len(records)}
    shared = sum(len(common & record.keys()) / len(record) for record in records)
    return shared >= 0.5 * len(records)


def _name_themselves(entries: Sequence[tuple[str, Any]]) -> bool:
    """Say whether records hold their own key in a field."""
    named = sum(isinstance(record, dict) and key in map(_id_text, record.values()) for key, record in entries)
    return named >= 0.9 * len(entries)


def _are_ids(maps: Sequence[dict[str, Any]]) -> bool:
    """Say whether keys are ids, not dates or the same words in every map."""
    entries = _entries(maps)
    if _all_dates(key for key, _ in entries):
        return False
    groups = _sample(maps, _SHAPE_SAMPLE)
    distinct = len({key for group in groups for key in group})
    return len(maps) == 1 or distinct >= 1.5 * max(map(len, groups)) or _name_themselves(entries)


def _id_field(rows: Sequence[dict[str, Any]], name: str, *, top: bool) -> str | None:
    """Return the field that holds the ids of a list of records.

    That is `id` or the records' own name and `id`. A list at the top may
    also be told by another field that ends in `id`, or by its first one,
    where every record has another value there.
    """
    sample = _sample(rows, _SHAPE_SAMPLE)
    fields = list(dict.fromkeys(field for row in sample for field in row))
    folded = {re.sub(r"[^a-z0-9]", "", field.lower()): field for field in reversed(fields)}
    words = re.split(r"[_\W]+", name.lower())
    for own in ("", _singular("".join(words)), _singular(words[-1]), "".join(words)):
        field = folded.get(f"{own}id")
        if field is not None and sum(_is_id(row.get(field)) for row in sample) >= 0.9 * len(sample):
            return field
    if top and len(rows) > 1:
        for field in [*(field for field in fields if field.lower().endswith("id")), *fields[:1]]:
            values = {value for row in rows if _is_id(value := row.get(field))}
            if len(values) == len(rows) and not _all_dates(map(str, values)):
                return field
    return None


def _all_dates(texts: Iterable[str]) -> bool:
    return all(map(_DATE.fullmatch, texts))


def _is_id(value: Any) -> bool:
    return type(value) is int or (type(value) is str and value != "")


def _id_text(value: Any) -> str | None:
    return str(value) if _is_id(value) else None


def _singular(word: str) -> str:
    """Return the singular of a plural, by the common endings."""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word.removesuffix("s")


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

"""The collections of a database: which of its values are records, and how they are called."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, KeysView, Mapping, Sequence

_DATE = re.compile(r"\d{4}-\d\d(-\d\d.*)?|\d\d:\d\d(:\d\d)?", re.ASCII)

_SHAPE_SAMPLE = 64
"""How many records of a map tell the shape of the others."""

_FIELD_SAMPLE = 2000
"""How many records tell which fields the others have."""

_DEPTH = 6
"""How deep collections may lie inside the records of others."""


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


def collections_in(data: dict[str, Any]) -> dict[str, Collection]:
    """Return the collections of a database by name."""
    found: dict[str, Collection] = {}
    _collect([data], "", 0, found)
    return found


def merge(files: list[tuple[str, Any]]) -> dict[str, Any]:
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

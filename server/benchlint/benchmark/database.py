"""The database of a domain: its records, their ids, and the values in it."""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from benchlint.benchmark.database_files import DatabaseError, parse
from benchlint.benchmark.database_values import DatabaseValues
from benchlint.benchmark.records import collections_in, merge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchlint.benchmark.records import Collection
    from benchlint.text.document import Document


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
                return [(PurePath(document.path).stem, parse(document)) for document in self._documents]
            except DatabaseError as error:
                self._error = error
        raise self._error

    @cached_property
    def data(self) -> dict[str, Any]:
        """The plain values: objects, arrays and scalars."""
        return merge(self._files)

    @cached_property
    def _collections(self) -> dict[str, Collection]:
        return collections_in(self.data)

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
    def _values(self) -> DatabaseValues:
        return DatabaseValues(self._documents, [content for _, content in self._files], self._collections)

    def contains_value(self, value: str | float) -> bool:
        """Say whether a value stands in the database, as a key or as a value. See `DatabaseValues.has`."""
        return self._values.has(value)

    def search(self, text: str) -> bool:
        """Say whether a text stands in some key or value, or in a part of it. See `DatabaseValues.search`."""
        return self._values.search(text)

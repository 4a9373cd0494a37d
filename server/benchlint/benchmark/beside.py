"""What stands beside the tasks of a layout, read when it is asked for: policy, tools, database, splits, items."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from benchlint.benchmark.cutting import Unreadable
from benchlint.benchmark.surroundings import DATABASE_SUFFIXES, listing, within

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.benchmark.database import Database
    from benchlint.benchmark.items import Items
    from benchlint.benchmark.model import Layout, Policy, Tools
    from benchlint.benchmark.splits import Splits
    from benchlint.text.document import Document
    from benchlint.text.slices import Fault

_T = TypeVar("_T")


class Beside:
    """Policy, tools, database and splits of a layout; what is not usable is None and noted."""

    def __init__(self, layout: Layout, read: Callable[[str], Document], earlier: Beside | None) -> None:
        self.notes: list[str] = []
        self.faults: list[tuple[Document, Fault]] = []
        self._layout = layout
        self._read = read
        self._earlier = earlier._made if earlier is not None else {}
        self._made: dict[str, _Made] = {}

    def policy(self) -> Policy | None:
        """Read the policy."""
        documents = self._documents(self._layout.policy, (".md", ".markdown", ".txt"))
        return self._once("policy", [*documents, *self._items_files] if documents else [], self._policy)

    def tools(self) -> Tools | None:
        """Read the tools."""
        return self._once("tools", self._documents(self._layout.tools, (".json", ".py")), self._tools)

    def database(self) -> Database | None:
        """Read the database."""
        return self._once("database", self._documents(self._layout.database, DATABASE_SUFFIXES), self._database)

    def splits(self) -> Splits | None:
        """Read the splits."""
        paths = (self._layout.splits,) if self._layout.splits else ()
        return self._once("splits", self._documents(paths, (".json",)), self._splits)

    def items(self) -> Items | None:
        """Read the items files of the policy."""
        return self._once("items", self._items_files, self._items)

    @cached_property
    def _items_files(self) -> list[Document]:
        return self._documents(self._layout.items, (".yaml", ".yml"))

    def _once(self, name: str, documents: list[Document], make: Callable[[list[Document]], _T]) -> _T | None:
        """Make something of documents, unless the same ones were read before."""
        known = self._earlier.get(name)
        if known is None or not _same(known.documents, documents):
            notes, faults = len(self.notes), len(self.faults)
            value = make(documents) if documents else None
            known = _Made(documents, value, self.notes[notes:], self.faults[faults:])
        else:
            self.notes += known.notes
            self.faults += known.faults
        self._made[name] = known
        return known.value  # type: ignore[no-any-return]

    def _policy(self, documents: list[Document]) -> Policy:
        from benchlint.benchmark.policy import read_policy

        count = len(documents) - len(self._items_files)
        return read_policy(documents[:count], documents[count:])

    def _tools(self, documents: list[Document]) -> Tools | None:
        from benchlint.benchmark.tools import read_tools

        tools = read_tools(documents)
        by_path = {document.path: document for document in documents}
        for path, fault in tools.problems:
            self.faults.append((by_path[path], fault))
        if tools.by_name or not tools.problems:
            return tools
        self._unusable(*tools.problems[0])
        return None

    def _database(self, documents: list[Document]) -> Database | None:
        from benchlint.benchmark.database import Database
        from benchlint.benchmark.database_files import DatabaseError

        database = Database(documents)
        try:
            _ = database.data
        except DatabaseError as error:
            document = next(document for document in documents if document.path == error.path)
            self.faults.append((document, error.fault))
            self._unusable(error.path, error.fault)
            return None
        return database

    def _splits(self, documents: list[Document]) -> Splits | None:
        from benchlint.benchmark.splits import read_splits

        splits = read_splits(documents[0])
        self.faults.extend((documents[0], fault) for fault in splits.faults)
        return splits if splits.by_name or not splits.faults else None

    def _items(self, documents: list[Document]) -> Items:
        from benchlint.benchmark.items import Items

        items = Items(documents)
        for file in items.files:
            self.faults.extend((file.document, fault) for fault in file.faults)
        return items

    def _unusable(self, path: str, fault: Fault) -> None:
        self.notes.append(f"{path} cannot be used: {fault.message}")

    def _documents(self, paths: tuple[str, ...], suffixes: tuple[str, ...]) -> list[Document]:
        """Read files, and those of folders that have one of some suffixes."""
        documents = []
        for path in paths:
            for file in _files(path, suffixes):
                try:
                    documents.append(self._read(file))
                except Unreadable as error:
                    self.notes.append(f"{error.path} cannot be read: {error.reason}")
        return documents


class _Made(Struct, frozen=True):
    """What was made of some documents, and what there was to say of them."""

    documents: list[Document]
    value: Any
    notes: list[str]
    faults: list[tuple[Document, Fault]]


def _same(first: list[Document], second: list[Document]) -> bool:
    return len(first) == len(second) and all(one is other for one, other in zip(first, second, strict=True))


def _files(path: str, suffixes: tuple[str, ...]) -> list[str]:
    if not Path(path).is_dir():
        return [path]
    names = (name for name in listing(path).files if name.lower().endswith(suffixes) and name != "__init__.py")
    return [within(path, name) for name in names if not name.startswith(".")]

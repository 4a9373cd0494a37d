"""From a layout to a benchmark: reads the tasks, and the rest when it is asked for."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from msgspec.structs import replace

from benchlint.benchmark.formats.base import problems
from benchlint.benchmark.formats.registry import by_name, is_run, recognise
from benchlint.benchmark.model import Benchmark
from benchlint.benchmark.sniff import LANGUAGES
from benchlint.benchmark.surroundings import DATABASE_SUFFIXES, listing, within
from benchlint.text.slices import UNKNOWN, UNPARSED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchlint.benchmark.database import Database
    from benchlint.benchmark.formats.base import Format
    from benchlint.benchmark.formats.mapped import MappedFormat
    from benchlint.benchmark.items import Items
    from benchlint.benchmark.model import Layout, Policy, Problem, Task, Tools
    from benchlint.benchmark.splits import Splits
    from benchlint.config_schema import Config
    from benchlint.text.document import Document
    from benchlint.text.slices import Fault, Slice, Sliced
    from benchlint.text.tree import Pointer


_T = TypeVar("_T")


class Unreadable(Exception):  # noqa: N818
    """A file from which nothing can be linted: its path, and why."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def load(
    layout: Layout,
    read: Callable[[str], Document],
    config: Config | None = None,
    earlier: Benchmark | None = None,
) -> Benchmark:
    """Read the tasks of a layout.

    `read` returns the text of a path or raises Unreadable; it is called for
    policy, tools, database and splits when they are first asked for.
    `config` is the file that declares the benchmark, if one does. `earlier`
    is the same benchmark before some texts changed: what did not change is
    taken over from it, values as the same objects.

    Unreadable is raised where no file of tasks can be read, ConfigError where
    a mapping finds nothing.
    """
    origin: _Origin | None = earlier.origin if earlier is not None else None
    tasks = _Tasks(layout, config, origin.readings if origin else {})
    unread: list[tuple[str, str]] = []
    for path in (*layout.tasks, *layout.together):
        try:
            tasks.add(read(path), is_more=path in layout.together)
        except Unreadable as error:
            unread.append((error.path, error.reason))
    if not tasks.sources:
        raise Unreadable(*unread[0]) if unread else Unreadable(layout.name, "there are no files of tasks")
    layout = _with_header(layout, tasks, config)
    beside = _Beside(layout, read, origin.beside if origin else None)
    default = layout.default_reward_basis
    return Benchmark(
        layout,
        tasks.format.name if tasks.format else "",
        tasks.sources,
        tasks.tasks,
        tasks.problems,
        default if default is not None else tasks.format.default_reward_basis if tasks.format else (),
        beside.policy,
        beside.tools,
        beside.database,
        beside.splits,
        beside.items,
        beside.notes,
        beside.faults,
        unread,
        _Origin(tasks.readings, beside),
    )


class _Origin(NamedTuple):
    """What a benchmark was made of."""

    readings: dict[str, _Reading]
    beside: _Beside


class _Reading(NamedTuple):
    """A file of tasks: its slices, and the task and the problems of each."""

    sliced: Sliced
    format: Format
    found: list[tuple[Task | None, list[Problem]]]


class _Tasks:
    """The tasks of a benchmark, file by file."""

    def __init__(self, layout: Layout, config: Config | None, earlier: dict[str, _Reading]) -> None:
        self.format: Format | None = None
        """The format of the first file."""
        self.sources: list[Sliced] = []
        self.tasks: list[Task] = []
        self.problems: list[tuple[Sliced, int | None, Problem]] = []
        self.readings: dict[str, _Reading] = {}
        self._earlier = earlier
        self._layout = layout
        self._config = config
        self._mapped: MappedFormat | None = None
        self._seen: dict[str, list[Any]] | None = None
        if layout.mapping is not None:
            from benchlint.benchmark.formats.mapped import MappedFormat

            known = next((item.format for item in earlier.values() if isinstance(item.format, MappedFormat)), None)
            self._mapped = known if known and known.mapping == layout.mapping else MappedFormat(layout.mapping)

    def add(self, document: Document, *, is_more: bool) -> None:
        """Read the tasks of a file; of one that `is_more`, those that are not known already."""
        at = self._mapped.tasks if self._mapped else None
        earlier = self._earlier.get(document.path)
        sliced = cut(document, at) if earlier is None else recut(earlier.sliced, document, at)
        found = self._format(sliced)
        self.sources.append(sliced)
        if found is None:
            return
        self.format = self.format or found
        if found.header is not None and sliced.header:
            self.problems.extend((sliced, None, problem) for problem in problems(found.header, sliced.header))
        tasks = []
        known = _known(earlier, found) if earlier else {}
        readings: list[tuple[Task | None, list[Problem]]] = []
        for piece in sliced.slices:
            reading = known.get(id(piece.value))
            if reading is None:
                reading = found.read(piece)
            elif reading[0] is not None and reading[0].slice is not piece:
                reading = _again(reading[0], piece, found), reading[1]
            readings.append(reading)
            if reading[0] is not None:
                tasks.append(reading[0])
            for problem in reading[1]:
                self.problems.append((sliced, piece.index, problem))
        self.readings[document.path] = _Reading(sliced, found, readings)
        self.tasks.extend(self._new(tasks) if is_more else tasks)

    def _format(self, sliced: Sliced) -> Format | None:
        """Return the format of a file; None where it has no tasks that could tell."""
        values = [piece.value for piece in sliced.slices if piece.value is not UNPARSED and piece.value is not UNKNOWN]
        if self._mapped is not None:
            self._check_mapping(sliced, self._mapped, values)
            return self._mapped
        if self._layout.format is not None:
            return by_name(self._layout.format)
        path = sliced.document.path
        if is_run(values[0] if values else None, sliced.header):
            raise Unreadable(path, "this is a file of runs, not of tasks")
        found = next((found for value in values or [None] if (found := recognise(value, sliced.header))), None)
        if found is None and sliced.language == "python" and not sliced.slices and not sliced.faults:
            raise Unreadable(path, "there is no list of tasks in this file")
        if found is not None or sliced.faults or not values:
            return found
        fields = f": its first entry has {_named(values[0])}" if isinstance(values[0], dict) else ""
        raise Unreadable(path, f"the tasks are in no known format{fields}; benchlint.toml can map their fields")

    def _check_mapping(self, sliced: Sliced, mapped: MappedFormat, values: list[Any]) -> None:
        """Raise ConfigError where a path of the mapping finds nothing in any task."""
        path = sliced.document.path
        at = mapped.tasks
        reached = at is None or sliced.language == "jsonl" or any(piece.pointer[:-1] == at for piece in sliced.slices)
        if at is not None and not reached and not sliced.faults:
            raise self._mapping_error("tasks", f'"{".".join(map(str, at))}" leads to no tasks in {path}')
        missing = mapped.unfound([value for value in values if isinstance(value, dict)])
        if missing is not None:
            key, wanted, near = missing
            meant = f': did you mean "{near}"?' if near else ""
            count = f"any of the {len(values)} tasks" if len(values) > 1 else "the one task"
            raise self._mapping_error(key, f'"{wanted}" finds nothing in {count} of {path}{meant}')

    def _mapping_error(self, key: str, message: str) -> Exception:
        message = f"mapping.{key}: {message}"
        if self._config is None or self._layout.entry is None:
            return Unreadable(self._layout.tasks[0], message)
        return self._config.error(("benchmark", self._layout.entry, "mapping", key), message)

    def _new(self, tasks: list[Task]) -> Iterator[Task]:
        """Yield the tasks that are not the same as one of those before."""
        if self._seen is None:
            self._seen = {}
            for task in self.tasks:
                self._seen.setdefault(task.id, []).append(task.value)
        for task in tasks:
            if task.value not in self._seen.get(task.id, ()):
                yield task


def cut(document: Document, at: Pointer | None = None) -> Sliced:
    """Cut a document into slices by the language of its suffix.

    `at` leads to the list of tasks, where it is not at the top.
    """
    language = LANGUAGES.get(PurePath(document.path).suffix.lower())
    if language == "json":
        from benchlint.text.json_text import slice_json

        return slice_json(document, at)
    if language == "jsonl":
        from benchlint.text.json_text import slice_jsonl

        return slice_jsonl(document)
    if language == "yaml":
        from benchlint.text.yaml_text import slice_yaml

        return slice_yaml(document, at)
    if language == "python":
        from benchlint.text.python_text import slice_python

        return slice_python(document)
    if language == "pickle":
        from benchlint.text.pickle_text import slice_pickle

        return slice_pickle(document)
    known = ", ".join(LANGUAGES)
    raise Unreadable(document.path, f"benchlint reads no tasks from such a file; it reads {known}")


def recut(earlier: Sliced, document: Document, at: Pointer | None = None) -> Sliced:
    """Cut a document that was another text before; slices of the same text keep their values.

    In Python a slice's value may depend on text elsewhere: there all are new.
    """
    if earlier.document is document:
        return earlier
    sliced = _recut(earlier, document, at)
    if sliced.language in ("json", "jsonl"):
        from benchlint.text.json_text import JsonText

        assert isinstance(sliced, JsonText)
        if isinstance(earlier, JsonText):
            sliced.take_trees(earlier)
    return sliced


def _recut(earlier: Sliced, document: Document, at: Pointer | None) -> Sliced:
    change = document.change_since(earlier.document)
    if change is not None and earlier.language == "json":
        from benchlint.text.json_reslice import reslice
        from benchlint.text.json_text import JsonText

        assert isinstance(earlier, JsonText)
        if earlier.wanted == at:
            return reslice(earlier, document, *change)
    sliced = cut(document, at)
    if sliced.language in ("json", "jsonl", "yaml") and sliced.language == earlier.language:
        values = {piece.hash: piece.value for piece in earlier.slices}
        for piece in sliced.slices:
            piece.value = values.pop(piece.hash, piece.value)
    return sliced


def _known(earlier: _Reading, format: Format) -> dict[int, tuple[Task | None, list[Problem]]]:  # noqa: A002
    """Return what was read of slices, by the identity of their values."""
    if earlier.format is not format:
        return {}
    pairs = zip(earlier.sliced.slices, earlier.found, strict=True)
    return {id(piece.value): reading for piece, reading in pairs if reading[0] is not None}


def _again(task: Task, piece: Slice, format: Format) -> Task:  # noqa: A002
    """Return a task that was read before at the place where it stands now."""
    if not task.id_pointer and task.slice.index != piece.index:
        return format.read(piece)[0] or task.moved(piece)
    return task.moved(piece)


def _named(value: dict[str, Any]) -> str:
    """Name the first fields of an object."""
    if not value:
        return "no fields"
    names = [f'"{name}"' for name in list(value)[:5]]
    return ", ".join(names) + (", …" if len(value) > len(names) else "")


def _with_header(layout: Layout, tasks: _Tasks, config: Config | None) -> Layout:
    """Return the layout with the paths that a native file names itself.

    What the configuration names comes first.
    """
    if tasks.format is None or tasks.format.name != "native":
        return layout
    declared = config.benchmark[layout.entry] if config is not None and layout.entry is not None else None
    source = tasks.sources[0]
    folder = PurePath(source.document.path).parent

    def paths(key: str, otherwise: tuple[str, ...]) -> tuple[str, ...]:
        value = source.header.get(key)
        if declared is not None and getattr(declared, key):
            return otherwise
        items = value if isinstance(value, list) else [value]
        named = tuple(os.path.normpath(folder / item) for item in items if isinstance(item, str) and item)
        return named or otherwise

    splits = paths("splits", (layout.splits,) if layout.splits else ())
    return replace(
        layout,
        policy=paths("policy", layout.policy),
        tools=paths("tools", layout.tools),
        database=paths("database", layout.database),
        splits=splits[0] if splits else None,
    )


class _Beside:
    """Policy, tools, database and splits of a layout; what is not usable is None and noted."""

    def __init__(self, layout: Layout, read: Callable[[str], Document], earlier: _Beside | None) -> None:
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


class _Made(NamedTuple):
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

"""From a layout to a benchmark: reads the tasks, and the rest when it is asked for."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

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
    from benchlint.benchmark.model import Layout, Policy, Problem, Task, Tools
    from benchlint.benchmark.splits import Splits
    from benchlint.config_schema import Config
    from benchlint.text.document import Document
    from benchlint.text.slices import Fault, Sliced
    from benchlint.text.tree import Pointer


class Unreadable(Exception):  # noqa: N818
    """A file from which nothing can be linted: its path, and why."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def load(layout: Layout, read: Callable[[str], Document], config: Config | None = None) -> Benchmark:
    """Read the tasks of a layout.

    `read` returns the text of a path or raises Unreadable; it is called for
    policy, tools, database and splits when they are first asked for.
    `config` is the file that declares the benchmark, if one does.

    Unreadable is raised where no file of tasks can be read, ConfigError where
    a mapping finds nothing.
    """
    tasks = _Tasks(layout, config)
    unread: list[tuple[str, str]] = []
    for path in (*layout.tasks, *layout.together):
        try:
            tasks.add(read(path), is_more=path in layout.together)
        except Unreadable as error:
            unread.append((error.path, error.reason))
    if not tasks.sources:
        raise Unreadable(*unread[0]) if unread else Unreadable(layout.name, "there are no files of tasks")
    layout = _with_header(layout, tasks, config)
    beside = _Beside(layout, read)
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
        beside.notes,
        beside.faults,
        unread,
    )


class _Tasks:
    """The tasks of a benchmark, file by file."""

    def __init__(self, layout: Layout, config: Config | None) -> None:
        self.format: Format | None = None
        """The format of the first file."""
        self.sources: list[Sliced] = []
        self.tasks: list[Task] = []
        self.problems: list[tuple[Sliced, int | None, Problem]] = []
        self._layout = layout
        self._config = config
        self._mapped: MappedFormat | None = None
        self._seen: dict[str, list[Any]] | None = None
        if layout.mapping is not None:
            from benchlint.benchmark.formats.mapped import MappedFormat

            self._mapped = MappedFormat(layout.mapping)

    def add(self, document: Document, *, is_more: bool) -> None:
        """Read the tasks of a file; of one that `is_more`, those that are not known already."""
        sliced = cut(document, self._mapped.tasks if self._mapped else None)
        found = self._format(sliced)
        self.sources.append(sliced)
        if found is None:
            return
        self.format = self.format or found
        if found.header is not None and sliced.header:
            self.problems.extend((sliced, None, problem) for problem in problems(found.header, sliced.header))
        tasks = []
        for piece in sliced.slices:
            task, different = found.read(piece)
            if task is not None:
                tasks.append(task)
            for problem in different:
                self.problems.append((sliced, piece.index, problem))
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

    def __init__(self, layout: Layout, read: Callable[[str], Document]) -> None:
        self.notes: list[str] = []
        self.faults: list[tuple[Document, Fault]] = []
        self._layout = layout
        self._read = read

    def policy(self) -> Policy | None:
        """Read the policy."""
        documents = self._documents(self._layout.policy, (".md", ".markdown", ".txt"))
        if not documents:
            return None
        from benchlint.benchmark.policy import read_policy

        return read_policy(documents)

    def tools(self) -> Tools | None:
        """Read the tools."""
        documents = self._documents(self._layout.tools, (".json", ".py"))
        if not documents:
            return None
        from benchlint.benchmark.tools import read_tools

        tools = read_tools(documents)
        by_path = {document.path: document for document in documents}
        for path, fault in tools.problems:
            self.faults.append((by_path[path], fault))
        if tools.by_name or not tools.problems:
            return tools
        self._unusable(*tools.problems[0])
        return None

    def database(self) -> Database | None:
        """Read the database."""
        documents = self._documents(self._layout.database, DATABASE_SUFFIXES)
        if not documents:
            return None
        from benchlint.benchmark.database import Database, DatabaseError

        database = Database(documents)
        try:
            _ = database.data
        except DatabaseError as error:
            document = next(document for document in documents if document.path == error.path)
            self.faults.append((document, error.fault))
            self._unusable(error.path, error.fault)
            return None
        return database

    def splits(self) -> Splits | None:
        """Read the splits."""
        documents = self._documents((self._layout.splits,) if self._layout.splits else (), (".json",))
        if not documents:
            return None
        from benchlint.benchmark.splits import read_splits

        splits = read_splits(documents[0])
        self.faults.extend((documents[0], fault) for fault in splits.faults)
        return splits if splits.by_name or not splits.faults else None

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


def _files(path: str, suffixes: tuple[str, ...]) -> list[str]:
    if not Path(path).is_dir():
        return [path]
    names = (name for name in listing(path).files if name.lower().endswith(suffixes) and name != "__init__.py")
    return [within(path, name) for name in names if not name.startswith(".")]

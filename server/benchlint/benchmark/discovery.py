"""Which files make up which benchmark: from paths and configuration to layouts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from benchlint.benchmark.model import Layout
from benchlint.benchmark.sniff import HEAD, LANGUAGES, NOTHING, Glimpse, glimpse, may_hold_tasks
from benchlint.benchmark.surroundings import Listing, Surroundings, listing, role, split_file, surroundings, within
from benchlint.config import NAME, PROJECT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchlint.config_schema import Config

_SKIPPED = ("node_modules", "__pycache__")
_TASKS = "tasks"


class Discovery(NamedTuple):
    """The benchmarks under some paths, in the order of the paths and names.

    `problems` are paths from which nothing can be linted, and why; `notes`
    are sentences about paths that are left out.
    """

    layouts: tuple[Layout, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def read_head(path: str, size: int | None) -> bytes:
    """Return the first bytes of a file, all where no size is given; may raise OSError."""
    with Path(path).open("rb") as file:
        return file.read(-1 if size is None else size)


def discover(
    paths: Sequence[str],
    config_of: Callable[[str], Config | None] = lambda _: None,
    read: Callable[[str, int | None], bytes] = read_head,
) -> Discovery:
    """Find the benchmarks under paths.

    A folder is walked; of a file, only that file is linted, with what stands
    beside it. `config_of` returns the configuration of a path, and may raise
    ConfigError. `read` returns the first bytes of a file.
    """
    search = _Search(config_of, read)
    for path in paths:
        shown = os.path.normpath(path)
        if Path(shown).is_dir():
            search.folder(shown)
        else:
            search.file(shown)
    return Discovery(tuple(search.layouts), tuple(search.problems), tuple(search.notes))


class _Search:
    def __init__(self, config_of: Callable[[str], Config | None], read: Callable[[str, int | None], bytes]) -> None:
        self.layouts: list[Layout] = []
        self.problems: list[tuple[str, str]] = []
        self.notes: list[str] = []
        self._config_of = config_of
        self._read = read
        self._found: set[str] = set()
        self._declared: dict[tuple[str | None, bool], list[Layout]] = {}

    def file(self, path: str) -> None:
        """Add the benchmark of a file that was named."""
        for layout in self._declarations(self._config_of(path), strict=False):
            if _real(path) in map(_real, (*layout.tasks, *layout.together)):
                alone = len(layout.tasks) == 1 and not layout.together
                self._add(layout if alone else replace(layout, name=path, tasks=(path,), together=(), splits=None))
                return
        language = LANGUAGES.get(Path(path).suffix.lower())
        try:
            found = self._glimpse(path, language, named=True) if language else NOTHING
            if not language:
                self._read(path, 1)
        except OSError as error:
            missing = isinstance(error, FileNotFoundError)
            reason = "there is no such file or folder" if missing else (error.strerror or str(error)).lower()
            self.problems.append((path, reason))
            return
        part = role(path)
        if found.runs:
            self.notes.append(f"{path} is a file of runs, not of tasks")
        elif part is not None and found.format is None:
            self.notes.append(f"{path} is {part} of a benchmark, not tasks: name the tasks or the folder")
        elif language is None:
            known = ", ".join(LANGUAGES)
            self.problems.append((path, f"benchlint reads no tasks from such a file; it reads {known}"))
        else:
            self._add(self._layout(path, (path,)))

    def folder(self, path: str) -> None:
        """Add the benchmarks in a folder that was named."""
        problems = len(self.problems)
        for layout in self._declarations(self._config_of(path), strict=True):
            if any(_leads_into(tasks, path) for tasks in layout.tasks):
                self._add(layout)
        self._walk(path)
        found = any(_leads_into(tasks, path) for layout in self.layouts for tasks in layout.tasks)
        if not found and len(self.problems) == problems:
            self.problems.append((path, "there is no benchmark in this folder"))

    def _walk(self, root: str) -> None:
        """Add the benchmarks of a folder and of the folders in it, each folder once."""
        visited = set()
        pending = [root]
        while pending:
            path = pending.pop()
            here = listing(path)
            if here.error is not None and path == root:
                self.problems.append((path, f"the folder cannot be read: {here.error}"))
            elif here.error is not None:
                self.notes.append(f"{path} cannot be read: {here.error}")
            if here.error is not None or here.identity in visited:
                continue
            visited.add(here.identity)
            if path != root and (NAME in here.files or PROJECT in here.files):
                self._nested(path)
            self._files(here)
            names = (name for name in here.folders if not name.startswith(".") and name not in _SKIPPED)
            pending.extend(reversed([within(path, name) for name in names]))

    def _nested(self, path: str) -> None:
        """Add what a configuration file in a folder declares."""
        config = self._config_of(path)
        if config is not None and _real(str(config.folder)) == _real(path):
            for layout in self._declarations(config, strict=True):
                self._add(layout)

    def _files(self, here: Listing) -> None:
        """Add the benchmarks whose tasks are in a folder: one a file, and one of all one-task files."""
        singles = []
        for path, found in self._candidates(here):
            if found.single:
                singles.append(path)
                continue
            layout = self._layout(path, (path,), here)
            if Path(path).stem == _TASKS and _TASKS in here.folders:
                inside = self._candidates(listing(within(here.path, _TASKS)))
                layout = replace(layout, together=tuple(file for file, other in inside if other.single))
            self._add(layout)
        if singles:
            name = singles[0] if len(singles) == 1 else here.path
            self._add(self._layout(name, tuple(singles), here))

    def _candidates(self, here: Listing) -> Iterator[tuple[str, Glimpse]]:
        """Yield the files of a folder that hold tasks, and what they hold."""
        names = set(here.files)
        for name in here.files:
            suffix = Path(name).suffix.lower()
            language = LANGUAGES.get(suffix)
            if language is None or name.startswith(".") or role(name) is not None:
                continue
            if language == "python" and not name.startswith(_TASKS):
                continue
            if language == "pickle" and f"{Path(name).stem}.json" in names:
                continue
            path = within(here.path, name)
            try:
                found = self._glimpse(path, language)
            except OSError as error:
                if name.startswith(_TASKS):
                    self.notes.append(f"{path} cannot be read: {(error.strerror or str(error)).lower()}")
                continue
            if found.format is not None:
                yield path, found
            elif language == "json" and Path(name).stem == _TASKS and self._broken(path, here):
                yield path, Glimpse()

    def _glimpse(self, path: str, language: str, *, named: bool = False) -> Glimpse:
        """Tell what is in a file; may raise OSError."""
        head = self._read(path, HEAD)
        if not named and not may_hold_tasks(head):
            return NOTHING
        return glimpse(language, head, lambda: self._read(path, None))

    def _broken(self, path: str, here: Listing) -> bool:
        """Say whether a `tasks.json` with a policy, tools or database beside it does not parse."""
        beside = surroundings(here)
        if not (beside.policy or beside.tools or beside.database):
            return False
        import json

        try:
            json.loads(self._read(path, None).decode("utf-8-sig"))
        except (OSError, ValueError, RecursionError):
            return True
        return False

    def _layout(self, name: str, tasks: tuple[str, ...], here: Listing | None = None) -> Layout:
        """Return the benchmark of task files with what stands beside them.

        Around a folder `tasks/`, that is beside the folder.
        """
        folder = str(Path(tasks[0]).parent)
        here = here or listing(folder)
        around, splits = surroundings(here), split_file(here, tasks[0])
        if Path(_real(folder)).name == _TASKS and around == Surroundings():
            above = listing(os.path.normpath(Path(folder, "..")))
            around = surroundings(above)
            splits = split_file(above, _TASKS) if len(tasks) > 1 else None
        return Layout(name, tasks, around.policy, around.tools, around.database, splits, items=around.items)

    def _add(self, layout: Layout) -> None:
        """Add a benchmark unless its tasks have been found already."""
        tasks = [_real(path) for path in layout.tasks]
        if not self._found.issuperset(tasks):
            self._found.update(tasks, map(_real, layout.together))
            self.layouts.append(layout)

    def _declarations(self, config: Config | None, *, strict: bool) -> list[Layout]:
        """Return the benchmarks that a configuration declares, with what stands beside them."""
        if config is None or not config.benchmark:
            return []
        key = config.path, strict
        if key not in self._declared:
            from benchlint.benchmark.declared import declared

            self._declared[key] = list(declared(config, self._layout, strict=strict))
        return self._declared[key]


def _real(path: str) -> str:
    return os.path.realpath(path)


def _leads_into(path: str, folder: str) -> bool:
    """Say whether a path leads into a folder."""
    return Path(_real(path)).is_relative_to(_real(folder))

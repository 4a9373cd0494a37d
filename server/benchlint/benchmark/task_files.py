"""From files of tasks to tasks: each file's format, and what the format says of each slice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from benchlint.benchmark.cutting import Unreadable, cut, recut
from benchlint.benchmark.formats.base import problems
from benchlint.benchmark.formats.registry import by_name, is_run, recognise
from benchlint.text.slices import UNKNOWN, UNPARSED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.formats.base import Format
    from benchlint.benchmark.formats.mapped import MappedFormat
    from benchlint.benchmark.model import Layout, Problem, Task
    from benchlint.config_schema import Config
    from benchlint.text.document import Document
    from benchlint.text.slices import Slice, Sliced


class Reading(Struct, frozen=True):
    """A file of tasks: its slices, and the task and the problems of each."""

    sliced: Sliced
    format: Format
    found: list[tuple[Task | None, list[Problem]]]


class TaskFiles:
    """The tasks of a benchmark, file by file."""

    def __init__(self, layout: Layout, config: Config | None, earlier: dict[str, Reading]) -> None:
        self.format: Format | None = None
        """The format of the first file."""
        self.sources: list[Sliced] = []
        self.tasks: list[Task] = []
        self.problems: list[tuple[Sliced, int | None, Problem]] = []
        self.readings: dict[str, Reading] = {}
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
        self.readings[document.path] = Reading(sliced, found, readings)
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


def _known(earlier: Reading, format: Format) -> dict[int, tuple[Task | None, list[Problem]]]:  # noqa: A002
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

"""From a layout to a benchmark: reads the tasks, and the rest when it is asked for."""

from __future__ import annotations

import os
from pathlib import PurePath
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from benchlint.benchmark.beside import Beside
from benchlint.benchmark.cutting import Unreadable, cut, recut
from benchlint.benchmark.model import Benchmark
from benchlint.benchmark.task_files import TaskFiles

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.benchmark.model import Layout
    from benchlint.benchmark.task_files import Reading
    from benchlint.config_schema import Config
    from benchlint.text.document import Document

__all__ = ["Unreadable", "cut", "load", "recut"]


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
    tasks = TaskFiles(layout, config, origin.readings if origin else {})
    unread: list[tuple[str, str]] = []
    for path in (*layout.tasks, *layout.together):
        try:
            tasks.add(read(path), is_more=path in layout.together)
        except Unreadable as error:
            unread.append((error.path, error.reason))
    if not tasks.sources:
        raise Unreadable(*unread[0]) if unread else Unreadable(layout.name, "there are no files of tasks")
    layout = _with_header(layout, tasks, config)
    beside = Beside(layout, read, origin.beside if origin else None)
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


class _Origin(Struct, frozen=True):
    """What a benchmark was made of."""

    readings: dict[str, Reading]
    beside: Beside


def _with_header(layout: Layout, tasks: TaskFiles, config: Config | None) -> Layout:
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

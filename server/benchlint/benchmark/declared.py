"""The benchmarks that a configuration file declares."""

from __future__ import annotations

import glob
import os
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from benchlint.benchmark.sniff import LANGUAGES
from benchlint.benchmark.surroundings import listing, role, within

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchlint.benchmark.model import Layout
    from benchlint.config_schema import Config, Many


def declared(
    config: Config, beside: Callable[[str, tuple[str, ...]], Layout], *, strict: bool = True
) -> Iterator[Layout]:
    """Yield the layouts of a configuration's `[[benchmark]]` tables.

    `beside` returns the layout of a name and its task files with what stands
    beside them: what a table leaves out. With `strict`, a path that leads
    nowhere is a ConfigError.
    """
    for index, entry in enumerate(config.benchmark):
        paths = _Paths(config, index, strict=strict)
        policy, tools, database = (paths(key, getattr(entry, key)) for key in ("policy", "tools", "database"))
        splits = paths("splits", entry.splits or ())
        items = paths("items", entry.items)
        groups = [(path, _files(path)) for path in paths("tasks", entry.tasks, patterns=True)]
        others: tuple[str, ...] = ()
        if entry.together and groups:
            others = tuple(file for _, files in groups[1:] for file in files)
            del groups[1:]
        for shown, files in groups:
            if not files:
                continue
            found = beside(shown, files)
            name = entry.name or shown
            yield replace(
                found,
                name=f"{name}: {shown}" if entry.name and len(groups) > 1 else name,
                policy=policy or found.policy,
                tools=tools or found.tools,
                database=database or found.database,
                splits=splits[0] if splits else found.splits,
                items=items or found.items,
                format=entry.format or ("mapped" if entry.mapping else None),
                mapping=entry.mapping,
                together=others,
                config=config.path,
                entry=index,
                default_reward_basis=entry.default_reward_basis,
            )


class _Paths:
    """The paths of one `[[benchmark]]` table, as the user writes paths."""

    def __init__(self, config: Config, index: int, *, strict: bool) -> None:
        self._config = config
        self._index = index
        self._strict = strict

    def __call__(self, key: str, value: Many, *, patterns: bool = False) -> tuple[str, ...]:
        """Return the paths under a key, each once; patterns are replaced by what fits."""
        found: list[str] = []
        for item in (value,) if isinstance(value, str) else value:
            path = os.path.normpath(self._config.folder / item)
            if patterns and any(sign in item for sign in "*?["):
                matches, what = sorted(glob.glob(path, recursive=True)), "no file fits"  # noqa: PTH207
            else:
                matches, what = [path] if Path(path).exists() else [], "there is no file or folder"
            if self._strict and not matches:
                raise self._config.error(("benchmark", self._index, key), f'benchmark.{key}: {what} "{item}"')
            found.extend(matches or [path])
        return tuple(dict.fromkeys(found))


def _files(path: str) -> tuple[str, ...]:
    """Return the task files of a path: itself, or those in the folder."""
    if not Path(path).is_dir():
        return (path,)
    names = (name for name in listing(path).files if not name.startswith(".") and role(name) is None)
    return tuple(within(path, name) for name in names if Path(name).suffix.lower() in LANGUAGES)

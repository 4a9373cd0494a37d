"""Lints one world after another, on a thread of its own; what it keeps makes the next one cheap."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from benchlint.analysis.baseline import BaselineError
from benchlint.analysis.kept import Kept
from benchlint.analysis.live_judging import LiveJudging
from benchlint.analysis.run import Result, run
from benchlint.analysis.snapshot import Snapshot
from benchlint.benchmark.sniff import HEAD, LANGUAGES, glimpse
from benchlint.benchmark.surroundings import listing, role, within
from benchlint.catalogue.selection import UnknownRule
from benchlint.config import ConfigError
from benchlint.lsp.configuration import LiveConfig
from benchlint.lsp.world import Linted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from benchlint.analysis.live_replay import LiveReplay
    from benchlint.catalogue.finding import Finding
    from benchlint.lsp.diagnostics import Bridge
    from benchlint.lsp.world import World
    from benchlint.text.document import Document

_TASKS: Final = "tasks"
_RETRIES: Final = 8
"""How often a run is tried again after something that it cannot use."""


@dataclass(slots=True)
class _Unit:
    """Paths that are linted together: a folder of the workspace, or a file outside of all."""

    paths: tuple[str, ...]
    kept: Kept = field(default_factory=Kept)
    done: bool = False


class Linter:
    """The linter of a server. It belongs to one thread."""

    def __init__(self, bridge: Bridge, judging: LiveJudging | None = None, replayed: LiveReplay | None = None) -> None:
        self.judging = judging or LiveJudging()
        self._replayed = replayed
        self._bridge = bridge
        self._units: dict[tuple[str, ...], _Unit] = {}
        self._disk = Snapshot()
        self._config: LiveConfig | None = None
        self._files = 0
        self._moved = True

    def lint(self, world: World, check: Callable[[], None], early: Callable[[Linted], None]) -> Linted:
        """Lint a world. `check` is called often and raises where the result is no longer wanted.

        `early` is given what was found in the open files, where the rest of
        their folder has not been linted yet.
        """
        snapshot = self._snapshot(world)
        config = self._lookup(snapshot, world)
        units = self._wanted(world)
        self.judging.begin(world.settings.judge.options, check)
        for unit in units:
            files = [
                path for path, text in world.documents.items() if _belongs(path, unit.paths) and _holds_tasks(text)
            ]
            if not unit.done and unit.paths[0] in world.roots and files:
                result, messages = self._run(unit, files, snapshot, config, world, check)
                config.accept()
                early(self._linted(world, [result], config, messages, early=True))
        results, said = [], []
        for unit in units:
            result, messages = self._run(unit, unit.paths, snapshot, config, world, check)
            unit.done = True
            results.append(result)
            said += messages
        for path in self._left_over(world, results):
            unit = self._units.get((path,)) or _Unit((path,))
            self._units[unit.paths] = unit
            result, messages = self._run(unit, unit.paths, snapshot, config, world, check)
            results.append(result)
            said += messages
        config.accept()
        self.judging.end(benchmark.name for result in results for benchmark in result.benchmarks if world.trusted)
        return self._linted(world, results, config, [*said, *self.judging.problems])

    def snapshot(self, world: World) -> tuple[Snapshot, LiveConfig]:
        """Return the texts of a world, and the lookup of configurations in them."""
        snapshot = self._snapshot(world)
        return snapshot, self._lookup(snapshot, world)

    def _snapshot(self, world: World) -> Snapshot:
        if world.files != self._files:
            self._files = world.files
            self._disk = self._disk.refreshed()
            self._moved = True
            for unit in self._units.values():
                unit.kept.forget_files()
        return self._disk.with_documents(world.documents.values())

    def _lookup(self, snapshot: Snapshot, world: World) -> LiveConfig:
        fixed = world.settings.configuration
        if fixed is not None and not os.path.isabs(fixed) and world.roots:  # noqa: PTH117
            fixed = os.path.join(world.roots[0], fixed)  # noqa: PTH118
        if self._config is None or self._moved or not self._config.holds_for(snapshot, fixed):
            self._config = LiveConfig(snapshot, self._config, fixed)
            self._moved = False
        return self._config

    def _wanted(self, world: World) -> list[_Unit]:
        """Return the units of a world: its folders, and what is open outside of them."""
        roots = [root for root in world.roots if not any(_is_inside(root, other) for other in world.roots)]
        wanted: dict[tuple[str, ...], None] = {(root,): None for root in roots}
        for path in world.documents:
            if role(path) is not None and not any(_belongs(path, unit) for unit in wanted):
                wanted.update(dict.fromkeys(_tasks_beside(path)))
        units = [self._units.get(paths) or _Unit(paths) for paths in wanted]
        kept = {unit.paths: unit for unit in units}
        kept.update({(path,): unit for path in world.documents if (unit := self._units.get((path,)))})
        self._units = kept
        return units

    def _left_over(self, world: World, results: Sequence[Result]) -> Iterator[str]:
        """Yield open files of tasks in the folders that are not among what was found: they are on no disk yet."""
        seen = {path for result in results for path in result.documents}
        for path, document in world.documents.items():
            if path not in seen and role(path) is None and _holds_tasks(document):
                yield path

    def _run(
        self,
        unit: _Unit,
        paths: Sequence[str],
        snapshot: Snapshot,
        config: LiveConfig,
        world: World,
        check: Callable[[], None],
    ) -> tuple[Result, list[str]]:
        """Lint a unit; what cannot be used is left out, and said."""
        options, judging = world.options, self.judging if world.trusted else None
        messages: list[str] = []
        for _ in range(_RETRIES):
            try:
                result = run(
                    paths,
                    snapshot,
                    config,
                    options,
                    kept=unit.kept,
                    tick=lambda *_: check(),
                    judging=judging,
                    replayed=self._replayed,
                )
            except ConfigError as error:
                if not config.refuse(error):
                    break
            except UnknownRule as error:
                messages.append(f"the settings name a rule that is not there: {error}")
                options = replace(options, select=(), ignore=())
            except BaselineError as error:
                messages.append(str(error))
                options = replace(options, use_baseline=False)
            else:
                return result, [*messages, *_told(unit, result)]
        return Result(), messages

    def _linted(
        self,
        world: World,
        results: Sequence[Result],
        config: LiveConfig,
        messages: Sequence[str],
        *,
        early: bool = False,
    ) -> Linted:
        found: dict[str, tuple[Result, list[Finding]]] = {}
        for result in results:
            by_path: defaultdict[str, list[Finding]] = defaultdict(list)
            for finding in result.findings:
                by_path[finding.anchor.path].append(finding)
            for path in (*result.documents, *by_path):
                found.setdefault(path, (result, by_path[path]))
        diagnostics = self._bridge.diagnostics(found, config.errors, world)
        return Linted(
            world=world,
            found=found,
            diagnostics=diagnostics,
            results=tuple(results),
            messages=tuple(dict.fromkeys([*map(str, config.errors.values()), *messages])),
            stamps=self._disk.stamps,
            early=early,
        )


def _told(unit: _Unit, result: Result) -> Iterable[str]:
    """Return what a user must know of a run: inputs that cannot be read, not folders that hold no benchmark."""
    return (problem for problem in result.problems if not problem.startswith(f"{unit.paths[0]}: there is no benchmark"))


def _tasks_beside(path: str) -> Iterator[tuple[str, ...]]:
    """Yield what to lint for a policy, tools or a database outside of all folders: the tasks beside it."""
    folder = str(Path(path).parent)
    for name in listing(folder).files:
        if name.startswith(_TASKS) and _is_tasks(name):
            yield (within(folder, name),)


def _holds_tasks(document: Document) -> bool:
    """Say whether a text is one of tasks, by its name or its beginning."""
    path = Path(document.path)
    language = LANGUAGES.get(path.suffix.lower())
    if language is None:
        return False
    return (
        path.stem.startswith(_TASKS)
        or glimpse(language, document.data[:HEAD], lambda: document.data).format is not None
    )


def _is_tasks(path: str) -> bool:
    return Path(path).suffix.lower() in LANGUAGES


def _belongs(path: str, paths: Sequence[str]) -> bool:
    return any(path == other or _is_inside(path, other) for other in paths)


def _is_inside(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)

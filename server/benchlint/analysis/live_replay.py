"""What replay has found in a session: it counts for every task that is still the same."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from benchlint.replay.cache import task_key
from benchlint.replay.replay import replay, task_request
from benchlint.replay.results import Replay, Replayed
from benchlint.replay.settings import settings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchlint.benchmark.model import Benchmark, Task, Tools
    from benchlint.config_schema import Config
    from benchlint.replay.settings import Settings


class LiveReplay:
    """Replays benchmarks where it is asked to, and gives lints what came of it.

    It is used by several threads. `revision` grows with what it knows.
    """

    def __init__(self) -> None:
        self.revision = 0
        self._lock = threading.Lock()
        self._known: dict[str, _Known] = {}
        self._given: dict[str, Replay] = {}
        self._keys: dict[str, _Keys] = {}

    def run(self, benchmark: Benchmark, config: Config, tick: Callable[[], object]) -> tuple[Replay | None, str | None]:
        """Replay a benchmark, with what is in the user's cache; return what came of it, or what is wrong.

        `tick` is called before each task, and may raise to end it.
        """
        settings = settings_of(benchmark.layout, config)
        if settings is None:
            return None, f'{benchmark.name}: nothing says how to replay it: set "environment" in [replay]'
        found = replay(benchmark, settings, tick=tick)
        if found.problem is not None:
            return None, f"{benchmark.name}: {found.problem}"
        results: dict[str, Replayed] = {}
        for task in benchmark.tasks:
            request, result = task_request(task, benchmark), found.of(task)
            if request is not None and result is not None:
                results[task_key(request)] = result
        with self._lock:
            self.revision += 1
            self._known[benchmark.name] = _Known(settings, results)
        return found, None

    def of(self, benchmark: Benchmark, config: Config) -> Replay | None:
        """Return what is known of the tasks of a benchmark; the same object while that is the same."""
        with self._lock:
            known = self._known.get(benchmark.name)
        if known is None or known.settings != settings_of(benchmark.layout, config):
            return None
        keys = self._keys.get(benchmark.name)
        if keys is None or keys.tools is not benchmark.tools:
            keys = _Keys(benchmark.tools, {})
        keys = self._keys[benchmark.name] = keys.of(benchmark)
        tasks: dict[tuple[str, int], Replayed] = {}
        for task in benchmark.tasks:
            result = known.results.get(keys.known[id(task.value)][1])
            if result is not None:
                tasks[task.slice.document.path, task.slice.index] = result
        given = self._given.get(benchmark.name)
        if given is None or given.tasks != tasks:
            given = self._given[benchmark.name] = Replay(tasks)
        return given


class _Known(NamedTuple):
    """What came of tasks, by the key of what was asked, with an environment."""

    settings: Settings
    results: Mapping[str, Replayed]


class _Keys(NamedTuple):
    """The keys of the values of tasks: to write a request takes longer than to look it up."""

    tools: Tools | None
    known: dict[int, tuple[Any, str]]

    def of(self, benchmark: Benchmark) -> _Keys:
        """Return the keys of a benchmark's tasks; those of values that are still there are taken over."""
        known = {}
        for task in benchmark.tasks:
            earlier = self.known.get(id(task.value))
            known[id(task.value)] = earlier or (task.value, _key(task, benchmark))
        return _Keys(self.tools, known)


def _key(task: Task, benchmark: Benchmark) -> str:
    request = task_request(task, benchmark)
    return task_key(request) if request is not None else ""

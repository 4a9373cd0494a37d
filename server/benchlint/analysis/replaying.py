"""Replay in a run: what a benchmark's expected actions do, and what could not be run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchlint.replay.replay import replay
from benchlint.replay.settings import settings_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.analysis.options import ReplayOptions
    from benchlint.benchmark.model import Benchmark
    from benchlint.config_schema import Config

_TOLD = 3
"""So many tasks that could not be replayed are named."""


def replay_benchmark(
    benchmark: Benchmark, config: Config, options: ReplayOptions, cancelled: Callable[[], bool]
) -> tuple[list[str], list[str]]:
    """Run a benchmark's expected actions and keep what came of it in `benchmark.replay`.

    Returns problems, for which a gate must not pass, and notes.
    """
    name = benchmark.name
    if not any(task.actions for task in benchmark.tasks):
        return [], [f"{name}: no task expects actions, so nothing was replayed"]
    settings = settings_of(benchmark.layout, config, options.environment, options.python)
    if settings is None:
        return [f'{name}: nothing says how to replay it: set "environment" in [replay]'], []
    found = replay(benchmark, settings, use_cache=options.cache, tick=cancelled)
    if found.problem is not None:
        return [f"{name}: {found.problem}"], []
    benchmark.replay = found
    stopped = [(task.id, result.problem) for task in benchmark.tasks if (result := found.of(task)) and result.problem]
    left = sum(bool(task.actions) and found.of(task) is None for task in benchmark.tasks)
    notes = [f'{name}: task "{task}" was not replayed to its end: {problem}' for task, problem in stopped[:_TOLD]]
    if len(stopped) > _TOLD:
        notes.append(f"{name}: {len(stopped) - _TOLD} more tasks were not replayed to their end")
    if left:
        notes.append(
            f"{name}: {left} {'task was' if left == 1 else 'tasks were'} not replayed: some actions are no calls"
        )
    return [], notes

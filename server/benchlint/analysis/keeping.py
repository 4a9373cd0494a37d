"""Looking after the cache of verdicts. `tell` is given sentences about a cache that had to be replaced."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from benchlint.analysis.hearing import Hearing, Store
from benchlint.analysis.options import JudgeOptions
from benchlint.analysis.rulebook import rules_of
from benchlint.analysis.snapshot import Snapshot
from benchlint.benchmark.discovery import discover
from benchlint.benchmark.loader import load as load_benchmark
from benchlint.config import ConfigLookup, load_config
from benchlint.config_schema import Config
from benchlint.judges.cache import CacheInfo, VerdictCache, read_lines
from benchlint.judges.errors import JudgeError
from benchlint.judges.keys import asker_key, asker_of, question_key, verdict_key
from benchlint.judges.spending import Purse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchlint.benchmark.model import Benchmark

    Tell = Callable[[str], None]

_DAY: Final = 86_400.0


def info(tell: Tell) -> CacheInfo:
    """Return what the cache holds."""
    with _opened(tell) as cache:
        return cache.info()


def clear(tell: Tell) -> int:
    """Delete every verdict; return how many there were."""
    with _opened(tell) as cache:
        return cache.clear()


def prune(days: float, tell: Tell) -> int:
    """Delete the verdicts that are older than some days; return how many."""
    with _opened(tell) as cache:
        return cache.prune(days * _DAY)


def load(path: str, tell: Tell) -> int:
    """Add the verdicts of an export; return how many. Raises OSError and JudgeError."""
    with _opened(tell) as cache:
        try:
            return cache.load(read_lines(path))
        except ValueError as error:
            raise JudgeError(f"{path}: {error}") from None


def export(paths: Sequence[str], config: str | None, judges: Sequence[str], tell: Tell) -> list[str]:
    """Return verdicts as lines: all, or those that a run over some paths would use.

    Raises ConfigError and JudgeError.
    """
    with _opened(tell) as cache:
        if not paths:
            return list(cache.export())
        keys: set[str] = set()
        known = set(cache.keys())
        everybody = sorted(set(map(asker_of, known)))
        for benchmark, hearing in hearings(paths, config, judges):
            askers = [asker_key(model.asker) for model in hearing.models] or everybody
            questions = [question_key(asked.request) for asked in hearing.requests(benchmark)]
            keys.update(verdict_key(asker, question) for asker in askers for question in questions)
        return list(cache.export(keys & known))


def hearings(
    paths: Sequence[str], config: str | None, judges: Sequence[str] = ()
) -> Iterator[tuple[Benchmark, Hearing]]:
    """Yield the benchmarks under some paths, each with its judges; nobody is asked.

    Raises ConfigError, JudgeError and Unreadable.
    """
    lookup = ConfigLookup(load_config(config) if config is not None else None)
    snapshot = Snapshot()
    found = discover(paths, lookup, snapshot.head)
    if found.problems or not found.layouts:
        reasons = [f"{path}: {reason}" for path, reason in found.problems] or list(found.notes)
        raise JudgeError("; ".join(reasons))
    for layout in found.layouts:
        settings = lookup(layout.config or layout.tasks[0]) or Config()
        benchmark = load_benchmark(layout, snapshot.read, settings)
        options = JudgeOptions(judges=tuple(judges), cache=False, estimate=True)
        yield benchmark, Hearing(settings, rules_of(settings), options, Store(use_cache=False), Purse(), _silent)


def _silent(done: int, total: int, name: str) -> None:
    pass


@contextmanager
def _opened(tell: Tell) -> Iterator[VerdictCache]:
    try:
        cache = VerdictCache()
    except OSError as error:
        raise JudgeError(f"the cache of verdicts cannot be opened: {error}") from None
    try:
        yield cache
    finally:
        for warning in cache.warnings:
            tell(warning)
        cache.close()

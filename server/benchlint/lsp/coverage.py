"""Which tasks challenge each item of a policy, by who says so: counted apart from everything, and never waited for."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchlint.lsp.log import LOG

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchlint.analysis.bench import Bench
    from benchlint.analysis.live_judging import LiveJudging
    from benchlint.analysis.offline_reading import OfflineReading
    from benchlint.benchmark.model import Benchmark

_CHUNK: Final = 4
_LONGEST_WAIT: Final = 1.0


class Challenged(NamedTuple):
    """How many tasks challenge an item as each source sees it; None where it says nothing about the item.

    The offline reader speaks only where it is sure: none of its own is not told.
    """

    judged: int | None
    guards: int | None
    offline: int | None

    def __str__(self) -> str:
        named = (("judged", self.judged), ("guards", self.guards), ("offline reader", self.offline or None))
        counts = [f"{_tasks(count)} ({name})" for name, count in named if count is not None]
        return f"challenged by {' · '.join(counts)}" if counts else "no task is seen to challenge it"


class Counts(NamedTuple):
    """The counts of a benchmark's items by their ids, and the objects that they were made from."""

    made_of: tuple[Any, ...]
    judged: Mapping[str, int] | None
    guards: Mapping[str, int]
    offline: Mapping[str, int] | None

    def of(self, item: str) -> Challenged:
        """Return the counts of an item."""
        return Challenged(
            self.judged.get(item, 0) if self.judged is not None else None,
            self.guards.get(item),
            self.offline.get(item, 0) if self.offline is not None else None,
        )


class Coverage:
    """Counts in the background, one benchmark after the other; `ready` is called there when one is done."""

    def __init__(self, live: LiveJudging, ready: Callable[[], None], is_busy: Callable[[], bool]) -> None:
        self._live = live
        self._ready = ready
        self._is_busy = is_busy
        self._counts: dict[str, Counts] = {}
        self._offline: dict[str, OfflineReading] = {}
        self._wanted: dict[str, tuple[Benchmark, tuple[Any, ...], bool]] = {}
        self._lock = threading.Lock()
        self._runs = False

    def of(self, benchmark: Benchmark, *, trusted: bool) -> Counts | None:
        """Return the counts of a benchmark as they were last; where they are old they are made anew meanwhile."""
        bench = self._live.benches.get(benchmark.name)
        made_of = (benchmark, bench.answers if bench is not None else None, trusted)
        known = self._counts.get(benchmark.name)
        if known is None or any(one is not other for one, other in zip(known.made_of, made_of, strict=True)):
            with self._lock:
                self._wanted[benchmark.name] = benchmark, made_of, trusted
                if not self._runs:
                    self._runs = True
                    threading.Thread(target=self._run, name="coverage", daemon=True).start()
        return known

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._wanted:
                    self._runs = False
                    return
                name = next(iter(self._wanted))
                benchmark, made_of, trusted = self._wanted.pop(name)
            try:
                counts = self._count(benchmark, made_of, trusted=trusted)
            except Exception as error:  # a policy and its guards can hold anything
                LOG.info("coverage of %s: %s: %s", name, type(error).__name__, error)
                counts = Counts(made_of, None, {}, None)
            earlier = self._counts.get(name)
            self._counts[name] = counts
            if earlier is None or earlier[1:] != counts[1:]:
                self._ready()

    def _count(self, benchmark: Benchmark, made_of: tuple[Any, ...], *, trusted: bool) -> Counts:
        bench = self._live.benches.get(benchmark.name)
        judged = _judged(benchmark, bench) if bench is not None and bench.benchmark is benchmark else None
        guards: dict[str, int] = {}
        if trusted and benchmark.items is not None:
            from benchlint.guards.challenges import challenges

            self._let_through()
            guards = {item: len(tasks) for item, tasks in challenges(benchmark).items()}
        return Counts(made_of, judged, guards, self._read(benchmark))

    def _read(self, benchmark: Benchmark) -> dict[str, int] | None:
        """Count what the offline reader says of all tasks."""
        if benchmark.policy is None:
            return None
        from benchlint.analysis.offline_reading import OfflineReading

        reading = self._offline.setdefault(benchmark.name, OfflineReading())
        complete = False
        found: Mapping[int, Any] = {}
        while not complete:
            self._let_through()
            found, complete = reading.read(benchmark, benchmark.tasks, _CHUNK)
        return _counted({item.policy_item for item in pair[1].violations} for pair in found.values())

    def _let_through(self) -> None:
        """Wait a little while something more urgent runs."""
        until = time.monotonic() + _LONGEST_WAIT
        while self._is_busy() and time.monotonic() < until:
            time.sleep(0.005)


def _judged(benchmark: Benchmark, bench: Bench) -> dict[str, int] | None:
    """Count what judges say; None where no task has a verdict."""
    from benchlint.analysis.standing import text_key
    from benchlint.judges.protocol import Verdict

    found = []
    for task in benchmark.tasks if bench.answers else ():
        answer = bench.answers.get(text_key(task), {}).get("violations")
        verdict = getattr(answer, "verdict", answer)
        if isinstance(verdict, Verdict):
            found.append({item.policy_item for item in verdict.violations})
    return _counted(found) if found else None


def _counted(found: Any) -> dict[str, int]:
    counts: dict[str, int] = {}
    for items in found:
        for item in items:
            counts[item] = counts.get(item, 0) + 1
    return counts


def _tasks(count: int) -> str:
    return f"{count:,} task{'' if count == 1 else 's'}"

"""Expected actions that are run from the editor: where somebody asks for it, on a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any, Final

from benchlint.lsp.background import in_background
from benchlint.lsp.log import LOG
from benchlint.lsp.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.analysis.live_replay import LiveReplay
    from benchlint.analysis.run import Result
    from benchlint.benchmark.model import Benchmark
    from benchlint.config_schema import Config
    from benchlint.lsp.progress import Ask, Send
    from benchlint.lsp.session import Session
    from benchlint.replay.results import Replay

UNTRUSTED: Final = "nothing is replayed: the workspace is not trusted"
NO_BENCHMARK: Final = "nothing is replayed: the file belongs to no benchmark"
BUSY: Final = "a replay is running; it can be cancelled where its progress is shown"


class _Cancelled(Exception):  # noqa: N818
    """The user does not want the rest."""


class Replays:
    """The replays of one session, one at a time, on the event loop's thread."""

    def __init__(self, session: Session, live: LiveReplay, send: Send, ask: Ask) -> None:
        self.live = live
        self._session = session
        self._send = send
        self._ask = ask
        self._loop = asyncio.get_running_loop()
        self._running: tuple[str, threading.Event] | None = None

    async def replay(self, path: str) -> dict[str, Any]:
        """Replay the benchmarks of a file; return once it is linted anew what came of it, with a sentence."""
        linted = await self._session.settled()
        if not linted.world.trusted:
            return _refused(UNTRUSTED)
        if self._running is not None:
            return _refused(BUSY)
        wanted = [item for result in linted.results for item in _of(result, path)]
        if not wanted:
            return _refused(NO_BENCHMARK)
        progress = Progress("Replaying", self._send, self._ask, shown=self._session.client.progress)
        cancelled = threading.Event()
        self._running = progress.token, cancelled

        def report(message: str, percentage: int) -> None:
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(progress.report, message, percentage)

        try:
            told = await in_background("replay", lambda: _replayed(self.live, wanted, cancelled, report))
        finally:
            self._running = None
        progress.end(told["message"])
        LOG.info("replayed: %s", told["message"])
        if self._session.world.trusted:
            self._session.replayed(self.live.revision)
            await self._session.settled()
        return told

    def cancel(self, token: Any) -> None:
        """End what a progress bar shows."""
        if self._running is not None and self._running[0] == str(token):
            self._running[1].set()

    def stop(self) -> None:
        """End what is running before the next task."""
        if self._running is not None:
            self._running[1].set()


def _of(result: Result, path: str) -> list[tuple[Benchmark, Config]]:
    """Return the benchmarks that a file belongs to: as tasks, as policy, or as items."""
    found = []
    for benchmark in result.benchmarks:
        layout = benchmark.layout
        paths = {source.document.path for source in benchmark.sources}
        if path in paths or path in (*layout.policy, *layout.items):
            found.append((benchmark, result.settings[benchmark.name]))
    return found


def _replayed(
    live: LiveReplay,
    wanted: list[tuple[Benchmark, Config]],
    cancelled: threading.Event,
    report: Callable[[str, int], None],
) -> dict[str, Any]:
    """Replay benchmarks, and say what came of it."""
    tasks = failed = 0
    problems: list[str] = []
    try:
        for benchmark, config in wanted:
            total, done = sum(bool(task.actions) for task in benchmark.tasks), 0

            def tick(total: int = total) -> None:
                nonlocal done
                if cancelled.is_set():
                    raise _Cancelled
                report(f"{done} of {total} tasks", 100 * done // max(total, 1))
                done += 1

            found, problem = live.run(benchmark, config, tick)
            if problem is not None:
                problems.append(problem)
            elif found is not None:
                tasks += len(found.tasks)
                failed += _failed(found)
    except _Cancelled:
        return {"tasks": tasks, "failing": failed, "cancelled": True, "message": "cancelled; nothing new is kept"}
    except Exception as error:  # whatever goes wrong is told, and ends nothing else
        LOG.exception("replay failed")
        problems.append(f"replay failed: {type(error).__name__}: {error}")
    count = "1 task was replayed" if tasks == 1 else f"{tasks:,} tasks were replayed"
    fail = f"{failed or 'no'} {'action fails' if failed == 1 else 'actions fail'}"
    said = [f"{count}; {fail}"] if tasks or not problems else []
    return {
        "tasks": tasks,
        "failing": failed,
        "cancelled": False,
        "problems": problems,
        "message": "; ".join([*said, *problems]),
    }


def _failed(found: Replay) -> int:
    return sum(step.failure is not None for task in found.tasks.values() for step in task.steps)


def _refused(message: str) -> dict[str, Any]:
    return {"tasks": 0, "failing": 0, "cancelled": False, "problems": [message], "message": message}

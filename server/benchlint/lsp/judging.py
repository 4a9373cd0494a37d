"""When judges are asked in the editor, what is on its way, and what the client is told of it.

No check ever waits for a judge: questions are put on threads of their own,
and every verdict that comes makes another world to lint.
"""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any, Final

from benchlint.analysis.live_judging import AT_ONCE, LiveJudging
from benchlint.lsp.coverage import Coverage
from benchlint.lsp.log import LOG
from benchlint.lsp.lookups import Lookups
from benchlint.lsp.progress import Progress
from benchlint.lsp.rounds import Rounds
from benchlint.lsp.status import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from benchlint.analysis.bench import Bench
    from benchlint.analysis.hearing import Hearing
    from benchlint.analysis.standing import TextKey
    from benchlint.benchmark.model import Task
    from benchlint.judges.protocol import Usage
    from benchlint.lsp.judge_pass import Pass
    from benchlint.lsp.lookups import Prices
    from benchlint.lsp.progress import Ask, Send
    from benchlint.lsp.session import Session
    from benchlint.lsp.world import Linted

NOBODY: Final = "no model is asked: name some under [judge] in benchlint.toml, or in the setting benchlint.judge.models"
UNTRUSTED: Final = "nothing is judged: the workspace is not trusted"

_IDLE: Final = 2.0
"""Seconds without a change after which a task is judged, where that is wanted while typing."""

_LULL: Final = 0.7
"""Seconds without a change after which verdicts are looked up in the cache."""

_RELINT: Final = 0.25
"""The least time between two lints for verdicts that have come."""

_AT_MOST: Final = 20
"""So many changed tasks are judged unasked; where more were changed at once, somebody should say so."""

_WARNING: Final = 2


class Judges:
    """The judges of one session, on the event loop's thread."""

    def __init__(self, session: Session, send: Send, ask: Ask) -> None:
        self.live = LiveJudging(retired=_close, at_once=AT_ONCE)
        self._session = session
        self._loop = asyncio.get_running_loop()
        self.status = Status(session, send, ask, self._loop.call_later)
        self.coverage = Coverage(self.live, lambda: self._to_loop(self._redraw), self._is_busy)
        self.lookups = Lookups(
            self.live,
            lambda: self._to_loop(self._note),
            lambda prices: self._to_loop(self._looked_up, prices),
            self._is_busy,
        )
        self._send = send
        self.rounds = Rounds(
            self.live,
            lambda title: Progress(title, send, ask, shown=session.client.progress),
            self._came,
            self._warn,
            self._to_loop,
        )
        # By benchmark: the verdicts, and what the lenses of its tasks say of them.
        self.titles: dict[str, tuple[object, dict[TextKey, str]]] = {}
        self._seen: dict[str, frozenset[TextKey]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_noted = False
        self._redraws = 0
        self._revision = 0
        self._said: set[str] = set()

    @property
    def benches(self) -> list[Bench]:
        """The benchmarks that are judged."""
        return list(self.live.benches.values())

    @property
    def spent(self) -> Usage | None:
        """What the session's calls took; None where judges were never looked for."""
        return self.live.spent if self.live.is_used else None

    @property
    def drawn(self) -> tuple[int, ...]:
        """What changes where lenses would look otherwise, though no text has changed."""
        stale = sum(bench.stale_tasks() for bench in self.benches)
        return self._session.linted.world.judged, stale, len(self.benches), self._redraws

    def linted(self, linted: Linted) -> None:
        """Take what was found: see which texts there were first, and look verdicts up before long."""
        judged = [bench for bench in self.benches if bench.hearing.judges]
        for bench in judged:
            if bench.benchmark.name not in self._seen:
                self._seen[bench.benchmark.name] = _texts(bench)
        if linted.early:
            return
        for problem in self.live.problems:
            self._warn(problem)
        if not linted.world.trusted:
            self.rounds.cancel_all()
        if self.live.is_carried:
            self._later("exact", _LULL, self._relint)
        if judged:
            self._later("lookup", _LULL, self._look_up)
        self.status.changed()

    def edited(self, path: str) -> None:
        """Judge what was changed in a file, a while after the last change, where that is wanted."""
        if self._session.world.settings.judge.when == "onType":
            self._later(path, _IDLE, lambda: self._judge_changes(path))

    def saved(self, path: str) -> None:
        """Judge what was changed in a file, where that is wanted on saving."""
        if self._session.world.settings.judge.when != "manual":
            timer = self._timers.pop(path, None)
            if timer is not None:
                timer.cancel()
            self._judge_changes(path)

    async def judge(
        self, path: str, task: str | None = None, *, whole: bool = False, stale: bool = False
    ) -> dict[str, Any]:
        """Judge a task of a file, all of the file, or its `whole` benchmark; only what is `stale` where that is said.

        Returns what came of it, with a sentence for the user, once that has
        come to its end and is shown.
        """
        from benchlint.analysis.standing import text_key
        from benchlint.lsp.judge_pass import Work

        await self._session.settled()
        benches = self._benches(path)
        if not benches:
            return self._refused(self._why_nobody())
        works, total = [], 0
        for bench in benches:
            tasks = [
                item
                for item in bench.benchmark.tasks
                if (whole or item.slice.document.path == path)
                and task in (None, item.id)
                and (not stale or text_key(item) in bench.stale)
            ]
            works.append(Work(bench, tasks, whole))
            total += len(tasks)
        if not total and not whole:
            return self._refused(f'there is no task "{task}" here' if task is not None else "there is no task to judge")
        title = f"Judging task {task}" if task is not None else f"Judging {total:,} task{'' if total == 1 else 's'}"
        future: asyncio.Future[Pass] = self._loop.create_future()
        self.rounds.start(title, works, future)
        done = await future
        self._relint()
        await self._session.settled()
        return self.rounds.summary(done)

    def forget(self) -> None:
        """Forget the verdicts of the session: the cache was emptied."""
        self.live.standing.clear()
        self.lookups.forget()
        for bench in self.live.benches.values():
            for judge in bench.hearing.judges:
                getattr(judge, "forget", lambda: None)()
        self._note()

    def stop(self) -> None:
        """End everything."""
        for timer in self._timers.values():
            timer.cancel()
        self.rounds.cancel_all()
        self.lookups.stop()

    def _judge_changes(self, path: str) -> None:
        self._run(self._judge_changed(path))

    async def _judge_changed(self, path: str) -> None:
        from benchlint.lsp.judge_pass import Work

        await self._session.settled()
        works = []
        for bench in self._benches(path):
            seen = self._seen.get(bench.benchmark.name, frozenset())
            tasks = [
                item
                for item in bench.benchmark.tasks
                if item.slice.document.path == path and _is_new(bench, item, seen)
            ]
            if len(tasks) > _AT_MOST:
                self._warn(f"{len(tasks)} tasks of {path} were changed; judge them by the command Judge File")
            elif tasks and not self.rounds.is_limited(bench):
                works.append(Work(bench, tasks))
        if works:
            count = sum(len(work.tasks) for work in works)
            only = works[0].tasks[0].id
            self.rounds.give_up_outdated({bench.benchmark.name: _texts(bench) for bench in self.benches})
            self.rounds.start(f"Judging task {only}" if count == 1 else f"Judging {count} tasks", works)

    def _refused(self, message: str) -> dict[str, Any]:
        self._show(message)
        return {"verdicts": 0, "requests": 0, "calls": 0, "cancelled": False, "stopped": message, "message": message}

    def _why_nobody(self) -> str:
        if not self._session.world.trusted:
            return UNTRUSTED
        return next(iter(self.live.problems), NOBODY)

    def _benches(self, path: str) -> list[Bench]:
        """Return the benchmarks with judges that a file belongs to, as a file of tasks or as its policy."""
        found = []
        for bench in list(self.live.benches.values()):
            policy = bench.benchmark.policy
            paths = {source.document.path for source in bench.benchmark.sources}
            if bench.hearing.judges and (path in paths or (policy is not None and path in policy.paths)):
                found.append(bench)
        return found

    def _look_up(self) -> None:
        """Look verdicts up in the cache for texts that have none of now."""
        if self.lookups.is_running:
            self._later("lookup", _LULL, self._look_up)
        else:
            self.lookups.start()

    def _looked_up(self, prices: dict[str, Prices]) -> None:
        self.lookups.take(prices)
        self._note()
        self._redraw()

    def _redraw(self) -> None:
        self._redraws += 1
        self.status.changed()

    def _came(self) -> None:
        """Take notice that a verdict has come, or that a round has begun or ended."""
        self._note()
        self.status.changed()

    def _note(self) -> None:
        """Lint again for verdicts that have come, not too often."""
        if not self._is_noted and self.live.standing.revision != self._revision:
            self._is_noted = True
            self._loop.call_later(_RELINT, self._relint)

    def _relint(self) -> None:
        self._is_noted = False
        self._revision = self.live.standing.revision
        self._session.judged()

    def _warn(self, message: str) -> None:
        """Show a message, once in a session."""
        if message not in self._said:
            self._said.add(message)
            self._show(message)

    def _show(self, message: str) -> None:
        LOG.info("%s", message)
        self._send("window/showMessage", {"type": _WARNING, "message": f"benchlint: {message}"})

    def _later(self, name: str, seconds: float, function: Callable[[], None]) -> None:
        """Call something after a while, in place of what was to be called under the name."""
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()

        def call() -> None:
            self._timers.pop(name, None)
            function()

        self._timers[name] = self._loop.call_later(seconds, call)

    def _run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _is_busy(self) -> bool:
        """Say whether something is linted or typed: what nobody has asked for waits."""
        return self._session.worker.is_busy or time.monotonic() - self._session.changed_at < _LULL

    def _to_loop(self, function: Callable[..., None], *arguments: Any) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *arguments)


def _close(hearing: Hearing) -> None:
    """Let judges go that count no longer, without waiting for them."""
    threading.Thread(target=hearing.close, name="judge-close", daemon=True).start()


def _texts(bench: Bench) -> frozenset[TextKey]:
    return frozenset(bench.texts())


def _is_new(bench: Bench, task: Task, seen: frozenset[TextKey]) -> bool:
    """Say whether a task was changed in this session and lacks a verdict. One that is only stale is not asked about."""
    from benchlint.analysis.standing import text_key

    key = text_key(task)
    return key not in seen and key not in bench.stale and bench.lacks(key)

"""One run: many requests, their verdicts one by one, and an end at any time."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from benchlint.judges.protocol import NoVerdict, Usage, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchlint.judges.prompt import Asked

    Deliver = Callable[[Asked, Verdict | NoVerdict], None]

CANCELLED: Final = "cancelled before it was judged"

_YIELD_EVERY: Final = 16


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run: a verdict, or none, for each request in its order.

    `cached` counts the verdicts that were there already, `usage` is what the
    others took, and `stopped` says why the run ended early.
    """

    verdicts: tuple[Verdict | NoVerdict, ...]
    cached: int = 0
    usage: Usage = field(default_factory=Usage)
    stopped: str | None = None


class Source(Protocol):
    """Where a run takes its verdicts from."""

    name: str
    lanes: int
    """How many requests may be on their way at once; 0 where only what is there counts."""

    def known(self, asked: Asked) -> Verdict | NoVerdict | None:
        """Return what is known already, without a model; None where a model must be asked."""

    async def find(self, asked: Asked) -> tuple[Verdict | NoVerdict, Usage, str | None]:
        """Ask a model; the text says why no further request should be made."""


class Run:
    """A run over some requests. `deliver` is called for each verdict, one at a time.

    After `cancel` has returned nothing is delivered any more.
    """

    def __init__(self, source: Source, asked: Sequence[Asked], deliver: Deliver | None = None) -> None:
        self._source = source
        self._asked = tuple(asked)
        self._deliver = deliver
        self._verdicts: list[Verdict | NoVerdict | None] = [None] * len(self._asked)
        self._cached = 0
        self._usage = Usage()
        self._stopped: str | None = None
        self._cancelled = False
        self._error: BaseException | None = None
        self._stop: Callable[[], object] | None = None
        self._lock = threading.RLock()
        self._finished = threading.Event()

    @property
    def outcome(self) -> Outcome:
        """What there is so far; what is missing is no verdict."""
        with self._lock:
            reason = CANCELLED if self._cancelled else self._stopped or "not judged yet"
            verdicts = (
                verdict or NoVerdict(asked.request.metric, self._source.name, reason)
                for asked, verdict in zip(self._asked, self._verdicts, strict=True)
            )
            return Outcome(tuple(verdicts), self._cached, self._usage, self._stopped)

    def cancel(self) -> None:
        """End the run. What is there stays; calls on their way are given up."""
        with self._lock:
            self._cancelled = True
            stop = self._stop
        if stop is not None:
            stop()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end, at most some seconds; say whether it has come.

        What `deliver` raised is raised here.
        """
        if timeout is None:
            while not self._finished.wait(0.2):  # so that Ctrl-C is heard on every platform
                pass
        elif not self._finished.wait(timeout):
            return False
        if self._error is not None:
            raise self._error
        return True

    def look_up(self) -> Iterator[None]:
        """Deliver what is known already; yields now and then, so that others can go on."""
        for index, asked in enumerate(self._asked):
            if self._cancelled:
                return
            verdict = self._source.known(asked)
            if verdict is None and not self._source.lanes:
                verdict = NoVerdict(asked.request.metric, self._source.name, "no cached verdict")
            if verdict is not None:
                self._cached += isinstance(verdict, Verdict)
                self._give(index, verdict)
            if index % _YIELD_EVERY == 0:
                yield

    @property
    def open(self) -> bool:
        """Whether requests are left that a model must be asked."""
        return not self._cancelled and None in self._verdicts

    def finish(self) -> None:
        """Mark the end of a run in which no model is asked."""
        self._finished.set()

    async def go(self, look_up: bool = True) -> None:
        """Do the run on the current event loop."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        try:
            with self._lock:
                self._stop = lambda: loop.call_soon_threadsafe(task.cancel)
                if self._cancelled:
                    return
            if look_up:
                for _ in self.look_up():
                    await asyncio.sleep(0)
            waiting = iter([index for index, verdict in enumerate(self._verdicts) if verdict is None])
            async with asyncio.TaskGroup() as lanes:
                for _ in range(min(self._source.lanes, self._verdicts.count(None))):
                    lanes.create_task(self._lane(waiting))
        except asyncio.CancelledError:
            self._cancelled = True
        except BaseExceptionGroup as group:
            self._error = group.exceptions[0]
        except Exception as error:  # raised again by `wait`
            self._error = error
        finally:
            with self._lock:
                self._stop = None
            self._finished.set()

    async def _lane(self, waiting: Iterator[int]) -> None:
        for index in waiting:
            if self._stopped is not None:
                return
            verdict, usage, stopped = await self._source.find(self._asked[index])
            with self._lock:
                self._usage += usage
                self._stopped = self._stopped or stopped
            if stopped is None or isinstance(verdict, Verdict):
                self._give(index, verdict)

    def _give(self, index: int, verdict: Verdict | NoVerdict) -> None:
        with self._lock:
            if self._cancelled:
                return
            self._verdicts[index] = verdict
            if self._deliver is not None:
                self._deliver(self._asked[index], verdict)

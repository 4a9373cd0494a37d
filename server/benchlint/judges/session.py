"""Judging many tasks: what is in the cache is read, the rest is asked of a model."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from typing import TYPE_CHECKING, Any, Final, Protocol

from benchlint.judges.budget import expected_usd
from benchlint.judges.given_up import GivenUp
from benchlint.judges.keys import asker_key, question_key, verdict_key
from benchlint.judges.loop import SharedLoop
from benchlint.judges.protocol import NoAnswerError, NoVerdict, Usage, Verdict
from benchlint.judges.reading import LIKELIHOOD, read
from benchlint.judges.run import Outcome, Run
from benchlint.judges.spending import Purse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchlint.judges.prices import Price
    from benchlint.judges.prompt import Asked
    from benchlint.judges.protocol import Model
    from benchlint.judges.run import Deliver

_GIVE_UP: Final = 8
"""After how many failures in a row, retries included, an endpoint is taken to be down."""


class Store(Protocol):
    """Where answers are kept; `VerdictCache` is one."""

    def get(self, key: str) -> dict[str, Any] | None:
        """Return an entry, or None."""

    def put(self, key: str, entry: dict[str, Any]) -> None:
        """Keep an entry."""


class Memory(dict[str, dict[str, Any]]):
    """A store that lasts as long as the process."""

    def put(self, key: str, entry: dict[str, Any]) -> None:
        """Keep an entry."""
        self[key] = entry


class Session:
    """A judge: one model, a store of its answers, and a purse.

    Requests that are on their way already are not asked twice. Calls run on
    the one event loop of all sessions, which starts with the first of them.
    """

    def __init__(
        self,
        model: Model,
        store: Store | None = None,
        purse: Purse | None = None,
        likelihood: float = LIKELIHOOD,
    ) -> None:
        self.model = model
        self.name = model.name
        self.lanes = model.concurrency
        self.store: Store = Memory() if store is None else store
        self.purse = purse or Purse()
        self.warnings: list[str] = []
        """Sentences about a store that does not work."""
        self._likelihood = likelihood
        self._asker = asker_key(model.asker)
        self._unusable: dict[str, NoVerdict] = {}
        self._unkept: dict[str, dict[str, Any]] = {}
        self._flights: dict[str, _Flight] = {}
        self._failures = 0
        self._share: SharedLoop | None = None
        self._starting = threading.Lock()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def price(self) -> Price | None:
        """What the model's tokens cost, where it is known."""
        return self.model.price

    def key(self, asked: Asked) -> str:
        """Return the key of a request's answer in the store."""
        return verdict_key(self._asker, question_key(asked.request))

    def known(self, asked: Asked) -> Verdict | NoVerdict | None:
        """Return the verdict that is in the store.

        A reply of this session that could not be used is no verdict, and is
        not asked for again until `forget`.
        """
        return self._known(asked, self.key(asked))

    def _known(self, asked: Asked, key: str) -> Verdict | NoVerdict | None:
        entry = self._unkept.get(key) or self._stored(key)
        if entry is not None:
            verdict = read(asked, entry.get("answer"), self.name, self._likelihood)
            if isinstance(verdict, Verdict):
                return verdict
        return self._unusable.get(key)

    def _stored(self, key: str) -> dict[str, Any] | None:
        try:
            return self.store.get(key)
        except (OSError, sqlite3.Error) as error:
            self._warn(f"cached verdicts cannot be read: {error}")
            return None

    def _keep(self, key: str, entry: dict[str, Any]) -> None:
        """Store an answer; where that fails it lasts as long as the session."""
        try:
            self.store.put(key, entry)
        except (OSError, sqlite3.Error) as error:
            self._warn(f"verdicts cannot be kept in the cache: {error}")
            self._unkept[key] = entry

    def _warn(self, warning: str) -> None:
        if warning not in self.warnings:
            self.warnings.append(warning)

    def forget(self) -> None:
        """Let replies that could not be used be asked for again."""
        self._unusable.clear()

    def run(self, asked: Sequence[Asked], deliver: Deliver | None = None) -> Outcome:
        """Judge all that is asked and wait for it; Ctrl-C ends the calls."""
        run = Run(self, asked, deliver)
        for _ in run.look_up():
            pass
        if run.open:
            self._loop().submit(run.go(look_up=False))
            try:
                run.wait()
            except KeyboardInterrupt:
                run.cancel()
                run.wait()
                raise
        return run.outcome

    def start(self, asked: Sequence[Asked], deliver: Deliver | None = None) -> Run:
        """Judge all that is asked in the background; `deliver` is called on the session's thread."""
        run = Run(self, asked, deliver)
        self._loop().submit(run.go())
        return run

    async def assess(self, asked: Asked) -> Verdict | NoVerdict:
        """Judge one request on the current event loop."""
        known = self.known(asked)
        return known if known is not None else (await self.find(asked))[0]

    async def find(self, asked: Asked) -> tuple[Verdict | NoVerdict, Usage, str | None]:
        """Ask the model, unless the answer is on its way or has come meanwhile.

        The text says why no further request should be made.
        """
        key = self.key(asked)
        flight = self._flights.get(key)
        if flight is None:
            known = self._known(asked, key)
            if known is not None:
                return known, Usage(), None
            flight = self._flights[key] = _Flight(asyncio.ensure_future(self._ask(asked, key)))
            flight.task.add_done_callback(lambda _: self._flights.pop(key, None))
            return await flight.wait()
        found, _, stopped = await flight.wait()
        return found, Usage(), stopped

    def close(self) -> None:
        """Give up what is on its way and close the model's connections."""
        if self._share is not None:
            self._share.close(self._end())
            self._share = None

    def _loop(self) -> SharedLoop:
        with self._starting:
            if self._share is None:
                self._share = SharedLoop()
            return self._share

    async def _end(self) -> None:
        """Let the calls that nobody waits for any more come to their end, then close the connections."""
        await asyncio.gather(*(flight.task for flight in self._flights.values()), return_exceptions=True)
        await self.model.close()

    async def _ask(self, asked: Asked, key: str) -> tuple[Verdict | NoVerdict, Usage, str | None]:
        request = asked.request
        expected = self._expected(asked)
        refusal = self.purse.open(expected)
        if refusal is not None:
            return NoVerdict(request.metric, self.name, refusal), Usage(), refusal
        taken = 1

        def allowed() -> bool:
            nonlocal taken
            more = self.purse.take()
            taken += more
            return more

        usage = Usage()
        try:
            answer = await self.model.answer(request, allowed)
            usage = answer.usage
        except NoAnswerError as error:
            usage = error.usage
            return self._failed(asked, key, error)
        except GivenUp as error:
            usage = error.usage
            raise
        finally:
            self.purse.settle(taken, expected, usage)
        self._failures = 0
        verdict = read(asked, answer.data, self.name, self._likelihood)
        if isinstance(verdict, NoVerdict):
            self._unusable[key] = verdict
            return verdict, usage, None
        entry = {"answer": answer.data, "model": self.name, "metric": request.metric, "about": request.key}
        spent = {"calls": usage.calls, "tokens_in": usage.tokens_in, "tokens_out": usage.tokens_out, "usd": usage.usd}
        self._keep(key, {**entry, "usage": spent})
        return verdict, usage, None

    def _failed(self, asked: Asked, key: str, error: NoAnswerError) -> tuple[NoVerdict, Usage, str | None]:
        """Count a failure; an endpoint that fails again and again is not asked any more."""
        verdict = NoVerdict(asked.request.metric, self.name, error.reason)
        if error.outage == "none":
            self._failures = 0
            self._unusable[key] = verdict
            return verdict, error.usage, None
        self._failures += 1
        if error.outage == "fatal":
            return verdict, error.usage, error.reason
        stopped = f"{error.reason}; {self._failures} requests in a row failed" if self._failures >= _GIVE_UP else None
        return verdict, error.usage, stopped

    def _expected(self, asked: Asked) -> float | None:
        """Return what a request is expected to cost, as far as a limit makes it matter."""
        if self.purse.max_usd is None or self.price is None:
            return None
        return expected_usd(self.price, asked.request)


class _Flight:
    """A request on its way, and how many wait for it. The last one to give up stops it."""

    def __init__(self, task: asyncio.Future[tuple[Verdict | NoVerdict, Usage, str | None]]) -> None:
        self.task = task
        self._waiting = 0

    async def wait(self) -> tuple[Verdict | NoVerdict, Usage, str | None]:
        self._waiting += 1
        try:
            return await asyncio.shield(self.task)
        finally:
            self._waiting -= 1
            if not self._waiting and not self.task.done():
                self.task.cancel()

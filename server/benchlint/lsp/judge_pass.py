"""One round of questions to judges: on a thread of its own, with a flag that ends it."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchlint.lsp.log import LOG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchlint.analysis.bench import Bench
    from benchlint.analysis.standing import Answer, Standing, TextKey
    from benchlint.benchmark.model import Task
    from benchlint.judges.prompt import Asked
    from benchlint.judges.protocol import Metric
    from benchlint.judges.session import Session

_CHUNK: Final = 16
"""So many tasks are put into questions before others are let through."""

_LONGEST_WAIT: Final = 1.0


class Work(NamedTuple):
    """Texts of one benchmark that judges are asked about; with `policy` the policy as such."""

    bench: Bench
    tasks: Sequence[Task]
    policy: bool = False


class Pass:
    """A round of questions.

    What is known already is looked up; the rest is asked, unless `ask` is
    False. `told` is called, on several threads, where something has come,
    `done` at the end. `is_busy` says whether something more urgent runs.
    `total` questions were found, `given` are answered, `missing` of them
    without a verdict. `stopped` says why no more was asked, `failed` what
    went wrong.
    """

    def __init__(
        self,
        works: Sequence[Work],
        standing: Standing,
        *,
        ask: bool,
        told: Callable[[], None],
        done: Callable[[Pass], None],
        is_busy: Callable[[], bool] = lambda: False,
    ) -> None:
        self.works = works
        self.total = 0
        self.given = 0
        self.missing = 0
        self.calls = 0
        self.stopped: str | None = None
        self.failed: str | None = None
        self.is_cancelled = False
        self.prices: dict[str, dict[tuple[TextKey, Metric], float | None]] = {}
        """Where nobody is asked: what each question would be likely to cost in US dollars, by benchmark."""
        self._standing = standing
        self._ask = ask
        self._told = told
        self._done = done
        self._is_busy = is_busy
        self._cancel: Callable[[], None] | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Begin, on a thread that does not keep the process alive."""
        threading.Thread(target=self._run, name="judge-pass", daemon=True).start()

    def cancel(self) -> None:
        """End it: nothing more is asked or kept. What is there stays."""
        with self._lock:
            self.is_cancelled = True
            cancel = self._cancel
        if cancel is not None:
            cancel()

    def _run(self) -> None:
        try:
            if not self._ask:
                for work in self.works:
                    self._look_up(work)
                return
            asked = [(work, list(self._questions(work))) for work in self.works]
            self.total = sum(len(items) for _, items in asked)
            self._told()
            for work, items in asked:
                if items and not self.is_cancelled:
                    self._settle(work, items)
        except Exception as error:  # whatever a judge raises is told, and ends nothing else
            LOG.exception("judging failed")
            self.failed = f"{type(error).__name__}: {error}"
        finally:
            self._done(self)

    def _questions(self, work: Work) -> Iterator[Asked]:
        """Yield what would be asked: all that has no verdict of now."""
        from benchlint.analysis.standing import is_given, text_key
        from benchlint.judges.prompt import ask

        bench = work.bench
        rules = bench.hearing.rules.values()
        for start in range(0, len(work.tasks), _CHUNK):
            self._let_through()
            if self.is_cancelled:
                return
            metrics = [metric for metric in bench.metrics if metric != "contradictions"]
            for item in ask(bench.benchmark, rules, metrics, work.tasks[start : start + _CHUNK], bench.hearing.prompts):
                key, metric = text_key(item.task), item.request.metric
                known = bench.answers.get(key, {}).get(metric)
                if known is None or not is_given(known) or metric in bench.stale.get(key, ()):
                    yield item
        key = text_key(None)
        if work.policy and "contradictions" in bench.metrics and not self.is_cancelled:
            known = bench.answers.get(key, {}).get("contradictions")
            if known is None or not is_given(known) or key in bench.stale:
                yield from ask(bench.benchmark, rules, ["contradictions"], [], bench.hearing.prompts)

    def _settle(self, work: Work, items: list[Asked]) -> None:
        from benchlint.judges.session import Session

        sessions = [judge for judge in work.bench.hearing.judges if isinstance(judge, Session)]
        if sessions:
            self._call(work, sessions, items)
        else:
            for item in items:
                self._known(work, item)

    def _call(self, work: Work, judges: list[Session], items: list[Asked]) -> None:
        from benchlint.judges.panel import Panel

        for session in judges:
            session.forget()

        def deliver(item: Asked, answer: Answer) -> None:
            self._keep(work, item, answer)

        run: Any = judges[0].start(items, deliver) if len(judges) == 1 else Panel(judges).start(items, deliver)
        with self._lock:
            self._cancel = run.cancel
            is_cancelled = self.is_cancelled
        if is_cancelled:
            run.cancel()
        while not run.wait(0.2):
            pass
        outcome = run.outcome
        self.calls += outcome.usage.calls
        self.stopped = self.stopped or outcome.stopped

    def _look_up(self, work: Work) -> None:
        """Keep what is known already, and price the rest; no question outlives its turn."""
        from benchlint.analysis.standing import text_key

        prices = self.prices[work.bench.benchmark.name] = {}
        is_asked = work.bench.hearing.choice.asks
        for item in self._questions(work):
            if self.is_cancelled:
                return
            if not self._known(work, item) and is_asked:
                prices[text_key(item.task), item.request.metric] = likely_usd(work.bench, item)

    def _known(self, work: Work, item: Asked) -> bool:
        """Keep the verdict that is known already; say whether there is one."""
        from benchlint.analysis.standing import is_given
        from benchlint.judges.panel import Panel

        judges = work.bench.hearing.judges
        found = [verdict for judge in judges if (verdict := judge.known(item)) is not None and is_given(verdict)]
        if len(found) != len(judges):
            return False
        self._keep(work, item, found[0] if len(found) == 1 else Panel(judges).combined(found))
        return True

    def _keep(self, work: Work, item: Asked, answer: Answer) -> None:
        from benchlint.analysis.standing import Given, is_given, text_key

        metric = item.request.metric
        self._standing.put(
            work.bench.benchmark.name, text_key(item.task), metric, Given(answer, work.bench.reads[metric])
        )
        with self._lock:
            self.given += 1
            self.missing += not is_given(answer)
        self._told()

    def _let_through(self) -> None:
        """Wait a little while something more urgent runs."""
        until = time.monotonic() + _LONGEST_WAIT
        while self._is_busy() and time.monotonic() < until and not self.is_cancelled:
            time.sleep(0.005)


def likely_usd(bench: Bench, asked: Asked) -> float | None:
    """Return what a question is likely to cost in US dollars, None where that is not known."""
    from benchlint.judges.budget import expected_usd
    from benchlint.judges.session import Session

    usd = 0.0
    for judge in bench.hearing.judges:
        if isinstance(judge, Session):
            if judge.price is None:
                return None
            usd += expected_usd(judge.price, asked.request)
    return usd

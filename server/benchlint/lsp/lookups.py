"""Verdicts that are in the cache already, and what it would cost to ask for the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchlint.lsp.spending import price

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.analysis.bench import Bench
    from benchlint.analysis.live_judging import LiveJudging
    from benchlint.analysis.standing import TextKey
    from benchlint.judges.protocol import Metric
    from benchlint.lsp.judge_pass import Pass, Work

    Prices = dict[tuple[TextKey, Metric], float | None]

_SPARE: Final = 256
"""So many texts that are there no more keep their verdicts."""

_NOT_SEEN: Final = -1.0


class Offer(NamedTuple):
    """What could be judged: how many tasks, and the likely price in words, "" where nobody has looked yet."""

    tasks: int = 0
    price: str = ""


class Lookups:
    """Looks verdicts up, one round after the other, each text once.

    `told` is called, on another thread, for verdicts that were found, and
    `ended` at the end of a round, with the prices of what was not. `is_busy`
    says whether something more urgent runs.
    """

    def __init__(
        self,
        live: LiveJudging,
        told: Callable[[], None],
        ended: Callable[[dict[str, Prices]], None],
        is_busy: Callable[[], bool],
    ) -> None:
        self._live = live
        self._told = told
        self._ended = ended
        self._is_busy = is_busy
        self._looked: dict[str, tuple[Any, set[TextKey]]] = {}
        self._prices: dict[str, Prices] = {}
        self._offers: dict[str, tuple[Bench, tuple[Offer, Offer]]] = {}
        self._round: Pass | None = None

    @property
    def is_running(self) -> bool:
        """Whether a round is not at its end yet."""
        return self._round is not None

    def start(self) -> None:
        """Begin a round where there is anything to look up."""
        from benchlint.lsp.judge_pass import Pass

        works = [work for bench in list(self._live.benches.values()) if (work := self._work(bench)) is not None]
        if works:
            self._round = Pass(
                works,
                self._live.standing,
                ask=False,
                told=self._told,
                done=lambda item: self._ended(item.prices),
                is_busy=self._is_busy,
            )
            self._round.start()

    def take(self, prices: dict[str, Prices]) -> None:
        """Take the prices of a round that is at its end."""
        self._round = None
        self._offers.clear()
        for name, found in prices.items():
            self._prices[name] = {**self._prices.get(name, {}), **found}

    def forget(self) -> None:
        """Look everything up anew."""
        self._looked.clear()

    def stop(self) -> None:
        """End the round."""
        if self._round is not None:
            self._round.cancel()

    def offers(self, bench: Bench) -> tuple[Offer, Offer]:
        """Return what of a benchmark has verdicts that were made from something else than now, and what has none."""
        known = self._offers.get(bench.benchmark.name)
        if known is not None and known[0] is bench:
            return known[1]
        prices, of_tasks = self._prices.get(bench.benchmark.name, {}), bench.of_tasks
        stale, lacking = [], []
        for key in bench.texts():
            if key in bench.stale:
                stale.append([prices.get((key, metric), _NOT_SEEN) for metric in bench.stale[key]])
            elif key not in bench.complete:
                missing = [metric for metric in of_tasks if not bench.has(key, metric)]
                lacking.append([prices.get((key, metric), _NOT_SEEN) for metric in missing])
        offers = _offer(stale), _offer(lacking)
        self._offers[bench.benchmark.name] = bench, offers
        return offers

    def price(self, bench: Bench, key: TextKey) -> str:
        """Return the likely price of judging one text in words, "" where nobody has looked yet."""
        prices = self._prices.get(bench.benchmark.name, {})
        wanted = [
            metric for metric in bench.of_tasks if metric in bench.stale.get(key, ()) or not bench.has(key, metric)
        ]
        return _offer([[prices.get((key, metric), _NOT_SEEN) for metric in wanted]]).price

    def _work(self, bench: Bench) -> Work | None:
        from benchlint.analysis.standing import POLICY, text_key
        from benchlint.lsp.judge_pass import Work

        if not bench.hearing.judges:
            return None
        name, reads = bench.benchmark.name, tuple(bench.reads.items())
        known, looked = self._looked.get(name, (None, set()))
        if known != reads:
            looked = set()
        pairs = [(text_key(task), task) for task in bench.benchmark.tasks]
        tasks = [task for key, task in pairs if key not in looked and bench.lacks(key)]
        policy = POLICY not in looked and "contradictions" in bench.metrics
        self._looked[name] = reads, looked | {key for key, _ in pairs} | {POLICY}
        self._live.standing.keep(name, {POLICY, *(key for key, _ in pairs)}, _SPARE)
        return Work(bench, tasks, policy) if tasks or policy else None


def _offer(prices: list[list[float | None]]) -> Offer:
    found = [usd for of_task in prices for usd in of_task]
    if not found or _NOT_SEEN in found:
        return Offer(len(prices))
    known = [usd for usd in found if usd is not None]
    return Offer(len(prices), price(sum(known) if len(known) == len(found) else None))

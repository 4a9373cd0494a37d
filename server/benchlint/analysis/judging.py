"""The judges of a run. Whoever reads without a model costs nothing where there is nothing to read.

This module is light: what judges need is imported when one is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from benchlint.analysis.options import JudgeOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from benchlint.analysis.hearing import Hearing, Store
    from benchlint.analysis.scores import Answers, Key
    from benchlint.analysis.spoken import Said
    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.catalogue.finding import Finding
    from benchlint.catalogue.rule import Rule
    from benchlint.config_schema import Config
    from benchlint.judges.panel import PanelVerdict
    from benchlint.judges.protocol import Violation
    from benchlint.judges.spending import Purse

    Tick = Callable[[int, int, str], None]


class Heard(Struct, frozen=True, kw_only=True):
    """What judges said of a benchmark, and what follows.

    `ran` are the rules that were looked for in every task. `missing` counts
    the verdicts that were wanted and not given. `answers`, `panel` and
    `offline` are what a report is made from, `challengers` is its K.
    """

    findings: tuple[Finding, ...] = ()
    said: tuple[Said, ...] = ()
    ran: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    missing: int = 0
    answers: Answers = field(default_factory=dict)
    panel: Mapping[Key, PanelVerdict] = field(default_factory=dict)
    offline: Mapping[str, Sequence[Violation]] | None = None
    challengers: int | None = None


class Judging:
    """The judges of a run over benchmarks. It may be used again, and is closed at the end.

    `heard` is what was last said of each benchmark, by its name.
    """

    def __init__(
        self,
        options: JudgeOptions | None = None,
        tick: Tick = lambda done, total, name: None,
    ) -> None:
        self.options = options or JudgeOptions()
        self.tick = tick
        self.heard: dict[str, Heard] = {}
        self._hearings: dict[int, Hearing] = {}
        self._store: Store | None = None
        self._purse: Purse | None = None

    def judge(
        self,
        benchmark: Benchmark,
        rules: Mapping[str, Rule],
        chosen: Collection[str],
        config: Config,
        static: Iterable[Finding],
        tasks: Sequence[Task] | None = None,
        *,
        policy: bool = True,
    ) -> Heard:
        """Have a benchmark judged, or some of its tasks, and with `policy` its policy as such.

        `chosen` are the names of the rules to report, `static` what checks
        have found. Raises JudgeError and TrustError.
        """
        heard = Heard()
        if self._is_needed(benchmark, chosen, config):
            heard = self._hearing(config, rules).hear(benchmark, chosen, static, tasks, policy=policy)
        self.heard[benchmark.name] = heard
        return heard

    def uncalibrated(self, config: Config, benchmarks: Iterable[Benchmark], chosen: Collection[str]) -> list[Finding]:
        """Return findings about judges of a configuration that nobody has measured."""
        hearing = self._hearings.get(id(config))
        if hearing is None:
            return []
        return hearing.uncalibrated([(item, self.heard[item.name].said) for item in benchmarks], chosen)

    @property
    def missing(self) -> int:
        """How many wanted verdicts are missing."""
        return sum(heard.missing for heard in self.heard.values())

    @property
    def allowed(self) -> int:
        """How many may be."""
        if self.options.allow_missing is not None:
            return self.options.allow_missing
        return max((hearing.config.judge.allow_missing for hearing in self._hearings.values()), default=0)

    @property
    def is_lacking(self) -> bool:
        """Whether more verdicts are missing than may."""
        return self.missing > self.allowed

    @property
    def lack(self) -> tuple[str, ...]:
        """What must be told of missing verdicts, however quiet a run is."""
        if not self.is_lacking:
            return ()
        are = "verdict is" if self.missing == 1 else "verdicts are"
        return (f"{self.missing:,} wanted {are} missing, and allow-missing is {self.allowed:,}",)

    @property
    def told(self) -> list[str]:
        """Sentences about what was asked, or with `estimate` would be."""
        lines = [line for hearing in self._hearings.values() for line in hearing.told()]
        return [*(self._store.warnings if self._store is not None else ()), *lines]

    def close(self) -> None:
        """End the sessions and close the cache."""
        for hearing in self._hearings.values():
            hearing.close()
        if self._store is not None:
            self._store.close()

    def _is_needed(self, benchmark: Benchmark, chosen: Collection[str], config: Config) -> bool:
        """Say whether there is anything to judge; imports nothing where nobody has chosen judges."""
        named = config.judge.models is not None or config.judge.verdicts is not None
        if self.options.judges or self.options.thorough or named:
            return True
        if not any(task.behaviour for task in benchmark.tasks):
            return False
        from benchlint.judges.offline import RULES

        return not set(RULES).isdisjoint(chosen)

    def _hearing(self, config: Config, rules: Mapping[str, Rule]) -> Hearing:
        found = self._hearings.get(id(config))
        if found is None:
            from benchlint.analysis.hearing import Hearing, Store

            if self._store is None:
                self._store = Store(use_cache=self.options.cache)
            found = Hearing(config, rules, self.options, self._store, self._wallet(config), self.tick)
            self._hearings[id(config)] = found
        return found

    def _wallet(self, config: Config) -> Purse:
        """Return what may be spent: limits of the command line hold for the whole run, others for a configuration."""
        from benchlint.judges.spending import Purse

        options, judge = self.options, config.judge
        if options.max_calls is None and options.max_usd is None:
            return Purse(judge.max_calls, judge.max_usd)
        if self._purse is None:
            calls = options.max_calls if options.max_calls is not None else judge.max_calls
            usd = options.max_usd if options.max_usd is not None else judge.max_usd
            self._purse = Purse(calls, usd)
        return self._purse

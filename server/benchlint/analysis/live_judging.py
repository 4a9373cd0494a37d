"""The judges of an editor: what was said already counts in every lint, and no lint asks anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchlint.analysis.judging import Heard, Judging

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from benchlint.analysis.hearing import Hearing, Store
    from benchlint.analysis.live_findings import LiveFindings, Spoken
    from benchlint.analysis.offline_reading import OfflineReading
    from benchlint.analysis.options import JudgeOptions
    from benchlint.analysis.standing import Answer, Reads, Standing, TextKey
    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.catalogue.finding import Finding
    from benchlint.catalogue.rule import Rule
    from benchlint.config_schema import Config
    from benchlint.judges.protocol import Metric, Usage
    from benchlint.judges.spending import Purse

AT_ONCE: Final = 32
"""So many new texts the offline reader reads in one lint; one takes up to 3 ms."""


class Bench(NamedTuple):
    """What judges say of a benchmark at one moment.

    `metrics` are those that models are asked about here, `answers` their
    verdicts by text, `stale` what of them has changed inputs: the text of the
    task and the metric. `key` names the configuration.
    """

    benchmark: Benchmark
    hearing: Hearing
    wanted: Mapping[str, Rule]
    metrics: tuple[Metric, ...]
    reads: Mapping[Metric, Reads]
    heard: Heard
    answers: Mapping[TextKey, Mapping[Metric, Answer]]
    stale: Mapping[TextKey, tuple[Metric, ...]]
    key: str


class _Court(NamedTuple):
    """The judges of a configuration as it was, or why they cannot be asked."""

    fits: tuple[Any, ...]
    hearing: Hearing | None
    problem: str
    asking: int


class LiveJudging(Judging):
    """Judges for lints one after another, on one thread; `benches` and `standing` are for others to read.

    Where `is_behind` the next lint reads on: the offline reader reads at most
    `at_once` new texts in one. `problems` say why judges cannot be asked.
    `retired` takes judges that count no longer.
    """

    def __init__(
        self,
        retired: Callable[[Hearing], None] = lambda hearing: hearing.close(),
        at_once: int | None = None,
    ) -> None:
        super().__init__()
        self.benches: dict[str, Bench] = {}
        self.is_behind = False
        self.problems: tuple[str, ...] = ()
        self._pause: Callable[[], None] = lambda: None
        self._retired = retired
        self._at_once = at_once
        self._courts: dict[str, _Court] = {}
        self._purses: dict[str, Purse] = {}
        self._reading: dict[str, OfflineReading] = {}
        self._findings: dict[str, LiveFindings] = {}
        self._last: dict[str, tuple[tuple[Any, ...], Heard]] = {}
        self._standing: Standing | None = None

    @property
    def standing(self) -> Standing:
        """The verdicts of the session."""
        if self._standing is None:
            from benchlint.analysis.standing import Standing

            self._standing = Standing()
        return self._standing

    @property
    def spent(self) -> Usage:
        """What the session's calls took."""
        from benchlint.judges.protocol import Usage

        return sum((purse.spent for purse in list(self._purses.values())), Usage())

    def begin(self, options: JudgeOptions, pause: Callable[[], None]) -> None:
        """Begin a lint with these options. `pause` is called between texts that are read, and may raise to end it."""
        self.options = options
        self._pause = pause
        self.is_behind = False
        self.problems = ()

    def end(self, names: Iterable[str]) -> None:
        """End a lint of all there is: forget benchmarks that are not among those."""
        for name in self.benches.keys() - set(names):
            for kept in (self.benches, self._reading, self._findings, self._last):
                kept.pop(name, None)

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
        """Return what was said of a benchmark so far, in this session or by the offline reader."""
        heard = Heard()
        court = self._court(config, rules) if self._is_needed(benchmark, chosen, config) else None
        if court is None or court.hearing is None:
            self.benches.pop(benchmark.name, None)
            self._last.pop(benchmark.name, None)
        else:
            heard = self._heard(benchmark, court, court.hearing, rules, chosen, static, config.path or "")
        self.heard[benchmark.name] = heard
        return heard

    def uncalibrated(self, config: Config, benchmarks: Iterable[Benchmark], chosen: Collection[str]) -> list[Finding]:
        """Return findings about judges of a configuration that nobody has measured."""
        court = self._courts.get(config.path or "")
        if court is None or court.hearing is None:
            return []
        return court.hearing.uncalibrated([(item, self.heard[item.name].said) for item in benchmarks], chosen)

    def close(self) -> None:
        """Let all judges go."""
        for court in self._courts.values():
            if court.hearing is not None:
                self._retired(court.hearing)
        self._courts.clear()
        if self._store is not None:
            self._store.close()

    def offline(self, name: str) -> OfflineReading:
        """Return what the offline reader has said of the texts of a benchmark."""
        found = self._reading.get(name)
        if found is None:
            from benchlint.analysis.offline_reading import OfflineReading

            found = self._reading[name] = OfflineReading()
        return found

    def _court(self, config: Config, rules: Mapping[str, Rule]) -> _Court:
        """Return the judges of a configuration: the same while nothing that concerns them changes."""
        key = config.path or ""
        fits = (repr(config.judge), self.options, tuple(rules.values()))
        known = self._courts.get(key)
        if known is None or known.fits != fits:
            if known is not None and known.hearing is not None:
                self._retired(known.hearing)
            known = self._courts[key] = self._opened(config, rules, fits)
        if known.problem:
            self.problems = tuple(dict.fromkeys((*self.problems, known.problem)))
        return known

    def _opened(self, config: Config, rules: Mapping[str, Rule], fits: tuple[Any, ...]) -> _Court:
        from benchlint.analysis.hearing import Hearing
        from benchlint.benchmark.loader import Unreadable
        from benchlint.judges.errors import JudgeError
        from benchlint.trust.trust import TrustError

        try:
            hearing = Hearing(config, rules, self.options, self._kept_store(), self._wallet(config), self.tick)
        except (JudgeError, TrustError, Unreadable) as error:
            return _Court(fits, None, f"nothing is judged: {error}", 0)
        judge = config.judge
        asked = (
            [sorted(model.asker.items(), key=str) for model in hearing.models],
            (judge.records, judge.share, judge.redact, judge.redact_text),
            [(rule.name, rule.section("Rubric")) for rule in rules.values() if rule.metric],
        )
        return _Court(fits, hearing, "", hash(repr(asked)))

    def _kept_store(self) -> Store:
        if self._store is None:
            from benchlint.analysis.hearing import Store

            self._store = Store(use_cache=self.options.cache)
        return self._store

    def _wallet(self, config: Config) -> Purse:
        """Return what may be spent in the session; what was spent stays so when a limit changes."""
        from benchlint.judges.spending import Purse

        options, judge = self.options, config.judge
        shared = options.max_calls is not None or options.max_usd is not None
        purse = self._purses.setdefault("" if shared else f"config {config.path}", Purse())
        purse.max_calls = options.max_calls if options.max_calls is not None else judge.max_calls
        purse.max_usd = options.max_usd if options.max_usd is not None else judge.max_usd
        return purse

    def _heard(
        self,
        benchmark: Benchmark,
        court: _Court,
        hearing: Hearing,
        rules: Mapping[str, Rule],
        chosen: Collection[str],
        static: Iterable[Finding],
        key: str,
    ) -> Heard:
        name = benchmark.name
        made_of = (benchmark, court, static, frozenset(chosen), self.standing.revision)
        last = self._last.get(name)
        if last is not None and all(one is other or one == other for one, other in zip(last[0], made_of, strict=True)):
            return last[1]
        from benchlint.analysis.live_findings import LiveFindings
        from benchlint.analysis.standing import Given, is_given, text_key

        wanted = {rule: page for rule, page in rules.items() if rule in chosen}
        spoken, ran, offline = self._offline_said(benchmark, hearing)
        metrics = _metrics(benchmark, hearing, wanted)
        reads = {metric: _reads(benchmark, metric, hearing, court.asking) for metric in metrics}
        given = self.standing.of(name) if hearing.judges else {}
        answers: dict[TextKey, dict[Metric, Answer]] = {}
        stale: dict[TextKey, tuple[Metric, ...]] = {}
        complete = set(metrics) if hearing.judges else set()
        for task in (*benchmark.tasks, None) if given else ():
            found: Mapping[Metric, Given] = given.get(text_key(task), {})
            for metric in metrics:
                if (metric == "contradictions") is not (task is None):
                    continue
                item = found.get(metric)
                if item is None or item.reads.asking != court.asking:
                    complete.discard(metric)
                    continue
                changed = item.reads.changed(reads[metric]) if is_given(item.answer) else ""
                spoken.append(_spoken(task, item.answer, changed))
                answers.setdefault(text_key(task), {})[metric] = item.answer
                if changed:
                    stale[text_key(task)] = (*stale.get(text_key(task), ()), metric)
                if changed or not is_given(item.answer):
                    complete.discard(metric)
        ran |= hearing.looked_for(complete if given else set())
        findings = self._findings.setdefault(name, LiveFindings()).of(benchmark, spoken, hearing, wanted, static)
        heard = Heard(
            findings=tuple(findings),
            said=tuple(item.said for item in spoken),
            ran=frozenset(ran) & frozenset(chosen),
            offline=offline,
            challengers=hearing.thresholds.challengers,
        )
        self.benches[name] = Bench(benchmark, hearing, wanted, metrics, reads, heard, answers, stale, key)
        if self.is_behind:
            self._last.pop(name, None)
        else:
            self._last[name] = made_of, heard
        return heard

    def _offline_said(self, benchmark: Benchmark, hearing: Hearing) -> tuple[list[Spoken], set[str], Any]:
        """Have the offline reader read; where nobody has chosen it, only tasks with prose."""
        choice = hearing.choice
        if not choice.offline or benchmark.policy is None:
            return [], set(), None
        from benchlint.analysis.live_findings import Spoken
        from benchlint.analysis.spoken import said
        from benchlint.judges.offline import RULES

        tasks = [task for task in benchmark.tasks if task.behaviour or not choice.default]
        found, complete = self.offline(benchmark.name).read(benchmark, tasks, self._at_once, self._pause)
        self.is_behind |= not complete
        spoken = []
        read: dict[str, Any] = {}
        for index, pair in found.items():
            task = tasks[index]
            spoken += [Spoken(said(task, verdict)) for verdict in pair]
            read.setdefault(task.id, pair[1].violations)
        return spoken, set(RULES) if complete and not hearing.judges else set(), read


def _spoken(task: Task | None, answer: Answer, changed: str) -> Spoken:
    from benchlint.analysis.live_findings import Spoken
    from benchlint.analysis.spoken import said

    return Spoken(said(task, answer), changed)


def _metrics(benchmark: Benchmark, hearing: Hearing, wanted: Mapping[str, Rule]) -> tuple[Metric, ...]:
    """Return the metrics that judges are asked about in a benchmark."""
    from benchlint.judges.prompt import SEES_POLICY

    if not hearing.judges:
        return ()
    share = hearing.prompts.share
    policy = benchmark.policy if "policy" in share else None
    return tuple(
        metric
        for metric in hearing.metrics(wanted)
        if (metric == "contradictions" or "task" in share)
        and (metric not in SEES_POLICY or (policy is not None and policy.items))
    )


def _reads(benchmark: Benchmark, metric: Metric, hearing: Hearing, asking: int) -> Reads:
    """Return what a request on a metric is made from now."""
    from benchlint.analysis.standing import Reads
    from benchlint.judges.prompt import SEES_POLICY, SEES_TOOLS

    policy, tools, database = benchmark.policy, benchmark.tools, benchmark.database
    return Reads(
        _policy_hash(benchmark) if policy is not None and metric in SEES_POLICY else None,
        tools.hash if tools is not None and metric in SEES_TOOLS else None,
        database.hash
        if database is not None and "records" in hearing.prompts.share and metric != "contradictions"
        else None,
        asking,
    )


def _policy_hash(benchmark: Benchmark) -> bytes | None:
    """Return what a policy's items are made of: its text, and the items file where a person has reviewed them."""
    policy, items = benchmark.policy, benchmark.items
    if policy is None or policy.review is None or items is None:
        return policy.hash if policy is not None else None
    return policy.hash + items.hash

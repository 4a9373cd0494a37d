"""The judges of an editor: what was said already counts in every lint, and no lint asks anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec.structs import replace

from benchlint.analysis.bench import Bench, metrics_of, reads_of
from benchlint.analysis.courts import Court, Courts
from benchlint.analysis.judging import Heard, Judging

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from benchlint.analysis.hearing import Hearing
    from benchlint.analysis.live_findings import LiveFindings, Spoken
    from benchlint.analysis.offline_reading import OfflineReading
    from benchlint.analysis.options import JudgeOptions
    from benchlint.analysis.standing import Answer, Given, Standing, TextKey
    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.catalogue.finding import Finding
    from benchlint.catalogue.rule import Rule
    from benchlint.config_schema import Config
    from benchlint.judges.protocol import Metric, Usage

AT_ONCE: Final = 32
"""So many new texts the offline reader reads in one lint; one takes up to 3 ms."""

_MANY: Final = 300
"""From so many judged texts on, all verdicts are put together only where nobody types."""

_FEW: Final = 16
"""So many texts may change in between."""


class _Last(NamedTuple):
    """What was heard last of a benchmark, and what it was made of."""

    benchmark: Benchmark
    court: Court
    static: Iterable[Finding]
    chosen: frozenset[str]
    revision: int
    heard: Heard


class LiveJudging(Judging):
    """Judges for lints one after another, on one thread; `benches` and `standing` are for others to read.

    Where `is_behind` the next lint reads on: the offline reader reads at most
    `at_once` new texts in one. Where `is_carried` much was taken over from the
    last lint, and another of the same texts says it exactly. `problems` say
    why judges cannot be asked. `retired` takes judges that count no longer.
    """

    def __init__(
        self,
        retired: Callable[[Hearing], None] = lambda hearing: hearing.close(),
        at_once: int | None = None,
    ) -> None:
        super().__init__()
        self.benches: dict[str, Bench] = {}
        self.courts = Courts(retired)
        self.is_behind = False
        self.is_carried = False
        self.problems: tuple[str, ...] = ()
        self._pause: Callable[[], None] = lambda: None
        self._at_once = at_once
        self._reading: dict[str, OfflineReading] = {}
        self._findings: dict[str, LiveFindings] = {}
        self._last: dict[str, _Last] = {}
        self._measured: tuple[tuple[Any, ...], list[Finding]] | None = None
        self._standing: Standing | None = None

    @property
    def standing(self) -> Standing:
        """The verdicts of the session."""
        if self._standing is None:
            from benchlint.analysis.standing import Standing

            self._standing = Standing()
        return self._standing

    @property
    def is_used(self) -> bool:
        """Whether judges were ever looked for."""
        return self.courts.is_used

    @property
    def spent(self) -> Usage:
        """What the session's calls took."""
        return self.courts.spent

    def begin(self, options: JudgeOptions, pause: Callable[[], None]) -> None:
        """Begin a lint with these options. `pause` is called between texts that are read, and may raise to end it."""
        self.options = options
        self._pause = pause
        self.is_behind = self.is_carried = False
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
            wanted = {rule: page for rule, page in rules.items() if rule in chosen}
            heard = self._heard(benchmark, court, court.hearing, wanted, static, config.path or "")
        self.heard[benchmark.name] = heard
        return heard

    def uncalibrated(self, config: Config, benchmarks: Iterable[Benchmark], chosen: Collection[str]) -> list[Finding]:
        """Return findings about judges of a configuration that nobody has measured."""
        court = self.courts.known(config)
        if court is None or court.hearing is None:
            return []
        said = [(item, self.heard[item.name].said) for item in benchmarks]
        made_of = (court.hearing, frozenset(chosen), *(item for _, item in said))
        if self._measured is None or not _are_same(self._measured[0], made_of):
            self._measured = made_of, court.hearing.uncalibrated(said, chosen)
        return self._measured[1]

    def close(self) -> None:
        """Let all judges go."""
        self.courts.close()

    def _court(self, config: Config, rules: Mapping[str, Rule]) -> Court:
        court = self.courts.of(config, rules, self.options)
        if court.problem:
            self.problems = tuple(dict.fromkeys((*self.problems, court.problem)))
        return court

    def _heard(
        self,
        benchmark: Benchmark,
        court: Court,
        hearing: Hearing,
        wanted: Mapping[str, Rule],
        static: Iterable[Finding],
        key: str,
    ) -> Heard:
        name, chosen = benchmark.name, frozenset(wanted)
        made_of = (benchmark, court, static, chosen, self.standing.revision)
        last = self._last.get(name)
        if last is not None and _are_same(last[:3], made_of[:3]) and last[3:5] == made_of[3:]:
            return last.heard
        metrics = metrics_of(benchmark, hearing, wanted)
        reads = {metric: reads_of(benchmark, metric, hearing, court.asking) for metric in metrics}
        bench = Bench(benchmark, hearing, wanted, metrics, reads, Heard(), {}, {}, frozenset(), key)
        carried = self._carried(bench, last, court) if last is not None else None
        if carried is not None:
            self._last[name] = _Last(benchmark, court, static, chosen, -1, carried)
            return carried
        bench = self._put_together(bench, court, static)
        self.benches[name] = bench
        if self.is_behind:
            self._last.pop(name, None)
        else:
            self._last[name] = _Last(*made_of, bench.heard)
        return bench.heard

    def _carried(self, bench: Bench, last: _Last, court: Court) -> Heard | None:
        """Take over what was said of all texts that are as they were, where that is much; None where it is not."""
        earlier, benchmark = self.benches.get(bench.benchmark.name), bench.benchmark
        if earlier is None or len(earlier.answers) < _MANY or benchmark is last.benchmark or court is not last.court:
            return None
        if (earlier.wanted.keys(), earlier.reads) != (bench.wanted.keys(), bench.reads):
            return None
        if len(benchmark.tasks) != len(last.benchmark.tasks):
            return None
        pairs = zip(benchmark.tasks, last.benchmark.tasks, strict=True)
        new = {(now.slice.document.path, now.slice.index) for now, then in pairs if now.value is not then.value}
        if not 0 < len(new) <= _FEW:
            return None
        kept = (item for item in last.heard.findings if (item.anchor.path, item.anchor.slice) not in new)
        heard = replace(last.heard, findings=tuple(kept))
        self.benches[benchmark.name] = earlier._replace(benchmark=benchmark, heard=heard)
        self.is_carried = True
        return heard

    def _put_together(self, bench: Bench, court: Court, static: Iterable[Finding]) -> Bench:
        """Put together all that was said of the texts of now."""
        from benchlint.analysis.live_findings import LiveFindings
        from benchlint.analysis.standing import is_given, text_key

        benchmark, hearing = bench.benchmark, bench.hearing
        spoken, ran, offline = self._offline_said(benchmark, hearing)
        given = self.standing.of(benchmark.name) if hearing.judges else {}
        answers: dict[TextKey, dict[Metric, Answer]] = {}
        stale: dict[TextKey, tuple[Metric, ...]] = {}
        complete = []
        lacking = set() if given else set(bench.metrics)
        empty: Mapping[Metric, Given] = {}
        for task in (*benchmark.tasks, None) if given else ():
            key = text_key(task)
            metrics = bench.of_tasks if task is not None else bench.of_policy
            found = given.get(key, empty)
            fresh = 0
            for metric in metrics:
                item = found.get(metric)
                if item is None or item.reads.asking != court.asking:
                    lacking.add(metric)
                    continue
                is_verdict = is_given(item.answer)
                changed = item.reads.changed(bench.reads[metric]) if is_verdict else ""
                spoken.append(_spoken(task, item.answer, changed))
                answers.setdefault(key, {})[metric] = item.answer
                if changed:
                    stale[key] = (*stale.get(key, ()), metric)
                elif is_verdict:
                    fresh += 1
                    continue
                lacking.add(metric)
            if fresh == len(metrics):
                complete.append(key)
        ran |= hearing.looked_for(set(bench.metrics) - lacking) if hearing.judges else set()
        live = self._findings.setdefault(benchmark.name, LiveFindings())
        heard = Heard(
            findings=tuple(live.of(benchmark, spoken, hearing, bench.wanted, static)),
            said=tuple(item.said for item in spoken),
            ran=frozenset(ran) & bench.wanted.keys(),
            offline=offline,
            challengers=hearing.thresholds.challengers,
        )
        return bench._replace(heard=heard, answers=answers, stale=stale, complete=frozenset(complete))

    def _offline_said(self, benchmark: Benchmark, hearing: Hearing) -> tuple[list[Spoken], set[str], Any]:
        """Have the offline reader read; where nobody has chosen it, only tasks with prose."""
        choice = hearing.choice
        if not choice.offline or benchmark.policy is None:
            return [], set(), None
        from benchlint.analysis.live_findings import Spoken
        from benchlint.analysis.spoken import said
        from benchlint.judges.offline import RULES

        tasks = [task for task in benchmark.tasks if task.behaviour or not choice.default]
        found, complete = self._offline(benchmark.name).read(benchmark, tasks, self._at_once, self._pause)
        self.is_behind |= not complete
        spoken = []
        read: dict[str, Any] = {}
        for index, pair in found.items():
            task = tasks[index]
            spoken += [Spoken(said(task, verdict)) for verdict in pair]
            read.setdefault(task.id, pair[1].violations)
        return spoken, set(RULES) if complete and not hearing.judges else set(), read

    def _offline(self, name: str) -> OfflineReading:
        """Return what the offline reader has said of the texts of a benchmark."""
        found = self._reading.get(name)
        if found is None:
            from benchlint.analysis.offline_reading import OfflineReading

            found = self._reading[name] = OfflineReading()
        return found


def _spoken(task: Task | None, answer: Answer, changed: str) -> Spoken:
    from benchlint.analysis.live_findings import Spoken
    from benchlint.analysis.spoken import said

    return Spoken(said(task, answer), changed)


def _are_same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Say whether two rows are of the same objects, or of equal sets."""
    return len(one) == len(other) and all(
        item is made or (isinstance(item, frozenset) and item == made) for item, made in zip(one, other, strict=True)
    )

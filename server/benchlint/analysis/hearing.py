"""The judges of one configuration, asked about benchmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchlint.analysis.judged import judged_findings, said, uncalibrated_judges
from benchlint.analysis.judging import Heard
from benchlint.analysis.lacking import dropped_findings, missing_verdicts, mixed_judges, silent_judges
from benchlint.analysis.spoken import Thresholds, said_offline
from benchlint.catalogue.rule import by_alias
from benchlint.judges import choice as choices
from benchlint.judges import members
from benchlint.judges.budget import estimates, spent
from benchlint.judges.errors import JudgeError
from benchlint.judges.panel import Panel, PanelVerdict
from benchlint.judges.prompt import SEES_POLICY, ask
from benchlint.judges.protocol import NoVerdict, Usage, Verdict
from benchlint.judges.session import Memory, Session
from benchlint.trust.trust import Trust, read_trust

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from benchlint.analysis.judging import Tick
    from benchlint.analysis.options import JudgeOptions
    from benchlint.analysis.scores import Key
    from benchlint.analysis.spoken import Said
    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.catalogue.finding import Finding
    from benchlint.catalogue.rule import Rule
    from benchlint.config_schema import Config
    from benchlint.judges.cache import VerdictCache
    from benchlint.judges.cached import CachedJudge, Readable
    from benchlint.judges.llm import LiteLLMModel
    from benchlint.judges.prompt import Asked
    from benchlint.judges.protocol import Metric, Violation
    from benchlint.judges.session import Store as AnyStore
    from benchlint.judges.spending import Purse

    _Answers = dict[Key, list[tuple[str, Verdict | NoVerdict]]]

_ALIGNMENTS: Final = frozenset({"description_alignment", "policy_alignment"})
_DERIVED: Final[Mapping[str, frozenset[str]]] = {
    "low-alignment": _ALIGNMENTS,
    "mismatched-policy": _ALIGNMENTS,
    "low-challenge": frozenset({"violations"}),
    "unchallenged-policy-item": frozenset({"violations"}),
}
"""Rules that follow from verdicts on some metrics."""

_SCORED: Final = _ALIGNMENTS | {"violations"}


class Store:
    """The user's cache, opened when it is needed; without it a memory of this run."""

    def __init__(self, *, use_cache: bool) -> None:
        self.warnings: list[str] = []
        self.use_cache = use_cache
        self._cache: VerdictCache | None = None
        self._memory = Memory()

    @property
    def cache(self) -> VerdictCache | None:
        """The cache; None where there is none to use."""
        if self._cache is None and self.use_cache:
            from benchlint.judges.cache import VerdictCache

            try:
                self._cache = VerdictCache()
                self.warnings += self._cache.warnings
            except OSError as error:
                self.use_cache = False
                self.warnings.append(f"the cache of verdicts cannot be used, so nothing is kept: {error}")
        return self._cache

    @property
    def existing(self) -> VerdictCache | None:
        """The cache, where there is one already."""
        if not self.use_cache:
            return None
        from benchlint.judges.cache import default_directory

        return self.cache if default_directory().is_dir() else None

    @property
    def answers(self) -> AnyStore:
        """Where answers are kept."""
        return self.cache or self._memory

    def close(self) -> None:
        """Close the cache."""
        if self._cache is not None:
            self._cache.close()


class Hearing:
    """The judges of one configuration. Raises JudgeError and TrustError where they cannot be asked."""

    def __init__(
        self,
        config: Config,
        rules: Mapping[str, Rule],
        options: JudgeOptions,
        store: Store,
        purse: Purse,
        tick: Tick,
    ) -> None:
        self.config = config
        self._rules = rules
        self._options = options
        self._store = store
        self._purse = purse
        self._tick = tick
        judge = config.judge
        self.choice = choices.choose(options.judges, judge, network=options.network)
        self._trust = self._read_trust()
        limits = judge.thresholds
        self._thresholds = Thresholds(
            confidence=limits.confidence,
            alignment=limits.alignment,
            challenge=limits.challenge,
            challengers=limits.challengers,
        )
        self.prompts = members.prompt_options(judge)
        self.models: list[LiteLLMModel] = members.models(self.choice, judge)
        self._members: Sequence[Session] | Sequence[CachedJudge] = ()
        self._is_wanted = True
        self._pending: list[Asked] = []
        self._asked = self._known = 0
        self._usage = Usage()
        self._open()

    def _read_trust(self) -> Trust:
        name = self.config.judge.trust
        if name is None:
            return Trust()
        from benchlint.analysis.snapshot import Snapshot

        return read_trust(Snapshot().read(str(self.config.folder / name)), self._rubric_of)

    def _rubric_of(self, name: str) -> str | None:
        rule = by_alias(self._rules, name)
        return rule.rubric_hash if rule is not None else None

    def _open(self) -> None:
        choice, judge = self.choice, self.config.judge
        if choice.asks:
            if not self._options.estimate:
                members.check_consent(self.models, judge)
            store = self._store.answers
            if judge.verdicts is not None and (self.config.folder / judge.verdicts).exists():
                store = members.Layered(store, members.committed(self.config.folder / judge.verdicts))
            self._members = members.sessions(self.models, judge, store, self._purse)
        elif choice.cached:
            if judge.verdicts is not None:
                readable: Readable | None = members.committed(self.config.folder / judge.verdicts)
            else:
                readable = self._store.cache
            if readable is None:
                raise JudgeError("there is no cache to take verdicts from: --no-cache, and no [judge] verdicts")
            self._members = members.repeaters(choice, judge, readable, self.models)
        elif choice.default and self._options.thorough:
            cache = self._store.existing
            if cache is not None:
                self._members = members.repeaters(choice, judge, cache, self.models)
                self._is_wanted = False

    @property
    def rules(self) -> Mapping[str, Rule]:
        """All rules that there are, by name; their rubrics are what is asked."""
        return self._rules

    @property
    def judges(self) -> Sequence[Session] | Sequence[CachedJudge]:
        """Whoever is asked, or repeats what was said; more than one are a panel."""
        return self._members

    @property
    def trust(self) -> Trust:
        """What was measured of judges."""
        return self._trust

    @property
    def thresholds(self) -> Thresholds:
        """From where on something is told."""
        return self._thresholds

    def hear(
        self,
        benchmark: Benchmark,
        chosen: Collection[str],
        static: Iterable[Finding],
        tasks: Sequence[Task] | None,
        *,
        policy: bool = True,
    ) -> Heard:
        """Have a benchmark judged, or some of its tasks, and with `policy` its policy as such."""
        spoken: list[Said] = []
        notes: list[str] = []
        ran: set[str] = set()
        wanted = {name: rule for name, rule in self._rules.items() if name in chosen}
        offline = self._offline(benchmark, tasks, spoken, notes) if self.choice.offline else None
        if offline is not None and tasks is None and not self._members:
            from benchlint.judges.offline import RULES

            ran.update(RULES)
        answers: _Answers = {}
        panel: dict[Key, PanelVerdict] = {}
        missing = 0
        asked = self._requests(benchmark, wanted, tasks, notes, policy=policy) if self._members else []
        if (asked or offline is not None) and benchmark.policy is not None and benchmark.policy.review is not None:
            notes += benchmark.policy.review.notes
        if self._options.estimate:
            self._pending += asked
        elif asked:
            verdicts, stopped = self._ask(benchmark, asked)
            lacking: list[tuple[Asked, NoVerdict]] = []
            for item, verdict in zip(asked, verdicts, strict=True):
                single = verdict.verdict if isinstance(verdict, PanelVerdict) else verdict
                if isinstance(single, NoVerdict):
                    if not self._is_wanted:
                        continue
                    lacking.append((item, single))
                spoken.append(said(item.task, verdict))
                if item.task is not None:
                    key = (item.task.id, item.request.metric)
                    if isinstance(verdict, PanelVerdict):
                        panel.setdefault(key, verdict)
                    answers.setdefault(key, [(single.judge, single)])
            missing = len(lacking)
            notes += [*missing_verdicts(lacking), *silent_judges(verdicts)]
            notes += [*dropped_findings(verdicts), *mixed_judges(verdicts)]
            if stopped is not None:
                notes.append(f"no more was asked: {stopped}")
            if tasks is None and self._is_wanted:
                complete = {item.request.metric for item in asked} - {item.request.metric for item, _ in lacking}
                ran |= self.looked_for(complete)
        return Heard(
            findings=tuple(judged_findings(benchmark, spoken, wanted, self._trust, self._thresholds, static)),
            said=tuple(spoken),
            ran=frozenset(ran) & frozenset(chosen),
            notes=tuple(f"{benchmark.name}: {note}" for note in notes),
            missing=missing,
            answers={} if panel else _named(answers),
            panel=panel,
            offline=offline,
            challengers=self._thresholds.challengers,
        )

    def uncalibrated(self, heard: Sequence[tuple[Benchmark, Sequence[Said]]], chosen: Collection[str]) -> list[Finding]:
        """Return a finding for each judge that nobody has measured."""
        wanted = {name: rule for name, rule in self._rules.items() if name in chosen}
        return uncalibrated_judges(heard, wanted, self._trust, self._thresholds)

    def told(self) -> list[str]:
        """Return sentences about what was asked, or would be."""
        if self._options.estimate:
            return list(self._estimates())
        if not self.choice.asks or not self._asked:
            return []
        return [spent(self._name, self._usage, self._known)]

    def close(self) -> None:
        """End the sessions."""
        for member in self._members:
            member.close()

    @property
    def _name(self) -> str:
        return ", ".join(dict.fromkeys(member.name for member in self._members))

    def requests(self, benchmark: Benchmark, tasks: Sequence[Task] | None = None) -> list[Asked]:
        """Return everything that models are asked about a benchmark."""
        return ask(benchmark, self._rules.values(), self.config.judge.metrics, tasks, self.prompts)

    def _requests(
        self,
        benchmark: Benchmark,
        wanted: Mapping[str, Rule],
        tasks: Sequence[Task] | None,
        notes: list[str],
        *,
        policy: bool,
    ) -> list[Asked]:
        """Return the requests from which something would follow that is wanted."""
        metrics = self.metrics(wanted)
        if not policy:
            metrics = [metric for metric in metrics if metric != "contradictions"]
        if "task" not in self.prompts.share:
            notes.append('"task" is not in share, so no task was judged')
        if "policy" not in self.prompts.share and (hidden := [name for name in metrics if name in SEES_POLICY]):
            notes.append(f'"policy" is not in share, so nothing was judged on {", ".join(hidden)}')
        return ask(benchmark, self._rules.values(), metrics, tasks, self.prompts)

    def metrics(self, wanted: Mapping[str, Rule]) -> list[Metric]:
        """Return the metrics from which something would follow under some rules."""
        asked = self._options.metrics or self.config.judge.metrics
        return [name for name in self.config.judge.metrics if name in asked and self._is_of_use(name, wanted)]

    def _is_of_use(self, metric: Metric, wanted: Mapping[str, Rule]) -> bool:
        if (self._options.thorough and metric in _SCORED) or (
            "judge-disagreement" in wanted and len(self._members) > 1
        ):
            return True
        return any(rule.metric == metric for rule in wanted.values()) or any(
            metric in metrics and name in wanted for name, metrics in _DERIVED.items()
        )

    def looked_for(self, complete: set[Metric]) -> set[str]:
        """Return the rules that are looked for by verdicts on some metrics."""
        found = {rule.name for rule in self._rules.values() if rule.metric in complete}
        asked = set(self.config.judge.metrics)
        return found | {name for name, metrics in _DERIVED.items() if metrics & asked and metrics & asked <= complete}

    def _ask(
        self, benchmark: Benchmark, asked: list[Asked]
    ) -> tuple[Sequence[Verdict | NoVerdict | PanelVerdict], str | None]:
        done, total = 0, len(asked)

        def deliver(*_: object) -> None:
            nonlocal done
            done += 1
            self._tick(done, total, f"{benchmark.name}: {self._name}")

        alone = len(self._members) == 1
        outcome = self._members[0].run(asked, deliver) if alone else Panel(self._members).run(asked, deliver)
        self._asked += total
        self._known += outcome.cached
        self._usage += outcome.usage
        return outcome.verdicts, outcome.stopped

    def _offline(
        self, benchmark: Benchmark, tasks: Sequence[Task] | None, spoken: list[Said], notes: list[str]
    ) -> dict[str, Sequence[Violation]] | None:
        """Have the offline reader read; where nobody has chosen it, only tasks with prose."""
        if benchmark.policy is None:
            return None
        from benchlint.judges.offline import assess, read

        chosen = list(benchmark.tasks if tasks is None else tasks)
        if self.choice.default and not self._options.thorough:
            chosen = [task for task in chosen if task.behaviour]
        if not chosen:
            return None
        try:
            reading = read(benchmark.policy, benchmark.tools)
        except Exception as error:  # a policy can hold any text
            notes.append(_crashed("policy", error))
            return None
        found: dict[str, Sequence[Violation]] = {}
        for task in chosen:
            try:
                verdict = assess(reading, task)
            except Exception as error:
                notes.append(_crashed(f'task "{task.id}"', error))
                continue
            found.setdefault(task.id, verdict.violations)
            spoken.extend(said_offline(task, verdict.findings, verdict.violations))
        return found

    def _estimates(self) -> Iterator[str]:
        sessions = [member for member in self._members if isinstance(member, Session)]
        yield from estimates(sessions, self._pending)
        if not sessions:
            yield "no model is asked, so there is nothing to pay"
        elif self.config.judge.share is None and any(not model.endpoint.local for model in self.models):
            yield "a run would stop before the first call: [judge] share does not say what may be sent"


def _named(
    answers: dict[Key, list[tuple[str, Verdict | NoVerdict]]],
) -> dict[Key, list[tuple[str, Verdict | NoVerdict]]]:
    """Return answers under the name of the one judge that gave any, also where a verdict is missing."""
    judges = {judge for given in answers.values() for judge, answer in given if isinstance(answer, Verdict)}
    if len(judges) != 1:
        return answers
    (name,) = judges
    return {key: [(name, answer) for _, answer in given] for key, given in answers.items()}


def _crashed(what: str, error: Exception) -> str:
    return f"the offline reader crashed on the {what} ({type(error).__name__}: {error}); this is a fault of benchlint"

"""Several judges, or one several times: what a majority says, and where they split."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field, replace
from statistics import median
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from benchlint.judges.families import family
from benchlint.judges.protocol import NoVerdict, Usage, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from benchlint.judges.prompt import Asked
    from benchlint.judges.protocol import JudgedFinding, Metric, Violation
    from benchlint.judges.run import Deliver, Run

APART: Final = 3
"""From how many points on scores are a disagreement."""


@dataclass(frozen=True, slots=True)
class View:
    """What one judge of a panel said. `judge` is its name there, `model` its model string."""

    judge: str
    model: str
    verdict: Verdict | NoVerdict


@dataclass(frozen=True, slots=True)
class Split:
    """A point on which judges disagree. `finding` is what some of them say; None where scores are apart.

    `views` are the judges' names and what each says of it.
    """

    message: str
    views: tuple[tuple[str, str], ...]
    finding: JudgedFinding | None = None


@dataclass(frozen=True, slots=True)
class PanelVerdict:
    """What a panel says, where it splits, and the score and the violations of each judge.

    `silent` are the judges without a verdict and why, where the others are
    enough for one.
    """

    verdict: Verdict | NoVerdict
    splits: tuple[Split, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    silent: tuple[tuple[str, str], ...] = ()
    violations: Mapping[str, tuple[Violation, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PanelOutcome:
    """What came of a panel's run; like `Outcome`."""

    verdicts: tuple[PanelVerdict, ...]
    cached: int
    usage: Usage
    stopped: str | None

    def scores(self) -> dict[str, list[float | None]]:
        """Return the scores of each judge, None where it gave none, in the order of the requests."""
        judges = dict.fromkeys(judge for verdict in self.verdicts for judge in verdict.scores)
        return {judge: [verdict.scores.get(judge) for verdict in self.verdicts] for judge in judges}


class Member(Protocol):
    """A judge that runs: a `Session` or a `CachedJudge`."""

    name: str

    def start(self, asked: Sequence[Asked], deliver: Deliver | None = None) -> Run:
        """Judge all that is asked in the background."""


class Panel:
    """Judges that are asked the same. Members of one name are one model asked several times."""

    def __init__(self, members: Sequence[Member]) -> None:
        self.members = tuple(members)
        self._models = [member.name for member in members]
        self.judges = list(_numbered(self._models))
        self.name = f"panel of {', '.join(dict.fromkeys(self._models))}"

    def start(self, asked: Sequence[Asked], deliver: Callable[[Asked, PanelVerdict], None] | None = None) -> PanelRun:
        """Judge all that is asked in the background; `deliver` is called when all judges have spoken."""
        return PanelRun(self, asked, deliver)

    def run(self, asked: Sequence[Asked], deliver: Callable[[Asked, PanelVerdict], None] | None = None) -> PanelOutcome:
        """Judge all that is asked and wait for it; Ctrl-C ends the calls."""
        run = self.start(asked, deliver)
        try:
            run.wait()
        except KeyboardInterrupt:
            run.cancel()
            raise
        return run.outcome

    def combined(self, verdicts: Iterable[Verdict | NoVerdict]) -> PanelVerdict:
        """Return what the members say together; one verdict each, in their order."""
        views = zip(self.judges, self._models, verdicts, strict=True)
        return combine([View(*view) for view in views], self.name)


class PanelRun:
    """The runs of a panel's members over the same requests."""

    def __init__(
        self, panel: Panel, asked: Sequence[Asked], deliver: Callable[[Asked, PanelVerdict], None] | None
    ) -> None:
        self._panel = panel
        self._deliver = deliver
        self._lock = threading.Lock()
        self._said: dict[int, dict[int, Verdict | NoVerdict]] = {id(item): {} for item in asked}
        self._runs = [member.start(asked, self._hears(number)) for number, member in enumerate(panel.members)]

    @property
    def outcome(self) -> PanelOutcome:
        """What there is so far; what is missing is no verdict."""
        outcomes = [run.outcome for run in self._runs]
        rows = zip(*(outcome.verdicts for outcome in outcomes), strict=True)
        names = [member.name for member in self._panel.members]
        ended = {name: outcome.stopped for name, outcome in zip(names, outcomes, strict=True) if outcome.stopped}
        reasons = set(ended.values())
        stopped = [*reasons] if len(reasons) == 1 and len(ended) == len(set(names)) else map(": ".join, ended.items())
        return PanelOutcome(
            tuple(map(self._panel.combined, rows)),
            sum(outcome.cached for outcome in outcomes),
            sum((outcome.usage for outcome in outcomes), Usage()),
            "; ".join(stopped) or None,
        )

    def cancel(self) -> None:
        """End the runs. What is there stays."""
        for run in self._runs:
            run.cancel()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end of each run, at most some seconds each; say whether all have ended."""
        return all(run.wait(timeout) for run in self._runs)

    def _hears(self, number: int) -> Deliver:
        def hear(asked: Asked, verdict: Verdict | NoVerdict) -> None:
            with self._lock:
                said = self._said[id(asked)]
                said[number] = verdict
                complete = len(said) == len(self._panel.judges)
            if complete and self._deliver is not None:
                self._deliver(asked, self._panel.combined(said[index] for index in sorted(said)))

        return hear


def combine(views: Sequence[View], name: str) -> PanelVerdict:
    """Return what several judges say together.

    Each model has one voice: where it was asked several times, what most of
    its answers say. A finding is kept where more than half of the models say
    it, from at least two families where there is more than one model. What
    is not kept, and scores that are `APART`, are splits. There is no verdict
    where half of the models or more gave none, and none on violations where
    models of one family alone gave theirs: none of theirs could be kept, and
    that is not the same as a task without violations.
    """
    metric = views[0].verdict.metric
    models = list(dict.fromkeys(view.model for view in views))
    spoke = [view for view in views if isinstance(view.verdict, Verdict)]
    speaking = list(dict.fromkeys(view.model for view in spoke))
    scores = {view.judge: score for view, score in _scores(spoke)}
    each = {view.judge: view.verdict.violations for view in spoke if isinstance(view.verdict, Verdict)}
    violated = each if metric == "violations" else {}
    if 2 * len(speaking) <= len(models):
        return PanelVerdict(_silence(views, name, len(speaking), len(models)), scores=scores, violations=violated)
    if metric == "violations" and len(models) > 1 and len(families := set(map(family, speaking))) == 1:
        reason = f"only models of one family ({families.pop()}) gave a verdict, and alone they make no majority"
        return PanelVerdict(NoVerdict(metric, name, reason), violations=violated)
    voices = _Voices(Counter(view.model for view in spoke), len(models))
    findings: list[JudgedFinding] = []
    splits = list(_apart(metric, scores))
    for group in _groups(_findings(spoke), _same_finding):
        merged = _merged(group)
        objection = voices.objection(group)
        if objection is None:
            findings.append(merged)
        else:
            splits.append(Split(f"{merged.rule}: {objection}", tuple(_said(group, spoke)), merged))
    violations = [
        replace(max((said.value for said in group), key=_sure), confidence=_confidence(group))
        for group in _groups(_violations(spoke), lambda one, other: bool(one.policy_item == other.policy_item))
        if voices.objection(group) is None
    ]
    by_model = [
        median(values)
        for model in speaking
        if (values := [score for view, score in _scores(spoke) if view.model == model])
    ]
    verdict = Verdict(
        metric,
        name,
        float(median(by_model)) if by_model else None,
        tuple(findings),
        tuple(violations),
        sum(view.verdict.dropped for view in spoke if isinstance(view.verdict, Verdict)),
    )
    silent = ((view.judge, view.verdict.reason) for view in views if isinstance(view.verdict, NoVerdict))
    return PanelVerdict(verdict, tuple(splits), scores, tuple(silent), violated)


class _Said(NamedTuple):
    """A finding or a violation, and the view that holds it."""

    view: View
    value: Any


class _Voices:
    """Who may vote: how many answers each model has given, and how many models there are."""

    def __init__(self, answers: Counter[str], models: int) -> None:
        self._answers = answers
        self._models = models

    def objection(self, group: Sequence[_Said]) -> str | None:
        """Say why a group is no majority; None where it is one."""
        judges = {said.view.judge: said.view.model for said in group}
        sayings = Counter(judges.values())
        models = [model for model, count in sayings.items() if 2 * count > self._answers[model]]
        if 2 * len(models) <= self._models:
            return f"{len(judges)} of {self._answers.total()} answers of the judges say so"
        families = {family(model) for model in models}
        if self._models > 1 and len(families) == 1:
            return f"only models of one family ({families.pop()}) say so"
        return None


def _silence(views: Sequence[View], name: str, speaking: int, models: int) -> NoVerdict:
    reasons: dict[str, list[str]] = {}
    for view in views:
        if isinstance(view.verdict, NoVerdict):
            reasons.setdefault(view.verdict.reason, []).append(view.judge)
    said = (", ".join(judges) + f": {reason}" for reason, judges in reasons.items())
    return NoVerdict(views[0].verdict.metric, name, f"{speaking} of {models} judges gave a verdict ({'; '.join(said)})")


def _scores(views: Iterable[View]) -> Iterator[tuple[View, float]]:
    for view in views:
        if isinstance(view.verdict, Verdict) and view.verdict.score is not None:
            yield view, view.verdict.score


def _apart(metric: Metric, scores: Mapping[str, float]) -> Iterator[Split]:
    if scores and max(scores.values()) - min(scores.values()) >= APART:
        label = metric.replace("_", " ")
        message = f"the scores of {label} go from {min(scores.values()):g} to {max(scores.values()):g}"
        yield Split(message, tuple((judge, f"{score:g} of 10") for judge, score in scores.items()))


def _findings(views: Iterable[View]) -> Iterator[_Said]:
    for view in views:
        if isinstance(view.verdict, Verdict):
            yield from (_Said(view, finding) for finding in view.verdict.findings)


def _violations(views: Iterable[View]) -> Iterator[_Said]:
    for view in views:
        if isinstance(view.verdict, Verdict):
            yield from (_Said(view, violation) for violation in view.verdict.violations)


def _groups(all_said: Iterable[_Said], same: Callable[[Any, Any], bool]) -> list[list[_Said]]:
    """Put together what is the same."""
    groups: list[list[_Said]] = []
    for said in all_said:
        for group in groups:
            if any(same(said.value, other.value) for other in group):
                group.append(said)
                break
        else:
            groups.append([said])
    return groups


def _same_finding(one: JudgedFinding, other: JudgedFinding) -> bool:
    """Say whether two findings are of one rule and one place: overlapping words, or the same field."""
    if one.rule != other.rule:
        return False
    if one.pointer is None or other.pointer is None:
        return one.pointer == other.pointer and set(one.policy_items) == set(other.policy_items)
    if one.pointer != other.pointer:
        shorter, longer = sorted((one.pointer, other.pointer), key=len)
        return longer[: len(shorter)] == shorter
    if one.span is None or other.span is None:
        return True
    return one.span[0] < other.span[1] and other.span[0] < one.span[1]


def _merged(group: Sequence[_Said]) -> JudgedFinding:
    """Return the surest of some findings, with what most of them say."""
    best: JudgedFinding = max((said.value for said in group), key=_sure)
    if best.pointer is None:
        return replace(best, confidence=_confidence(group))
    named = Counter(item for said in group for item in said.value.policy_items)
    items = tuple(item for item, count in named.items() if 2 * count >= len(group))
    return replace(best, policy_items=items, confidence=_confidence(group))


def _sure(value: JudgedFinding | Violation) -> float:
    return value.confidence


def _confidence(group: Sequence[_Said]) -> float:
    return float(median(said.value.confidence for said in group))


def _said(group: Sequence[_Said], spoke: Iterable[View]) -> Iterator[tuple[str, str]]:
    reasons = {said.view.judge: said.value.reason for said in group}
    return ((view.judge, reasons.get(view.judge, "does not say so")) for view in spoke)


def _numbered(names: Sequence[str]) -> Iterator[str]:
    """Yield the names, with a number where one comes several times."""
    counts, seen = Counter(names), Counter[str]()
    for name in names:
        seen[name] += 1
        yield f"{name} #{seen[name]}" if counts[name] > 1 else name

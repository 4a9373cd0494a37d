"""From a benchmark, its verdicts and its findings to the numbers of a report."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from benchlint.catalogue.finding import Severity
from benchlint.judges.agreement import agreement
from benchlint.judges.metrics import (
    NOT_ASKED,
    THRESHOLD,
    BenchmarkScores,
    ItemRow,
    Scores,
    TaskRow,
    alignment,
    challengers,
    coverage,
    violations_per_task,
)
from benchlint.judges.panel import View, combine
from benchlint.judges.protocol import NoVerdict, Verdict
from benchlint.text.document import Encoding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.catalogue.finding import Finding
    from benchlint.judges.agreement import Agreement
    from benchlint.judges.panel import PanelVerdict
    from benchlint.judges.protocol import Metric, Violation

    Answer = Verdict | NoVerdict
    Key = tuple[str, Metric]
    """A task's id and a metric."""
    Answers = Mapping[Key, Sequence[tuple[str, Answer]]]
    """Each judge and what it answered."""

_ALIGNMENTS: Final[tuple[Metric, Metric]] = ("description_alignment", "policy_alignment")
_SCORED: Final[tuple[Metric, ...]] = (*_ALIGNMENTS, "violations")


def score(
    benchmark: Benchmark,
    findings: Iterable[Finding] = (),
    verdicts: Answers | None = None,
    offline: Mapping[str, Sequence[Violation]] | None = None,
    *,
    panel: Mapping[Key, PanelVerdict] | None = None,
    threshold: int = THRESHOLD,
    show: Callable[[str], str] = str,
) -> BenchmarkScores:
    """Put together what a report tells of a benchmark.

    `findings` may be those of several benchmarks. `verdicts` are what judges
    answered, `panel` what a panel of them says; several answers without a
    panel's are combined as a panel does, each judge a model. `offline` is
    what the offline reader says of each task that it has read; neither counts
    for the other. `threshold` is K. `show` turns a path into the one to show.
    Tasks that share an id are one task.
    """
    tasks: dict[str, Task] = {}
    for task in benchmark.tasks:
        tasks.setdefault(task.id, task)
    items = benchmark.policy.items if benchmark.policy is not None else ()
    readings = _Readings(list(tasks), [item.id for item in items], threshold)
    asked = {key: answers for key, answers in (verdicts or {}).items() if key[0] in tasks and answers}
    voted = {key: found for key, found in (panel or {}).items() if key[0] in tasks}
    together = {
        key: _scored(voted[key].verdict if key in voted else _combined(asked.get(key, ()), metric))
        for task in tasks
        for metric in _SCORED
        if (key := (task, metric))
    }
    judges = _by_judge(asked, voted)
    violated = readings.violated(together)
    read = readings.read(offline or {})
    counts = _counts(findings, benchmark.name)
    rows = [
        TaskRow(
            id=task.id,
            path=show(task.slice.document.path),
            line=_line(task),
            scores=_scores(together, task.id),
            by_judge={
                metric: {
                    judge: scores[metric]
                    for judge, answers in judges.items()
                    if metric in (scores := _scores(answers, task.id))
                }
                for metric in _ALIGNMENTS
            },
            violations=violated[task.id],
            offline=read[task.id],
            missing={
                metric: answer.reason
                for metric in _SCORED
                if isinstance(answer := together[task.id, metric], NoVerdict)
            },
            findings=counts.get(task.id, {}),
        )
        for task in tasks.values()
    ]
    judged_tasks, offline_tasks = (
        challengers(found) if any(given is not None for given in found.values()) else None for found in (violated, read)
    )
    return BenchmarkScores(
        name=benchmark.name,
        tasks=tuple(sorted(rows, key=_badness)),
        items=tuple(
            ItemRow(
                id=item.id,
                text=item.text,
                headings=item.headings,
                context=item.context,
                tasks=judged_tasks.get(item.id, ()) if judged_tasks is not None else None,
                offline=offline_tasks.get(item.id, ()) if offline_tasks is not None else None,
            )
            for item in items
        ),
        judged=readings.scores(together),
        judges={judge: readings.scores(answers) for judge, answers in judges.items()},
        agreement=_agreement(rows, list(judges)),
        offline=readings.numbers({}, read) if offline is not None else None,
        reviewed=benchmark.policy is not None and benchmark.policy.review is not None,
        threshold=threshold,
    )


class _Readings:
    """Turns what is said of a benchmark's tasks into its numbers."""

    def __init__(self, tasks: Sequence[str], items: Sequence[str], threshold: int) -> None:
        self.tasks = tasks
        self.items = items
        self.order = {item: index for index, item in enumerate(items)}
        self.threshold = threshold

    def violated(self, answers: Mapping[Key, Answer]) -> dict[str, tuple[str, ...] | None]:
        """Return V(t) for each task; None where there is no verdict, or no policy to violate."""
        given = {task: answers.get((task, "violations")) for task in self.tasks}
        return self.read({task: found.violations for task, found in given.items() if isinstance(found, Verdict)})

    def read(self, violations: Mapping[str, Iterable[Violation]]) -> dict[str, tuple[str, ...] | None]:
        """Return the ids of the policy's items that each task violates, in the order of the policy."""
        return {
            task: self._ordered(violations[task]) if task in violations and self.items else None for task in self.tasks
        }

    def scores(self, answers: Mapping[Key, Answer]) -> Scores:
        """Return the four numbers of one answer a task and metric."""
        return self.numbers({task: _scores(answers, task) for task in self.tasks}, self.violated(answers))

    def numbers(
        self, scores: Mapping[str, Mapping[Metric, float]], violated: Mapping[str, tuple[str, ...] | None]
    ) -> Scores:
        """Return the four numbers of what is known of each task."""
        description, policy = (
            alignment(scores.get(task, {}).get(metric) for task in self.tasks) for metric in _ALIGNMENTS
        )
        return Scores(
            description,
            policy,
            violations_per_task(violated.values()),
            coverage(violated.values(), self.items, self.threshold),
        )

    def _ordered(self, violations: Iterable[Violation]) -> tuple[str, ...]:
        found = {violation.policy_item for violation in violations if violation.policy_item in self.order}
        return tuple(sorted(found, key=self.order.__getitem__))


def _combined(answers: Sequence[tuple[str, Answer]], metric: Metric) -> Answer:
    """Return what judges say together of one task; each is a model."""
    if not answers:
        return NoVerdict(metric, "", NOT_ASKED)
    if len(answers) == 1:
        return answers[0][1]
    judges = dict.fromkeys(judge for judge, _ in answers)
    return combine([View(judge, judge, answer) for judge, answer in answers], f"panel of {', '.join(judges)}").verdict


def _scored(answer: Answer) -> Answer:
    """Return an answer; a verdict without the score that its metric asks for is none."""
    if isinstance(answer, Verdict) and answer.score is None and answer.metric in _ALIGNMENTS:
        return NoVerdict(answer.metric, answer.judge, "no score")
    return answer


def _by_judge(asked: Answers, voted: Mapping[Key, PanelVerdict]) -> dict[str, dict[Key, Answer]]:
    """Return what each judge says; of a panel's judges their scores and violations are known."""
    given: dict[str, dict[Key, list[tuple[str, Answer]]]] = {}
    for key, answers in asked.items():
        for judge, answer in answers:
            given.setdefault(judge, {}).setdefault(key, []).append((judge, answer))
    found: dict[str, dict[Key, Answer]] = {
        judge: {key: _combined(answers, key[1]) for key, answers in by_key.items()} for judge, by_key in given.items()
    }
    for key, panel in voted.items():
        for judge, score in panel.scores.items():
            found.setdefault(judge, {}).setdefault(key, Verdict(key[1], judge, score))
        for judge, violations in panel.violations.items():
            found.setdefault(judge, {}).setdefault(key, Verdict(key[1], judge, violations=violations))
    return dict(sorted(found.items()))


def _agreement(rows: Iterable[TaskRow], judges: Sequence[str]) -> dict[Metric, Agreement]:
    """Return how far several judges agree on each alignment metric that two of them have scored."""
    found: dict[Metric, Agreement] = {}
    for metric in _ALIGNMENTS if len(judges) > 1 else ():
        scores = {judge: [row.by_judge[metric].get(judge) for row in rows] for judge in judges}
        given = {judge: values for judge, values in scores.items() if any(value is not None for value in values)}
        if len(given) > 1:
            found[metric] = agreement(given)
    return found


def _scores(answers: Mapping[Key, Answer], task: str) -> dict[Metric, float]:
    """Return a task's scores, for each alignment metric that has one."""
    found = {metric: answers.get((task, metric)) for metric in _ALIGNMENTS}
    return {
        metric: answer.score
        for metric, answer in found.items()
        if isinstance(answer, Verdict) and answer.score is not None
    }


def _counts(findings: Iterable[Finding], benchmark: str) -> dict[str, Counter[Severity]]:
    counts: dict[str, Counter[Severity]] = {}
    for finding in findings:
        if finding.task is not None and finding.benchmark == benchmark:
            counts.setdefault(finding.task, Counter())[finding.severity] += 1
    return counts


def _line(task: Task) -> int:
    return task.slice.document.position(task.slice.start, Encoding.UTF32)[0] + 1


def _badness(row: TaskRow) -> tuple[float, ...]:
    """Order tasks: errors, then warnings, then low scores, then lesser findings; equal ones stay in file order."""
    counts = row.findings
    lowest = min(row.scores.values(), default=float("inf"))
    return (
        -counts.get(Severity.ERROR, 0),
        -counts.get(Severity.WARNING, 0),
        lowest,
        -counts.get(Severity.INFORMATION, 0),
        -counts.get(Severity.HINT, 0),
    )

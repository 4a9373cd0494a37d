"""What follows from verdicts as a whole: low scores, rules that no task challenges, judges that nobody measured."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from benchlint.analysis.spoken import is_told
from benchlint.catalogue.finding import Anchor, Finding, Related, Severity
from benchlint.checks.traits import joined
from benchlint.checks.values import title
from benchlint.judges.protocol import Verdict
from benchlint.trust.trust import UNMEASURED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from benchlint.analysis.spoken import Said, Thresholds
    from benchlint.benchmark.model import Benchmark, PolicyItem, Task
    from benchlint.catalogue.rule import Rule
    from benchlint.checks.view import View
    from benchlint.judges.protocol import Metric, Violation
    from benchlint.trust.trust import Trust

_SCORES: Final[Mapping[Metric, str]] = {
    "description_alignment": "description alignment",
    "policy_alignment": "policy alignment",
}
_NAMED: Final = 20
"""So many tasks are named beside a policy item."""


def derived(view: View, said: Sequence[Said], thresholds: Thresholds, rules: Iterable[str]) -> Iterator[Finding]:
    """Yield what follows from the verdicts on one benchmark, under some rules."""
    wanted = frozenset(rules)
    if "low-alignment" in wanted:
        yield from _low_alignment(view, said, thresholds)
    violated = _violated(said)
    if "low-challenge" in wanted:
        yield from _low_challenge(view, violated, thresholds)
    if "unchallenged-policy-item" in wanted:
        yield from _unchallenged(view, violated, thresholds)


def uncalibrated_judges(
    said: Iterable[tuple[Benchmark, Sequence[Said]]],
    rules: Mapping[str, Rule],
    trust: Trust,
    thresholds: Thresholds,
) -> list[Finding]:
    """Return one finding a judge, for a whole run, that names the rules on which it was not measured.

    Only rules count under which it has told something and could be worse
    than information.
    """
    name = "uncalibrated-judge"
    if name not in rules:
        return []
    unmeasured: dict[str, set[str]] = {}
    outdated: dict[str, set[str]] = {}
    first: dict[str, tuple[Benchmark, Said]] = {}
    for benchmark, items in said:
        for item in items:
            verdict = item.verdict
            findings = verdict.findings if isinstance(verdict, Verdict) else ()
            for rule in {found.rule for found in findings if is_told(found, rules, thresholds)}:
                if rules[rule].severity > UNMEASURED and trust.measurement(verdict.judge, rule) is None:
                    kept = outdated if trust.is_outdated(verdict.judge, rule) else unmeasured
                    kept.setdefault(verdict.judge, set()).add(rule)
                    first.setdefault(verdict.judge, (benchmark, item))
    told = []
    for judge, (benchmark, item) in first.items():
        who = "the offline reader" if item.found_by == "offline" else judge
        never, before = sorted(unmeasured.get(judge, ())), sorted(outdated.get(judge, ()))
        where = [f"on {joined(never)}"] if never else []
        where += [f"on {joined(before)} since the rubric changed"] if before else []
        message = f"{who} has not been measured {', and '.join(where)}: what it finds there is information"
        at = Anchor(benchmark.sources[0].document.path)
        told.append(Finding(name, rules[name].severity, message, at, benchmark.name, found_by=item.found_by))
    return told


def _low_alignment(view: View, said: Sequence[Said], thresholds: Thresholds) -> Iterator[Finding]:
    """Yield the tasks with a score under the floor; of several scores of one kind the median counts."""
    scores: dict[int, dict[Metric, list[float]]] = {}
    tasks: dict[int, Said] = {}
    for item in said:
        verdict = item.verdict
        if item.task is not None and isinstance(verdict, Verdict) and verdict.score is not None:
            tasks[id(item.task)] = item
            scores.setdefault(id(item.task), {}).setdefault(verdict.metric, []).append(verdict.score)
    for key, by_metric in scores.items():
        low = [
            f"{name} {median(by_metric[metric]):g}"
            for metric, name in _SCORES.items()
            if metric in by_metric and median(by_metric[metric]) < thresholds.alignment
        ]
        task, found_by = tasks[key].task, tasks[key].found_by
        if low and task is not None:
            message = f"{joined(low)} of 10; the floor is {thresholds.alignment:g}"
            pointer, part = title(task)
            yield view.finding("low-alignment", message, pointer, part=part, task=task, found_by=found_by)


def _violated(said: Sequence[Said]) -> list[tuple[Task, Sequence[Violation]]]:
    """Return the tasks that a judge has read for violations, and what each violates.

    The offline reader does not count: where it is silent nothing is known.
    """
    found: dict[int, tuple[Task, dict[str, Violation]]] = {}
    for task, verdict, found_by, _ in said:
        if task is None or not isinstance(verdict, Verdict) or verdict.metric != "violations":
            continue
        if found_by != "offline":
            _, items = found.setdefault(id(task), (task, {}))
            items.update({item.policy_item: item for item in verdict.violations})
    return [(task, tuple(items.values())) for task, items in found.values()]


def _are_enough(view: View, violated: Sequence[object], thresholds: Thresholds) -> bool:
    """Say whether so many tasks were read that something can be said of all."""
    return bool(violated) and len(violated) >= thresholds.judged * len(view.benchmark.tasks)


def _low_challenge(
    view: View, violated: Sequence[tuple[Task, Sequence[Violation]]], thresholds: Thresholds
) -> Iterator[Finding]:
    count = sum(len(items) for _, items in violated)
    if _are_enough(view, violated, thresholds) and count < thresholds.challenge * len(violated):
        tasks = "1 task" if len(violated) == 1 else f"{len(violated)} tasks"
        items = "1 policy item" if count == 1 else f"{count} policy items"
        message = f"{tasks} run into {items}, {count / len(violated):.2f} a task; the floor is {thresholds.challenge:g}"
        finding = view.file_finding("low-challenge", message, Anchor(view.benchmark.sources[0].document.path))
        yield replace(finding, found_by="judge")
    for task, found in violated:
        if not found:
            pointer, part = title(task)
            message = "the request runs into no policy item"
            yield view.finding(
                "low-challenge", message, pointer, part=part, task=task, severity=Severity.HINT, found_by="judge"
            )


def _unchallenged(
    view: View, violated: Sequence[tuple[Task, Sequence[Violation]]], thresholds: Thresholds
) -> Iterator[Finding]:
    policy = view.benchmark.policy
    wanted = thresholds.challengers
    if policy is None or len(view.benchmark.tasks) < wanted or not _are_enough(view, violated, thresholds):
        return
    by_item: dict[str, list[tuple[Task, Violation]]] = {}
    for task, found in violated:
        for violation in found:
            by_item.setdefault(violation.policy_item, []).append((task, violation))
    for item in policy.items:
        tasks = by_item.get(item.id, [])
        if item.kind != "fact" and len(tasks) < wanted:
            yield _unchallenged_item(view, item, tasks, len(violated), wanted)


def _unchallenged_item(
    view: View, item: PolicyItem, tasks: Sequence[tuple[Task, Violation]], read: int, wanted: int
) -> Finding:
    count = f"{len(tasks)} of {read} tasks" if tasks else f"none of {read} tasks"
    related = tuple(_challenger(view, task, violation) for task, violation in tasks[:_NAMED])
    finding = view.file_finding(
        "unchallenged-policy-item",
        f"{count} {'challenges' if len(tasks) < 2 else 'challenge'} this item; {wanted} should",
        Anchor(item.path, item.start, item.end),
        related=related,
        quote=item.text,
    )
    return replace(finding, found_by="judge", policy_items=(item.id,))


def _challenger(view: View, task: Task, violation: Violation) -> Related:
    message = f'task "{task.id}" challenges it'
    if violation.pointer is None:
        return view.related(message, task, *title(task))
    return view.related(message, task, violation.pointer, span=violation.span)

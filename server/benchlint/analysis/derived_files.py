"""What verdicts on tasks say of their file: that its expectations tell no workflow, that its policy is another's."""

from __future__ import annotations

from collections import defaultdict
from statistics import median
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from benchlint.analysis.spoken import is_told
from benchlint.catalogue.finding import Anchor, Related
from benchlint.checks.traits import listed
from benchlint.checks.values import title
from benchlint.judges.protocol import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from benchlint.analysis.spoken import Said, Thresholds
    from benchlint.benchmark.model import Task
    from benchlint.catalogue.finding import Finding
    from benchlint.catalogue.rule import Rule
    from benchlint.checks.view import View
    from benchlint.judges.protocol import JudgedFinding, Metric
    from benchlint.trust.trust import Trust

OUTCOME_ONLY: Final = "outcome-only-behaviour"
MISMATCHED: Final = "mismatched-policy"

PER_FILE: Final = frozenset({OUTCOME_ONLY})
"""Rules of which a judge speaks with each task, and of which one finding tells the file."""

_FEW_EXPECTATIONS: Final = 3
_FEW_SCORES: Final = 5
"""So few tasks are no trait of a file."""

_STRANGE: Final = 2.0
"""Half of the tasks have at most this policy alignment where the policy is that of another domain."""


def file_findings(
    view: View,
    said: Sequence[Said],
    thresholds: Thresholds,
    rules: Mapping[str, Rule],
    trust: Trust,
    static: Iterable[Finding],
) -> Iterator[Finding]:
    """Yield what follows for whole files, where no check has found the same."""
    known = {(finding.rule, finding.anchor.path) for finding in static if finding.rule in (OUTCOME_ONLY, MISMATCHED)}
    by_file: dict[str, list[Said]] = defaultdict(list)
    for item in said:
        if item.task is not None and isinstance(item.verdict, Verdict) and item.found_by != "offline":
            by_file[item.task.slice.document.path].append(item)
    for path, items in by_file.items():
        count = sum(task.slice.document.path == path for task in view.benchmark.tasks)
        if OUTCOME_ONLY in rules and (OUTCOME_ONLY, path) not in known:
            yield from _outcome_only(view, items, count, thresholds, rules, trust)
        if MISMATCHED in rules and (MISMATCHED, path) not in known and view.benchmark.policy is not None:
            yield from _mismatched(view, items, count, thresholds, rules, trust)


def _outcome_only(
    view: View, said: Sequence[Said], count: int, thresholds: Thresholds, rules: Mapping[str, Rule], trust: Trust
) -> Iterator[Finding]:
    read: dict[int, Task] = {}
    hits: dict[int, tuple[Said, JudgedFinding]] = {}
    for item in said:
        verdict = item.verdict
        if not isinstance(verdict, Verdict) or item.task is None or verdict.metric != rules[OUTCOME_ONLY].metric:
            continue
        read[id(item.task)] = item.task
        for found in verdict.findings:
            if found.rule == OUTCOME_ONLY and is_told(found, rules, thresholds):
                hits.setdefault(id(item.task), (item, found))
    if len(hits) < _FEW_EXPECTATIONS or 2 * len(hits) <= len(read) or len(read) < thresholds.judged * count:
        return
    ids = listed([item.task.id for item, _ in hits.values() if item.task is not None])
    share = f"{len(hits)} of {len(read)} tasks ({100 * len(hits) / len(read):.0f} %)"
    item, found = next(iter(hits.values()))
    assert item.task is not None
    if found.pointer is not None:
        anchor = view.anchor(item.task, found.pointer, span=found.span)
    else:
        anchor = view.anchor(item.task, *title(item.task))
    message = f"{share} expect an outcome and tell no workflow: {ids}"
    severity = min(rules[OUTCOME_ONLY].severity, trust.ceiling(item.verdict.judge, OUTCOME_ONLY))
    finding = view.file_finding(OUTCOME_ONLY, message, anchor, severity=severity, quote=found.quote)
    yield replace(finding, found_by=item.found_by)


def _mismatched(
    view: View, said: Sequence[Said], count: int, thresholds: Thresholds, rules: Mapping[str, Rule], trust: Trust
) -> Iterator[Finding]:
    """Yield a finding where tasks fit their descriptions, and hardly any fits the policy."""
    scores: dict[Metric, dict[int, list[float]]] = {"description_alignment": {}, "policy_alignment": {}}
    for item in said:
        verdict = item.verdict
        if isinstance(verdict, Verdict) and verdict.metric in scores and verdict.score is not None:
            scores[verdict.metric].setdefault(id(item.task), []).append(verdict.score)
    described, complied = (list(map(median, scores[metric].values())) for metric in scores)
    if min(len(described), len(complied)) < max(_FEW_SCORES, thresholds.judged * count):
        return
    if median(complied) > _STRANGE or median(described) < thresholds.alignment:
        return
    first = next(item for item in said if item.verdict.metric == "policy_alignment")
    policy = view.policy.paths[0]
    name = policy.replace("\\", "/").rpartition("/")[2]
    message = (
        f"the tasks do not seem to belong to {name}: the median of policy alignment is {median(complied):g} of 10 over "
        f"{len(complied)} tasks, and that of description alignment {median(described):g}"
    )
    assert first.task is not None
    pointer, part = title(first.task)
    anchor = view.anchor(first.task, pointer, part)
    severity = min(rules[MISMATCHED].severity, trust.ceiling(first.verdict.judge, MISMATCHED))
    related = Related("the policy", Anchor(policy, 0, 0))
    finding = view.file_finding(MISMATCHED, message, anchor, severity=severity, related=(related,))
    yield replace(finding, found_by=first.found_by)

"""From the verdicts of judges to findings: placed, weighed by trust, told once.

A judge's finding is as severe as its page allows and as the judge is trusted
under that rule, whichever is less. What a check has found at the same place
is not told again.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from benchlint.analysis.derived import derived, uncalibrated_judges
from benchlint.analysis.derived_files import PER_FILE, file_findings
from benchlint.analysis.mending import mended
from benchlint.analysis.owners import Owners
from benchlint.analysis.spoken import Said, Thresholds, clipped, is_told, said
from benchlint.catalogue.finding import Anchor, Related
from benchlint.checks.values import title, value_at
from benchlint.checks.view import View
from benchlint.judges.protocol import JudgedFinding, Verdict
from benchlint.text.quotes import find_quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from benchlint.benchmark.model import Benchmark, PolicyItem, Task
    from benchlint.catalogue.finding import Finding, Severity
    from benchlint.catalogue.rule import Rule
    from benchlint.text.locate import Part
    from benchlint.text.tree import Pointer
    from benchlint.trust.trust import Trust

__all__ = ["Said", "Thresholds", "judged_findings", "said", "uncalibrated_judges"]

_MISMATCHED: Final = "mismatched-task"
_DISAGREEMENT: Final = "judge-disagreement"
_SHOWN: Final = 100
_POLICY: Final = 160


def judged_findings(
    benchmark: Benchmark,
    verdicts: Iterable[Said],
    rules: Mapping[str, Rule],
    trust: Trust,
    thresholds: Thresholds = Thresholds(),  # noqa: B008
    static: Iterable[Finding] = (),
) -> list[Finding]:
    """Return what judges found in a benchmark, and what follows from their verdicts.

    `rules` are those to report. `static` are the findings of checks; one at
    the same place wins. Verdicts are of tasks of this very `benchmark`
    object.
    """
    spoken, static = list(verdicts), list(static)
    translator = Translator(benchmark, rules, trust, thresholds)
    told = distinct([finding for item in spoken for finding in translator.findings(item)], static)
    if _DISAGREEMENT in rules:
        told += [finding for item in spoken for finding in translator.disagreements(item)]
    view = View(benchmark, dict(rules))
    told += file_findings(view, spoken, thresholds, rules, trust, static)
    return told + list(derived(view, spoken, thresholds, rules))


class Translator:
    """Makes findings of the verdicts on one benchmark."""

    def __init__(self, benchmark: Benchmark, rules: Mapping[str, Rule], trust: Trust, thresholds: Thresholds) -> None:
        self._benchmark = benchmark
        self._rules = rules
        self._trust = trust
        self._thresholds = thresholds
        self._view = View(benchmark, dict(rules))
        self._owners = Owners(benchmark)
        policy = benchmark.policy
        known = (*policy.sentences, *policy.items) if policy is not None else ()
        self._items: dict[str, PolicyItem] = {item.id: item for item in known}

    def findings(self, spoken: Said) -> Iterator[tuple[Finding, float]]:
        """Yield the findings of one verdict, each with its confidence."""
        verdict = spoken.verdict
        if not isinstance(verdict, Verdict):
            return
        for found in verdict.findings:
            if found.rule not in PER_FILE and is_told(found, self._rules, self._thresholds):
                severity = min(self._rules[found.rule].severity, self._trust.ceiling(verdict.judge, found.rule))
                finding = self._finding(spoken, found, _message(found, spoken), severity)
                if finding is not None:
                    yield finding, found.confidence

    def disagreements(self, spoken: Said) -> Iterator[Finding]:
        """Yield the points on which the judges of a panel split, each with all views beside it."""
        for split in spoken.splits:
            if split.finding is not None and not is_told(split.finding, self._rules, self._thresholds):
                continue
            at = split.finding or JudgedFinding(_DISAGREEMENT, "", "")
            severity = self._rules[_DISAGREEMENT].severity
            message = f"the judges split: {split.message}"
            finding = self._finding(spoken, dataclasses.replace(at, rule=_DISAGREEMENT), message, severity)
            if finding is not None:
                views = (Related(f"{judge}: {view}", finding.anchor) for judge, view in split.views)
                yield replace(finding, related=(*views, *finding.related), fixes=())

    def _finding(self, spoken: Said, found: JudgedFinding, message: str, severity: Severity) -> Finding | None:
        """Return a finding at its place in the task, or in the policy."""
        if spoken.task is not None:
            finding = self._in_task(spoken.task, found, message, severity)
        else:
            item = next((self._items[name] for name in found.policy_items if name in self._items), None)
            if item is None:
                return None
            finding = self._in_policy(item, found, message, severity)
        return replace(finding, found_by=spoken.found_by, policy_items=found.policy_items)

    def _in_task(self, task: Task, found: JudgedFinding, message: str, severity: Severity) -> Finding:
        view = self._view.of(task)
        pointer, part, span = _place(found, task)
        fix = mended(view, found, pointer, span)
        return view.finding(
            found.rule,
            message,
            _shown(pointer, task),
            part=part,
            span=span,
            severity=severity,
            related=(*self._owner(found, task), *self._related(found.policy_items)),
            fixes=(fix,) if fix is not None else (),
        )

    def _in_policy(self, item: PolicyItem, found: JudgedFinding, message: str, severity: Severity) -> Finding:
        return self._view.file_finding(
            found.rule,
            message,
            Anchor(item.path, item.start, item.end),
            severity=severity,
            related=self._related(name for name in found.policy_items if name != item.id),
            quote=item.text,
        )

    def _owner(self, found: JudgedFinding, task: Task) -> tuple[Related, ...]:
        """Point to the task to which a mismatched expectation seems to belong."""
        owner = self._owners.of(task) if found.rule == _MISMATCHED else None
        if owner is None:
            return ()
        return (self._view.related(f'it fits the description of task "{owner.id}"', owner, *title(owner)),)

    def _related(self, names: Iterable[str]) -> tuple[Related, ...]:
        items = (self._items[name] for name in names if name in self._items)
        return tuple(
            Related(f'the policy: "{clipped(item.text, _POLICY)}"', Anchor(item.path, item.start, item.end))
            for item in items
        )


def _message(found: JudgedFinding, spoken: Said) -> str:
    message = " ".join(found.reason.split()).removesuffix(".")
    if found.quoted == "missing":
        message += f'; the words "{clipped(found.quote, _SHOWN)}" stand nowhere, this is the field that was meant'
    return f"{message} (offline reader)" if spoken.found_by == "offline" else message


def _place(found: JudgedFinding, task: Task) -> tuple[Pointer, Part, tuple[int, int] | None]:
    """Return where a finding stands: the pointer to a value, what of it is meant, and the characters in it.

    A judge that names no place at all is taken to mean the task.
    """
    if found.pointer is None:
        return *title(task), None
    if found.key or found.span is not None or found.quoted == "missing":
        return found.pointer, "key" if found.key else "value", found.span
    text = value_at(task.value, found.pointer)
    place = find_quote(found.quote, text) if isinstance(text, str) else None
    return found.pointer, "value", (place.start, place.end) if place is not None else None


def _shown(pointer: Pointer, task: Task) -> Pointer:
    """Return the place at which a value is shown: for a whole call its name."""
    calls = (*task.actions, *task.env_assertions)
    return next((call.name_pointer for call in calls if call.pointer == pointer), pointer)


def distinct(found: Sequence[tuple[Finding, float]], static: Iterable[Finding]) -> list[Finding]:
    """Leave out what a check has found there, and, of two overlapping ones of a rule, the less sure."""
    checked: dict[tuple[str, int | None], list[Finding]] = {}
    for finding in static:
        checked.setdefault((finding.anchor.path, finding.anchor.slice), []).append(finding)
    kept: dict[tuple[str, str, int | None], list[Finding]] = {}
    for finding, _ in sorted(found, key=lambda item: -item[1]):
        anchor = finding.anchor
        if any(_is_same(finding, other) for other in checked.get((anchor.path, anchor.slice), ())):
            continue
        others = kept.setdefault((finding.rule, anchor.path, anchor.slice), [])
        if not any(_overlap(anchor, other.anchor) for other in others):
            others.append(finding)
    chosen = {id(finding) for others in kept.values() for finding in others}
    return [finding for finding, _ in found if id(finding) in chosen]


def _is_same(judged: Finding, checked: Finding) -> bool:
    """Say whether a check has found what a judge says: the same text, or an overlapping one under the same rule.

    A finding about the policy stands in a whole item, which can have several faults.
    """
    one, other = judged.anchor, checked.anchor
    if judged.rule == checked.rule or one.slice is None:
        return judged.rule == checked.rule and _overlap(one, other)
    return one.start < one.end and (one.start, one.end) == (other.start, other.end)


def _overlap(one: Anchor, other: Anchor) -> bool:
    return (one.start < other.end and other.start < one.end) or (one.start, one.end) == (other.start, other.end)

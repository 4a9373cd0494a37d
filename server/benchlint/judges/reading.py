"""From a judge's answer to a verdict: what is said is checked against what was asked.

An answer is data, whether it comes from a model, from the cache or from an
export: it is read here each time, and nothing in it is taken on trust.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchlint.judges.parts import place
from benchlint.judges.protocol import DRAFTS, JudgedFinding, NoVerdict, Verdict, Violation
from benchlint.text.quotes import find_quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchlint.judges.prompt import Asked
    from benchlint.judges.protocol import Quoted
    from benchlint.judges.schemas import (
        AlignmentAnswer,
        AmbiguityAnswer,
        ContradictionsAnswer,
        Decision,
        Fault,
        ViolationsAnswer,
    )
    from benchlint.text.tree import Pointer

LIKELIHOOD: Final = 0.2
"""The share of differing runs from which on an open decision is a finding."""

_AMBIGUOUS: Final = "ambiguous-instruction"
_CONTRADICTORY: Final = "contradictory-policy"


def read(asked: Asked, data: object, judge: str, likelihood: float = LIKELIHOOD) -> Verdict | NoVerdict:
    """Return the verdict that an answer gives on what was asked.

    It is no verdict where the answer is not of the metric's form, or counts
    other parts or policy items than were shown. Findings under rules that
    were not asked about, or without a quote, are dropped and counted.
    """
    from pydantic import ValidationError

    from benchlint.judges.parsing import mismatch
    from benchlint.judges.prompt import answer_model

    metric = asked.request.metric
    try:
        answer = answer_model(metric).model_validate(data)
    except ValidationError:
        return NoVerdict(metric, judge, mismatch(data, metric) or "the answer cannot be read")
    miscounted = _miscounted(asked, answer)
    if miscounted:
        return NoVerdict(metric, judge, miscounted)
    if metric in DRAFTS:
        return Verdict(metric, judge, answer=answer)
    reader = _Reader(asked)
    score = None
    if metric in ("description_alignment", "policy_alignment"):
        score = reader.alignment(answer)
    elif metric == "violations":
        reader.hits(answer)
    elif metric == "ambiguity":
        if not answer.decisions:
            return NoVerdict(metric, judge, "the reply lists no decision of the user's, so the user was not played")
        reader.ambiguity(answer, likelihood)
    else:
        reader.contradictions(answer)
    return Verdict(
        metric, judge, score, tuple(reader.findings.values()), tuple(reader.violations.values()), reader.dropped
    )


def _miscounted(asked: Asked, answer: Any) -> str:
    """Say which count of an answer is wrong, "" where none is."""
    shown = (("parts_read", len(asked.parts), "parts of the task"), ("items_read", len(asked.items), "policy items"))
    for name, count, what in shown:
        said = getattr(answer, name, count)
        if said != count:
            return f"the reply counts {said} {what}, there are {count}"
    return ""


class _Quote(NamedTuple):
    """Where a quote stands, or which field was meant."""

    pointer: Pointer
    span: tuple[int, int] | None
    key: bool
    quoted: Quoted


class _Reader:
    """Reads one answer and collects what it says."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.findings: dict[object, JudgedFinding] = {}
        self.violations: dict[str, Violation] = {}
        self.dropped = 0

    def alignment(self, answer: AlignmentAnswer) -> float:
        """Read the faults; return the score."""
        for fault in answer.findings:
            self._fault(fault)
        return float(answer.score)

    def hits(self, answer: ViolationsAnswer) -> None:
        """Read the policy items that the request runs into."""
        for hit in answer.violations:
            items = self._items([hit.policy_item])
            at = self._find(hit.quote, hit.part)
            if not items or at is None:
                self.dropped += 1
                continue
            violation = Violation(
                items[0], hit.quote.strip(), _line(hit.reason), hit.confidence, at.pointer, at.span, at.quoted
            )
            known = self.violations.get(items[0])
            if known is None or violation.confidence > known.confidence:
                self.violations[items[0]] = violation

    def ambiguity(self, answer: AmbiguityAnswer, likelihood: float) -> None:
        """Read the decisions that stay open, then the faults."""
        for decision in answer.decisions:
            if not self._is_open(decision) or decision.likelihood < likelihood:
                continue
            ends = _different_ends(decision)
            if ends is None:
                continue
            at = self._find(decision.quote, decision.part)
            if at is None or _AMBIGUOUS not in self.asked.rules:
                self.dropped += 1
                continue
            reason = f"{_line(decision.decision)}: {ends[0]}, or {ends[1]}"
            self._add(JudgedFinding(_AMBIGUOUS, decision.quote.strip(), reason, (), decision.likelihood, None, *at))
        for fault in answer.findings:
            self._fault(fault)

    def contradictions(self, answer: ContradictionsAnswer) -> None:
        """Read the pairs of policy items; each finding stands in the second one."""
        for pair in answer.contradictions:
            items = self._items([pair.second, pair.first])
            if len(items) < 2 or not pair.quote.strip() or _CONTRADICTORY not in self.asked.rules:
                self.dropped += 1
                continue
            found = find_quote(pair.quote, self.asked.items[pair.second - 1].text)
            span = (found.start, found.end) if found else None
            quoted: Quoted = "missing" if found is None else "exact" if found.exact else "loose"
            finding = JudgedFinding(
                _CONTRADICTORY, pair.quote.strip(), _line(pair.reason), items, pair.confidence, span=span, quoted=quoted
            )
            self._add(finding, frozenset(items))

    def _fault(self, fault: Fault) -> None:
        at = self._find(fault.quote, fault.part)
        rule = "-".join(fault.rule.lower().replace("_", " ").split())
        if at is None or rule not in self.asked.rules:
            self.dropped += 1
            return
        rewrite = fault.rewrite if fault.rewrite != fault.quote else None
        self._add(
            JudgedFinding(
                rule,
                fault.quote.strip(),
                _line(fault.reason),
                self._items(fault.policy_items),
                fault.confidence,
                rewrite if at.quoted != "missing" else None,
                *at,
            )
        )

    def _add(self, finding: JudgedFinding, key: object = None) -> None:
        """Keep a finding; of two in the same place the surer one."""
        key = key or (finding.rule, finding.pointer, finding.span, finding.key)
        known = self.findings.get(key)
        if known is None or finding.confidence > known.confidence:
            self.findings[key] = finding

    def _items(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Return the ids of policy items by their numbers; those out of range are left out."""
        items = self.asked.items
        return tuple(dict.fromkeys(items[number - 1].id for number in numbers if 0 < number <= len(items)))

    def _find(self, quote: str, number: int | None) -> _Quote | None:
        """Return where a quote stands: the part that is named comes first.

        Words that stand nowhere are taken to mean the part that is named.
        """
        if not quote.strip():
            return None
        parts = self.asked.parts
        named = parts[number - 1 : number] if number is not None and 0 < number <= len(parts) else ()
        found = place(quote, (*named, *parts))
        if found is not None:
            return _Quote(found.pointer, found.span, found.key, "exact" if found.exact else "loose")
        return _Quote(named[0].pointer, None, False, "missing") if named else None

    def _is_open(self, decision: Decision) -> bool:
        """Say whether no words of the scenario settle a decision."""
        words = decision.settled_by
        return not words or not words.strip() or place(words, self.asked.parts[: self.asked.told]) is None


def _different_ends(decision: Decision) -> tuple[str, str] | None:
    """Return the ends of the first two plays that end differently."""
    ends = [_line(play.end_state) for play in decision.plays]
    other = next((end for end in ends[1:] if _plain(end) != _plain(ends[0])), None)
    return (ends[0], other) if other is not None else None


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _line(text: str) -> str:
    """Return a text on one line, without the stop at its end."""
    return " ".join(text.split()).removesuffix(".")

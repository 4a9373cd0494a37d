"""What judges said of a benchmark, and from where on it is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from benchlint.judges.metrics import THRESHOLD

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from benchlint.benchmark.model import Task
    from benchlint.catalogue.finding import FoundBy
    from benchlint.catalogue.rule import Rule
    from benchlint.judges.panel import PanelVerdict, Split
    from benchlint.judges.protocol import JudgedFinding, NoVerdict, Verdict, Violation

OFFLINE: Final = "offline"
"""The name of the judge that needs no model."""

_LIKELIHOODS: Final = frozenset({"ambiguous-instruction"})
"""Rules whose confidence is the share of runs that differ; whoever reads the answer has a limit for it."""


class Said(NamedTuple):
    """A verdict on a task of a benchmark; without a task, on its policy.

    `found_by` is the kind of judge that gave it. `splits` are the points on
    which the judges of a panel disagree.
    """

    task: Task | None
    verdict: Verdict | NoVerdict
    found_by: FoundBy = "judge"
    splits: tuple[Split, ...] = ()


def said(task: Task | None, verdict: Verdict | NoVerdict | PanelVerdict) -> Said:
    """Return what a judge, the offline reader or a panel said of a task (None: of the policy)."""
    from benchlint.judges.panel import PanelVerdict

    if isinstance(verdict, PanelVerdict):
        return Said(task, verdict.verdict, "panel", verdict.splits)
    return Said(task, verdict, "offline" if verdict.judge == OFFLINE else "judge")


def said_offline(task: Task, findings: Iterable[JudgedFinding], violations: Iterable[Violation]) -> tuple[Said, Said]:
    """Return what the offline reader said of a task: its findings and, apart from them, the violations."""
    one, other = offline_verdicts(findings, violations)
    return said(task, one), said(task, other)


def offline_verdicts(findings: Iterable[JudgedFinding], violations: Iterable[Violation]) -> tuple[Verdict, Verdict]:
    """Return what the offline reader said as verdicts: its findings and, apart from them, the violations."""
    from benchlint.judges.protocol import Verdict

    return (
        Verdict("policy_alignment", OFFLINE, findings=tuple(findings)),
        Verdict("violations", OFFLINE, violations=tuple(violations)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """From where on something is told.

    `confidence` is a judge's own, from 0 to 1. `alignment` is the floor of
    scores, `challenge` the floor of violations per task. `challengers` is K:
    how many tasks should challenge a policy item. `judged` is the share of
    tasks that must have a verdict before anything is said of the whole.
    """

    confidence: float = 0.7
    alignment: float = 5.0
    challenge: float = 1.0
    challengers: int = THRESHOLD
    judged: float = 0.9


def is_told(found: JudgedFinding, rules: Mapping[str, Rule], thresholds: Thresholds) -> bool:
    """Say whether a finding is of a rule that is looked for, and sure enough."""
    return found.rule in rules and (found.rule in _LIKELIHOODS or found.confidence >= thresholds.confidence)


def clipped(text: str, longest: int) -> str:
    """Return a text on one line, cut at a word where it is long."""
    text = " ".join(text.split())
    return text if len(text) <= longest else f"{text[:longest].rsplit(' ', 1)[0]} …"

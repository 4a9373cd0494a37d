"""What is asked of a judge and what it answers.

Koren, Bar-Haim and Goldsteen, "Benchmarking the Benchmarks": a task is
t = (d, e, i), description, expected behaviour and initial state; P is the
policy. Each metric is a call of its own and sees only its own inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from benchlint.text.tree import Pointer

Metric = Literal["description_alignment", "policy_alignment", "violations", "ambiguity", "contradictions"]

METRICS: tuple[Metric, ...] = (
    "description_alignment",
    "policy_alignment",
    "violations",
    "ambiguity",
    "contradictions",
)


@dataclass(frozen=True, slots=True)
class JudgedFinding:
    """One fault that a judge names.

    `quote` is the text at fault, word for word. `pointer` is the field in
    which the judge saw it, where it says so (the offline reader does).
    `policy_items` are ids of items. `confidence` is from 0 to 1. `rewrite`
    replaces the quote, or is None; an empty one deletes it.
    """

    rule: str
    quote: str
    reason: str
    policy_items: tuple[str, ...] = ()
    confidence: float = 1.0
    rewrite: str | None = None
    pointer: Pointer | None = None


@dataclass(frozen=True, slots=True)
class Violation:
    """A policy item that the user's request runs into, and the words that do."""

    policy_item: str
    quote: str
    reason: str = ""
    confidence: float = 1.0
    pointer: Pointer | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge said of one task (or, for `contradictions`, of a policy).

    `score` is from 1 to 10, higher is better; None for metrics without one
    and for a judge that gives none. `dropped` counts findings that quoted
    nothing or could not be true to the form.
    """

    metric: Metric
    judge: str
    score: float | None = None
    findings: tuple[JudgedFinding, ...] = ()
    violations: tuple[Violation, ...] = ()
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class NoVerdict:
    """A judge that was asked and gave nothing usable. Never the same as clean."""

    metric: Metric
    judge: str
    reason: str


@dataclass(frozen=True, slots=True)
class Request:
    """One question: a metric and the messages that ask it.

    `key` names what is asked about (a task's id, or the policy). `prefix`
    is the part that is the same for every task, `body` the rest. `schema`
    is the JSON schema of the answer. Everything that could change the
    answer is in here, so that a hash of it can name the verdict.
    """

    metric: Metric
    key: str
    prefix: str
    body: str
    schema: dict[str, object]


class Judge(Protocol):
    """Whoever answers requests."""

    name: str
    """The model string, "offline", or a panel's name."""

    async def assess(self, request: Request) -> Verdict | NoVerdict:
        """Answer one request. Cancelling the task stops the call."""

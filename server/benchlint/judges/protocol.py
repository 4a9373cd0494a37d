"""What is asked of a judge and what it answers.

Koren, Bar-Haim and Goldsteen, "Benchmarking the Benchmarks": a task is
t = (d, e, i), description, expected behaviour and initial state; P is the
policy. Each metric is a call of its own and sees only its own inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchlint.judges.prices import Price
    from benchlint.judges.prompt import Asked
    from benchlint.text.tree import Pointer

Metric = Literal[
    "description_alignment",
    "policy_alignment",
    "violations",
    "ambiguity",
    "contradictions",
    "items",
    "guards",
    "tasks",
]

METRICS: tuple[Metric, ...] = (
    "description_alignment",
    "policy_alignment",
    "violations",
    "ambiguity",
    "contradictions",
)
"""What a benchmark is judged on."""

DRAFTS: frozenset[Metric] = frozenset({"items", "guards", "tasks"})
"""What is asked to be written and not judged: for a person to accept."""


Quoted = Literal["exact", "loose", "missing"]
"""How a quote was found: word for word, misquoted, or not at all."""


@dataclass(frozen=True, slots=True)
class JudgedFinding:
    """One fault that a judge names.

    `quote` is the text at fault, as the judge wrote it. `pointer` leads from
    the task to the value in which it stands (with `key`, to the value whose
    key is meant) and `span` to its characters there; None is the whole
    value. Where `quoted` is "missing" the words stand nowhere, and `pointer`
    is the field that the judge named. `policy_items` are ids of items; a
    finding about the policy itself stands in the first of them. `confidence`
    is from 0 to 1. `rewrite` replaces the quote, or is None; an empty one
    deletes it.
    """

    rule: str
    quote: str
    reason: str
    policy_items: tuple[str, ...] = ()
    confidence: float = 1.0
    rewrite: str | None = None
    pointer: Pointer | None = None
    span: tuple[int, int] | None = None
    key: bool = False
    quoted: Quoted = "exact"


@dataclass(frozen=True, slots=True)
class Violation:
    """A policy item that the user's request runs into, and the words that do."""

    policy_item: str
    quote: str
    reason: str = ""
    confidence: float = 1.0
    pointer: Pointer | None = None
    span: tuple[int, int] | None = None
    quoted: Quoted = "exact"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge said of one task (or, for `contradictions`, of a policy).

    `score` is from 1 to 10, higher is better; None for metrics without one
    and for a judge that gives none. `dropped` counts findings that quoted
    nothing or could not be true to the form. `answer` is what was written
    where a draft is asked for, in the metric's form, and nothing else yet.
    """

    metric: Metric
    judge: str
    score: float | None = None
    findings: tuple[JudgedFinding, ...] = ()
    violations: tuple[Violation, ...] = ()
    dropped: int = 0
    answer: Any = None


@dataclass(frozen=True, slots=True)
class NoVerdict:
    """A judge that was asked and gave nothing usable. Never the same as clean."""

    metric: Metric
    judge: str
    reason: str


@dataclass(frozen=True, slots=True)
class Request:
    """One question: a metric and the messages that ask it.

    `key` names what is asked about (a task's id, an item's, or the policy). `prefix`
    is the part that is the same for every task, `body` the rest. `schema`
    is the JSON schema of the answer. Everything that could change the
    answer is in here, so that a hash of it can name the verdict.
    """

    metric: Metric
    key: str
    prefix: str
    body: str
    schema: dict[str, object]


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls took: how many, tokens in and out, and US dollars.

    `usd` is None where some price is unknown: then nobody knows the sum.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float | None = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            None if self.usd is None or other.usd is None else self.usd + other.usd,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered, as parsed JSON in the form that the metric asks for."""

    data: dict[str, Any]
    usage: Usage


Outage = Literal["none", "transient", "fatal"]
"""Whether the endpoint is at fault: no; for this call; for every further call too."""


class NoAnswerError(Exception):
    """A model that gave no usable answer: why, what it took, and who is at fault."""

    def __init__(self, reason: str, usage: Usage = Usage(), outage: Outage = "none") -> None:
        super().__init__(reason)
        self.reason = reason
        self.usage = usage
        self.outage = outage


class Model(Protocol):
    """A language model that answers requests."""

    name: str
    """The model string."""

    concurrency: int
    """How many requests it may be asked at once."""

    @property
    def asker(self) -> Mapping[str, object]:
        """Everything besides the messages that could change an answer."""

    @property
    def price(self) -> Price | None:
        """What its tokens cost, where it is known."""

    async def answer(self, request: Request, allowed: Callable[[], bool]) -> Answer:
        """Answer one request, or raise NoAnswerError.

        `allowed` is asked before each call that may cost, and makes it count.
        Cancelling the task stops the call.
        """

    async def close(self) -> None:
        """Close the connections."""


class Judge(Protocol):
    """Whoever judges tasks."""

    name: str
    """The model string, "offline", or a panel's name."""

    async def assess(self, asked: Asked) -> Verdict | NoVerdict:
        """Judge what is asked. Cancelling the task stops the call."""

"""From verdicts to the numbers of the paper.

Koren, Bar-Haim and Goldsteen, "Benchmarking the Benchmarks". A task is
t = (d, e, i): description, expected behaviour, initial state; P is the
policy, with the items p_1 ... p_N; B is the benchmark, its tasks.

Consistency:
    M_desc(t) = J_desc(d, e), M_pol(t) = J_pol(d, e, P), each from 1 to 10
    S_m(B) = (1/n) sum of M_m(t)
Complexity:
    V(t) = the policy items that the task violates
    S_vcount(B) = (1/|B|) sum of |V(t)|
Coverage:
    T(p) = the tasks that violate p
    S_vcov(B) = |{k : |T(p_k)| >= K}| / N, K = 3

A task without a verdict is left out of n and counted beside it. Intervals
are percentiles of a bootstrap over tasks; its seed is fixed and the order of
the tasks does not matter, so that equal verdicts give equal intervals.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import fsum
from random import Random
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from benchlint.catalogue.finding import Severity
    from benchlint.judges.agreement import Agreement
    from benchlint.judges.protocol import Metric

THRESHOLD: Final = 3
"""K: how many tasks must violate a policy item for it to count as covered."""

RESAMPLES: Final = 1000
LEVEL: Final = 0.95
"""The share of resamples that an interval spans."""

NOT_ASKED: Final = "not asked"
"""The reason of a missing verdict that no judge was asked for."""

_SEED: Final = 20_250_101
_LOWEST, _HIGHEST = 1, 10

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of a benchmark, its interval, and how many tasks stand behind it.

    `value` is None where no task has a verdict; `low` and `high` are None
    where fewer than two have one, and hold `value` between them otherwise.
    `n` tasks have a verdict, `missing` have none.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    missing: int


@dataclass(frozen=True, slots=True)
class Scores:
    """The four numbers as one reader sees them: S_desc, S_pol, S_vcount and S_vcov."""

    description_alignment: Measure
    policy_alignment: Measure
    violations_per_task: Measure
    coverage: Measure


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRow:
    """A task in a report, and where it starts: `line` is 1-based.

    `scores` holds a score for each alignment metric with a verdict,
    `by_judge` those of each judge. `violations` are ids of policy items in
    the order of the policy as the judges found them, `offline` as the
    offline reader did; None is no verdict. `missing` says why a metric has no
    verdict. `findings` counts them by severity.
    """

    id: str
    path: str
    line: int
    scores: Mapping[Metric, float] = field(default_factory=dict)
    by_judge: Mapping[Metric, Mapping[str, float]] = field(default_factory=dict)
    violations: tuple[str, ...] | None = None
    offline: tuple[str, ...] | None = None
    missing: Mapping[Metric, str] = field(default_factory=dict)
    findings: Mapping[Severity, int] = field(default_factory=dict)

    @property
    def worst(self) -> Severity | None:
        """The worst severity of its findings."""
        return max((level for level, count in self.findings.items() if count), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRow:
    """A policy item in a report.

    `tasks` are the ids of those that violate it as the judges found,
    `offline` as the offline reader did. None is no verdict on any task.
    """

    id: str
    text: str
    headings: tuple[str, ...] = ()
    context: str = ""
    tasks: tuple[str, ...] | None = None
    offline: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkScores:
    """All numbers of one benchmark.

    `judged` is what the judges say together, `judges` what each says, and
    `agreement` how far several agree on each alignment metric. `offline` is
    the offline reader's, None where it did not read. They are never mixed:
    the offline reader speaks only where it is sure, so its numbers are the
    least there is. `tasks` are sorted worst first, `items` stand in the order
    of the policy; there are none where there is no policy. `reviewed` says
    whether a person has looked at the items.
    """

    name: str
    tasks: tuple[TaskRow, ...]
    items: tuple[ItemRow, ...]
    judged: Scores
    judges: Mapping[str, Scores] = field(default_factory=dict)
    agreement: Mapping[Metric, Agreement] = field(default_factory=dict)
    offline: Scores | None = None
    reviewed: bool = False
    threshold: int = THRESHOLD


def alignment(scores: Iterable[float | None]) -> Measure:
    """Return S_desc or S_pol: the mean score; a task without a verdict is None."""
    return _mean(scores)


def violations_per_task(violated: Iterable[Collection[str] | None]) -> Measure:
    """Return S_vcount: how many policy items a task violates, on average.

    One set of ids of items a task, None for one without a verdict.
    """
    return _mean(None if items is None else float(len(set(items))) for items in violated)


def coverage(violated: Iterable[Collection[str] | None], items: Sequence[str], threshold: int = THRESHOLD) -> Measure:
    """Return S_vcov: the share of all `items` that at least `threshold` tasks violate.

    `items` are the ids of the policy's items, each once. None where there
    are no items. A resample that draws a task twice counts it twice; as the
    threshold is a step, the percentiles can then lie beside the value, and
    the interval is widened to hold it.
    """
    tasks = list(violated)
    # One wide number a task, with a lane of bits an item: their sum holds T(p) of every item.
    width = max(len(tasks), threshold).bit_length() + 1
    lanes = {item: 1 << (width * index) for index, item in enumerate(items)}
    known = sorted(sum(lanes.get(item, 0) for item in set(found)) for found in tasks if found is not None)
    missing = len(tasks) - len(known)
    if not items or not known:
        return Measure(None, None, None, len(known), missing)
    every = sum(lanes.values())
    reached = every << (width - 1)
    offset = every * ((1 << (width - 1)) - threshold)

    def share(counts: int) -> float:
        return ((counts + offset) & reached).bit_count() / len(items)

    return _measure(known, lambda drawn: share(sum(drawn)), share(sum(known)), missing)


def challengers(violated: Mapping[str, Collection[str] | None]) -> dict[str, tuple[str, ...]]:
    """Return T(p) for each item that some task violates: ids of tasks, in their order."""
    found: dict[str, list[str]] = {}
    for task, items in violated.items():
        for item in dict.fromkeys(items or ()):
            found.setdefault(item, []).append(task)
    return {item: tuple(tasks) for item, tasks in found.items()}


def score_histogram(scores: Iterable[float]) -> tuple[int, ...]:
    """Count scores from 1 to 10; a half counts with the score above."""
    counts = [0] * (_HIGHEST - _LOWEST + 1)
    for score in scores:
        counts[min(max(int(score + 0.5), _LOWEST), _HIGHEST) - _LOWEST] += 1
    return tuple(counts)


def violation_histogram(violated: Iterable[Collection[str]]) -> tuple[int, ...]:
    """Count tasks by how many items they violate, from none to the most."""
    sizes = [len(set(items)) for items in violated]
    counts = [0] * (max(sizes, default=-1) + 1)
    for size in sizes:
        counts[size] += 1
    return tuple(counts)


def _mean(values: Iterable[float | None]) -> Measure:
    every = list(values)
    known = sorted(value for value in every if value is not None)
    missing = len(every) - len(known)
    if not known:
        return Measure(None, None, None, 0, missing)
    return _measure(known, lambda drawn: fsum(drawn) / len(drawn), fsum(known) / len(known), missing)


def _measure(known: Sequence[_T], statistic: Callable[[Sequence[_T]], float], value: float, missing: int) -> Measure:
    """Return a statistic with its interval; `known` is sorted."""
    n = len(known)
    if n < 2:
        return Measure(value, None, None, n, missing)
    draw = Random(_SEED).choices  # noqa: S311
    drawn = sorted(statistic(draw(known, k=n)) for _ in range(RESAMPLES))
    tail = round(RESAMPLES * (1 - LEVEL) / 2)
    return Measure(value, min(value, drawn[tail]), max(value, drawn[-1 - tail]), n, missing)

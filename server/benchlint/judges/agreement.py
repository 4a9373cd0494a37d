"""How far judges agree: rank correlation, mean offset and Krippendorff's alpha."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from statistics import correlation, fmean
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

Level = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True, slots=True)
class Pair:
    """How two judges agree on the tasks that both have scored.

    `spearman` is their rank correlation, from -1 to 1, None where it is not
    defined (fewer than two tasks, or one judge with a single score).
    `offset` is how many points the second is above the first on average.
    """

    first: str
    second: str
    tasks: int
    spearman: float | None
    offset: float | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """How the judges of a panel agree: each pair, and all together.

    The alphas are 1 for perfect agreement and 0 for chance, None where they
    are not defined.
    """

    pairs: tuple[Pair, ...]
    interval_alpha: float | None
    ordinal_alpha: float | None


def agreement(scores: Mapping[str, Sequence[float | None]]) -> Agreement:
    """Return how judges agree. Each has a score, or none, for each task, in the same order."""
    pairs = []
    for (first, one), (second, other) in combinations(scores.items(), 2):
        both = [(x, y) for x, y in zip(one, other, strict=True) if x is not None and y is not None]
        xs, ys = [x for x, _ in both], [y for _, y in both]
        offset = fmean(ys) - fmean(xs) if both else None
        pairs.append(Pair(first, second, len(both), spearman(xs, ys), offset))
    tasks = list(zip(*scores.values(), strict=True))
    return Agreement(tuple(pairs), krippendorff_alpha(tasks, "interval"), krippendorff_alpha(tasks, "ordinal"))


def spearman(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Return the rank correlation of paired values; equal ones share their mean rank."""
    if len(set(xs)) < 2 or len(set(ys)) < 2:
        return None
    return correlation(_ranks(xs), _ranks(ys))


def krippendorff_alpha(units: Iterable[Sequence[float | None]], level: Level = "interval") -> float | None:
    """Return Krippendorff's alpha of units that several judges have rated; None is a missing rating.

    It is None where no unit has two ratings, or all ratings are equal.
    Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011).
    """
    rated = [[value for value in unit if value is not None] for unit in units]
    rated = [values for values in rated if len(values) > 1]
    counts = Counter(value for values in rated for value in values)
    if len(counts) < 2:
        return None
    total = counts.total()
    distance = _distance(level, counts)
    observed = sum(2 * sum(distance(x, y) for x, y in combinations(values, 2)) / (len(values) - 1) for values in rated)
    expected = sum(2 * counts[x] * counts[y] * distance(x, y) for x, y in combinations(counts, 2)) / (total - 1)
    return 1 - observed / expected


def _distance(level: Level, counts: Counter[float]) -> Callable[[float, float], float]:
    """Return the squared difference of two ratings on a level of measurement."""
    if level == "nominal":
        return lambda x, y: float(x != y)
    if level == "interval":
        return lambda x, y: (x - y) ** 2
    below, places = 0.0, {}
    for value in sorted(counts):
        places[value] = below + counts[value] / 2
        below += counts[value]
    return lambda x, y: (places[x] - places[y]) ** 2


def _ranks(values: Sequence[float]) -> list[float]:
    counts = Counter(values)
    below, ranks = 0, {}
    for value in sorted(counts):
        ranks[value] = below + (counts[value] + 1) / 2
        below += counts[value]
    return [ranks[value] for value in values]

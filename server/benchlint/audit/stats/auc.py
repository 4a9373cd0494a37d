"""The area under the ROC curve: how often a success scores above a failure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from benchlint.audit.stats.proportions import normal_quantile
from benchlint.audit.stats.ranks import average_ranks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def auc(scores: Floats, good: NDArray[np.bool_]) -> float | None:
    """Return how often a good one scores above a bad one, ties counting half; None without both kinds."""
    positives = int(good.sum())
    negatives = len(good) - positives
    if not positives or not negatives:
        return None
    ranks = average_ranks(scores)
    return (float(ranks[good].sum()) - positives * (positives + 1) / 2.0) / (positives * negatives)


def table_auc(tables: Floats) -> Floats:
    """Return the AUC of contingency tables; NaN where a kind is missing.

    `tables` has shape (tables, levels, 2): per level of the score, in
    ascending order, the bad and the good.
    """
    bad, good = tables[:, :, 0], tables[:, :, 1]
    below = np.cumsum(bad, 1) - bad / 2.0
    product = bad.sum(1) * good.sum(1)
    defined = product > 0
    return np.where(defined, (below * good).sum(1) / np.where(defined, product, 1.0), np.nan)


def auc_interval(area: float, positives: int, negatives: int, level: float = 0.95) -> tuple[float, float]:
    """Return Newcombe's score interval (his method 5), which does not collapse at 0 and 1."""
    z = normal_quantile((1.0 + level) / 2.0)
    half = (positives + negatives) / 2.0 - 1.0

    def distance(truth: float) -> float:
        spread = truth * (1.0 - truth) * (1.0 + half * (1.0 - truth) / (2.0 - truth) + half * truth / (1.0 + truth))
        return abs(area - truth) - z * math.sqrt(spread / (positives * negatives))

    return _bound(distance, 0.0, area), _bound(distance, 1.0, area)


def _bound(distance: object, outer: float, inner: float) -> float:
    """Find by bisection where the distance changes sign; at `inner` it is not above 0."""
    assert callable(distance)
    if distance(outer) <= 0.0:
        return outer
    for _ in range(60):
        middle = (outer + inner) / 2.0
        if distance(middle) > 0.0:
            outer = middle
        else:
            inner = middle
    return (outer + inner) / 2.0

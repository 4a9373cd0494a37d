"""Krippendorff's alpha: the agreement of raters beyond chance, with gaps allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Metric = Literal["nominal", "ordinal", "interval"]


def krippendorff(ratings: Floats, metric: Metric = "ordinal") -> float | None:
    """Return alpha of ratings; None where no unit has two of them, or all are the same.

    `ratings` has shape (units, raters), NaN where a rater did not rate. One
    minus observed over expected disagreement: 1 is perfect, 0 is chance.
    """
    values, inverse = np.unique(ratings[~np.isnan(ratings)], return_inverse=True)
    counts = np.zeros((len(ratings), len(values)))
    units, _ = np.nonzero(~np.isnan(ratings))
    np.add.at(counts, (units, inverse), 1.0)
    counts = counts[counts.sum(1) >= 2]
    if len(counts) == 0:
        return None
    pairable = counts.sum(1)
    coincidences = (counts / (pairable - 1.0)[:, None]).T @ counts
    coincidences -= np.diag((counts / (pairable - 1.0)[:, None]).sum(0))
    marginals = coincidences.sum(0)
    total = float(marginals.sum())
    distances = _distances(values, marginals, metric)
    expected = float(marginals @ distances @ marginals) / (total - 1.0)
    if expected == 0.0:
        return None
    return 1.0 - float((coincidences * distances).sum()) / expected


def _distances(values: Floats, marginals: Floats, metric: Metric) -> Floats:
    if metric == "nominal":
        return 1.0 - np.eye(len(values))
    if metric == "interval":
        return (values[:, None] - values[None, :]) ** 2
    middles = np.cumsum(marginals) - marginals / 2.0
    return np.asarray((middles[:, None] - middles[None, :]) ** 2)

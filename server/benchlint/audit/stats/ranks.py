"""Rank correlations, of numbers as they are and of weighted resamples."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from benchlint.audit.stats.coding import coded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def average_ranks(values: Floats) -> Floats:
    """Return ranks from 1, ties sharing the mean of theirs. Shape (n,)."""
    codes = coded(values).codes
    counts = np.bincount(codes)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2.0)[codes], dtype=np.float64)


def pearson(one: Floats, other: Floats) -> float | None:
    """Return the linear correlation; None for fewer than two numbers or where one side is constant."""
    if len(one) < 2:
        return None
    a, b = one - one.mean(), other - other.mean()
    scale = math.sqrt(float(a @ a) * float(b @ b))
    if scale == 0.0:
        return None
    return max(-1.0, min(1.0, float(a @ b) / scale))


def spearman(one: Floats, other: Floats) -> float | None:
    """Return Spearman's rho with average ranks for ties; None where it is not defined."""
    return pearson(average_ranks(one), average_ranks(other))


def spearman_p(rho: float, count: int) -> float | None:
    """Return the two-sided p of a Spearman correlation by Student's t; None below three numbers."""
    if count < 3:
        return None
    if abs(rho) >= 1.0:
        return 0.0
    statistic = abs(rho) * math.sqrt((count - 2) / (1.0 - rho * rho))
    return float(2.0 * special.stdtr(count - 2, -statistic))


def kendall(one: Floats, other: Floats) -> float | None:
    """Return Kendall's tau-b; None where one side is constant or there is no pair. Compares all pairs."""
    a = np.sign(one[:, None] - one[None, :])
    b = np.sign(other[:, None] - other[None, :])
    scale = math.sqrt(float((a * a).sum()) * float((b * b).sum()))
    return float((a * b).sum()) / scale if scale else None


def weighted_spearman(one: Floats, other: Floats, weights: Floats) -> Floats:
    """Return Spearman's rho of each resample; NaN where a resample is constant or empty.

    `one` and `other` have shape (n,); `weights`, shape (resamples, n), says
    how often each stands in each resample.
    """
    ranks = []
    for values in (one, other):
        below = (values[None, :] < values[:, None]) + 0.5 * (values[None, :] == values[:, None])
        ranks.append(weights @ below.T)
    return _weighted_pearson(ranks[0], ranks[1], weights)


def table_spearman(tables: Floats) -> Floats:
    """Return Spearman's rho of contingency tables; NaN where one side is constant.

    `tables` has shape (tables, rows, columns), rows and columns in
    ascending order of what they stand for.
    """
    rows, columns = tables.sum(2), tables.sum(1)
    row_ranks = np.cumsum(rows, 1) - rows / 2.0
    column_ranks = np.cumsum(columns, 1) - columns / 2.0
    total = np.maximum(rows.sum(1), 1.0)
    a = row_ranks - ((row_ranks * rows).sum(1) / total)[:, None]
    b = column_ranks - ((column_ranks * columns).sum(1) / total)[:, None]
    joint = np.einsum("kij,ki,kj->k", tables, a, b)
    scale = np.sqrt((rows * a * a).sum(1) * (columns * b * b).sum(1))
    return _ratio(joint, scale)


def _weighted_pearson(one: Floats, other: Floats, weights: Floats) -> Floats:
    total = np.maximum(weights.sum(1, keepdims=True), 1.0)
    a = one - (weights * one).sum(1, keepdims=True) / total
    b = other - (weights * other).sum(1, keepdims=True) / total
    joint = (weights * a * b).sum(1)
    return _ratio(joint, np.sqrt((weights * a * a).sum(1) * (weights * b * b).sum(1)))


def _ratio(numerators: Floats, denominators: Floats) -> Floats:
    defined = denominators > 1e-12
    return np.where(defined, numerators / np.where(defined, denominators, 1.0), np.nan)

"""Two columns counted against each other, cluster by cluster, so that a million rows resample as fast as a hundred."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from benchlint.audit.stats.coding import Coded, coded
from benchlint.audit.stats.resample import draw

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

LEVELS: Final = 32
"""A column with more distinct values is cut into this many parts of equal size, for intervals only."""


@dataclass(frozen=True, slots=True)
class Crosstab:
    """How often each pair of levels occurs in each cluster.

    `counts` has shape (clusters, levels of one, levels of the other), levels
    ascending; a single cluster stands for rows that hang on nothing.
    `exact` says whether each level is one value.
    """

    counts: Floats
    clusters: int
    exact: bool = True

    @property
    def total(self) -> Floats:
        """The table of all clusters together. Shape (1, levels of one, levels of the other)."""
        return np.asarray(self.counts.sum(0, keepdims=True))

    def resampled(self, resamples: int, seed: int) -> Floats:
        """Return tables of resamples. Shape (resamples, levels of one, levels of the other)."""
        shape = self.counts.shape[1:]
        if len(self.counts) > 1:
            flat = self.counts.reshape(len(self.counts), -1)
            return (draw(len(flat), resamples, seed) @ flat).reshape(-1, *shape)
        cells = self.counts.reshape(-1)
        total = cells.sum()
        generator = np.random.default_rng(seed)
        return generator.multinomial(int(total), cells / total, resamples).astype(np.float64).reshape(-1, *shape)


def crosstab(one: Floats, other: Floats, clusters: Ints | None) -> Crosstab:
    """Count two columns without gaps; `clusters` numbers the cluster of each row from 0, None where there are none."""
    rows, columns = coded(one), coded(other)
    exact = len(rows.values) <= LEVELS and len(columns.values) <= LEVELS
    high, wide = _levels(rows), _levels(columns)
    return counted(high, int(high.max()) + 1, wide, int(wide.max()) + 1, clusters, exact=exact)


def counted(
    rows: Ints, height: int, columns: Ints, width: int, clusters: Ints | None, *, exact: bool = True
) -> Crosstab:
    """Count two columns of levels, numbered from 0 and below `height` and `width`."""
    parts = int(clusters.max()) + 1 if clusters is not None else 1
    cell = rows * width + columns
    if clusters is not None:
        cell = cell + clusters * (height * width)
    counts = np.bincount(cell, minlength=parts * height * width).astype(np.float64).reshape(parts, height, width)
    return Crosstab(counts, parts if clusters is not None else len(rows), exact)


def _levels(column: Coded) -> Ints:
    """Return numbers of the distinct values, ascending; many values are cut into `LEVELS` parts of about equal size."""
    if len(column.values) <= LEVELS:
        return column.codes
    before = np.cumsum(np.bincount(column.codes, minlength=len(column.values)))
    part = np.minimum((before - 1) * LEVELS // before[-1], LEVELS - 1)
    _, part = np.unique(part, return_inverse=True)
    return np.asarray(part[column.codes], dtype=np.int64)

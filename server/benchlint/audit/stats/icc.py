"""The intraclass correlation of repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scipy import special

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class Icc(NamedTuple):
    """ICC(1), the share of the variance that lies between subjects, with its interval."""

    value: float
    low: float
    high: float


def icc1(counts: Floats, sums: Floats, squares: Floats, level: float = 0.95) -> Icc | None:
    """Return the one-way intraclass correlation of single repeats.

    Each subject has its number of repeats, the sum of its values and of
    their squares; shape (subjects,). Subjects may have different numbers of
    repeats; the interval by F is exact where they have the same. None for
    fewer than two subjects, without repeats, or where nothing varies.
    """
    subjects, total = len(counts), float(counts.sum())
    if subjects < 2 or total <= subjects:
        return None
    means = sums / counts
    grand = float(sums.sum()) / total
    between = float((counts * (means - grand) ** 2).sum()) / (subjects - 1)
    within = max(0.0, float((squares - counts * means**2).sum())) / (total - subjects)
    repeats = (total - float((counts**2).sum()) / total) / (subjects - 1)
    if between + (repeats - 1.0) * within <= 1e-12:
        return None
    if within <= 1e-12:
        return Icc(1.0, 1.0, 1.0)
    ratio = between / within
    tail = (1.0 - level) / 2.0
    lower = ratio / float(special.fdtri(subjects - 1, total - subjects, 1.0 - tail))
    upper = ratio * float(special.fdtri(total - subjects, subjects - 1, 1.0 - tail))
    return Icc(*((value - 1.0) / (value + repeats - 1.0) for value in (ratio, lower, upper)))

"""Calibration: how often transcripts with a score succeed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from benchlint.audit.figures.base import Figures
from benchlint.audit.stats.estimate import Estimate
from benchlint.audit.stats.proportions import wilson

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchlint.audit.study import Study

    Floats = NDArray[np.float64]

_BINS: Final = 10


@dataclass(frozen=True, kw_only=True)
class Point:
    """Transcripts with scores from `low` to `high`: their mean score and their share of success."""

    low: float
    high: float
    mean: float
    success: Estimate


@dataclass(frozen=True, kw_only=True)
class Calibration(Figures):
    """Calibration curve of each signal to success (GAUGE, calibration), with Wilson intervals.

    Whole-numbered scores are their own bins, others are cut into ten of
    equal size.
    """

    curves: dict[str, list[Point]] = field(default_factory=dict)
    reason: str | None = None


def calibration(study: Study) -> Calibration:
    """Compute calibration curves."""
    if not study.of_transcripts:
        return Calibration(reason="a row is an agent: calibration shows in transcripts")
    reward = study.column("reward")
    curves = {
        signal.name: curve(study.column(signal.name), reward, study.options.level)
        for signal in study.signals
        if not signal.ranks and signal.kind != "dimension"
    }
    return Calibration(curves=curves, reason=None if curves else "the table has no signal")


def curve(scores: Floats, reward: Floats, level: float) -> list[Point]:
    """Return the share of success over ascending scores; NaN leaves a transcript out."""
    rows = ~np.isnan(scores)
    scores, reward = scores[rows], reward[rows]
    if not len(scores):
        return []
    whole = np.round(scores)
    if np.array_equal(whole, scores) and scores.max() - scores.min() <= 2 * _BINS:
        codes = (whole - whole.min()).astype(np.int64)
    else:
        edges = np.unique(np.quantile(scores, np.linspace(0, 1, _BINS + 1)[1:-1]))
        codes = np.searchsorted(edges, scores, side="right").astype(np.int64)
    count, total, good = (np.bincount(codes, weight) for weight in (None, scores, reward))
    size = len(count)
    lows, highs = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(lows, codes, scores)
    np.maximum.at(highs, codes, scores)
    return [
        Point(
            low=float(lows[at]),
            high=float(highs[at]),
            mean=float(total[at] / count[at]),
            success=Estimate(
                float(good[at] / count[at]), int(count[at]), *wilson(float(good[at]), float(count[at]), level)
            ),
        )
        for at in range(size)
        if count[at]
    ]

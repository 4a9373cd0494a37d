"""Correlations over transcripts, resampled with what they hang on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchlint.audit.stats.auc import auc, table_auc
from benchlint.audit.stats.estimate import Estimate, undefined
from benchlint.audit.stats.ranks import spearman, table_spearman
from benchlint.audit.stats.resample import with_mean_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchlint.audit.study import Study

    Floats = NDArray[np.float64]


def transcript_correlation(study: Study, one: Floats, other: Floats) -> Estimate:
    """Return Spearman's rho over transcripts; NaN leaves one out."""
    rows = ~(np.isnan(one) | np.isnan(other))
    count = int(rows.sum())
    if not count:
        return undefined("no transcript has both")
    table = study.table(one, other, rows)
    rho = _only(table_spearman(table.total)) if table.exact else spearman(one[rows], other[rows])
    if rho is None:
        return undefined("one side is the same for all transcripts", count)
    drawn = table_spearman(table.resampled(study.options.resamples, study.options.seed))
    return with_mean_interval(rho, count, drawn, study.options.level, clusters=table.clusters)


def transcript_auc(study: Study, scores: Floats, reward: Floats) -> Estimate:
    """Return how often a successful transcript scores above a failed one; NaN leaves one out."""
    rows = ~np.isnan(scores)
    count = int(rows.sum())
    good = reward[rows] > 0.5
    if not count or good.all() or not good.any():
        return undefined("no transcript failed" if count and good.all() else "no transcript succeeded", count)
    table = study.table(scores, reward, rows)
    area = _only(table_auc(table.total)) if table.exact else auc(scores[rows], good)
    if area is None:
        return undefined("it takes successes and failures", count)
    drawn = table_auc(table.resampled(study.options.resamples, study.options.seed))
    return with_mean_interval(area, count, drawn, study.options.level, clusters=table.clusters)


def _only(values: Floats) -> float | None:
    return float(values[0]) if np.isfinite(values[0]) else None

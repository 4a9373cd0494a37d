"""Correlations over transcripts, resampled with what they hang on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchlint.audit.stats.auc import auc, table_auc
from benchlint.audit.stats.estimate import Estimate, undefined
from benchlint.audit.stats.ranks import spearman, table_spearman
from benchlint.audit.stats.resample import with_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchlint.audit.study import Study

    Floats = NDArray[np.float64]


def transcript_correlation(study: Study, one: Floats, other: Floats) -> Estimate:
    """Return Spearman's rho over transcripts; NaN leaves one out."""
    rows = ~(np.isnan(one) | np.isnan(other))
    count = int(rows.sum())
    rho = spearman(one[rows], other[rows])
    if rho is None:
        return undefined("one side is the same for all transcripts" if count else "no transcript has both", count)
    table = study.table(one, other, rows)
    drawn = table_spearman(table.resampled(study.options.resamples, study.options.seed))
    return with_interval(rho, count, drawn, study.options.level, clusters=table.clusters)


def transcript_auc(study: Study, scores: Floats, reward: Floats) -> Estimate:
    """Return how often a successful transcript scores above a failed one; NaN leaves one out."""
    rows = ~np.isnan(scores)
    count = int(rows.sum())
    area = auc(scores[rows], reward[rows] > 0.5)
    if area is None:
        failed = count - int((reward[rows] > 0.5).sum())
        return undefined("no transcript failed" if not failed else "no transcript succeeded", count)
    table = study.table(scores, reward, rows)
    drawn = table_auc(table.resampled(study.options.resamples, study.options.seed))
    return with_interval(area, count, drawn, study.options.level, clusters=table.clusters)

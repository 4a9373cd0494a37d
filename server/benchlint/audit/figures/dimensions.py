"""Subjective dimensions: what people or judges rate beside success."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from benchlint.audit.figures.base import Figures
from benchlint.audit.figures.calibration import Point, curve
from benchlint.audit.figures.transcripts import transcript_correlation
from benchlint.audit.stats.alpha import krippendorff
from benchlint.audit.stats.estimate import Estimate, undefined
from benchlint.audit.stats.proportions import wilson
from benchlint.audit.stats.ranks import spearman_p

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchlint.audit.signals import Signal
    from benchlint.audit.study import Study

    Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Dimension:
    """One dimension.

    `p` is the two-sided p of its rank correlation with success, as if rows
    were independent; `high_but_failed` is the share of failed among those
    rated at or above the threshold. `dose_response` is the share of success
    at each rating, and `alpha` the agreement of its raters.
    """

    mean: Estimate
    spearman: Estimate
    p: Estimate
    high_but_failed: Estimate
    alpha: Estimate
    dose_response: list[Point]


@dataclass(frozen=True, kw_only=True)
class Collinearity:
    """Two dimensions and their rank correlation."""

    one: str
    other: str
    spearman: Estimate


@dataclass(frozen=True, kw_only=True)
class Dimensions(Figures):
    """Subjective dimensions (GAUGE, subjective dimensions): what each has to do with success and with the others."""

    over: str
    dimensions: dict[str, Dimension] = field(default_factory=dict)
    collinearity: list[Collinearity] = field(default_factory=list)
    highest: Collinearity | None = None
    reason: str | None = None


def dimensions(study: Study) -> Dimensions:
    """Compute the figures of each dimension."""
    signals = [signal for signal in study.signals if signal.kind == "dimension"]
    over = "transcripts" if study.of_transcripts else "agents"
    if not signals:
        return Dimensions(over=over, reason="the table has no dimension (a column dim_NAME)")
    found = {signal.name: _dimension(study, signal) for signal in signals}
    between = [
        Collinearity(one=one.name, other=other.name, spearman=_correlation(study, one.name, other.name))
        for one, other in combinations(signals, 2)
    ]
    defined = [pair for pair in between if pair.spearman.value is not None]
    return Dimensions(
        over=over,
        dimensions=found,
        collinearity=between,
        highest=max(defined, key=lambda pair: abs(pair.spearman.value or 0.0), default=None),
    )


def _correlation(study: Study, one: str, other: str) -> Estimate:
    if study.of_transcripts:
        return transcript_correlation(study, study.column(one), study.column(other))
    agents = study.agents
    scores = {**agents.scores, "reward": agents.reward}
    return study.correlation(scores[one], scores[other])


def _dimension(study: Study, signal: Signal) -> Dimension:
    scores, reward = study.column(signal.name), study.column("reward")
    rated = ~np.isnan(scores)
    count = int(rated.sum())
    rho = _correlation(study, signal.name, "reward")
    p = spearman_p(rho.value, rho.count) if rho.value is not None else None
    return Dimension(
        mean=Estimate(float(scores[rated].mean()), count) if count else undefined("nothing was rated"),
        spearman=rho,
        p=Estimate(p, rho.count) if p is not None else undefined("there is no correlation", rho.count),
        high_but_failed=_high_but_failed(study, signal, scores, reward),
        alpha=_alpha(study, signal.name),
        dose_response=curve(scores, reward, study.options.level) if study.of_transcripts else [],
    )


def _high_but_failed(study: Study, signal: Signal, scores: Floats, reward: Floats) -> Estimate:
    if not study.of_transcripts:
        return undefined("a row is an agent: this shows in transcripts")
    if signal.threshold is None:
        return undefined(f"no threshold is known: --threshold {signal.name}=SCORE")
    high = scores >= signal.threshold
    count = int(high.sum())
    if not count:
        return undefined("nothing was rated so high")
    failed = int((reward[high] < 0.5).sum())
    return Estimate(failed / count, count, *wilson(failed, count, study.options.level))


def _alpha(study: Study, name: str) -> Estimate:
    columns = study.frame.dimensions.get(name, ())
    if len(columns) < 2:
        return undefined(f"it takes columns of two raters, {name}__RATER")
    ratings = np.column_stack([study.column(column) for column in columns])
    alpha = krippendorff(ratings, "ordinal")
    rated = int((~np.isnan(ratings)).sum())
    return Estimate(alpha, rated) if alpha is not None else undefined("all ratings are the same", rated)

"""The construct gap: how many satisfied customers had their task failed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from benchlint.audit.figures.base import Figures
from benchlint.audit.figures.transcripts import transcript_auc
from benchlint.audit.stats.alpha import krippendorff
from benchlint.audit.stats.crosstab import counted
from benchlint.audit.stats.estimate import Estimate, undefined
from benchlint.audit.stats.proportions import binomial_above, wilson
from benchlint.audit.stats.ranks import spearman
from benchlint.audit.stats.resample import share, with_mean_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchlint.audit.signals import Signal
    from benchlint.audit.study import Study

    Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Gap:
    """The gap at one threshold: satisfied is a score of at least that.

    `failed_among_satisfied` against the `base_rate` of failure among all
    that were scored; `relative_risk` is their ratio. `p_above_ceiling` is
    the exact one-sided binomial probability of so many failures where the
    true share is the ceiling.
    """

    threshold: float
    failed: int
    satisfied: int
    failed_among_satisfied: Estimate
    base_rate: Estimate
    relative_risk: Estimate
    p_above_ceiling: Estimate


@dataclass(frozen=True, kw_only=True)
class SignalGap:
    """The construct gap of one signal; `gap` is None where its threshold is unknown."""

    gap: Gap | None
    auc: Estimate
    over_thresholds: list[Gap] = field(default_factory=list)
    by_domain: dict[str, Gap] = field(default_factory=dict)
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Panel:
    """The people who rated transcripts, one by one and as a panel.

    `raters` are the gaps of single people, `without` those of the panel's
    mean with one of them left out. `alpha` is Krippendorff's, ordinal.
    The human-human ceiling is `between_raters`, the mean rank correlation
    of two raters, and `with_the_others`, that of one with the mean of the
    rest: no judge can be asked to agree more with people than they do.
    """

    raters: dict[str, SignalGap]
    without: dict[str, SignalGap]
    alpha: Estimate
    between_raters: Estimate
    with_the_others: Estimate


@dataclass(frozen=True, kw_only=True)
class Population:
    """A row of counts: satisfied transcripts of one population of raters, and how many of them failed."""

    population: str
    substrate: str | None
    failed: int
    satisfied: int
    failed_among_satisfied: Estimate
    p_above_ceiling: Estimate


@dataclass(frozen=True, kw_only=True)
class Construct(Figures):
    """Construct gap (GAUGE, satisfied but failed; the counts of Table 4).

    Printed there: people 57.5 % failed among satisfied against 57.3 % overall,
    relative risk 1.00, AUC 0.44; proxy 32.7 / 40.2 / 0.81 / 0.49; gate
    20.0 / 40.2 / 0.50 / 0.73. A construct-valid gate stays below a `ceiling`
    of 20 %.
    """

    ceiling: float
    clustered_by: str
    signals: dict[str, SignalGap] = field(default_factory=dict)
    panel: Panel | None = None
    populations: list[Population] = field(default_factory=list)
    reason: str | None = None


def construct(study: Study) -> Construct:
    """Compute the construct gap."""
    ceiling = study.options.ceiling
    if study.frame.unit == "counts":
        return Construct(ceiling=ceiling, clustered_by="none", populations=_populations(study))
    if not study.of_transcripts:
        return Construct(
            ceiling=ceiling,
            clustered_by=study.agents.clustered_by,
            reason="a row is an agent: who was satisfied although the task failed shows only in transcripts",
        )
    signals = {
        signal.name: _signal_gap(study, signal, study.column(signal.name))
        for signal in study.signals
        if signal.kind != "dimension"
    }
    return Construct(
        ceiling=ceiling,
        clustered_by=study.clustering.by,
        signals=signals,
        panel=_panel(study),
        reason=None if signals else "the table has no signal",
    )


def p_above(failed: int, satisfied: int, ceiling: float) -> Estimate:
    """Return the one-sided exact binomial p of the share against a ceiling."""
    if not satisfied:
        return undefined("nobody was satisfied")
    return Estimate(binomial_above(failed, satisfied, ceiling), satisfied)


def gaps(study: Study, scores: Floats, reward: Floats, thresholds: list[float]) -> list[Gap]:
    """Compute the gap of scores at ascending thresholds; NaN leaves a transcript out."""
    rows = ~np.isnan(scores)
    if not rows.any():
        return [_unscored(threshold) for threshold in thresholds]
    failed = (reward[rows] < 0.5).astype(np.int64)
    height = len(thresholds) + 1
    codes = np.searchsorted(np.array(thresholds), scores[rows], side="right").astype(np.int64)
    table = counted(codes, height, failed, 2, study.clusters_of(rows))
    drawn = table.resampled(study.options.resamples, study.options.seed)
    observed = table.counts.sum(0)
    return [
        _gap(study, threshold, observed, drawn, at, table.clusters) for at, threshold in enumerate(thresholds, start=1)
    ]


def _gap(study: Study, threshold: float, observed: Floats, drawn: Floats, at: int, clusters: int) -> Gap:
    """Read the gap off a table of (level, failed), in which levels from `at` on are satisfied, and its resamples."""
    level = study.options.level
    hits, accepted = int(observed[at:, 1].sum()), int(observed[at:].sum())
    bad, count = int(observed[:, 1].sum()), int(observed.sum())
    base = _ratio(drawn[:, :, 1].sum(1), drawn.sum((1, 2)))
    rate = _ratio(drawn[:, at:, 1].sum(1), drawn[:, at:].sum((1, 2)))
    if not accepted:
        among = risk = undefined("nobody was satisfied")
    else:
        among = share(hits, accepted, rate, level, clusters=clusters)
        risk = undefined("no transcript failed", accepted)
        if bad:
            risk = with_mean_interval(
                (hits / accepted) / (bad / count), accepted, _ratio(rate, base), level, clusters=clusters
            )
    return Gap(
        threshold=threshold,
        failed=hits,
        satisfied=accepted,
        failed_among_satisfied=among,
        base_rate=share(bad, count, base, level, clusters=clusters),
        relative_risk=risk,
        p_above_ceiling=p_above(hits, accepted, study.options.ceiling),
    )


def _unscored(threshold: float) -> Gap:
    missing = undefined("nothing was scored")
    return Gap(
        threshold=threshold,
        failed=0,
        satisfied=0,
        failed_among_satisfied=missing,
        base_rate=missing,
        relative_risk=missing,
        p_above_ceiling=missing,
    )


def _ratio(numerators: Floats, denominators: Floats) -> Floats:
    return np.where(denominators > 0, numerators / np.where(denominators > 0, denominators, 1.0), np.nan)


def _signal_gap(study: Study, signal: Signal, scores: Floats, *, details: bool = True) -> SignalGap:
    reward = study.column("reward")
    area = transcript_auc(study, scores, reward)
    if signal.threshold is None:
        return SignalGap(
            gap=None, auc=area, reason=f"no threshold is known: --threshold {signal.name}=SCORE says who is satisfied"
        )
    return SignalGap(
        gap=gaps(study, scores, reward, [signal.threshold])[0],
        auc=area,
        over_thresholds=gaps(study, scores, reward, _thresholds(signal)) if details else [],
        by_domain=_by_domain(study, scores, reward, signal.threshold) if details else {},
    )


def _thresholds(signal: Signal) -> list[float]:
    if signal.low is None or signal.high is None:
        return []
    steps = signal.high - signal.low
    if steps == int(steps) and 2 <= steps <= 10:
        return [signal.low + step for step in range(1, int(steps) + 1)]
    return [signal.low + steps * part / 10 for part in range(1, 10)]


def _by_domain(study: Study, scores: Floats, reward: Floats, threshold: float) -> dict[str, Gap]:
    if not study.frame.has("domain"):
        return {}
    domains = study.frame.data["domain"]
    names = sorted(str(name) for name in domains.drop_nulls().unique())
    if len(names) < 2:
        return {}
    return {
        name: gaps(
            study, np.where((domains == name).fill_null(value=False).to_numpy(), scores, np.nan), reward, [threshold]
        )[0]
        for name in names
    }


def _panel(study: Study) -> Panel | None:
    columns = study.frame.raters
    if not columns:
        return None
    people = study.frame.signal("human")
    ratings = np.column_stack([study.column(name) for name in columns])
    alpha = krippendorff(ratings, "ordinal")
    rated = int((~np.isnan(ratings)).sum())
    gaps = {name: _signal_gap(study, people, ratings[:, at], details=False) for at, name in enumerate(columns)}
    without = {}
    if len(columns) > 2:
        for name in columns:
            rest = study.frame.data.select(
                pl.mean_horizontal([other for other in columns if other != name])
            ).to_series()
            scores = rest.fill_null(float("nan")).to_numpy().astype(np.float64)
            without[name] = _signal_gap(study, people, scores, details=False)
    return Panel(
        raters=gaps,
        without=without,
        alpha=Estimate(alpha, rated)
        if alpha is not None
        else undefined("no transcript has two ratings, or all are the same", rated),
        between_raters=_between(ratings),
        with_the_others=_with_the_others(ratings),
    )


def _between(ratings: Floats) -> Estimate:
    found = []
    for one in range(ratings.shape[1]):
        for other in range(one + 1, ratings.shape[1]):
            both = ~np.isnan(ratings[:, one]) & ~np.isnan(ratings[:, other])
            rho = spearman(ratings[both, one], ratings[both, other])
            if rho is not None:
                found.append(rho)
    return _mean(found, "no two raters rated the same transcripts with differences")


def _with_the_others(ratings: Floats) -> Estimate:
    found = []
    for one in range(ratings.shape[1]):
        others = np.delete(ratings, one, 1)
        counted = (~np.isnan(others)).sum(1)
        rows = (counted > 0) & ~np.isnan(ratings[:, one])
        means = np.nansum(others, 1)[rows] / counted[rows]
        rho = spearman(ratings[rows, one], means)
        if rho is not None:
            found.append(rho)
    return _mean(found, "no rater shares transcripts with others")


def _mean(found: list[float], reason: str) -> Estimate:
    return Estimate(sum(found) / len(found), len(found)) if found else undefined(reason)


def _populations(study: Study) -> list[Population]:
    rows = []
    for row in study.frame.data.iter_rows(named=True):
        failed, satisfied = int(row["failed"]), int(row["satisfied"])
        rate = (
            Estimate(failed / satisfied, satisfied, *wilson(failed, satisfied, study.options.level))
            if satisfied
            else undefined("nobody was satisfied")
        )
        rows.append(
            Population(
                population=str(row["population"]),
                substrate=row.get("substrate"),
                failed=failed,
                satisfied=satisfied,
                failed_among_satisfied=rate,
                p_above_ceiling=p_above(failed, satisfied, study.options.ceiling),
            )
        )
    return rows

"""Cheap signals: what a run gives away for nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from benchlint.audit.figures.base import Figures
from benchlint.audit.figures.transcripts import transcript_correlation
from benchlint.audit.stats.estimate import Estimate, undefined
from benchlint.audit.stats.proportions import wilson

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchlint.audit.study import Study

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

BIT: Final = "completed"
_NUMBERS: Final = ("cost", "length")
_FENCE: Final = 1.5
"""Tukey's: outside of the quartiles by this many times their distance."""


@dataclass(frozen=True, kw_only=True)
class CheapSignal:
    """One cheap signal.

    `spearman` is its correlation with the reward over agents,
    `over_transcripts` that over transcripts. A run is flagged where it did
    not complete, or where its cost or length lies outside Tukey's fences:
    `recall_truncated` is the share of truncated runs that are flagged,
    `recall_failed` that of all failed ones, `precision` the share of failed
    among flagged. `price` is in dollars a decision.
    """

    spearman: Estimate
    over_transcripts: Estimate
    flagged: int
    recall_truncated: Estimate
    recall_failed: Estimate
    precision: Estimate
    price: Estimate


@dataclass(frozen=True, kw_only=True)
class CheapSignals(Figures):
    """Cheap signals beside the judges (GAUGE, completion bit and price).

    Printed there: the completion bit correlates 0.87 with reward on the
    controls and 0.51 on the grid; recall 1.0 on truncated runs and 0.035 on
    all failures, of which 96.5 % end normally; gate and proxy cost 0.60
    dollars a decision. So: the bit on every change, the judge for semantic
    failures, the audit when judge, simulator or pool changes or the agents
    are near-equal. `ended_normally` is the share of failures that completed.
    """

    signals: dict[str, CheapSignal] = field(default_factory=dict)
    ended_normally: Estimate = field(default_factory=lambda: undefined("the table has no column completed"))
    judge_prices: dict[str, Estimate] = field(default_factory=dict)
    reason: str | None = None


def cheap_signals(study: Study) -> CheapSignals:
    """Compute what completion, cost and length tell."""
    frame = study.frame
    prices = {
        signal.name: Estimate(study.options.prices[signal.name], 1)
        if signal.name in study.options.prices
        else undefined(f"not told: --price {signal.name}=DOLLARS")
        for signal in study.judges
    }
    if not study.of_transcripts:
        return _of_agents(study, prices)
    names = [name for name in (BIT, *_NUMBERS) if frame.has(name)]
    failed = study.column("reward") < 0.5
    found = {name: _signal(study, name, failed) for name in names}
    ended = undefined("the table has no column completed")
    if BIT in found:
        known = failed & ~np.isnan(_values(study, BIT))
        ended = _rate(_values(study, BIT) > 0.5, known, "no run failed", study.options.level)
    return CheapSignals(
        signals=found,
        ended_normally=ended,
        judge_prices=prices,
        reason=None if found else "the table has no column completed, cost or length",
    )


def _of_agents(study: Study, prices: dict[str, Estimate]) -> CheapSignals:
    missing = undefined("a row is an agent: this shows in transcripts")
    found = {
        name: CheapSignal(
            spearman=study.correlation(study.column(column), study.agents.reward),
            over_transcripts=missing,
            flagged=0,
            recall_truncated=missing,
            recall_failed=missing,
            precision=missing,
            price=_price(study, name),
        )
        for name, column in ((BIT, "completion"), ("cost", "cost"), ("length", "length"))
        if study.frame.has(column)
    }
    return CheapSignals(
        signals=found,
        ended_normally=missing,
        judge_prices=prices,
        reason=None if found else "the table has no column completion, cost or length",
    )


def _price(study: Study, name: str) -> Estimate:
    return Estimate(study.options.prices.get(name, 0.0), 1)


def _values(study: Study, name: str) -> Floats:
    column = study.frame.data[name].cast(pl.Float64).fill_null(float("nan"))
    return column.to_numpy().astype(np.float64)


def _signal(study: Study, name: str, failed: Bools) -> CheapSignal:
    values = _values(study, name)
    known = ~np.isnan(values)
    if name == BIT:
        flagged = known & (values < 0.5)
    else:
        low, high = np.quantile(values[known], [0.25, 0.75])
        reach = _FENCE * (high - low)
        flagged = known & ((values < low - reach) | (values > high + reach))
    truncated = _truncated(study)
    level = study.options.level
    means = study.frame.data.group_by("agent", maintain_order=True).agg(pl.col(name).cast(pl.Float64).mean())
    over_agents = means[name].fill_null(float("nan")).to_numpy().astype(np.float64)
    return CheapSignal(
        spearman=study.correlation(over_agents, study.agents.reward),
        over_transcripts=transcript_correlation(study, values, study.column("reward")),
        flagged=int(flagged.sum()),
        recall_truncated=_rate(flagged, truncated & known, "no run is known to be truncated", level)
        if truncated is not None
        else undefined("the table has no column truncated"),
        recall_failed=_rate(flagged, failed & known, "no run failed", level),
        precision=_rate(failed, flagged, "no run was flagged", level),
        price=_price(study, name),
    )


def _truncated(study: Study) -> Bools | None:
    if not study.frame.has("truncated"):
        return None
    return np.asarray(study.frame.data["truncated"].fill_null(value=False).to_numpy(), dtype=np.bool_)


def _rate(hit: Bools, among: Bools, reason: str, level: float) -> Estimate:
    count = int(among.sum())
    if not count:
        return undefined(reason)
    hits = int((hit & among).sum())
    return Estimate(hits / count, count, *wilson(hits, count, level))

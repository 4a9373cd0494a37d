"""Reward and satisfaction by persona: whether satisfaction falls where success does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import polars as pl

from benchlint.audit.figures.base import Figures
from benchlint.audit.stats.estimate import Estimate, undefined
from benchlint.audit.stats.proportions import wilson

if TYPE_CHECKING:
    from benchlint.audit.study import Study

BASELINES: Final = ("baseline", "standard", "default", "cooperative", "none", "neutral")


@dataclass(frozen=True, kw_only=True)
class Persona:
    """One persona: mean reward, mean scores, and how far each lies below the baseline."""

    persona: str
    reward: Estimate
    signals: dict[str, Estimate]
    reward_drop: Estimate
    signal_drops: dict[str, Estimate]


@dataclass(frozen=True, kw_only=True)
class Personas(Figures):
    """Persona strata (GAUGE, personas): reward and satisfaction by stratum, drop against the baseline."""

    baseline: str | None
    personas: list[Persona] = field(default_factory=list)
    reason: str | None = None


def personas(study: Study) -> Personas:
    """Compare personas with the baseline: the one that is set or named so, else the one with the highest reward."""
    if not study.of_transcripts or not study.frame.has("persona"):
        return Personas(baseline=None, reason="the table has no column persona")
    names = [signal.name for signal in study.signals]
    means = (
        study.frame.data.filter(pl.col("persona").is_not_null())
        .group_by("persona")
        .agg(
            pl.col("reward").sum().alias("successes"),
            pl.len().alias("count"),
            *(pl.col(name).mean() for name in names),
            *(pl.col(name).count().alias(f"{name} count") for name in names),
        )
        .sort("persona")
    )
    rows = {str(row["persona"]): row for row in means.iter_rows(named=True)}
    if len(rows) < 2:
        return Personas(baseline=None, reason="there is one persona")
    baseline = _baseline(study.options.baseline, rows)
    if baseline is None:
        return Personas(baseline=None, reason=f'no persona is called "{study.options.baseline}"')
    base = rows[baseline]
    found = []
    for name, row in rows.items():
        scores = {
            signal: Estimate(row[signal], row[f"{signal} count"]) if row[signal] is not None else undefined("no score")
            for signal in names
        }
        drops = {
            signal: Estimate(base[signal] - row[signal], row[f"{signal} count"])
            if row[signal] is not None and base[signal] is not None
            else undefined("no score")
            for signal in names
        }
        count = row["count"]
        found.append(
            Persona(
                persona=name,
                reward=Estimate(row["successes"] / count, count, *wilson(row["successes"], count, study.options.level)),
                signals=scores,
                reward_drop=Estimate(base["successes"] / base["count"] - row["successes"] / count, count),
                signal_drops=drops,
            )
        )
    return Personas(baseline=baseline, personas=found)


def _baseline(wanted: str | None, rows: dict[str, dict[str, float]]) -> str | None:
    if wanted is not None:
        return wanted if wanted in rows else None
    named = next((name for known in BASELINES for name in rows if name.casefold() == known), None)
    return named or max(rows, key=lambda name: rows[name]["successes"] / rows[name]["count"])

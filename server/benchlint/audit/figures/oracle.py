"""Where the rewards come from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from benchlint.audit.figures.base import Figures
from benchlint.audit.stats.estimate import Estimate, undefined
from benchlint.audit.stats.proportions import wilson

if TYPE_CHECKING:
    from benchlint.audit.study import Study


@dataclass(frozen=True, kw_only=True)
class Oracle(Figures):
    """The oracle's provenance (GAUGE, verifiable reward: a judge must be checked against no other judge).

    `llm_in_basis` is the share of rewards that an LLM component was part
    of, `llm_decided` that of rewards that would have been another without
    it. `null_rewards` were left out of all figures, `null_scores` of those
    of their signal.
    """

    rows: int
    null_rewards: int
    null_scores: dict[str, int]
    reward_basis: dict[str, int] = field(default_factory=dict)
    llm_in_basis: Estimate = field(default_factory=lambda: undefined("the table does not tell"))
    llm_decided: Estimate = field(default_factory=lambda: undefined("the table does not tell"))
    terminations: dict[str, int] = field(default_factory=dict)
    reason: str | None = None


def oracle(study: Study) -> Oracle:
    """Tell where the rewards come from."""
    frame = study.frame
    return Oracle(
        rows=len(frame.data) + frame.null_rewards,
        null_rewards=frame.null_rewards,
        null_scores=dict(frame.null_scores),
        reward_basis=_counts(study, "reward_basis"),
        llm_in_basis=_share(study, "reward_llm"),
        llm_decided=_share(study, "reward_llm_decided"),
        terminations=_counts(study, "termination"),
    )


def _counts(study: Study, column: str) -> dict[str, int]:
    if not study.frame.has(column):
        return {}
    counts = study.frame.data[column].drop_nulls().value_counts(sort=True)
    rows = sorted(counts.iter_rows(), key=lambda row: (-row[1], str(row[0])))
    return {str(value): int(count) for value, count in rows}


def _share(study: Study, column: str) -> Estimate:
    if not study.frame.has(column):
        return undefined("the table does not tell")
    known = study.frame.data.filter(pl.col(column).is_not_null())[column]
    hits = int(known.sum())
    return Estimate(hits / len(known), len(known), *wilson(hits, len(known), study.options.level))

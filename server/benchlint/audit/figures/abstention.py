"""Calibrated abstention: decline the pairs that the gate cannot tell apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from benchlint.audit.figures.base import Figures
from benchlint.audit.figures.decisions import signal_pairs
from benchlint.audit.stats.estimate import Estimate, undefined
from benchlint.audit.stats.proportions import normal_quantile
from benchlint.audit.stats.resample import draw

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchlint.audit.signals import Signal
    from benchlint.audit.study import Study

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

LEVELS: Final = (0.5, 0.68, 0.8, 0.9, 0.95, 0.99)
"""How sure of the order of two agents the gate must be to rank them."""
_STEPS: Final = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
"""Gaps to try, in points of a scale of 1 to 7; as many sixths of any other."""
_RANK_STEPS: Final = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15)
_MOST_TASKS: Final = 1000


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """The pairs that are still ranked when the others are declined: how many, and how often wrongly.

    `at` is the confidence that was asked for, or the gap from which pairs
    are ranked. `coverage` is the share of pairs that are ranked.
    """

    at: float
    coverage: Estimate
    error: Estimate
    near_equal_coverage: Estimate
    near_equal_error: Estimate


@dataclass(frozen=True, kw_only=True)
class SignalAbstention:
    """Abstention of one judge: by the noise of the gap, and by its size alone."""

    by_noise: list[Ranked]
    by_gap: list[Ranked]
    noise: str | None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Abstention(Figures):
    """Calibrated abstention (GAUGE, abstention: error 14.8 % on the 31 to 49 % of near-equal pairs that are ranked).

    A pair is declined where the gap of its scores lies within its bootstrap
    noise: tasks are drawn again for all agents at once, so that what two
    agents share does not count as noise. Without transcripts the table's own
    standard errors are taken (`SIGNAL_se`).
    """

    signals: dict[str, SignalAbstention] = field(default_factory=dict)
    reason: str | None = None


def abstention(study: Study) -> Abstention:
    """Compute error and coverage under abstention for each judge."""
    if len(study.agents) < 2:
        return Abstention(reason="there is one agent: a decision takes two")
    if not study.judges:
        return Abstention(reason="the table has no judge")
    return Abstention(signals={signal.name: _signal(study, signal) for signal in study.judges})


def _signal(study: Study, signal: Signal) -> SignalAbstention:
    pairs = signal_pairs(study, signal.name)
    near = pairs.counted & (pairs.apart < study.options.near_equal)
    by_gap = [_ranked(study, at, pairs.counted, near, pairs.wrong, pairs.gap >= at) for at in gaps_to_try(signal)]
    noise, how = _noise(study, signal.name)
    if noise is None:
        return SignalAbstention(by_noise=[], by_gap=by_gap, noise=None, reason=how)
    by_noise = [
        _ranked(
            study,
            level,
            pairs.counted,
            near,
            pairs.wrong,
            (pairs.gap > normal_quantile((1.0 + level) / 2.0) * noise) & (pairs.gap > 0),
        )
        for level in LEVELS
    ]
    return SignalAbstention(by_noise=by_noise, by_gap=by_gap, noise=how)


def gaps_to_try(signal: Signal) -> list[float]:
    """Return the gaps of a judge's scale that are tried, in its own points."""
    if signal.ranks:
        return [float(step) for step in _RANK_STEPS]
    width = (signal.high - signal.low) if signal.high is not None and signal.low is not None else 6.0
    return [round(step * width / 6.0, 6) for step in _STEPS]


def _ranked(study: Study, at: float, counted: Bools, near: Bools, wrong: Bools, kept: Bools) -> Ranked:
    return Ranked(
        at=at,
        coverage=_share(counted, kept, "pair"),
        error=study.pair_rate(wrong & kept, counted & kept, "pair left to rank"),
        near_equal_coverage=_share(near, kept, "near-equal pair"),
        near_equal_error=study.pair_rate(wrong & near & kept, near & kept, "near-equal pair left to rank"),
    )


def _share(among: Bools, kept: Bools, what: str) -> Estimate:
    count = int(among.sum())
    return Estimate(int((among & kept).sum()) / count, count) if count else undefined(f"there is no {what}")


def _noise(study: Study, name: str) -> tuple[Floats | None, str]:
    """Return the standard error of each pair's gap, shape (agents, agents), and where it comes from."""
    agents = study.agents
    if not study.of_transcripts:
        if name not in agents.errors or np.isnan(agents.errors[name]).all():
            return None, "the noise of a gap shows in transcripts, or in a column SIGNAL_se"
        own = np.nan_to_num(agents.errors[name], nan=np.inf) ** 2
        return np.sqrt(own[:, None] + own[None, :]), "standard errors of the table"
    by_task = _by_task(study, name) if study.frame.has("task") else None
    if by_task is not None:
        spread = np.cov(by_task, rowvar=False)
        own = np.diag(spread)
        return np.sqrt(np.maximum(own[:, None] + own[None, :] - 2.0 * spread, 0.0)), "tasks drawn again"
    errors = study.frame.data.group_by("agent", maintain_order=True).agg(
        (pl.col(name).std() / pl.col(name).count().sqrt()).alias("error")
    )
    own = errors["error"].fill_null(float("inf")).fill_nan(float("inf")).to_numpy().astype(np.float64) ** 2
    return np.sqrt(own[:, None] + own[None, :]), "transcripts as if independent"


def _by_task(study: Study, name: str) -> Floats | None:
    """Return the agents' mean scores in each resample of tasks, shape (resamples, agents); None for too few tasks."""
    agents = study.agents
    cells = (
        study.frame.data.filter(pl.col("task").is_not_null() & pl.col(name).is_not_null())
        .group_by("agent", "task")
        .agg(pl.col(name).sum().alias("sum"), pl.len().alias("count"))
        .with_columns(pl.col("agent", "task").cast(pl.String))
    )
    tasks = sorted(str(task) for task in cells["task"].unique())
    if len(tasks) < 8:
        return None
    places = {agent: at for at, agent in enumerate(agents.names)}
    numbers = {task: at % _MOST_TASKS for at, task in enumerate(tasks)}
    rows = cells["agent"].replace_strict(places, return_dtype=pl.Int64).to_numpy()
    columns = cells["task"].replace_strict(numbers, return_dtype=pl.Int64).to_numpy()
    shape = (len(agents), min(len(tasks), _MOST_TASKS))
    sums, counts = np.zeros(shape), np.zeros(shape)
    np.add.at(sums, (rows, columns), cells["sum"].cast(pl.Float64).to_numpy())
    np.add.at(counts, (rows, columns), cells["count"].cast(pl.Float64).to_numpy())
    weights = draw(shape[1], study.options.resamples, study.options.seed)
    total = weights @ counts.T
    overall = np.divide(sums.sum(1), counts.sum(1), out=np.zeros(len(agents)), where=counts.sum(1) > 0)
    return np.where(total > 0, (weights @ sums.T) / np.where(total > 0, total, 1.0), overall[None, :])

"""Stability: whether repeats give the same scores and the same order."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from benchlint.audit.figures.base import Figures
from benchlint.audit.stats.estimate import Estimate, undefined
from benchlint.audit.stats.icc import icc1
from benchlint.audit.stats.passk import pass_hat_k
from benchlint.audit.stats.resample import with_mean_interval

if TYPE_CHECKING:
    from benchlint.audit.study import Study

CELL: Final = ("agent", "simulator", "domain", "persona", "task")
MOST_K: Final = 8
"""pass^k is told for k up to this."""


@dataclass(frozen=True, kw_only=True)
class Repeats:
    """One column over repeats: the ICC of single repeats of a cell, the mean rank correlation of two repeats."""

    icc: Estimate
    rank_stability: Estimate


@dataclass(frozen=True, kw_only=True)
class Stability(Figures):
    """Stability over repeats (GAUGE, repeats; pass^k as in tau-bench).

    A cell is one agent, task, persona, domain and simulator; its trials are
    the repeats. `columns` holds the reward and each signal. `pass_k` is, per
    agent, the chance that k trials of a task all succeed, over the tasks
    with at least k trials, intervals clustered by task.
    """

    trials: int
    cells: int
    columns: dict[str, Repeats] = field(default_factory=dict)
    pass_k: dict[str, dict[str, Estimate]] = field(default_factory=dict)
    reason: str | None = None


def stability(study: Study) -> Stability:
    """Compute stability over trials."""
    if not study.of_transcripts or not study.frame.has("task"):
        return Stability(trials=0, cells=0, reason="repeats show in transcripts with a column task")
    data = study.frame.data
    keys = [name for name in CELL if name in data.columns]
    names = ["reward", *(signal.name for signal in study.signals)]
    cells = data.group_by(keys).agg(
        pl.len().alias("repeats"),
        *(
            part
            for name in names
            for part in (
                pl.col(name).count().alias(f"{name} count"),
                pl.col(name).sum().alias(f"{name} sum"),
                (pl.col(name) ** 2).sum().alias(f"{name} squares"),
            )
        ),
    )
    most = cells["repeats"].max()
    trials = int(most) if isinstance(most, int) else 0
    passes = _pass_k(study, trials)
    if trials < 2:
        return Stability(trials=trials, cells=len(cells), pass_k=passes, reason="no task has repeats")
    by_trial = _by_trial(study, names)
    columns = {
        name: Repeats(icc=_icc(study, cells, name), rank_stability=_rank_stability(study, by_trial, name))
        for name in names
    }
    return Stability(trials=trials, cells=len(cells), columns=columns, pass_k=passes)


def _icc(study: Study, cells: pl.DataFrame, name: str) -> Estimate:
    counts, sums, squares = (
        cells.filter(pl.col(f"{name} count") > 0)[f"{name} {part}"].cast(pl.Float64).to_numpy()
        for part in ("count", "sum", "squares")
    )
    found = icc1(counts, sums, squares, study.options.level)
    if found is None:
        return undefined("no cell has repeats, or nothing varies", len(counts))
    if found.low == found.high:
        return Estimate(found.value, len(counts), reason="no interval: repeats never differ")
    return Estimate(found.value, len(counts), found.low, found.high)


def _by_trial(study: Study, names: list[str]) -> pl.DataFrame | None:
    if not study.frame.has("trial"):
        return None
    return study.frame.data.group_by("agent", "trial").agg(pl.col(name).mean() for name in names)


def _rank_stability(study: Study, by_trial: pl.DataFrame | None, name: str) -> Estimate:
    if by_trial is None:
        return undefined("the table has no column trial")
    places = {agent: at for at, agent in enumerate(study.agents.names)}
    trials = sorted(trial for trial in by_trial["trial"].unique() if trial is not None)
    means = np.full((len(trials), len(places)), np.nan)
    order = {trial: at for at, trial in enumerate(trials)}
    for agent, trial, value in by_trial.select("agent", "trial", name).iter_rows():
        if trial is not None and value is not None:
            means[order[trial], places[agent]] = value
    found = [
        rho.value
        for one, other in combinations(range(min(len(trials), 20)), 2)
        if (rho := study.correlation(means[one], means[other], plain=True)).value is not None
    ]
    if not found:
        return undefined("it takes three agents and differences between them in two trials", len(trials))
    return Estimate(float(np.mean(found)), len(found))


def _pass_k(study: Study, trials: int) -> dict[str, dict[str, Estimate]]:
    data = study.frame.data
    keys = [name for name in CELL if name in data.columns and name != "agent"]
    counts = data.group_by("agent", *keys).agg(pl.col("reward").sum().alias("successes"), pl.len().alias("count"))
    kinds = counts.group_by("agent", "successes", "count").agg(pl.len().alias("tasks"))
    by_agent: dict[str, list[tuple[int, int, int]]] = {agent: [] for agent in study.agents.names}
    for agent, successes, count, tasks in kinds.sort("successes", "count").iter_rows():
        by_agent[agent].append((int(successes), int(count), tasks))
    return {agent: _passes(study, rows, min(trials, MOST_K)) for agent, rows in by_agent.items()}


def _passes(study: Study, rows: list[tuple[int, int, int]], most: int) -> dict[str, Estimate]:
    """Compute pass^k of one agent from how many tasks had so many successes in so many trials."""
    tasks = np.array([row[2] for row in rows], dtype=np.float64)
    total = int(tasks.sum())
    generator = np.random.default_rng(study.options.seed)
    drawn = generator.multinomial(total, tasks / total, study.options.resamples).astype(np.float64)
    found = {}
    for k in range(1, most + 1):
        enough = np.array([count >= k for _, count, _ in rows])
        if not enough.any():
            found[str(k)] = undefined("no task has so many trials")
            continue
        chances = np.array([pass_hat_k(good, count, k) if count >= k else 0.0 for good, count, _ in rows])
        usable = (drawn * enough).sum(1)
        found[str(k)] = with_mean_interval(
            float((tasks * chances).sum() / tasks[enough].sum()),
            int(tasks[enough].sum()),
            np.where(usable > 0, (drawn * chances).sum(1) / np.maximum(usable, 1.0), np.nan),
            study.options.level,
            clusters=int(tasks[enough].sum()),
        )
    return found

"""What does not help: averaging judges and weighting them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from benchlint.audit.figures.base import Figures
from benchlint.audit.stats.estimate import Estimate, undefined
from benchlint.audit.stats.pairs import pairs_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchlint.audit.agents import Agents
    from benchlint.audit.study import Study

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

STRATA = ("domain", "persona")


@dataclass(frozen=True, kw_only=True)
class Errors:
    """Near-equal pairs that are ordered wrongly."""

    wrong: int
    pairs: int
    rate: Estimate


@dataclass(frozen=True, kw_only=True)
class Stratified:
    """The same within strata: weights were learnt on all others, errors counted within each and added up."""

    by: str
    strata: int
    best_single: Errors
    mean: Errors
    weighted: Errors


@dataclass(frozen=True, kw_only=True)
class Ensembles(Figures):
    """What does not help (GAUGE, ensembles: the four-judge mean and weighted ensembles change nothing, 27 of 87).

    Errors on near-equal pairs of each judge alone, of the mean of the
    standardised judges and of a weighting of them, learnt by non-negative
    least squares on all agents but those of the base model (`weighted`) or
    of the provider (`weighted_by_provider`) at hand.
    """

    judges: list[str]
    single: dict[str, Errors] = field(default_factory=dict)
    mean: Errors | None = None
    weighted: Errors | None = None
    weighted_by_provider: Errors | None = None
    by_stratum: list[Stratified] = field(default_factory=list)
    reason: str | None = None


def ensembles(study: Study) -> Ensembles:
    """Compare ensembles of judges with each judge alone."""
    chosen = [signal.name for signal in study.gates]
    if len(chosen) < 2:
        chosen = [signal.name for signal in study.judges]
    if len(chosen) < 2:
        return Ensembles(judges=chosen, reason="it takes two judges")
    agents = study.agents
    scored = agents.scored(*chosen)
    matrix = _standardised(agents, chosen, scored)
    if matrix is None:
        return Ensembles(judges=chosen, reason="a judge scores all agents alike, or too few agents have all scores")
    reward, base = agents.reward[scored], agents.base[scored]
    makers = np.unique([maker or "" for maker in agents.provider], return_inverse=True)[1][scored]
    return Ensembles(
        judges=chosen,
        single={name: _errors(study, matrix[:, at], scored) for at, name in enumerate(chosen)},
        mean=_errors(study, matrix.mean(1), scored),
        weighted=_errors(study, _left_out(matrix, reward, base), scored),
        weighted_by_provider=_errors(study, _left_out(matrix, reward, makers), scored)
        if len(np.unique(makers)) > 1
        else None,
        by_stratum=[found for column in STRATA if (found := _stratified(study, chosen, column)) is not None],
    )


def _standardised(agents: Agents, names: list[str], scored: Bools) -> Floats | None:
    """Return the judges' scores with mean 0 and deviation 1 over the agents. Shape (agents, judges)."""
    if int(scored.sum()) < 3:
        return None
    matrix = np.column_stack([agents.scores[name][scored] for name in names])
    deviations = matrix.std(0)
    if (deviations < 1e-12).any():
        return None
    return np.asarray((matrix - matrix.mean(0)) / deviations, dtype=np.float64)


def _weights(matrix: Floats, reward: Floats) -> Floats:
    """Learn non-negative weights; equal ones where nothing can be learnt."""
    from scipy.optimize import nnls

    if len(reward) > matrix.shape[1]:
        weights = np.asarray(nnls(matrix - matrix.mean(0), reward - reward.mean())[0], dtype=np.float64)
        if weights.sum() > 0:
            return weights
    return np.ones(matrix.shape[1])


def _left_out(matrix: Floats, reward: Floats, groups: Ints) -> Floats:
    """Score each group of agents by weights that were learnt without it."""
    scores = np.empty(len(reward))
    for group in np.unique(groups):
        own = groups == group
        weights = _weights(matrix[~own], reward[~own])
        scores[own] = matrix[own] @ (weights / weights.sum())
    return scores


def _errors(study: Study, score: Floats, scored: Bools) -> Errors:
    """Count near-equal errors of a score of the agents that were scored."""
    full = np.zeros(len(study.agents))
    full[scored] = score
    pairs = pairs_of(study.agents.reward, full)
    near = pairs.counted & (pairs.apart < study.options.near_equal) & scored[:, None] & scored[None, :]
    wrong = pairs.wrong & near
    return Errors(wrong=int(wrong.sum()), pairs=int(near.sum()), rate=study.pair_rate(wrong, near, "near-equal pair"))


def _stratified(study: Study, names: list[str], column: str) -> Stratified | None:
    from benchlint.audit.study import Study as Part

    if not study.of_transcripts or not study.frame.has(column):
        return None
    values = sorted(str(value) for value in study.frame.data[column].drop_nulls().unique())
    if len(values) < 2:
        return None
    singles = np.zeros((len(names), 2), dtype=np.int64)
    mean, weighted = np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64)
    used = 0
    for value in values:
        inside = Part(study.frame.narrowed(pl.col(column) == value), study.options)
        outside = Part(study.frame.narrowed(pl.col(column) != value), study.options)
        kept, learnt = inside.agents.scored(*names), outside.agents.scored(*names)
        here, there = _standardised(inside.agents, names, kept), _standardised(outside.agents, names, learnt)
        if here is None or there is None:
            continue
        used += 1
        weights = _weights(there, outside.agents.reward[learnt])
        reward = inside.agents.reward[kept]
        singles += np.array([_count(reward, here[:, at], study) for at in range(len(names))])
        mean += _count(reward, here.mean(1), study)
        weighted += _count(reward, here @ (weights / weights.sum()), study)
    if not used:
        return None
    best = min(singles.tolist(), key=lambda row: row[0])
    return Stratified(by=column, strata=used, best_single=_plain(best), mean=_plain(mean), weighted=_plain(weighted))


def _count(reward: Floats, score: Floats, study: Study) -> Ints:
    pairs = pairs_of(reward, score)
    near = pairs.counted & (pairs.apart < study.options.near_equal)
    return np.array([int((pairs.wrong & near).sum()), int(near.sum())], dtype=np.int64)


def _plain(counts: Ints | list[int]) -> Errors:
    wrong, pairs = int(counts[0]), int(counts[1])
    rate = Estimate(wrong / pairs, pairs) if pairs else undefined("there is no near-equal pair")
    return Errors(wrong=wrong, pairs=pairs, rate=rate)

"""Judges against each other, and each against its own family."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from benchlint.audit.families import same_family
from benchlint.audit.figures.base import Figures
from benchlint.audit.stats.contrast import difference
from benchlint.audit.stats.estimate import Estimate, undefined
from benchlint.audit.stats.pairs import DECIMALS
from benchlint.audit.stats.ranks import average_ranks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchlint.audit.signals import Signal
    from benchlint.audit.study import Study

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Preference:
    """How much more judge `one` likes agents of its own family than judge `other` does.

    `points` is (one - other) on agents of the family minus the same on all
    other agents, on the scale that both judges share. `scale_free` is the
    same after each judge's means are standardised over the agents.
    """

    one: str
    other: str
    family: str
    own_agents: int
    points: Estimate
    scale_free: Estimate


@dataclass(frozen=True, kw_only=True)
class SelfPreference(Figures):
    """Self-preference of judges (GAUGE, self-preference; +0.75 and +0.67 of 7 printed there)."""

    preferences: list[Preference]
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Two judges: their rank correlation over agents, over the best agents only, and the mean difference."""

    one: str
    other: str
    spearman: Estimate
    top_spearman: Estimate
    offset: Estimate


@dataclass(frozen=True, kw_only=True)
class Judges(Figures):
    """Judges against each other and against the reward (GAUGE, frontier judges; the ranks of Table 8).

    `top` holds the correlation of each judge with the reward over the `top_k`
    agents with the highest reward (and those that tie with the last).
    `displacement` is the mean, per provider, of an agent's rank by the judge
    minus its rank by reward: above zero the judge puts it lower.
    """

    top_k: int
    pairs: list[Agreement]
    top: dict[str, Estimate] = field(default_factory=dict)
    displacement: dict[str, dict[str, Estimate]] = field(default_factory=dict)
    reason: str | None = None


def self_preference(study: Study) -> SelfPreference:
    """Compute self-preference for each ordered pair of judges of different families."""
    found = [
        preference
        for one, other in combinations(study.judges, 2)
        if one.kind == other.kind and one.ranks == other.ranks
        for preference in (_preference(study, one, other), _preference(study, other, one))
        if preference is not None
    ]
    if found:
        return SelfPreference(preferences=found)
    if len(study.judges) < 2:
        return SelfPreference(preferences=[], reason="it takes two judges of different families")
    return SelfPreference(
        preferences=[],
        reason="no two comparable judges of known, different families score agents of one of these families: "
        "--family SIGNAL=FAMILY tells who made a judge",
    )


def judges(study: Study) -> Judges:
    """Compare judges with each other and with the reward."""
    agents = study.agents
    best = _best(agents.reward, study.options.top)
    pairs = [
        Agreement(
            one=one.name,
            other=other.name,
            spearman=study.correlation(agents.scores[one.name], agents.scores[other.name]),
            top_spearman=study.correlation(agents.scores[one.name], agents.scores[other.name], best, plain=True),
            offset=_offset(study, one, other),
        )
        for one, other in combinations(study.judges, 2)
    ]
    return Judges(
        top_k=study.options.top,
        pairs=pairs,
        top={
            signal.name: study.correlation(agents.scores[signal.name], agents.reward, best, plain=True)
            for signal in study.judges
        },
        displacement={signal.name: _displacement(study, signal.name) for signal in study.judges},
        reason=None if study.judges else "the table has no judge",
    )


def _preference(study: Study, one: Signal, other: Signal) -> Preference | None:
    if not one.family or not other.family or same_family(one.family, other.family):
        return None
    agents = study.agents
    scored = agents.scored(one.name, other.name)
    own = np.array([maker is not None and same_family(maker, one.family) for maker in agents.provider])
    if not (own & scored).any() or not (~own & scored).any():
        return None
    first, second = agents.scores[one.name][scored], agents.scores[other.name][scored]
    group, base = own[scored], agents.base[scored]
    level = study.options.level
    if one.ranks or one.scale is None or one.scale != other.scale:
        points = undefined("the two judges do not share a known scale", len(first))
    else:
        points = difference(first - second, group, base, level)
    if np.std(first) == 0.0 or np.std(second) == 0.0:
        free = undefined("a judge scores all agents alike", len(first))
    else:
        free = difference(_standard(first) - _standard(second), group, base, level)
    return Preference(
        one=one.name,
        other=other.name,
        family=one.family,
        own_agents=int(group.sum()),
        points=points,
        scale_free=free,
    )


def _standard(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / values.std(ddof=1), dtype=np.float64)


def _offset(study: Study, one: Signal, other: Signal) -> Estimate:
    agents = study.agents
    if one.ranks or other.ranks or one.scale is None or one.scale != other.scale:
        return undefined("the two judges do not share a known scale")
    scored = agents.scored(one.name, other.name)
    if not scored.any():
        return undefined("no agent has both scores")
    apart = agents.scores[one.name][scored] - agents.scores[other.name][scored]
    return Estimate(float(apart.mean()), int(scored.sum()))


def _best(reward: Floats, count: int) -> Bools:
    """Mark the agents with the highest reward, with those that tie with the last of them."""
    if len(reward) <= count:
        return np.ones(len(reward), dtype=np.bool_)
    return np.asarray(reward >= np.sort(reward)[-count], dtype=np.bool_)


def _places(values: Floats) -> Floats:
    """Return ranks with 1 for the highest; what is equal as decimals is a tie."""
    return average_ranks(-np.round(values, DECIMALS))


def _displacement(study: Study, name: str) -> dict[str, Estimate]:
    agents = study.agents
    scored = agents.scored(name)
    moved = np.full(len(agents), np.nan)
    moved[scored] = _places(agents.scores[name][scored]) - _places(agents.reward[scored])
    makers = sorted({maker for maker in agents.provider if maker})
    found = {}
    for maker in makers:
        own = np.array([provider == maker for provider in agents.provider]) & scored
        if own.any():
            found[maker] = Estimate(float(moved[own].mean()), int(own.sum()))
    return found

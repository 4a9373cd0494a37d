"""Agents of known quality: whether a signal tells the broken ones from those that work."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from benchlint.audit.figures.base import Figures
from benchlint.audit.stats.auc import auc, auc_interval
from benchlint.audit.stats.estimate import Estimate, undefined
from benchlint.audit.stats.pairs import DECIMALS

if TYPE_CHECKING:
    from benchlint.audit.study import Study


@dataclass(frozen=True, kw_only=True)
class Tier:
    """Agents of one tier: mean reward and mean of each signal over them."""

    tier: str
    broken: bool
    agents: int
    reward: Estimate
    signals: dict[str, Estimate]


@dataclass(frozen=True, kw_only=True)
class Inversion:
    """A broken agent that a signal scores above working ones."""

    agent: str
    title: str
    score: float
    reward: float
    above: int
    of: int


@dataclass(frozen=True, kw_only=True)
class SignalTiers:
    """How one signal tells broken agents from working ones.

    `auc` is how often a working agent scores above a broken one, with
    Newcombe's interval. `inversions` are the broken agents that it scores
    above at least one working agent, the highest first.
    """

    auc: Estimate
    highest_broken: str | None
    inversions: list[Inversion]


@dataclass(frozen=True, kw_only=True)
class Tiers(Figures):
    """Known-quality tiers (GAUGE, controlled degradation; the configurations of Table 6).

    Printed there: mean reward 0.05 degraded, 0.65 working; AUC of the gate
    1.00; D7 is the inversion, a broken configuration that people like.
    """

    broken: Estimate
    working: Estimate
    tiers: list[Tier] = field(default_factory=list)
    signals: dict[str, SignalTiers] = field(default_factory=dict)
    reason: str | None = None


def tiers(study: Study) -> Tiers:
    """Compare broken and working agents."""
    agents = study.agents
    names = [tier for tier in dict.fromkeys(agents.tier) if tier is not None]
    folded = {name.casefold() for name in study.options.broken}
    broken = np.array([tier is not None and tier.casefold() in folded for tier in agents.tier])
    working = np.array([tier is not None for tier in agents.tier]) & ~broken
    if not names:
        return _none("the table has no column tier")
    if not broken.any() or not working.any():
        return _none(
            f"the tiers are {', '.join(names)}: --broken TIER says which are broken"
            if not broken.any()
            else "all tiers are broken"
        )
    return Tiers(
        broken=Estimate(float(agents.reward[broken].mean()), int(broken.sum())),
        working=Estimate(float(agents.reward[working].mean()), int(working.sum())),
        tiers=[_tier(study, name, broken=name.casefold() in folded) for name in names],
        signals={signal.name: _signal(study, signal.name, broken, working) for signal in study.signals},
    )


def _none(reason: str) -> Tiers:
    return Tiers(broken=undefined(reason), working=undefined(reason), reason=reason)


def _tier(study: Study, name: str, *, broken: bool) -> Tier:
    agents = study.agents
    own = np.array([tier == name for tier in agents.tier])
    scores = {}
    for signal in study.signals:
        scored = own & agents.scored(signal.name)
        scores[signal.name] = (
            Estimate(float(agents.scores[signal.name][scored].mean()), int(scored.sum()))
            if scored.any()
            else undefined("it scores none of them")
        )
    return Tier(
        tier=name,
        broken=broken,
        agents=int(own.sum()),
        reward=Estimate(float(agents.reward[own].mean()), int(own.sum())),
        signals=scores,
    )


def _signal(study: Study, name: str, broken: object, working: object) -> SignalTiers:
    agents = study.agents
    scored = agents.scored(name)
    bad, good = np.asarray(broken) & scored, np.asarray(working) & scored
    used = bad | good
    scores = np.round(agents.scores[name], DECIMALS)
    area = auc(scores[used], good[used])
    if area is None:
        return SignalTiers(auc=undefined("it scores agents of one kind only"), highest_broken=None, inversions=[])
    low, high = auc_interval(area, int(good.sum()), int(bad.sum()), study.options.level)
    rivals = scores[good]
    order = sorted(np.flatnonzero(bad), key=lambda at: -scores[at])
    found = [
        Inversion(
            agent=agents.names[at],
            title=agents.titles[at],
            score=float(scores[at]),
            reward=float(agents.reward[at]),
            above=above,
            of=len(rivals),
        )
        for at in order
        if (above := int((rivals < scores[at]).sum()))
    ]
    return SignalTiers(
        auc=Estimate(area, int(used.sum()), low, high), highest_broken=agents.names[order[0]], inversions=found
    )

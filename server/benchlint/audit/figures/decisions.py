"""Decisions: how often a signal prefers the worse of two agents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from benchlint.audit.figures.base import Figures
from benchlint.audit.stats.estimate import Estimate, undefined
from benchlint.audit.stats.pairs import DECIMALS, Pairs, pairs_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchlint.audit.study import Study

    Bools = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Errors:
    """Wrongly ordered pairs among those on one side of a threshold of the reward difference."""

    threshold: float
    wrong: int
    pairs: int
    rate: Estimate


@dataclass(frozen=True, kw_only=True)
class Bin:
    """The error of pairs whose rewards differ by at least `start` and less than `end`."""

    start: float
    end: float
    wrong: int
    pairs: int
    rate: Estimate


@dataclass(frozen=True, kw_only=True)
class SignalDecisions:
    """How often one signal is wrong: near-equal pairs, wide ones, and over other thresholds."""

    near_equal: Errors
    wide: Errors
    near_equal_other_bases: Errors
    sensitivity: list[Errors]
    by_difference: list[Bin]


@dataclass(frozen=True, kw_only=True)
class Overlap:
    """The near-equal pairs that two signals order wrongly: how many both, how many either."""

    one: str
    other: str
    both: int
    either: int
    jaccard: Estimate


@dataclass(frozen=True, kw_only=True)
class Decisions(Figures):
    """Decisions between agents (GAUGE, near-equal agents; the agents of Table 8).

    Two agents are near-equal where their mean rewards differ by less than
    `threshold`, compared as decimals; exact ties are left out and counted by
    `ties`. A signal is wrong where it prefers the strictly lower reward; its
    own tie is no error. Printed there: Opus-4.8 31.0 % of near-equal pairs
    (27 of 87) and 0.9 % of wide ones; over 0.05, 0.10 and 0.15: 45, 31 and
    26 %. `near_equal_other_bases` leaves out pairs of one base model.
    """

    threshold: float
    ties: int
    clustered_by: str
    clusters: int
    signals: dict[str, SignalDecisions]
    overlaps: list[Overlap] = field(default_factory=list)
    reason: str | None = None


def decisions(study: Study) -> Decisions:
    """Compute the errors of decisions."""
    agents, options = study.agents, study.options
    found = {signal.name: _signal(study, signal.name) for signal in study.signals if signal.kind != "dimension"}
    apart = np.round(np.abs(agents.reward[:, None] - agents.reward[None, :]), DECIMALS)
    ties = (int((apart == 0.0).sum()) - len(agents)) // 2
    reason = None
    if len(agents) < 2:
        reason = "there is one agent: a decision takes two"
    elif not found:
        reason = "the table has no signal"
    return Decisions(
        threshold=options.near_equal,
        ties=ties,
        clustered_by=agents.clustered_by,
        clusters=agents.clusters,
        signals={} if reason else found,
        overlaps=[] if reason else _overlaps(study, list(found)),
        reason=reason,
    )


def signal_pairs(study: Study, name: str) -> Pairs:
    """Compare all agents that a signal scores."""
    agents = study.agents
    pairs = pairs_of(agents.reward, np.nan_to_num(agents.scores[name]))
    scored = agents.scored(name)
    both = scored[:, None] & scored[None, :]
    return Pairs(pairs.apart, pairs.gap, pairs.counted & both, pairs.wrong & both)


def _signal(study: Study, name: str) -> SignalDecisions:
    options, base = study.options, study.agents.base
    pairs = signal_pairs(study, name)
    near = pairs.counted & (pairs.apart < options.near_equal)
    wide = pairs.counted & ~near
    edges = _edges(options.near_equal)
    return SignalDecisions(
        near_equal=_errors(study, pairs, near, options.near_equal, "near-equal pair"),
        wide=_errors(study, pairs, wide, options.near_equal, "wide pair"),
        near_equal_other_bases=_errors(
            study, pairs, near & (base[:, None] != base[None, :]), options.near_equal, "near-equal pair of two bases"
        ),
        sensitivity=[
            _errors(study, pairs, pairs.counted & (pairs.apart < threshold), threshold, "pair that close")
            for threshold in options.sensitivity
        ],
        by_difference=[
            _bin(study, pairs, start, end) for start, end in zip(edges, [*edges[1:], 1.0], strict=True) if start < end
        ],
    )


def _errors(study: Study, pairs: Pairs, counted: Bools, threshold: float, what: str) -> Errors:
    wrong = pairs.wrong & counted
    return Errors(
        threshold=threshold,
        wrong=int(wrong.sum()),
        pairs=int(counted.sum()),
        rate=study.pair_rate(wrong, counted, what),
    )


def _edges(near_equal: float) -> list[float]:
    """Return where bins of the reward difference start: halves of the threshold, then wider."""
    return [
        round(near_equal * factor, DECIMALS)
        for factor in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
        if factor * near_equal < 1
    ]


def _bin(study: Study, pairs: Pairs, start: float, end: float) -> Bin:
    last = end >= 1.0
    counted = pairs.counted & (pairs.apart >= start) & ((pairs.apart < end) | last)
    wrong = pairs.wrong & counted
    return Bin(
        start=start,
        end=end,
        wrong=int(wrong.sum()),
        pairs=int(counted.sum()),
        rate=study.pair_rate(wrong, counted, "pair that far apart"),
    )


def _overlaps(study: Study, names: list[str]) -> list[Overlap]:
    near = {}
    for name in names:
        pairs = signal_pairs(study, name)
        near[name] = pairs.wrong & (pairs.apart < study.options.near_equal)
    found = []
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            both, either = int((near[one] & near[other]).sum()), int((near[one] | near[other]).sum())
            jaccard = (
                Estimate(both / either, either) if either else undefined("neither orders a near-equal pair wrongly")
            )
            found.append(Overlap(one=one, other=other, both=both, either=either, jaccard=jaccard))
    return found

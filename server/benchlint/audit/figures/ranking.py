"""Ranking validity: whether a signal orders the agents as the reward does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from benchlint.audit.figures.base import Figures
from benchlint.audit.stats.estimate import Estimate, undefined
from benchlint.audit.stats.power import smallest_detectable

if TYPE_CHECKING:
    from benchlint.audit.study import Study


@dataclass(frozen=True, kw_only=True)
class SignalRanking:
    """How one signal ranks the agents: over all of them and within each domain."""

    spearman: Estimate
    kendall: Estimate
    by_domain: dict[str, Estimate] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Range:
    """How far the mean rewards of the agents lie apart within a domain.

    `ratio` is their standard deviation over that of the overall means: in a
    domain where all agents do alike no signal can rank them.
    """

    deviation: float
    lowest: float
    highest: float
    ratio: float | None
    agents: int


@dataclass(frozen=True, kw_only=True)
class Anchoring:
    """Human-validated yet mis-anchored: three correlations and what follows from them.

    `over` says what was correlated: transcripts, or agents. The verdict is
    `mis-anchored` where people agree with the gate but not with the reward,
    `anchored` where they agree with both, `not validated` where they do not
    agree with the gate, and None where a correlation is missing.
    """

    human: str
    gate: str
    over: str
    human_gate: Estimate
    human_reward: Estimate
    gate_reward: Estimate
    verdict: str | None


@dataclass(frozen=True, kw_only=True)
class Ranking(Figures):
    """Ranking validity (GAUGE, ranking of the 25 agents of Table 8 and the configurations of Table 6).

    Spearman's rho and Kendall's tau-b of each signal against the verifiable
    reward over agents, intervals clustered by base model;
    `smallest_detectable` is the correlation that so many agents can show at
    all (0.54 at 25), which is not the critical value.
    """

    signals: dict[str, SignalRanking]
    smallest_detectable: Estimate
    clustered_by: str
    clusters: int
    range_by_domain: dict[str, Range] = field(default_factory=dict)
    anchoring: list[Anchoring] = field(default_factory=list)
    reason: str | None = None


HIGH = 0.5
"""A correlation from here on counts as high, below `LOW` as low: Cohen's large and medium effects."""
LOW = 0.3


def ranking(study: Study) -> Ranking:
    """Compute ranking validity."""
    agents = study.agents
    domains = _domains(study)
    found = {
        signal.name: SignalRanking(
            spearman=study.correlation(agents.scores[signal.name], agents.reward),
            kendall=study.kendall(agents.scores[signal.name], agents.reward),
            by_domain={
                domain: part.correlation(part.agents.scores[signal.name], part.agents.reward)
                for domain, part in domains.items()
            },
        )
        for signal in study.signals
    }
    least = smallest_detectable(len(agents), study.options.level)
    return Ranking(
        signals=found,
        smallest_detectable=Estimate(least, len(agents))
        if least is not None
        else undefined("it takes at least four agents", len(agents)),
        clustered_by=agents.clustered_by,
        clusters=agents.clusters,
        range_by_domain={domain: _range(study, part) for domain, part in domains.items()},
        anchoring=_anchoring(study),
        reason=None if found else "the table has no signal",
    )


def _domains(study: Study) -> dict[str, Study]:
    from benchlint.audit.study import Study as Part

    if not study.of_transcripts or not study.frame.has("domain"):
        return {}
    names = sorted(str(name) for name in study.frame.data["domain"].drop_nulls().unique())
    if len(names) < 2:
        return {}
    return {name: Part(study.frame.narrowed(pl.col("domain") == name), study.options) for name in names}


def _range(study: Study, part: Study) -> Range:
    rewards, overall = part.agents.reward, study.agents.reward
    deviation = float(np.std(rewards, ddof=1)) if len(rewards) > 1 else 0.0
    whole = float(np.std(overall, ddof=1)) if len(overall) > 1 else 0.0
    return Range(
        deviation=deviation,
        lowest=float(rewards.min()),
        highest=float(rewards.max()),
        ratio=deviation / whole if whole > 0 else None,
        agents=len(rewards),
    )


def _anchoring(study: Study) -> list[Anchoring]:
    people = [signal.name for signal in study.signals if signal.kind == "human"]
    return [_anchor(study, human, gate.name) for human in people for gate in study.gates]


def _anchor(study: Study, human: str, gate: str) -> Anchoring:
    if study.of_transcripts:
        from benchlint.audit.figures.transcripts import transcript_correlation

        human_gate = transcript_correlation(study, study.column(human), study.column(gate))
        human_reward = transcript_correlation(study, study.column(human), study.column("reward"))
        gate_reward = transcript_correlation(study, study.column(gate), study.column("reward"))
    else:
        agents = study.agents
        human_gate = study.correlation(agents.scores[human], agents.scores[gate])
        human_reward = study.correlation(agents.scores[human], agents.reward)
        gate_reward = study.correlation(agents.scores[gate], agents.reward)
    return Anchoring(
        human=human,
        gate=gate,
        over="transcripts" if study.of_transcripts else "agents",
        human_gate=human_gate,
        human_reward=human_reward,
        gate_reward=gate_reward,
        verdict=_verdict(human_gate.value, human_reward.value),
    )


def _verdict(human_gate: float | None, human_reward: float | None) -> str | None:
    if human_gate is None or human_reward is None:
        return None
    if human_gate < HIGH:
        return "not validated"
    if human_reward < LOW:
        return "mis-anchored"
    return "anchored" if human_reward >= HIGH else "weakly anchored"

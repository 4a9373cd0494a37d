"""User simulators: whether the verdict depends on who plays the user."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from benchlint.audit.figures.base import Figures
from benchlint.audit.figures.construct import Gap, gaps
from benchlint.audit.stats.estimate import Estimate

if TYPE_CHECKING:
    from benchlint.audit.study import Study


@dataclass(frozen=True, kw_only=True)
class Simulator:
    """One simulator: mean reward, the ranking of the agents by reward, each signal's correlation and gap."""

    simulator: str
    transcripts: int
    reward: Estimate
    ranking: list[str]
    spearman: dict[str, Estimate]
    gap: dict[str, Gap]


@dataclass(frozen=True, kw_only=True)
class BetweenSimulators:
    """How two simulators agree on the order of the agents that both talked to: by reward and by each signal."""

    one: str
    other: str
    reward: Estimate
    signals: dict[str, Estimate]


@dataclass(frozen=True, kw_only=True)
class Simulators(Figures):
    """User simulators (GAUGE, user simulators): ranking and gap per simulator, correlation between them."""

    simulators: list[Simulator] = field(default_factory=list)
    between: list[BetweenSimulators] = field(default_factory=list)
    reason: str | None = None


def simulators(study: Study) -> Simulators:
    """Compare user simulators."""
    if not study.of_transcripts or not study.frame.has("simulator"):
        return Simulators(reason="the table has no column simulator")
    names = sorted(str(name) for name in study.frame.data["simulator"].drop_nulls().unique())
    if len(names) < 2:
        return Simulators(reason=f"there is one simulator, {names[0]}")
    parts = {name: _part(study, name) for name in names}
    return Simulators(
        simulators=[_simulator(name, part) for name, part in parts.items()],
        between=[_between(study, one, other, parts) for one, other in combinations(names, 2)],
    )


def _part(study: Study, name: str) -> Study:
    from benchlint.audit.study import Study as Part

    return Part(study.frame.narrowed(pl.col("simulator") == name), study.options)


def _simulator(name: str, part: Study) -> Simulator:
    agents = part.agents
    order = sorted(range(len(agents)), key=lambda at: (-agents.reward[at], agents.names[at]))
    reward = part.column("reward")
    return Simulator(
        simulator=name,
        transcripts=len(reward),
        reward=Estimate(float(reward.mean()), len(reward)),
        ranking=[agents.names[at] for at in order],
        spearman={signal.name: part.correlation(agents.scores[signal.name], agents.reward) for signal in part.signals},
        gap={
            signal.name: gaps(part, part.column(signal.name), reward, [signal.threshold])[0]
            for signal in part.signals
            if signal.threshold is not None and signal.kind != "dimension"
        },
    )


def _between(study: Study, one: str, other: str, parts: dict[str, Study]) -> BetweenSimulators:
    """Correlate the agents' means under two simulators, laid out over all agents of the study."""
    everyone = study.agents.names
    rows = []
    for name in (one, other):
        agents = parts[name].agents
        places = {agent: at for at, agent in enumerate(agents.names)}
        found = {"": agents.reward, **agents.scores}
        rows.append(
            {
                key: np.array([values[places[agent]] if agent in places else np.nan for agent in everyone])
                for key, values in found.items()
            }
        )
    return BetweenSimulators(
        one=one,
        other=other,
        reward=study.correlation(rows[0][""], rows[1][""]),
        signals={
            signal.name: study.correlation(rows[0][signal.name], rows[1][signal.name]) for signal in study.signals
        },
    )

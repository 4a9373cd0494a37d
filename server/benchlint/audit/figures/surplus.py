"""Surplus: how far satisfaction runs ahead of success."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchlint.audit.figures.base import Figures
from benchlint.audit.stats.estimate import Estimate, undefined

if TYPE_CHECKING:
    from benchlint.audit.study import Study


@dataclass(frozen=True, kw_only=True)
class AgentSurplus:
    """One agent: its reward, the surplus by the formula and the one that the table prints, if it does."""

    agent: str
    reward: float
    formula: float | None
    printed: float | None


@dataclass(frozen=True, kw_only=True)
class Surplus(Figures):
    """Satisfaction surplus per agent (GAUGE, surplus column of Table 8).

    (score - lowest) / (highest - lowest) - reward, which is (proxy - 1)/6 -
    R(a) on the scale 1 to 7. `formula` is its rank correlation with the
    reward, `printed` that of a column `surplus` where the table has one.
    The two differ where the table was rounded after its surplus was
    computed: -0.515 and -0.4958 in Table 8, both right.
    """

    signal: str | None
    formula: Estimate
    printed: Estimate
    agents: list[AgentSurplus] = field(default_factory=list)
    reason: str | None = None


def surplus(study: Study) -> Surplus:
    """Compute the surplus of the first satisfaction signal on a known scale."""
    agents = study.agents
    ordered = [signal for kind in ("proxy", "human") for signal in study.signals if signal.kind == kind]
    signal = next((signal for signal in ordered if signal.scale is not None), None)
    printed = study.column("surplus") if study.frame.unit == "agents" and study.frame.has("surplus") else None
    missing = undefined("the table has no column surplus")
    of_print = study.correlation(printed, agents.reward) if printed is not None else missing
    if signal is None or signal.low is None or signal.high is None:
        why = "the table has no satisfaction signal (proxy or human) on a known scale"
        return Surplus(signal=None, formula=undefined(why), printed=of_print, reason=why if printed is None else None)
    values = (agents.scores[signal.name] - signal.low) / (signal.high - signal.low) - agents.reward
    rows = [
        AgentSurplus(
            agent=name,
            reward=float(agents.reward[at]),
            formula=_finite(values[at]),
            printed=_finite(printed[at]) if printed is not None else None,
        )
        for at, name in enumerate(agents.names)
    ]
    return Surplus(signal=signal.name, formula=study.correlation(values, agents.reward), printed=of_print, agents=rows)


def _finite(value: float) -> float | None:
    return None if value != value else float(value)  # noqa: PLR0124

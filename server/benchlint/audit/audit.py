"""The audit: all figures of one table."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from benchlint.audit.figures.abstention import Abstention, abstention
from benchlint.audit.figures.base import Figures, plain
from benchlint.audit.figures.calibration import Calibration, calibration
from benchlint.audit.figures.cheap import CheapSignals, cheap_signals
from benchlint.audit.figures.construct import Construct, construct
from benchlint.audit.figures.decisions import Decisions, decisions
from benchlint.audit.figures.dimensions import Dimensions, dimensions
from benchlint.audit.figures.ensembles import Ensembles, ensembles
from benchlint.audit.figures.judges import Judges, SelfPreference, judges, self_preference
from benchlint.audit.figures.oracle import Oracle, oracle
from benchlint.audit.figures.personas import Personas, personas
from benchlint.audit.figures.ranking import Ranking, ranking
from benchlint.audit.figures.simulators import Simulators, simulators
from benchlint.audit.figures.stability import Stability, stability
from benchlint.audit.figures.surplus import Surplus, surplus
from benchlint.audit.figures.tiers import Tiers, tiers
from benchlint.audit.region import Region, region
from benchlint.audit.study import Study

if TYPE_CHECKING:
    from benchlint.audit.frame import Frame
    from benchlint.audit.options import Options
    from benchlint.audit.signals import Signal


@dataclass(frozen=True, kw_only=True)
class AgentRow:
    """One agent: its mean reward, the mean of each signal, how many transcripts."""

    agent: str
    title: str
    provider: str | None
    tier: str | None
    reward: float
    scores: dict[str, float | None]
    transcripts: int


@dataclass(frozen=True, kw_only=True)
class Overview(Figures):
    """What was read: unit, counts, signals with their scales, agents with their means, and what to know of it."""

    source: str
    unit: str
    rows: int
    agents: list[AgentRow] = field(default_factory=list)
    base_models: int = 0
    signals: dict[str, Signal] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Audit:
    """All figures of one table; each group is an attribute that draws itself in a notebook.

    A table of counts has only `construct`; the other groups are None.
    """

    overview: Overview
    construct: Construct
    ranking: Ranking | None = None
    decisions: Decisions | None = None
    abstention: Abstention | None = None
    region: Region | None = None
    surplus: Surplus | None = None
    tiers: Tiers | None = None
    calibration: Calibration | None = None
    self_preference: SelfPreference | None = None
    judges: Judges | None = None
    ensembles: Ensembles | None = None
    simulators: Simulators | None = None
    personas: Personas | None = None
    dimensions: Dimensions | None = None
    stability: Stability | None = None
    cheap_signals: CheapSignals | None = None
    oracle: Oracle | None = None

    def groups(self) -> list[Figures]:
        """Return the groups of figures that the table has, in the order of the report."""
        found = (getattr(self, item.name) for item in fields(self))
        return [group for group in found if group is not None]

    def as_dict(self) -> dict[str, Any]:
        """Return all figures as dictionaries, lists and numbers, under stable names."""
        found: dict[str, Any] = plain(self)
        return found

    def _repr_html_(self) -> str:
        from benchlint.audit.report.html import fragment

        return fragment(self)


def audit(frame: Frame, options: Options) -> Audit:
    """Compute all figures of a frame."""
    study = Study(frame, options)
    overview = _overview(study)
    gap = construct(study)
    if frame.unit == "counts":
        return Audit(overview=overview, construct=gap)
    order = ranking(study)
    return Audit(
        overview=overview,
        construct=gap,
        ranking=order,
        decisions=decisions(study),
        abstention=abstention(study),
        region=region(study, order, gap),
        surplus=surplus(study),
        tiers=tiers(study),
        calibration=calibration(study),
        self_preference=self_preference(study),
        judges=judges(study),
        ensembles=ensembles(study),
        simulators=simulators(study),
        personas=personas(study),
        dimensions=dimensions(study),
        stability=stability(study),
        cheap_signals=cheap_signals(study),
        oracle=oracle(study),
    )


def _overview(study: Study) -> Overview:
    frame = study.frame
    if frame.unit == "counts":
        return Overview(source=frame.source, unit=frame.unit, rows=len(frame.data), notes=list(frame.notes))
    agents = study.agents
    rows = [
        AgentRow(
            agent=name,
            title=agents.titles[at],
            provider=agents.provider[at],
            tier=agents.tier[at],
            reward=float(agents.reward[at]),
            scores={
                signal: None if value != value else float(value)  # noqa: PLR0124
                for signal, value in ((signal, values[at]) for signal, values in agents.scores.items())
            },
            transcripts=int(agents.transcripts[at]),
        )
        for at, name in enumerate(agents.names)
    ]
    return Overview(
        source=frame.source,
        unit=frame.unit,
        rows=len(frame.data),
        agents=rows,
        base_models=agents.clusters if agents.clustered_by == "base model" else 0,
        signals={signal.name: signal for signal in frame.signals},
        notes=list(frame.notes),
    )

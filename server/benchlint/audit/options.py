"""What can be set about an audit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

SENSITIVITY: Final = (0.05, 0.10, 0.15)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of an audit.

    Settings of one signal are mappings from its name: `thresholds` (from
    which score on a transcript counts as satisfied), `scales` (lowest and
    highest score), `kinds` (`gate`, `proxy`, `human` or `dimension`: makes a
    signal of a column), `families` (who made the judge) and `prices`
    (dollars a decision).

    `near_equal` is the difference of mean rewards below which two agents
    are near-equal, `sensitivity` the other ones to try. `ceiling` is the
    share of failed among satisfied that a gate may have; `tolerance` the
    share of pairs that the gate may order wrongly in its operating region.
    `top` is how many of the best agents the top-k correlations look at.
    `broken` names the tiers of agents that are known to be broken,
    `baseline` the persona that the others are compared with. Intervals have
    the confidence `level`, from `resamples` resamples made from `seed`.
    """

    thresholds: Mapping[str, float] = field(default_factory=dict)
    scales: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    prices: Mapping[str, float] = field(default_factory=dict)
    near_equal: float = 0.1
    sensitivity: tuple[float, ...] = SENSITIVITY
    ceiling: float = 0.2
    tolerance: float = 0.05
    top: int = 10
    broken: tuple[str, ...] = ("broken", "degraded")
    baseline: str | None = None
    level: float = 0.95
    resamples: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what no audit can be made with. Raises `AuditError`."""
        from benchlint.audit.errors import AuditError

        for name, value, low, high in (
            ("near-equal", self.near_equal, 0.0, 1.0),
            ("ceiling", self.ceiling, 0.0, 1.0),
            ("tolerance", self.tolerance, 0.0, 1.0),
            ("level", self.level, 0.0, 1.0),
        ):
            if not low < value < high:
                raise AuditError(f"{name} is {value:g}: it must lie between {low:g} and {high:g}")
        if self.resamples < 100:
            raise AuditError(f"resamples is {self.resamples}: intervals need at least 100")
        if self.top < 3:
            raise AuditError(f"top is {self.top}: a correlation needs at least 3 agents")
        for name, (lowest, highest) in self.scales.items():
            if not lowest < highest:
                raise AuditError(f"the scale of {name} goes from {lowest:g} to {highest:g}: that is no scale")

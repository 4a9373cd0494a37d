"""A number with what it rests on."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure: its value, what it was counted over, its interval.

    A figure that the data do not allow has no `value`, and the `reason` says
    why; never a NaN. A value without an interval has a `reason` too, unless
    an interval makes no sense for it.
    """

    value: float | None
    count: int
    low: float | None = None
    high: float | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        """Refuse NaN: a figure that is none must say why."""
        for number in (self.value, self.low, self.high):
            if number is not None and not math.isfinite(number):
                raise ValueError("a figure must be a finite number or None")


def undefined(reason: str, count: int = 0) -> Estimate:
    """Return a figure that the data do not allow."""
    return Estimate(None, count, reason=reason)

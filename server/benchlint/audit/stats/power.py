"""What a number of agents can show at all."""

from __future__ import annotations

import math

from benchlint.audit.stats.proportions import normal_quantile


def smallest_detectable(count: int, level: float = 0.95, power: float = 0.80) -> float | None:
    """Return the smallest correlation that `count` agents detect with that power; None below four.

    This is not the critical value: a true correlation of that size is found
    significant with probability `power`, one of the size of the critical
    value only half of the time.
    """
    if count < 4:
        return None
    z = normal_quantile((1.0 + level) / 2.0) + normal_quantile(power)
    return math.tanh(z / math.sqrt(count - 3))

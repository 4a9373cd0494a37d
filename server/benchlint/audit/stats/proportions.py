"""Shares of counts."""

from __future__ import annotations

import math

from scipy import special


def normal_quantile(probability: float) -> float:
    """Return the quantile of the standard normal distribution."""
    return float(special.ndtri(probability))


def wilson(hits: float, count: float, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's score interval of a share; `count` must be above 0."""
    z = normal_quantile((1.0 + level) / 2.0)
    share = hits / count
    denominator = 1.0 + z * z / count
    centre = (share + z * z / (2.0 * count)) / denominator
    half = z * math.sqrt(share * (1.0 - share) / count + z * z / (4.0 * count * count)) / denominator
    return max(0.0, centre - half) if hits > 0 else 0.0, min(1.0, centre + half) if hits < count else 1.0


def binomial_above(hits: int, count: int, ceiling: float) -> float:
    """Return the exact probability of at least `hits` among `count` where each has the chance `ceiling`."""
    if hits <= 0:
        return 1.0
    return float(special.betainc(hits, count - hits + 1, ceiling))

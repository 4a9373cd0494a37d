"""How often all of k trials of a task succeed."""

from __future__ import annotations

from math import comb


def pass_hat_k(successes: int, trials: int, k: int) -> float:
    """Return the unbiased estimate that `k` trials of a task all succeed, from `trials` of which `successes` did."""
    return comb(successes, k) / comb(trials, k)

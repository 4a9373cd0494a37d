"""Pairs of agents: which are close, which a signal orders wrongly, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

DECIMALS: Final = 9
"""Differences are compared as decimals: rounded to this, 0.87 - 0.77 is 0.1 and not a little less."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """All pairs of agents whose rewards differ, each once; arrays have the shape (agents, agents).

    `apart` is the absolute difference of rewards, `gap` that of scores (both
    rounded), `counted` marks the pairs, `wrong` those of them in which the
    score prefers the strictly lower reward. A tie of the score is no error.
    """

    apart: Floats
    gap: Floats
    counted: Bools
    wrong: Bools


def pairs_of(reward: Floats, score: Floats) -> Pairs:
    """Compare all agents with each other."""
    rewards = np.round(reward[:, None] - reward[None, :], DECIMALS)
    scores = np.round(score[:, None] - score[None, :], DECIMALS)
    upper = np.triu(np.ones(rewards.shape, dtype=np.bool_), 1)
    counted = upper & (rewards != 0.0)
    return Pairs(np.abs(rewards), np.abs(scores), counted, counted & (rewards * scores < 0.0))


def resampled_rate(wrong: Bools, counted: Bools, weights: Floats) -> Floats:
    """Return the share of wrong pairs among the counted in each resample; NaN where there is none.

    `weights`, shape (resamples, agents), says how often each agent occurs; a
    pair occurs as often as both its agents together.
    """
    hits = _total(wrong, weights)
    total = _total(counted, weights)
    return np.where(total > 0, hits / np.where(total > 0, total, 1.0), np.nan)


def _total(marked: Bools, weights: Floats) -> Floats:
    return np.asarray(((weights @ marked.astype(np.float64)) * weights).sum(1))

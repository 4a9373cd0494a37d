"""What transcripts hang on: the clusters that are drawn again as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import polars as pl

from benchlint.audit.stats.coding import coded
from benchlint.audit.stats.resample import MIN_CLUSTERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchlint.audit.frame import Frame

    Ints = NDArray[np.int64]

_MOST: Final = 1000
"""More clusters than that are thrown together at random into as many."""


class Clustering(NamedTuple):
    """The cluster of each row, numbered from 0, and what clusters are; None where rows stand for themselves."""

    ids: Ints | None
    by: str


def clustering(frame: Frame) -> Clustering:
    """Choose the coarsest of base model, agent and task that has enough values for an interval.

    Agents are passed over where base models are known: several agents of one
    model are no independent clusters.
    """
    names = {"base_model": "base model", "agent": "agent", "task": "task"}
    if frame.has("base_model"):
        del names["agent"]
    for column, word in names.items():
        if not frame.has(column):
            continue
        codes = frame.data[column].to_physical().cast(pl.Float64).fill_null(-1.0).to_numpy()
        values, ids = coded(codes)
        if len(values) >= MIN_CLUSTERS:
            if len(values) > _MOST:
                ids = np.random.default_rng(0).permutation(len(values))[ids] % _MOST
            return Clustering(np.asarray(ids, dtype=np.int64), word)
    return Clustering(None, "transcript")

"""Columns as codes: the distinct values, ascending, and which of them stands where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_SPAN: Final = 4096
"""Whole numbers within so wide a range are told apart without sorting."""


class Coded(NamedTuple):
    """A column: `values[codes]` is the column again, `values` ascend."""

    values: Floats
    codes: Ints


def coded(column: Floats) -> Coded:
    """Code a column without gaps; ratings and other small whole numbers take no sorting."""
    if len(column):
        low, high = float(column.min()), float(column.max())
        if high - low < _SPAN and low == np.floor(low):
            codes = (column - low).astype(np.int64)
            if np.array_equal(codes + low, column):
                present = np.bincount(codes) > 0
                values = np.flatnonzero(present).astype(np.float64) + low
                return Coded(values, np.asarray((np.cumsum(present) - 1)[codes], dtype=np.int64))
    values, codes = np.unique(column, return_inverse=True)
    return Coded(values, np.asarray(codes, dtype=np.int64))

"""Scores of judges or people that lie in a file of their own, joined to the runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from benchlint.audit.errors import AuditError
from benchlint.audit.schema import renamed

if TYPE_CHECKING:
    from collections.abc import Sequence

_KEYS: Final = ("id", "agent", "simulator", "domain", "persona", "task", "trial")


def with_scores(data: pl.DataFrame, scores: pl.DataFrame, path: str) -> pl.DataFrame:
    """Join scores to runs by the columns that name a run and that both have; a run without a score keeps none.

    Raises `AuditError` where there is no such column, or where two rows of
    scores are of one run.
    """
    data, scores = renamed(data), renamed(scores)
    keys = _keys(data.columns, scores.columns)
    if not keys:
        raise AuditError(f"{path} shares no column with the runs that names a run ({', '.join(_KEYS)})")
    added = [name for name in scores.columns if name not in data.columns]
    if not added:
        raise AuditError(f"{path} adds no column to the runs")
    named = {key: f"\0{key}" for key in keys}
    texts = [pl.col(key).cast(pl.String).str.strip_suffix(".0").alias(named[key]) for key in keys]
    right = scores.select(*texts, *added)
    if right.select(named.values()).is_duplicated().any():
        raise AuditError(f"{path} has two rows for one run, by {', '.join(keys)}")
    joined = data.with_columns(texts).join(right, on=list(named.values()), how="left", maintain_order="left")
    return joined.drop(named.values())


def _keys(runs: Sequence[str], scores: Sequence[str]) -> list[str]:
    if "id" in runs and "id" in scores:
        return ["id"]
    return [key for key in _KEYS if key in runs and key in scores]

"""The columns of a table that have a meaning, and how a table is made to have them."""

from __future__ import annotations

from typing import Final, Literal

import polars as pl

from benchlint.audit.errors import AuditError

Unit = Literal["transcripts", "agents", "counts"]

TEXTS: Final = (
    "agent",
    "base_model",
    "provider",
    "simulator",
    "domain",
    "persona",
    "task",
    "tier",
    "name",
    "termination",
    "reward_basis",
    "population",
    "substrate",
    "id",
)
NUMBERS: Final = (
    "reward",
    "reward_se",
    "temperature",
    "trial",
    "cost",
    "length",
    "completion",
    "surplus",
    "failed",
    "satisfied",
)
BOOLEANS: Final = ("completed", "truncated", "reward_llm", "reward_llm_decided")
ALIASES: Final = {
    "config": "agent",
    "variant": "agent",
    "task_id": "task",
    "model": "base_model",
    "stratum": "persona",
    "success": "reward",
    "correct": "reward",
    "user_model": "simulator",
    "repeat": "trial",
}
"""Other names of columns, used where the first name is not there."""

PER_TRANSCRIPT: Final = ("task", "trial", "persona", "simulator", "completed", "termination")
"""A table with one of these has a row a transcript, even where every agent stands in it once."""

_MISSING: Final = ("", "na", "n/a", "nan", "null", "none", "-")
_TRUE: Final = ("true", "yes", "1", "1.0")
_FALSE: Final = ("false", "no", "0", "0.0")


def renamed(data: pl.DataFrame) -> pl.DataFrame:
    """Give columns their first names."""
    names: dict[str, str] = {}
    for other, name in ALIASES.items():
        if other in data.columns and name not in data.columns and name not in names.values():
            names[other] = name
    return data.rename(names)


def unit_of(data: pl.DataFrame) -> Unit:
    """Tell what a row of a table stands for."""
    if "reward" not in data.columns and {"failed", "satisfied"} <= set(data.columns):
        return "counts"
    if "agent" not in data.columns or any(name in data.columns for name in PER_TRANSCRIPT):
        return "transcripts"
    return "agents" if data["agent"].n_unique() == len(data) else "transcripts"


def typed(data: pl.DataFrame, numbers: list[str]) -> pl.DataFrame:
    """Give columns the types of the schema, `numbers` too; what is missing becomes null.

    Raises `AuditError` at a value that is not of its column's type.
    """
    columns = []
    for name in data.columns:
        column = data[name]
        if name in numbers or name in NUMBERS:
            columns.append(_number(column))
        elif name in BOOLEANS:
            columns.append(_boolean(column))
        elif name in TEXTS:
            columns.append(_text(column))
    return pl.DataFrame(columns)


def _text(column: pl.Series) -> pl.Series:
    if column.dtype.is_nested():
        raise AuditError(f"{column.name} holds lists or objects where a text is wanted")
    return _without_gaps(column.cast(pl.String))


def _number(column: pl.Series) -> pl.Series:
    if column.dtype.is_nested():
        raise AuditError(f"{column.name} holds lists or objects where a number is wanted")
    if column.dtype == pl.String:
        column = _without_gaps(column)
    cast = column.cast(pl.Float64, strict=False)
    _complain(column, cast, "a number")
    cast = cast.fill_nan(None)
    if cast.is_infinite().any():
        raise AuditError(f"{column.name} is infinite in row {_row(cast.is_infinite())}")
    return cast


def _boolean(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Boolean:
        return column
    words = _without_gaps(column.cast(pl.String, strict=False)).str.to_lowercase()
    name = column.name
    cast = words.to_frame().select(
        pl.when(pl.col(name).is_in(_TRUE)).then(True).when(pl.col(name).is_in(_FALSE)).then(False).alias(name)
    )[name]
    _complain(words, cast, "true or false")
    return cast


def _without_gaps(column: pl.Series) -> pl.Series:
    stripped = column.str.strip_chars()
    gap = stripped.str.to_lowercase().is_in(_MISSING)
    return stripped.to_frame().select(pl.when(~gap).then(pl.col(column.name)).alias(column.name))[column.name]


def _complain(before: pl.Series, after: pl.Series, wanted: str) -> None:
    lost = before.is_not_null() & after.is_null()
    if lost.any():
        row = _row(lost)
        raise AuditError(f'{before.name} is "{before[row - 1]}" in row {row} where {wanted} is wanted')


def _row(wrong: pl.Series) -> int:
    place = wrong.arg_max()
    return (place or 0) + 1

"""The table that an audit reads: typed columns, known signals, what was left out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import polars as pl

from benchlint.audit import schema
from benchlint.audit.errors import AuditError
from benchlint.audit.signals import (
    Kind,
    Signal,
    describe,
    dimension_raters,
    is_rank,
    kind_of,
    rater_columns,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchlint.audit.options import Options

_ALMOST: Final = 1e-6
"""How far a reward may lie from 0 or 1 to count as that."""
MOST_AGENTS: Final = 1000
_PANEL: Final = "human"
_SHORT_SCALE: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A table in the shape that the figures read.

    `data` has the columns of the schema that the source has, one of each
    signal and rater, and no row without a reward: those were left out and
    are counted by `null_rewards`. `null_scores` counts the rows in which a
    signal has no score. `raters` are columns of single people, `dimensions`
    those of each dimension's raters.
    """

    data: pl.DataFrame
    unit: schema.Unit
    signals: tuple[Signal, ...] = ()
    raters: tuple[str, ...] = ()
    dimensions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    null_rewards: int = 0
    null_scores: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    source: str = ""

    def has(self, column: str) -> bool:
        """Say whether the table has a column with at least one value in it."""
        return column in self.data.columns and self.data[column].null_count() < len(self.data)

    def signal(self, name: str) -> Signal:
        """Return the signal of that name."""
        return next(signal for signal in self.signals if signal.name == name)

    def narrowed(self, condition: pl.Expr) -> Frame:
        """Return the frame with only some of the rows."""
        return replace(self, data=self.data.filter(condition))


def build(data: pl.DataFrame, options: Options, *, source: str = "", notes: tuple[str, ...] = ()) -> Frame:
    """Make a frame of a table.

    Raises `AuditError` for a table without rows or without a reward, for a
    value of the wrong type, and for settings that name no signal.
    """
    if not len(data):
        raise AuditError(f"{source or 'the table'} has no rows")
    data = schema.renamed(data)
    unit = schema.unit_of(data)
    if unit == "counts":
        return _counts(data, source, notes)
    if "reward" not in data.columns:
        raise AuditError(
            f"{source or 'the table'} has no column reward (nor failed and satisfied); "
            f"it has {', '.join(map(repr, data.columns[:12]))}"
        )
    kinds = {name: kind for name in data.columns if (kind := kind_of(name, options))}
    raters = rater_columns(data.columns)
    dimensions = {name: tuple(dimension_raters(data.columns, name)) for name in _dimensions(data.columns)}
    numbers = [*kinds, *raters, *(column for columns in dimensions.values() for column in columns)]
    numbers += [f"{name}_se" for name in kinds if f"{name}_se" in data.columns]
    unread = [
        name
        for name in data.columns
        if name not in (*numbers, *schema.TEXTS, *schema.NUMBERS, *schema.BOOLEANS, "rank_reward")
    ]
    data = schema.typed(data, numbers)
    more = list(notes)
    if unread:
        more.append(f"columns that mean nothing to the audit: {', '.join(unread)}")
    null_rewards = data["reward"].null_count()
    data = data.filter(pl.col("reward").is_not_null())
    if not len(data):
        raise AuditError(f"{source or 'the table'} has no row with a reward")
    data, told = _rewards(data, unit)
    more += told
    if "agent" not in data.columns:
        data = data.with_columns(pl.lit(source or "agent").alias("agent"))
    data = data.with_columns(pl.col("agent").fill_null("(no name)"))
    if {"task", "domain"} <= set(data.columns) and data["domain"].n_unique() > 1:
        data = data.with_columns(
            pl.concat_str(pl.col("domain").fill_null(""), pl.col("task"), separator="/").alias("task")
        )
    if (count := data["agent"].n_unique()) > MOST_AGENTS:
        raise AuditError(f"there are {count:,} agents; the audit compares all of them in pairs, up to {MOST_AGENTS:,}")
    data, kinds = _panels(data, kinds, raters, dimensions)
    signals = []
    for name, kind in kinds.items():
        lowest, highest = data[name].min(), data[name].max()
        signal = describe(name, kind, _float(lowest), _float(highest), options)
        signals.append(signal)
        if is_rank(name):
            data = data.with_columns(-pl.col(name))
        more += _doubts(signal, _float(highest), unit, options)
    _check_names(signals, options)
    data = data.drop("id", strict=False).with_columns(pl.col(pl.String).cast(pl.Categorical))
    return Frame(
        data=data,
        unit=unit,
        signals=tuple(signals),
        raters=tuple(raters),
        dimensions=dimensions,
        null_rewards=null_rewards,
        null_scores={signal.name: data[signal.name].null_count() for signal in signals},
        notes=tuple(more),
        source=source,
    )


def _counts(data: pl.DataFrame, source: str, notes: tuple[str, ...]) -> Frame:
    data = schema.typed(data, [])
    if "population" not in data.columns:
        data = data.with_columns(pl.Series("population", [f"row {row}" for row in range(1, len(data) + 1)]))
    wrong = data.select(
        (
            (pl.col("failed") < 0)
            | (pl.col("failed") > pl.col("satisfied"))
            | (pl.col("failed") % 1 != 0)
            | (pl.col("satisfied") % 1 != 0)
        ).fill_null(value=True)
    ).to_series()
    if wrong.any():
        row = (wrong.arg_max() or 0) + 1
        raise AuditError(f"row {row}: failed must be a number from 0 to satisfied")
    return Frame(data=data, unit="counts", notes=notes, source=source)


def _dimensions(columns: list[str]) -> list[str]:
    found = [name.split("__")[0] for name in columns if name.startswith("dim_")]
    return list(dict.fromkeys(found))


def _rewards(data: pl.DataFrame, unit: schema.Unit) -> tuple[pl.DataFrame, list[str]]:
    """Check rewards; of a transcript it becomes 0 or 1, where a part of it is a failure."""
    outside = (data["reward"] < -_ALMOST) | (data["reward"] > 1.0 + _ALMOST)
    if outside.any():
        value = data["reward"].filter(outside)[0]
        raise AuditError(f"a reward is {value:g}: rewards lie between 0 and 1")
    if unit == "agents":
        return data, []
    partial = int(((data["reward"] > _ALMOST) & (data["reward"] < 1.0 - _ALMOST)).sum())
    if partial * 2 > len(data):
        raise AuditError(
            "most rewards lie between 0 and 1, but the table looks like one of transcripts, where a reward is 0 or 1; "
            "a table of agents has each agent in one row and no column "
            f"{', '.join(schema.PER_TRANSCRIPT)}"
        )
    data = data.with_columns((pl.col("reward") >= 1.0 - _ALMOST).cast(pl.Float64).alias("reward"))
    return data, [f"{partial} rewards between 0 and 1 count as failed"] if partial else []


def _panels(
    data: pl.DataFrame, kinds: Mapping[str, Kind], raters: list[str], dimensions: Mapping[str, tuple[str, ...]]
) -> tuple[pl.DataFrame, dict[str, Kind]]:
    """Make the mean of several raters a signal, where the table has none of that name."""
    added = dict(kinds)
    groups: dict[str, list[str]] = {_PANEL: raters} if raters else {}
    groups |= {name: list(columns) for name, columns in dimensions.items() if columns}
    for name, columns in groups.items():
        if name not in data.columns:
            data = data.with_columns(pl.mean_horizontal(columns).alias(name))
            added[name] = "human" if name == _PANEL else "dimension"
    return data, added


def _doubts(signal: Signal, highest: float | None, unit: schema.Unit, options: Options) -> list[str]:
    if signal.ranks or highest is None or signal.name in options.scales:
        return []
    if signal.scale is None:
        return [f"{signal.name} is on an unknown scale: --scale {signal.name}=LOW..HIGH tells it"]
    if highest <= _SHORT_SCALE and unit == "transcripts":
        return [
            f"{signal.name} never exceeds {highest:g}; it was taken to go from {signal.low:g} to {signal.high:g}: "
            f"--scale {signal.name}=LOW..HIGH says otherwise"
        ]
    return []


def _check_names(signals: list[Signal], options: Options) -> None:
    known = [signal.name for signal in signals]
    settings = (options.thresholds, options.scales, options.kinds, options.families)
    for name in dict.fromkeys(name for setting in settings for name in setting):
        if name not in known:
            raise AuditError(f'there is no signal "{name}"; the table has {", ".join(known) or "none"}')


def _float(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None

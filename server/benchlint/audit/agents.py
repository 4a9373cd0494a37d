"""The agents of a table: mean reward and mean score of each, the unit of every decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from benchlint.audit.families import family_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchlint.audit.frame import Frame

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agents:
    """Agents with their means over all their transcripts; arrays have the shape (agents,).

    `scores` and `errors` (the standard errors that the table has) are NaN
    where an agent has none; `transcripts` is 1 where a row is an agent.
    `base` numbers the base model of each, from 0; where the table names
    none every agent is one of its own and `clustered_by` says so.
    """

    names: tuple[str, ...]
    titles: tuple[str, ...]
    reward: Floats
    scores: dict[str, Floats]
    errors: dict[str, Floats]
    transcripts: Ints
    base: Ints
    clustered_by: str
    provider: tuple[str | None, ...]
    tier: tuple[str | None, ...]

    def __len__(self) -> int:
        return len(self.names)

    @property
    def clusters(self) -> int:
        """How many base models there are."""
        return int(self.base.max()) + 1 if len(self) else 0

    def scored(self, *signals: str) -> Bools:
        """Say of each agent whether all these signals score it."""
        kept = np.ones(len(self), dtype=np.bool_)
        for name in signals:
            kept &= ~np.isnan(self.scores[name])
        return kept


def agents_of(frame: Frame) -> Agents:
    """Return the agents of a frame, in the order of their first rows."""
    data = frame.data
    names = [signal.name for signal in frame.signals]
    errors = [name for name in names if f"{name}_se" in data.columns]
    texts = [name for name in ("base_model", "provider", "tier", "name") if name in data.columns]
    means = data.group_by("agent", maintain_order=True).agg(
        pl.col("reward").mean(),
        *(pl.col(name).mean() for name in names),
        *(pl.col(f"{name}_se").mean() for name in errors),
        *(pl.col(name).drop_nulls().first() for name in texts),
        pl.len().alias("transcripts"),
    )
    agents = [str(name) for name in means["agent"]]
    bases = _texts(means, "base_model")
    known = any(bases)
    own = [base or f"agent {agent}" for base, agent in zip(bases, agents, strict=True)]
    providers = [
        provider or family_of(base or "") or family_of(agent)
        for provider, base, agent in zip(_texts(means, "provider"), bases, agents, strict=True)
    ]
    titles = [
        f"{agent} {title}" if title and title != agent else agent
        for agent, title in zip(agents, _texts(means, "name"), strict=True)
    ]
    return Agents(
        names=tuple(agents),
        titles=tuple(titles),
        reward=means["reward"].to_numpy().astype(np.float64),
        scores={name: _floats(means[name]) for name in names},
        errors={name: _floats(means[f"{name}_se"]) for name in errors},
        transcripts=means["transcripts"].to_numpy().astype(np.int64),
        base=numbered(own),
        clustered_by="base model" if known else "agent",
        provider=tuple(providers),
        tier=tuple(_texts(means, "tier")),
    )


def numbered(values: list[str]) -> Ints:
    """Return numbers of texts from 0 in the order of their first occurrence."""
    order = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return np.array([order[value] for value in values], dtype=np.int64)


def _texts(means: pl.DataFrame, name: str) -> list[str | None]:
    if name not in means.columns:
        return [None] * len(means)
    return [None if value is None else str(value) for value in means[name]]


def _floats(column: pl.Series) -> Floats:
    return column.cast(pl.Float64).fill_null(float("nan")).to_numpy().astype(np.float64)

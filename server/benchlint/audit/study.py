"""What all figures of one audit share: the table, its agents, the settings, the resamples."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from benchlint.audit.agents import Agents, agents_of
from benchlint.audit.clusters import Clustering, clustering
from benchlint.audit.stats.crosstab import Crosstab, crosstab
from benchlint.audit.stats.estimate import Estimate, undefined
from benchlint.audit.stats.pairs import DECIMALS, resampled_rate
from benchlint.audit.stats.ranks import kendall, spearman, weighted_spearman
from benchlint.audit.stats.resample import MIN_CLUSTERS, draw, share, too_few, with_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchlint.audit.frame import Frame
    from benchlint.audit.options import Options
    from benchlint.audit.signals import Signal

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

FEWEST_AGENTS = 3
"""A correlation of fewer says nothing."""


@dataclass(frozen=True)
class Study:
    """One table under audit."""

    frame: Frame
    options: Options

    @cached_property
    def agents(self) -> Agents:
        """The agents with their means."""
        return agents_of(self.frame)

    @cached_property
    def clustering(self) -> Clustering:
        """What the transcripts hang on."""
        return clustering(self.frame)

    @cached_property
    def weights(self) -> Floats:
        """How often each agent stands in each resample of base models. Shape (resamples, agents)."""
        agents = self.agents
        return draw(agents.clusters, self.options.resamples, self.options.seed)[:, agents.base]

    @property
    def signals(self) -> tuple[Signal, ...]:
        """The signals of the table."""
        return self.frame.signals

    @property
    def judges(self) -> tuple[Signal, ...]:
        """The signals that are models."""
        return tuple(signal for signal in self.frame.signals if signal.is_judge)

    @property
    def gates(self) -> tuple[Signal, ...]:
        """The judges that know the policy."""
        return tuple(signal for signal in self.frame.signals if signal.kind == "gate")

    @property
    def of_transcripts(self) -> bool:
        """Whether a row is a transcript."""
        return self.frame.unit == "transcripts"

    def correlation(self, one: Floats, other: Floats, among: Bools | None = None, *, plain: bool = False) -> Estimate:
        """Return Spearman's rho over agents with an interval clustered by base model; NaN leaves an agent out.

        What is equal as decimals is a tie, whatever binary arithmetic made of it.
        """
        one, other = np.round(one, DECIMALS), np.round(other, DECIMALS)
        kept = ~(np.isnan(one) | np.isnan(other))
        if among is not None:
            kept &= among
        count = int(kept.sum())
        if count < FEWEST_AGENTS:
            return undefined(f"{_agents(count)}: a correlation takes at least {FEWEST_AGENTS}", count)
        rho = spearman(one[kept], other[kept])
        if rho is None:
            return undefined("one side is the same for all agents", count)
        if plain:
            return Estimate(rho, count)
        clusters = len(np.unique(self.agents.base[kept]))
        if clusters < MIN_CLUSTERS:
            return Estimate(rho, count, reason=too_few(clusters))
        drawn = weighted_spearman(one[kept], other[kept], self.weights[:, kept])
        return with_interval(rho, count, drawn, self.options.level, clusters=clusters)

    def kendall(self, one: Floats, other: Floats) -> Estimate:
        """Return Kendall's tau-b over agents; ties as in `correlation`."""
        one, other = np.round(one, DECIMALS), np.round(other, DECIMALS)
        kept = ~(np.isnan(one) | np.isnan(other))
        count = int(kept.sum())
        tau = kendall(one[kept], other[kept]) if count >= FEWEST_AGENTS else None
        if tau is None:
            return undefined("it takes three agents and differences between them", count)
        return Estimate(tau, count)

    def pair_rate(self, wrong: Bools, counted: Bools, what: str) -> Estimate:
        """Return the share of wrong pairs with an interval clustered by base model."""
        count = int(counted.sum())
        if not count:
            return undefined(f"there is no {what}")
        involved = counted.any(0) | counted.any(1)
        clusters = len(np.unique(self.agents.base[involved]))
        drawn = resampled_rate(wrong, counted, self.weights) if clusters >= MIN_CLUSTERS else self.weights[:0, 0]
        return share(int(wrong.sum()), count, drawn, self.options.level, clusters=clusters, pairs=True)

    def table(self, one: Floats, other: Floats, rows: Bools) -> Crosstab:
        """Count two columns of the transcripts against each other, cluster by cluster; only `rows`."""
        return crosstab(one[rows], other[rows], self.clusters_of(rows))

    def clusters_of(self, rows: Bools) -> Ints | None:
        """Return the clusters of some of the transcripts, numbered from 0 without gaps."""
        ids = self.clustering.ids
        if ids is None or rows.all():
            return ids
        present = np.bincount(ids[rows], minlength=int(ids.max()) + 1) > 0
        return np.asarray((np.cumsum(present) - 1)[ids[rows]], dtype=np.int64)

    def column(self, name: str) -> Floats:
        """Return a column of numbers of the table, NaN where there is none. Shape (rows,)."""
        return self.frame.data[name].cast(float).fill_null(float("nan")).to_numpy().astype(np.float64)


def _agents(count: int) -> str:
    return f"{count} agent{'' if count == 1 else 's'}"

"""Simulated gates whose truth is known: intervals cover it as often as they claim, abstention does no harm."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchlint.audit.figures.abstention import abstention
from benchlint.audit.figures.construct import gaps
from benchlint.audit.figures.decisions import signal_pairs
from benchlint.audit.figures.transcripts import transcript_auc
from benchlint.audit.frame import build
from benchlint.audit.options import Options
from benchlint.audit.stats.contrast import difference
from benchlint.audit.study import Study

WORLDS = 100
few = settings(max_examples=4, deadline=None, derandomize=True)
seeds = st.integers(0, 2**32 - 1)


def enough(hits: int, worlds: int = WORLDS, coverage: float = 0.95) -> bool:
    """Say whether so many hits are to be expected of intervals that cover a little less than they claim, or more."""
    return hits >= stats.binom.ppf(1e-4, worlds, coverage - 0.03)


def study(columns: dict, **options: object) -> Study:
    return Study(
        build(pl.DataFrame(columns), Options(**{"resamples": 300, **options})), Options(**{"resamples": 300, **options})
    )


def pool(generator: np.random.Generator, bases: int) -> tuple[np.ndarray, list[str]]:
    """Return which base model each agent has: one to three agents each."""
    base = np.repeat(np.arange(bases), generator.integers(1, 4, bases))
    return base, [f"m{number}" for number in base]


@few
@given(seeds, st.integers(10, 20), st.sampled_from([0.03, 0.1, 0.3]), st.sampled_from([0.03, 0.1]))
def test_the_interval_of_a_ranking(seed: int, bases: int, bias: float, noise: float) -> None:
    """Reward and gate are normal, with a bias of the gate for whole base models; rho is then known."""
    generator = np.random.default_rng(seed)
    pearson = math.sqrt((0.15**2 + 0.02**2) / (0.15**2 + 0.02**2 + bias**2 + noise**2))
    truth = 6 / math.pi * math.asin(pearson / 2)
    hits = narrow = 0
    for _ in range(WORLDS):
        base, names = pool(generator, bases)
        quality = generator.normal(0, 0.15, bases)[base] + generator.normal(0, 0.02, len(base))
        gate = quality + generator.normal(0, bias, bases)[base] + generator.normal(0, noise, len(base))
        table = study(
            {"agent": [f"a{at}" for at in range(len(base))], "base_model": names, "reward": [0.5] * len(base)}
        )
        found = table.correlation(gate, quality)
        hits += found.low <= truth <= found.high
        narrow += found.high - found.low < 1.0
    assert enough(hits)
    assert narrow, "an interval that says nothing covers everything"


@few
@given(seeds, st.sampled_from([0.02, 0.05, 0.2]))
def test_the_interval_of_wrong_decisions(seed: int, noise: float) -> None:
    generator = np.random.default_rng(seed)

    def world() -> Study:
        base, names = pool(generator, 14)
        reward = np.clip(generator.uniform(0.2, 0.8, 14)[base] + generator.normal(0, 0.02, len(base)), 0, 1)
        gate = 4 + reward + generator.normal(0, noise, 14)[base] + generator.normal(0, noise / 2, len(base))
        return study(
            {"agent": [f"a{at}" for at in range(len(base))], "base_model": names, "reward": reward, "gate": gate},
            scales={"gate": (1.0, 7.0)},
        )

    wrong = pairs = 0
    for _ in range(200):
        compared = signal_pairs(world(), "gate")
        near = compared.counted & (compared.apart < 0.1)
        wrong += int((compared.wrong & near).sum())
        pairs += int(near.sum())
    hits = 0
    for _ in range(WORLDS):
        one = world()
        compared = signal_pairs(one, "gate")
        near = compared.counted & (compared.apart < 0.1)
        found = one.pair_rate(compared.wrong & near, near, "pair")
        hits += found.low <= wrong / pairs <= found.high
    assert enough(hits)


@few
@given(seeds, st.sampled_from([0.0, 0.5, 2.0]))
def test_the_intervals_of_the_construct_gap(seed: int, slope: float) -> None:
    """Quality differs between base models; the gate sees success with some slope."""
    generator = np.random.default_rng(seed)

    def world(bases: int, each: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        base = np.repeat(np.arange(bases), each)
        reward = (generator.random(len(base)) < generator.beta(3, 3, bases)[base]).astype(float)
        gate = np.clip(np.round(4.5 + slope * (reward - 0.5) + generator.normal(0, 1.5, len(base))), 1, 7)
        return base, reward, gate

    _, reward, gate = world(20_000, 30)
    truth = 1 - reward[gate >= 5].mean()
    area = (
        stats.mannwhitneyu(gate[reward > 0.5], gate[reward < 0.5]).statistic
        / (reward > 0.5).sum()
        / (reward < 0.5).sum()
    )
    hits = covered = 0
    for _ in range(WORLDS):
        base, reward, gate = world(12, 40)
        one = study(
            {
                "agent": [f"a{number}" for number in base],
                "base_model": [f"m{number}" for number in base],
                "task": [str(at) for at in range(len(base))],
                "reward": reward,
                "gate": gate,
            }
        )
        found = gaps(one, gate, reward, [5.0])[0].failed_among_satisfied
        hits += found.low <= truth <= found.high
        ranked = transcript_auc(one, gate, reward)
        covered += ranked.low <= area <= ranked.high
    assert enough(hits)
    assert enough(covered)


@few
@given(seeds, st.floats(-1, 1))
def test_the_interval_of_self_preference(seed: int, truth: float) -> None:
    generator = np.random.default_rng(seed)
    hits = 0
    for _ in range(WORLDS):
        clusters = np.repeat(np.arange(14), 2)
        own = clusters < 5
        values = truth * own + generator.normal(0, 0.5, 14)[clusters] + generator.normal(0, 0.2, 28)
        found = difference(values, own, clusters, 0.95)
        hits += found.low <= truth <= found.high
    assert enough(hits)


@few
@given(seeds, st.sampled_from([0.05, 0.2, 0.6]))
def test_abstention_never_raises_the_error(seed: int, noise: float) -> None:
    """Over many worlds the pairs that are still ranked are wrong no more often than all pairs."""
    generator = np.random.default_rng(seed)
    apart: dict[float, list[float]] = {}
    for _ in range(40):
        reward = np.round(generator.uniform(0.2, 0.9, 16), 2)
        gate = np.clip(2 + 4 * reward + generator.normal(0, noise, 16), 1, 7)
        one = study(
            {
                "agent": [f"a{at}" for at in range(16)],
                "reward": reward,
                "gate": gate,
                "gate_se": [noise] * 16,
            },
            resamples=100,
            scales={"gate": (1.0, 7.0)},
        )
        found = abstention(one).signals["gate"]
        every = found.by_gap[0].near_equal_error.value
        for row in found.by_noise:
            if row.near_equal_error.value is not None and every is not None:
                apart.setdefault(row.at, []).append(row.near_equal_error.value - every)
    for differences in apart.values():
        doubt = 3 * np.std(differences) / math.sqrt(len(differences))
        assert np.mean(differences) <= doubt


def test_abstention_by_drawing_tasks_lowers_the_error() -> None:
    """On transcripts, with a gate that is right but noisy: the surer, the fewer pairs and the fewer errors."""
    generator = np.random.default_rng(3)
    errors: dict[float, list[float]] = {}
    for _ in range(12):
        quality = generator.uniform(0.2, 0.8, 12)
        tasks = 30
        agent = np.repeat(np.arange(12), tasks)
        reward = np.concatenate([np.arange(tasks) < round(share * tasks) for share in quality]).astype(float)
        gate = np.clip(np.round(2 + 4 * reward + generator.normal(0, 2.5, len(agent))), 1, 7)
        found = abstention(
            study(
                {
                    "agent": [f"a{number:02}" for number in agent],
                    "task": [str(at % tasks) for at in range(len(agent))],
                    "reward": reward,
                    "gate": gate,
                },
                resamples=200,
            )
        ).signals["gate"]
        errors.setdefault(0.0, []).append(found.by_gap[0].error.value)
        for row in found.by_noise:
            errors.setdefault(row.at, []).append(row.error.value)
    means = [np.mean(errors[at]) for at in sorted(errors)]
    assert means[0] > 0.08
    assert means[-1] < 0.4 * means[0]
    assert all(later <= earlier + 0.005 for earlier, later in pairwise(means))

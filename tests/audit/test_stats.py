"""The statistics beside scipy, and beside worked examples where scipy has none."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from benchlint.audit.stats.alpha import krippendorff
from benchlint.audit.stats.auc import auc, auc_interval, table_auc
from benchlint.audit.stats.coding import coded
from benchlint.audit.stats.contrast import difference
from benchlint.audit.stats.crosstab import LEVELS, crosstab
from benchlint.audit.stats.estimate import Estimate
from benchlint.audit.stats.icc import icc1
from benchlint.audit.stats.pairs import pairs_of, resampled_rate
from benchlint.audit.stats.passk import pass_hat_k
from benchlint.audit.stats.power import smallest_detectable
from benchlint.audit.stats.proportions import binomial_above, wilson
from benchlint.audit.stats.ranks import (
    average_ranks,
    kendall,
    spearman,
    spearman_p,
    table_spearman,
    weighted_spearman,
)
from benchlint.audit.stats.resample import MIN_CLUSTERS, draw, expanded, share, with_interval, with_mean_interval

few = settings(max_examples=40, deadline=None)
values = st.one_of(st.integers(1, 7).map(float), st.floats(-100, 100, allow_subnormal=False).map(lambda x: round(x, 2)))


def columns(least: int = 2) -> st.SearchStrategy:
    return st.integers(least, 25).flatmap(
        lambda size: st.tuples(arrays(np.float64, size, elements=values), arrays(np.float64, size, elements=values))
    )


@few
@given(columns())
def test_ranks_and_rank_correlations_are_scipys(pair: tuple) -> None:
    one, other = pair
    assert average_ranks(one) == pytest.approx(stats.rankdata(one))
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        assert spearman(one, other) is None
        assert kendall(one, other) is None
        return
    expected = stats.spearmanr(one, other)
    assert spearman(one, other) == pytest.approx(expected.statistic, abs=1e-12)
    assert kendall(one, other) == pytest.approx(stats.kendalltau(one, other).statistic, abs=1e-12)
    if len(one) > 3 and abs(expected.statistic) < 0.999:
        assert spearman_p(expected.statistic, len(one)) == pytest.approx(expected.pvalue, rel=1e-9)


@few
@given(arrays(np.float64, st.integers(1, 60), elements=values))
def test_codes_give_the_column_back(column: np.ndarray) -> None:
    found = coded(column)
    assert np.array_equal(found.values[found.codes], column)
    assert np.array_equal(found.values, np.unique(column))


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.01, 0.99))
@few
def test_shares_are_scipys(pair: tuple[int, int], ceiling: float) -> None:
    hits, count = pair
    test = stats.binomtest(hits, count, ceiling, alternative="greater")
    assert binomial_above(hits, count, ceiling) == pytest.approx(test.pvalue, rel=1e-7, abs=1e-300)
    interval = stats.binomtest(hits, count).proportion_ci(method="wilson")
    assert wilson(hits, count) == pytest.approx((interval.low, interval.high), abs=1e-12)


@few
@given(columns(4), st.randoms())
def test_the_auc_is_mann_whitneys(pair: tuple, random: object) -> None:
    scores = pair[0]
    good = np.array([random.random() < 0.5 for _ in scores])
    assume(good.any() and not good.all())
    expected = stats.mannwhitneyu(scores[good], scores[~good]).statistic / (good.sum() * (~good).sum())
    assert auc(scores, good) == pytest.approx(expected)
    low, high = auc_interval(expected, int(good.sum()), int((~good).sum()))
    assert 0.0 <= low <= expected + 1e-9
    assert expected - 1e-9 <= high <= 1.0


def test_the_auc_interval_by_hand() -> None:
    """Newcombe's method 5 solves |area - truth| = z * sqrt(variance(truth)); the bound must solve it."""
    low, high = auc_interval(0.8, 10, 12)
    z = stats.norm.ppf(0.975)
    for bound in (low, high):
        half = (10 + 12) / 2 - 1
        spread = bound * (1 - bound) * (1 + half * (1 - bound) / (2 - bound) + half * bound / (1 + bound)) / 120
        assert abs(0.8 - bound) == pytest.approx(z * math.sqrt(spread), abs=1e-9)
    assert auc_interval(1.0, 4, 8)[1] == 1.0
    assert 0.5 < auc_interval(1.0, 4, 8)[0] < 0.9


def test_the_smallest_detectable_correlation() -> None:
    assert smallest_detectable(25) == pytest.approx(0.535, abs=5e-4)
    critical = math.tanh(stats.norm.ppf(0.975) / math.sqrt(22))
    assert smallest_detectable(25) > critical + 0.1
    assert smallest_detectable(3) is None


def test_pass_hat_k_counts_subsets() -> None:
    for successes in range(5):
        trials = [True] * successes + [False] * (4 - successes)
        for k in range(1, 5):
            subsets = list(combinations(trials, k))
            assert pass_hat_k(successes, 4, k) == pytest.approx(sum(map(all, subsets)) / len(subsets))


KRIPPENDORFF = [  # Krippendorff, "Computing Krippendorff's Alpha-Reliability": 4 observers, 12 units
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


@pytest.mark.parametrize(("metric", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_the_worked_example(metric: str, alpha: float) -> None:
    ratings = np.array(KRIPPENDORFF, dtype=np.float64).T
    assert krippendorff(ratings, metric) == pytest.approx(alpha, abs=5e-4)


def test_alpha_by_hand() -> None:
    """Two raters, two units, one disagreement: observed 1/2, expected 2/3 for nominal values."""
    assert krippendorff(np.array([[1.0, 1.0], [1.0, 2.0]]), "nominal") == pytest.approx(1 - (2 / 4) / (6 / 12))
    assert krippendorff(np.array([[1.0, 1.0], [2.0, 2.0]]), "nominal") == 1.0
    assert krippendorff(np.array([[1.0, 1.0], [1.0, 1.0]])) is None
    assert krippendorff(np.array([[1.0, np.nan], [np.nan, 2.0]])) is None


def test_the_icc_of_the_worked_example() -> None:
    """Shrout and Fleiss, 6 subjects and 4 judges: ICC(1,1) 0.17, 95 % from -0.13 to 0.72."""
    table = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float)
    found = icc1(np.full(6, 4.0), table.sum(1), (table**2).sum(1))
    assert found is not None
    assert found == pytest.approx((0.1657, -0.1329, 0.7226), abs=5e-4)
    assert icc1(np.ones(6), table[:, 0], table[:, 0] ** 2) is None
    assert icc1(np.full(3, 2.0), np.full(3, 2.0), np.full(3, 2.0)) is None


def test_a_contrast_without_clusters_is_welchs() -> None:
    generator = np.random.default_rng(0)
    values = generator.normal(size=20)
    group = np.arange(20) < 8
    found = difference(values, group, np.arange(20), 0.95)
    expected = stats.ttest_ind(values[group], values[~group], equal_var=False)
    interval = expected.confidence_interval(0.95)
    assert found.value == pytest.approx(values[group].mean() - values[~group].mean())
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))
    doubled = difference(np.repeat(values, 2), np.repeat(group, 2), np.repeat(np.arange(20), 2), 0.95)
    assert (doubled.low, doubled.high) == pytest.approx((interval.low, interval.high)), "copies add no knowledge"


def test_a_contrast_that_cannot_be_sure() -> None:
    values, group = np.arange(6.0), np.arange(6) < 3
    told = difference(values, group, np.array([0, 0, 1, 2, 3, 4]), 0.95)
    assert (told.value, told.reason) == (-3.0, "no interval: a group has fewer than 3 clusters")
    assert difference(values, np.zeros(6, dtype=bool), np.arange(6), 0.95).value is None
    assert difference(group * 1.0, group, np.arange(6), 0.95).reason == "no interval: nothing varies within the groups"


weights = arrays(np.float64, st.integers(3, 12), elements=st.integers(0, 3).map(float))


@few
@given(weights, st.integers(0, 1000))
def test_a_weighted_correlation_is_that_of_the_copies(weight: np.ndarray, seed: int) -> None:
    generator = np.random.default_rng(seed)
    one, other = generator.integers(1, 5, (2, len(weight))).astype(float)
    found = weighted_spearman(one, other, weight[None, :])[0]
    copies = weight.astype(int)
    expected = spearman(np.repeat(one, copies), np.repeat(other, copies))
    if expected is None:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(expected, abs=1e-9)


@few
@given(st.integers(2, 40), st.integers(0, 1000))
def test_tables_give_what_rows_give(count: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    one, other = generator.integers(1, 8, count).astype(float), generator.integers(0, 2, count).astype(float)
    clusters = np.unique(generator.integers(0, 5, count), return_inverse=True)[1]
    table = crosstab(one, other, clusters)
    assert table.exact
    assert table.total.sum() == count
    rho, area = spearman(one, other), auc(one, other > 0.5)
    found = table_spearman(table.total)[0]
    assert np.isnan(found) if rho is None else found == pytest.approx(rho)
    if area is not None:
        assert table_auc(table.total)[0] == pytest.approx(area)


def test_many_values_are_cut_into_parts_of_equal_size() -> None:
    generator = np.random.default_rng(0)
    one = generator.normal(size=10_000)
    table = crosstab(one, (one > 0).astype(float), None)
    assert not table.exact
    sizes = table.total.sum((0, 2))
    assert len(sizes) == LEVELS
    assert sizes.min() > 10_000 / LEVELS * 0.9
    assert table_auc(table.total)[0] == pytest.approx(1.0, abs=0.01)


@few
@given(weights, st.integers(0, 1000))
def test_a_resampled_rate_is_that_of_the_copies(weight: np.ndarray, seed: int) -> None:
    generator = np.random.default_rng(seed)
    reward, score = generator.integers(0, 6, (2, len(weight))) / 10
    pairs = pairs_of(reward, score)
    found = resampled_rate(pairs.wrong, pairs.counted, weight[None, :])[0]
    agents = np.repeat(np.arange(len(weight)), weight.astype(int))
    wrong = total = 0
    for one, other in combinations(agents, 2):
        apart, better = round(reward[one] - reward[other], 9), round(score[one] - score[other], 9)
        if apart:
            total += 1
            wrong += apart * better < 0
    assert np.isnan(found) if not total else found == pytest.approx(wrong / total)


def test_clusters_are_drawn_whole() -> None:
    drawn = draw(7, 300, 1)
    assert drawn.shape == (300, 7)
    assert (drawn.sum(1) == 7).all()
    assert drawn.mean(0) == pytest.approx(np.ones(7), abs=0.25)
    assert np.array_equal(drawn, draw(7, 300, 1))


def test_an_interval_or_why_there_is_none() -> None:
    some = np.linspace(0, 1, 101)
    found = with_interval(0.5, 9, some, 0.9, clusters=9)
    assert (found.low, found.high, found.reason) == (pytest.approx(0.05), pytest.approx(0.95), None)
    assert (
        with_interval(0.5, 9, some, 0.9, clusters=MIN_CLUSTERS - 1).reason == "no interval: 7 clusters, and it takes 8"
    )
    assert "undefined" in with_interval(0.5, 9, np.where(some < 0.3, np.nan, some), 0.9, clusters=9).reason
    assert "same" in with_interval(0.5, 9, np.full(9, 0.5), 0.9, clusters=9).reason
    assert share(0, 50, np.zeros(9), 0.95, clusters=10) == Estimate(0.0, 50, *wilson(0, 10))


def test_few_clusters_widen_the_interval() -> None:
    assert expanded(0.95, 10**6) == pytest.approx(0.95, abs=1e-5)
    wide = stats.norm.cdf(-stats.t.ppf(0.975, 7) * math.sqrt(8 / 7))
    assert expanded(0.95, 8) == pytest.approx(1 - 2 * wide)
    some = np.linspace(0, 1, 1001)
    mean = with_mean_interval(0.5, 9, some, 0.95, clusters=8)
    assert (mean.low, mean.high) == (pytest.approx(wide, abs=1e-3), pytest.approx(1 - wide, abs=1e-3))


def test_a_figure_is_never_a_nan() -> None:
    with pytest.raises(ValueError, match="finite"):
        Estimate(float("nan"), 3)

"""Agreement between judges, against published examples."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchlint.judges.agreement import Pair, agreement, krippendorff_alpha, spearman

# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), example C: four observers, twelve units.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_is_krippendorffs_own(level, alpha) -> None:
    assert krippendorff_alpha(zip(*OBSERVERS, strict=True), level) == pytest.approx(alpha, abs=0.0006)


def test_alpha_is_one_for_agreement_and_not_defined_without_differences() -> None:
    assert krippendorff_alpha([(1, 1), (5, 5), (9, 9)]) == 1
    assert krippendorff_alpha([(5, 5), (5, 5)]) is None
    assert krippendorff_alpha([(5, None), (None, 3)]) is None
    assert krippendorff_alpha([]) is None


def test_rank_correlation_shares_ranks_among_equals() -> None:
    assert spearman([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]) == pytest.approx(0.8207826817)
    assert spearman([1, 2, 3], [9, 5, 1]) == pytest.approx(-1)
    assert spearman([1, 2, 3], [4, 4, 4]) is None
    assert spearman([1], [1]) is None


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 10), st.integers(1, 10)), max_size=30))
def test_agreement_is_within_its_bounds_and_the_same_either_way(rows) -> None:
    xs, ys = [x for x, _ in rows], [y for _, y in rows]
    rho = spearman(xs, ys)
    assert rho is None or -1.0000001 <= rho <= 1.0000001
    alpha = krippendorff_alpha(rows)
    assert alpha is None or alpha <= 1
    other = krippendorff_alpha([(y, x) for x, y in rows])
    assert (alpha is None and other is None) or alpha == pytest.approx(other)


def test_pairs_count_what_both_have_scored() -> None:
    found = agreement({"a": [8, 6, None, 2], "b": [9, 8, 4, 3], "c": [None, None, 5, None]})
    assert found.pairs[0] == Pair("a", "b", 3, pytest.approx(1), pytest.approx(4 / 3))
    assert found.pairs[1] == Pair("a", "c", 0, None, None)
    assert found.interval_alpha is not None
    assert found.interval_alpha < 1

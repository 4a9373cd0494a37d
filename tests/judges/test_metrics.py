import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.catalogue.finding import Severity
from benchlint.judges.metrics import (
    Measure,
    TaskRow,
    alignment,
    challengers,
    coverage,
    score_histogram,
    violation_histogram,
    violations_per_task,
)

ITEMS = ["p1", "p2", "p3", "p4"]
NOTHING = Measure(None, None, None, 0, 0)

scores = st.lists(st.none() | st.integers(2, 20).map(lambda half: half / 2), max_size=30)
violated = st.lists(st.none() | st.sets(st.sampled_from([*ITEMS, "gone"])), max_size=30)


def test_alignment_is_the_mean_of_the_tasks_with_a_verdict() -> None:
    found = alignment([4, None, 10, 7, None])
    assert (found.value, found.n, found.missing) == (7, 3, 2)


def test_violations_per_task_counts_each_item_of_a_task_once() -> None:
    found = violations_per_task([["p1", "p2", "p1"], [], None, ["p1"]])
    assert (found.value, found.n, found.missing) == (1, 3, 1)


def test_coverage_is_the_share_of_all_items_that_enough_tasks_violate() -> None:
    tasks = [{"p1", "p2"}, {"p1", "p2"}, {"p1"}, {"p1", "p3"}, None]
    found = coverage(tasks, ITEMS)
    assert (found.value, found.n, found.missing) == (1 / 4, 4, 1)
    assert coverage(tasks, ITEMS, threshold=2).value == 2 / 4
    assert coverage(tasks, ITEMS, threshold=1).value == 3 / 4
    assert coverage(tasks, ITEMS, threshold=5).value == 0


def test_coverage_counts_exactly_at_the_threshold_whatever_the_number_of_tasks() -> None:
    for tasks in (1, 2, 3, 4, 7, 8, 9, 64, 127, 128):
        every = [set(ITEMS)] * tasks
        assert coverage(every, ITEMS, threshold=tasks).value == 1
        assert coverage(every, ITEMS, threshold=tasks + 1).value == 0


def test_items_that_the_policy_does_not_have_cover_nothing() -> None:
    assert coverage([{"gone"}] * 5, ITEMS).value == 0


def test_no_verdict_is_no_number() -> None:
    assert alignment([]) == violations_per_task([]) == coverage([], ITEMS) == NOTHING
    assert alignment([None, None]) == Measure(None, None, None, 0, 2)
    assert violations_per_task([None]) == coverage([None], ITEMS) == Measure(None, None, None, 0, 1)
    assert coverage([{"p1"}], []) == Measure(None, None, None, 1, 0)


def test_a_verdict_that_names_nothing_is_a_verdict() -> None:
    assert violations_per_task([[], []]).value == 0
    assert coverage([[], []], ITEMS).value == 0


def test_one_task_has_no_interval() -> None:
    assert alignment([6]) == Measure(6, None, None, 1, 0)


def test_equal_scores_have_an_interval_of_no_width() -> None:
    assert alignment([6] * 5) == Measure(6, 6, 6, 5, 0)


def test_the_interval_is_that_of_the_mean() -> None:
    """The standard error of 100 scores, half of them 4 and half 6, is 0.1."""
    found = alignment([4, 6] * 50)
    assert found.low == pytest.approx(5 - 1.96 * 0.1, abs=0.04)
    assert found.high == pytest.approx(5 + 1.96 * 0.1, abs=0.04)


@given(scores)
def test_alignment_lies_within_its_scale_and_its_interval(given_scores) -> None:
    found = alignment(given_scores)
    assert found.n + found.missing == len(given_scores)
    assert (found.value is None) == (found.n == 0)
    if found.n > 1:
        known = [score for score in given_scores if score is not None]
        assert min(known) <= found.low <= found.value <= found.high <= max(known)


@given(violated, st.integers(1, 4))
def test_coverage_is_what_counting_by_hand_gives(tasks, threshold) -> None:
    found = coverage(tasks, ITEMS, threshold)
    known = [items for items in tasks if items is not None]
    if not known:
        assert found.value is None
        return
    reached = [item for item in ITEMS if sum(item in items for items in known) >= threshold]
    assert found.value == len(reached) / len(ITEMS)
    if found.n > 1:
        assert 0 <= found.low <= found.value <= found.high <= 1


@given(scores, violated, st.integers(1, 5))
def test_tasks_without_a_verdict_change_nothing_but_their_count(given_scores, tasks, more) -> None:
    none = [None] * more
    for measure, known in (
        (alignment, given_scores),
        (violations_per_task, tasks),
        (lambda found: coverage(found, ITEMS), tasks),
    ):
        alone, beside = measure(known), measure([*none, *known])
        assert (beside.value, beside.low, beside.high, beside.n) == (alone.value, alone.low, alone.high, alone.n)
        assert beside.missing == alone.missing + more


@given(scores, violated, st.randoms())
def test_the_order_of_tasks_does_not_matter(given_scores, tasks, rnd) -> None:
    for measure, known in (
        (alignment, given_scores),
        (violations_per_task, tasks),
        (lambda found: coverage(found, ITEMS), tasks),
    ):
        assert measure(known) == measure(rnd.sample(known, len(known)))


def test_challengers_are_the_tasks_of_an_item() -> None:
    assert challengers({"1": ["p1", "p2"], "2": None, "3": ["p1"], "4": []}) == {"p1": ("1", "3"), "p2": ("1",)}


def test_histograms() -> None:
    assert score_histogram([1, 1.4, 1.5, 10, 9.5, 7]) == (2, 1, 0, 0, 0, 0, 1, 0, 0, 2)
    assert violation_histogram([[], ["p1"], ["p1", "p2", "p1"], []]) == (2, 1, 1)
    assert violation_histogram([]) == ()


@given(st.lists(st.floats(-1e6, 1e6)))
def test_every_score_is_in_the_histogram(given_scores) -> None:
    assert sum(score_histogram(given_scores)) == len(given_scores)


def test_the_worst_severity_of_a_task() -> None:
    row = TaskRow(id="1", path="t.json", line=1, findings={Severity.HINT: 2, Severity.ERROR: 0, Severity.WARNING: 1})
    assert row.worst is Severity.WARNING
    assert TaskRow(id="1", path="t.json", line=1).worst is None

"""Coverage by source, and the tasks that would raise it."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from benchlint.judges.metrics import BenchmarkScores, ItemRow, Measure, Scores
from benchlint.reports.coverage import Coverage, render_json, render_text
from benchlint.reports.coverage_tasks import new_tasks

NONE = Measure(None, None, None, 0, 3)
KINDS = ("obligation", "prohibition", "permission", "amount", "fact")


def row(name: str, phase: str = "Book", judged=None, offline=None) -> ItemRow:
    return ItemRow(id=name, text=f"Rule {name}.", headings=("Café", phase), tasks=judged, offline=offline)


def coverage(rows, guards=None, kinds=None, value=None) -> Coverage:
    share = Measure(value, None, None, 3, 0) if value is not None else NONE
    scores = BenchmarkScores(name="café", tasks=(), items=tuple(rows), judged=Scores(NONE, NONE, NONE, share))
    return Coverage(scores, guards or {}, kinds or {item.id: "prohibition" for item in rows})


def test_sources_stand_beside_each_other_and_are_never_summed():
    rows = [
        row("a", judged=("1", "2", "3"), offline=("1",)),
        row("b", judged=(), offline=()),
        row("c", judged=("1",), offline=()),
    ]
    found = coverage(rows, guards={"a": ("7", "8"), "c": ("1", "2", "3")}, value=1 / 3)
    text = render_text([found], 80)
    assert "      3       2       1  Rule a." in text
    assert "      0       -       0  Rule b." in text
    assert "      1       3       0  Rule c." in text
    assert "  judged  1 of 3 items, S_vcov 0.33\n" in text
    assert "  guards  1 of 2 items with guards\n" in text
    assert "  offline at least 0 of 3 items; it speaks only where it is sure\n" in text
    assert "no task is seen to challenge 1 of 3 items" in text
    (value,) = json.loads(render_json([found]))
    assert value["covered"] == {
        "judged": {"covered": 1, "items": 3},
        "guards": {"covered": 1, "items": 2},
        "offline": {"covered": 0, "items": 3},
    }
    assert value["untouched"] == ["b"]
    assert value["s_vcov"] == 1 / 3


def test_a_source_that_says_nothing_says_so():
    text = render_text([coverage([row("a")])], 80)
    assert "judged  no verdict" in text
    assert "guards  no item has a guard" in text
    assert "offline it did not read" in text
    assert "      -       -       -  Rule a." in text


def test_facts_are_left_out_and_text_is_made_visible():
    rows = [row("a"), ItemRow(id="f\x1b[2J", text="Fact \x1b[2J.", headings=("Café", "Book"))]
    text = render_text([coverage(rows, kinds={"a": "prohibition", rows[1].id: "fact"})], 80)
    assert "Fact" not in text
    rows = [ItemRow(id="x", text="Odd \x1b[2J.", headings=("Café", "\x1b[2J"))]
    assert "\x1b" not in render_text([coverage(rows)], 80)


def test_new_tasks_bring_items_over_the_threshold_first():
    rows = [row("near", judged=("1", "2")), *[row(f"far{n}", "Cancel", judged=()) for n in range(4)]]
    found = coverage(rows).new_tasks
    assert [item.id for item in found[0].items] == [f"far{n}" for n in range(4)]
    assert {item.id for task in found for item in task.items} >= {"far0"}
    rows = [row("near", judged=("1", "2")), row("far", "Cancel", judged=())]
    first, *_ = coverage(rows).new_tasks
    assert [item.id for item in first.items] == ["near"]
    text = render_text([coverage([row("a", judged=())])], 80)
    assert '3 tasks, each about "Book", with a request that runs into\n    Rule a.' in text


def test_limits_come_before_what_the_agent_must_do_anyway():
    rows = [row("ask", "A", judged=()), row("limit", "B", judged=())]
    first, *_ = coverage(rows, kinds={"ask": "obligation", "limit": "prohibition"}).new_tasks
    assert first.phase == "B"


def test_nothing_is_suggested_where_all_is_covered():
    rows = [row("a", judged=("1", "2", "3"))]
    assert coverage(rows).new_tasks == []
    assert "new task" not in render_text([coverage(rows)], 80)


ROWS = st.lists(
    st.tuples(st.sampled_from(["", "A", "B"]), st.integers(0, 5), st.sampled_from(KINDS[:4])), min_size=1, max_size=14
)


@given(ROWS, st.integers(1, 4))
def test_at_most_three_tasks_of_one_phase_each_and_never_a_covered_item(given_rows, threshold):
    rows = [ItemRow(id=str(n), text="x", headings=("T", phase) if phase else ("T",)) for n, (phase, _, _) in
            enumerate(given_rows)]  # fmt: skip
    counts = {str(n): count for n, (_, count, _) in enumerate(given_rows)}
    kinds = {str(n): kind for n, (_, _, kind) in enumerate(given_rows)}
    found = new_tasks(rows, counts, kinds, threshold)
    assert len(found) == (3 if any(count < threshold for count in counts.values()) else 0) or len(found) < 3
    seen = dict(counts)
    for task in found:
        assert 0 < len(task.items) <= 4
        assert len({item.headings for item in task.items}) == 1
        for item in task.items:
            assert seen[item.id] < threshold
            seen[item.id] += 1

import json
from dataclasses import replace

import msgspec
import pytest
from markdown_it import MarkdownIt

from benchlint.judges.metrics import Measure, Scores
from benchlint.reports import compare_markdown, compare_text
from benchlint.reports.compare import compare, summary
from benchlint.reports.formats import Options
from benchlint.reports.scores import ScoreReport, render
from benchlint.reports.scores_reading import WrittenReport, read_report

OPTIONS = Options(width=120)
NONE = Measure(None, None, None, 0, 3)


def written(report: ScoreReport, edit=lambda data: None) -> WrittenReport:
    data = json.loads(render(report, "json", Options()))
    edit(data)
    return read_report(json.dumps(data), "a.json")


def changed(scored, **details) -> ScoreReport:
    return replace(scored, benchmarks=(replace(scored.benchmarks[0], **details),))


@pytest.fixture
def before(scored) -> WrittenReport:
    return written(scored)


def only(comparison):
    assert len(comparison.benchmarks) == 1
    return comparison.benchmarks[0]


def test_nothing_has_changed(before) -> None:
    comparison = compare(before, before)
    assert compare_text.render(comparison, OPTIONS) == "Nothing has changed.\n"
    assert compare_markdown.render(comparison, OPTIONS) == "## benchlint: Nothing has changed\n"


def test_numbers_with_their_intervals(scored, before) -> None:
    old = scored.benchmarks[0].judged
    judged = Scores(old.description_alignment, Measure(9.5, 9.25, 9.75, 3, 0), old.violations_per_task, NONE)
    comparison = compare(before, written(changed(scored, judged=judged)))
    first, second = only(comparison).numbers
    assert (first.label, first.reader, first.change, first.apart) == ("policy alignment", "judged", 3.75, True)
    assert (second.label, second.change, second.apart) == ("coverage", None, False)
    text = compare_text.render(comparison, OPTIONS)
    assert "5.75 (2.50 to 9.00), 2 tasks  9.50 (9.25 to 9.75), 3 tasks  +3.75, intervals apart" in text
    assert "no verdict" in text
    assert "**+3.75, intervals apart**" in compare_markdown.render(comparison, OPTIONS)


def test_numbers_of_the_offline_reader_are_never_those_of_judges(scored, before) -> None:
    offline = replace(scored.benchmarks[0].offline, coverage=Measure(0.5, 0.25, 0.75, 3, 0))
    found = only(compare(before, written(changed(scored, offline=offline))))
    assert [(item.label, item.reader) for item in found.numbers] == [("coverage", "offline reader")]


def test_tasks_whose_score_moved_the_fallen_first(scored, before) -> None:
    first, second, third = scored.benchmarks[0].tasks
    moved = (
        replace(first, scores={"description_alignment": 4, "policy_alignment": 2}, violations=()),
        replace(second, scores={}),
        replace(third, scores={"policy_alignment": 5}),
    )
    comparison = compare(before, written(changed(scored, tasks=moved)))
    assert [(item.metric, item.before, item.after) for item in only(comparison).tasks] == [
        ("policy alignment", 9, None),
        ("violations", 1, 0),
        ("policy alignment", 2.5, 2),
        ("description alignment", 2.5, 4),
        ("policy alignment", None, 5),
    ]
    assert summary(comparison) == "2 scores fell, 2 scores rose"


def test_a_metric_that_nobody_judged_before_moves_no_task(scored) -> None:
    benchmark = scored.benchmarks[0]
    bare = changed(
        scored,
        judged=Scores(NONE, NONE, NONE, NONE),
        judges={},
        tasks=tuple(replace(row, scores={}, by_judge={}, violations=None) for row in benchmark.tasks),
        items=tuple(replace(item, tasks=None) for item in benchmark.items),
    )
    found = only(compare(written(bare), written(scored)))
    assert found.tasks == found.items == ()
    assert len(found.numbers) == 4
    assert found.notes == ("The judges differ: nobody before, claude, gpt<b> after.",)


def test_coverage(scored, before) -> None:
    first, second, third = scored.benchmarks[0].items
    after = changed(
        scored,
        items=(
            replace(first, tasks=first.tasks[:2]),
            replace(second, offline=("1", "2", "3")),
            replace(third, tasks=("1", "2")),
        ),
    )
    found = only(compare(before, written(after)))
    assert [(item.reader, item.before, item.after) for item in found.items] == [
        ("judged", 3, 2),
        ("offline reader", 1, 3),
    ]


def test_what_came_and_what_went(scored, before) -> None:
    benchmark = scored.benchmarks[0]
    after = changed(
        scored,
        tasks=(*benchmark.tasks[:2], replace(benchmark.tasks[2], id="4")),
        items=(*benchmark.items[:2], replace(benchmark.items[2], id="x", text="Another.")),
    )
    found = only(compare(before, written(after)))
    assert (found.new_tasks, found.gone_tasks) == (("4",), ("3",))
    assert (found.new_items, found.gone_items) == (("Another.",), ("Few.",))


def test_findings(scored, before) -> None:
    def edit(data) -> None:
        del data["findings"][3]
        data["findings"][0] |= {"fingerprint": "new", "quote": "other words", "rule": "unknown-argument"}

    comparison = compare(before, written(scored, edit))
    assert [item.rule for item in comparison.new_findings] == ["unknown-argument"]
    assert [item.rule for item in comparison.gone_findings] == ["thin-cell", "uncalibrated-judge"]
    assert summary(comparison) == "1 new finding, 2 findings gone"
    text = compare_text.render(comparison, OPTIONS)
    assert text.index("New findings: 1") < text.index("unknown-argument") < text.index("Findings gone: 2")


def test_a_finding_in_a_renamed_file_is_not_new(scored, before) -> None:
    def edit(data) -> None:
        for index, finding in enumerate(data["findings"]):
            finding |= {"fingerprint": f"moved {index}", "path": "renamed.json"}

    comparison = compare(before, written(scored, edit))
    assert comparison.new_findings == comparison.gone_findings == ()


def test_two_equal_findings_are_not_one(scored, before) -> None:
    def edit(data) -> None:
        data["findings"].append(data["findings"][0] | {"fingerprint": "again"})

    assert len(compare(before, written(scored, edit)).new_findings) == 1


def test_benchmarks_are_matched_by_name_or_alone(scored, before) -> None:
    after = changed(scored, name="renamed")
    assert only(compare(before, written(after))).name == "renamed"
    both = replace(scored, benchmarks=(*scored.benchmarks, *after.benchmarks))
    comparison = compare(before, written(both))
    assert (comparison.new_benchmarks, comparison.gone_benchmarks) == (("renamed",), ())
    assert compare(written(both), before).gone_benchmarks == ("renamed",)


def test_what_does_not_compare_is_said(scored, before) -> None:
    after = changed(scored, threshold=9, reviewed=True, offline=None, judges={})
    assert len(only(compare(before, written(after))).notes) == 4
    text = compare_text.render(compare(before, written(after)), OPTIONS)
    assert "K was 3 and is 9" in text
    assert "gained or lost" not in text


def test_hostile_text_is_text(scored, before) -> None:
    benchmark = scored.benchmarks[0]
    after = changed(scored, tasks=(), items=(), judged=Scores(NONE, NONE, NONE, NONE), name=f"{benchmark.name}!")
    comparison = compare(before, written(replace(after, lint=msgspec.structs.replace(after.lint, rows=()))))
    markdown = compare_markdown.render(comparison, OPTIONS)
    reader = MarkdownIt("commonmark").enable("table")
    found = [child for token in reader.parse(markdown) for child in (token, *(token.children or ()))]
    assert not [token for token in found if token.type in ("link_open", "image", "code_inline")]
    assert not [token for token in found if token.type.startswith("html") and "script" in token.content]
    assert "<script>" in reader.render(markdown).replace("&lt;", "<").replace("&gt;", ">")
    text = compare_text.render(comparison, OPTIONS)
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_long_parts_are_folded_and_cut(scored, before) -> None:
    benchmark = scored.benchmarks[0]
    tasks = tuple(replace(benchmark.tasks[2], id=f"new {index}") for index in range(100))
    markdown = compare_markdown.render(compare(before, written(changed(scored, tasks=tasks))), OPTIONS)
    assert "<summary>New tasks</summary>" in markdown
    assert "new 59" in markdown
    assert "new 60" not in markdown
    assert "40 more rows." in markdown

import json
from dataclasses import fields
from pathlib import Path

import pytest

from benchlint import __version__
from benchlint.judges.metrics import BenchmarkScores, ItemRow, Measure, TaskRow
from benchlint.reports.formats import Options
from benchlint.reports.scores import ScoreReport, render
from benchlint.reports.scores_reading import UnreadableReportError, read_report

DOCS = Path(__file__).parents[2] / "docs" / "output.md"


@pytest.fixture
def written(scored) -> dict:
    return json.loads(render(scored, "json", Options()))


def test_it_is_ascii(scored) -> None:
    text = render(scored, "json", Options())
    assert text.isascii()
    assert text.endswith("}\n")


def test_the_run(written, scored) -> None:
    assert written["version"] == __version__
    assert written["summary"]["tasks"] == 3
    assert len(written["notes"]) == len(written["problems"]) == 1
    assert [finding["rule"] for finding in written["findings"]] == [row.finding.rule for row in scored.lint.rows]
    assert len({finding["fingerprint"] for finding in written["findings"]}) == 4


def test_a_benchmark(written) -> None:
    benchmark = written["benchmarks"][0]
    assert benchmark["judged"]["policy_alignment"] == {"value": 5.75, "low": 2.5, "high": 9, "n": 2, "missing": 1}
    assert benchmark["offline"]["policy_alignment"]["value"] is None
    assert benchmark["offline"]["coverage"]["value"] == 0
    assert list(benchmark["judges"]) == ["claude", "gpt<b>"]
    assert benchmark["agreement"]["policy_alignment"]["pairs"][0]["offset"] == -1
    assert (benchmark["items_reviewed"], benchmark["threshold"]) == (False, 3)


def test_a_task(written) -> None:
    first, second, third = written["benchmarks"][0]["tasks"]
    assert first["scores"] == {"description_alignment": 2.5, "policy_alignment": 2.5}
    assert first["by_judge"]["policy_alignment"] == {"gpt<b>": 2, "claude": 3}
    assert (first["violations"], first["offline_violations"]) == (["deny-1"], ["deny-1", "ask-2"])
    assert first["findings"] == {"error": 1, "hint": 1}
    assert (second["path"], second["line"], second["offline_violations"]) == ("a.json", 1, None)
    assert third["missing"] == {"policy_alignment": "not asked"}


def test_a_policy_item(written) -> None:
    first, second, _ = written["benchmarks"][0]["policy_items"]
    assert len(first["tasks"]) == 3
    assert (second["tasks"], len(second["offline_tasks"])) == ([], 1)


def test_the_documentation_names_every_key(written) -> None:
    text = DOCS.read_text("utf-8")
    text = text[text.index("## report json") : text.index("## Comparing two reports")]
    benchmark = written["benchmarks"][0]
    keys = {*benchmark, *benchmark["tasks"][0], *benchmark["policy_items"][0], *benchmark["judged"]}
    keys |= {*benchmark["judged"]["coverage"], *benchmark["agreement"]["policy_alignment"]}
    keys |= {*benchmark["agreement"]["policy_alignment"]["pairs"][0], *written}
    assert sorted(key for key in keys if f"`{key}`" not in text) == []


def test_nothing_that_is_known_is_left_out(written) -> None:
    """What the dataclasses hold is in the output, under the same name or under a longer one."""
    longer = {
        TaskRow: {"offline": "offline_violations"},
        ItemRow: {"offline": "offline_tasks"},
        BenchmarkScores: {"items": "policy_items", "reviewed": "items_reviewed"},
    }
    benchmark = written["benchmarks"][0]
    parts = [(BenchmarkScores, benchmark), (TaskRow, benchmark["tasks"][0]), (ItemRow, benchmark["policy_items"][0])]
    for kind, part in [*parts, (Measure, benchmark["judged"]["coverage"])]:
        names = [longer.get(kind, {}).get(field.name, field.name) for field in fields(kind)]
        assert sorted(names) == sorted(part)


def test_it_can_be_read_back(scored) -> None:
    found = read_report(render(scored, "json", Options()), "a.json")
    benchmark = scored.benchmarks[0]
    assert found.benchmarks[0].judged == benchmark.judged
    assert found.benchmarks[0].judges == dict(benchmark.judges)
    assert found.benchmarks[0].offline == benchmark.offline
    assert found.benchmarks[0].tasks[1].scores == {"policy_alignment": 9}
    assert found.benchmarks[0].policy_items[2].tasks == ("3",)
    assert found.findings[0].place == "tasks.json:1:1"
    assert read_report(render(ScoreReport(), "json", Options()), "a.json").benchmarks == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "no JSON"),
        (b"{", "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"[]", "no output of `benchlint report"),
        (b'{"version": "1", "findings": [], "benchmarks": [{"name": 1}]}', "benchmarks.0.name"),
        (b'{"version": "1", "summary": {}, "findings": []}', "benchmarks: Field required"),
    ],
)
def test_what_is_no_report_is_refused_with_its_name(text, reason) -> None:
    with pytest.raises(UnreadableReportError) as caught:
        read_report(text, "before.json")
    assert str(caught.value).startswith("before.json: ")
    assert reason in str(caught.value)

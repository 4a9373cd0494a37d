"""Numbers of a real benchmark from verdicts made by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from benchlint.analysis.run import run
from benchlint.analysis.scores import score
from benchlint.analysis.snapshot import Snapshot
from benchlint.catalogue.finding import Anchor, Finding, Severity
from benchlint.config import ConfigLookup
from benchlint.judges.metrics import NOT_ASKED
from benchlint.judges.panel import PanelVerdict
from benchlint.judges.protocol import NoVerdict, Verdict, Violation

if TYPE_CHECKING:
    from pathlib import Path

    from benchlint.benchmark.model import Benchmark

POLICY = """# Visits

- You must not book visits on Sundays.
- You should deny requests for more than two visits.
- You must ask for the day before you book.
"""


def tasks(*ids: str) -> list[dict]:
    return [
        {"id": name, "user_scenario": {"instructions": f"You are {name}."}, "evaluation_criteria": {"actions": []}}
        for name in ids
    ]


@pytest.fixture
def benchmark(folder: Path) -> Benchmark:
    return load(folder, "a", "b", "c", "d")


def load(folder: Path, *ids: str, policy: bool = True) -> Benchmark:
    (folder / "tasks.json").write_text(json.dumps(tasks(*ids), indent=2))
    if policy:
        (folder / "policy.md").write_text(POLICY)
    return run(["tasks.json"], Snapshot(), ConfigLookup()).benchmarks[0]


def items(benchmark: Benchmark) -> list[str]:
    found = [item.id for item in benchmark.policy.items]
    assert len(found) == 3
    return found


def aligned(metric, *scores, judge="one"):
    """Return a verdict of one judge for each task, in the order of their names; None is no verdict."""
    return {
        (task, metric): [
            (judge, Verdict(metric, judge, given) if given is not None else NoVerdict(metric, judge, "cut"))
        ]
        for task, given in zip("abcd", scores, strict=False)
    }


def ran_into(*ids: str, judge: str = "one") -> Verdict:
    return Verdict("violations", judge, violations=tuple(Violation(name, "words") for name in ids))


def finding(benchmark: Benchmark, task: str | None, severity: Severity, of: str | None = None) -> Finding:
    return Finding("unknown-tool", severity, "no", Anchor("tasks.json"), of or benchmark.name, task)


def ids(scores) -> list[str]:
    return [row.id for row in scores.tasks]


def test_without_verdicts_nothing_is_known(benchmark) -> None:
    found = score(benchmark)
    assert found.judged.description_alignment.missing == 4
    assert found.judged.coverage.value is None
    assert found.offline is None
    assert not found.judges
    assert not found.agreement
    assert [item.tasks for item in found.items] == [None, None, None]
    assert all(row.violations is None and row.offline is None for row in found.tasks)
    assert found.tasks[0].missing == dict.fromkeys(
        ("description_alignment", "policy_alignment", "violations"), NOT_ASKED
    )
    assert not found.reviewed


def test_scores_of_one_judge(benchmark) -> None:
    found = score(benchmark, (), aligned("description_alignment", 4, 8, None) | aligned("policy_alignment", 2))
    measure = found.judged.description_alignment
    assert (measure.value, measure.n, measure.missing) == (6, 2, 2)
    assert found.judged.policy_alignment.value == 2
    assert found.judges["one"].description_alignment == measure
    rows = {row.id: row for row in found.tasks}
    assert rows["a"].scores == {"description_alignment": 4, "policy_alignment": 2}
    assert rows["a"].by_judge["description_alignment"] == {"one": 4}
    assert rows["c"].missing["description_alignment"] == "cut"
    assert rows["d"].missing["description_alignment"] == NOT_ASKED
    assert "description_alignment" not in rows["a"].missing


def test_violations_and_coverage(benchmark) -> None:
    first, second, third = items(benchmark)
    verdicts = {(task, "violations"): [("one", ran_into(first, "no-such-item", second))] for task in "ab"}
    verdicts["c", "violations"] = [("one", ran_into(second))]
    found = score(benchmark, (), verdicts)
    assert found.judged.violations_per_task.value == pytest.approx(5 / 3)
    assert found.judged.violations_per_task.missing == 1
    assert found.judged.coverage.value == pytest.approx(1 / 3)
    assert score(benchmark, (), verdicts, threshold=2).judged.coverage.value == pytest.approx(2 / 3)
    assert [item.tasks for item in found.items] == [("a", "b"), ("a", "b", "c"), ()]
    assert [item.id for item in found.items] == [first, second, third]
    assert {row.id: row.violations for row in found.tasks}["a"] == (first, second)


def test_the_offline_reader_has_numbers_of_its_own(benchmark) -> None:
    first, second, _ = items(benchmark)
    offline = {task: [Violation(first, "words")] for task in "abc"} | {"d": [], "no-such-task": [Violation(first, "")]}
    found = score(benchmark, (), {("a", "violations"): [("one", ran_into(second))]}, offline)
    assert found.offline.coverage.value == pytest.approx(1 / 3)
    assert found.offline.violations_per_task.value == 3 / 4
    assert found.offline.description_alignment.value is None
    assert found.judged.coverage.value == 0
    assert found.judged.violations_per_task.value == 1
    assert [(item.tasks, item.offline) for item in found.items] == [((), ("a", "b", "c")), (("a",), ()), ((), ())]
    assert list(found.judges) == ["one"]


def test_several_judges_are_a_panel(benchmark) -> None:
    first, second, _ = items(benchmark)
    metric = "description_alignment"
    verdicts = {
        ("a", metric): [
            (judge, Verdict(metric, judge, given)) for judge, given in (("gpt", 2), ("claude", 7), ("glm", 9))
        ],
        ("b", metric): [("gpt", Verdict(metric, "gpt", 5)), ("claude", NoVerdict(metric, "claude", "cut"))],
        ("a", "violations"): [
            ("gpt", ran_into(first, second)),
            ("claude", ran_into(first)),
            ("glm", ran_into()),
        ],
    }
    found = score(benchmark, (), verdicts)
    rows = {row.id: row for row in found.tasks}
    assert rows["a"].scores == {metric: 7}
    assert rows["a"].by_judge[metric] == {"gpt": 2, "claude": 7, "glm": 9}
    assert rows["a"].violations == (first,)
    assert metric not in rows["b"].scores
    assert "1 of 2 judges" in rows["b"].missing[metric]
    assert found.judges["gpt"].description_alignment.value == 3.5
    assert found.judges["gpt"].violations_per_task.value == 2
    assert found.agreement[metric].pairs[0].tasks == 1
    assert "policy_alignment" not in found.agreement


def test_one_judge_asked_several_times(benchmark) -> None:
    metric = "description_alignment"
    verdicts = {("a", metric): [("one", Verdict(metric, "one", given)) for given in (2, 6, 7)]}
    found = score(benchmark, (), verdicts)
    assert found.judged.description_alignment.value == 6
    assert found.judges["one"].description_alignment.value == 6
    assert not found.agreement


def test_what_a_panel_says_counts(benchmark) -> None:
    metric = "policy_alignment"
    panel = {
        ("a", metric): PanelVerdict(Verdict(metric, "panel", 4), (), {"x": 3, "y": 5}),
        ("b", metric): PanelVerdict(NoVerdict(metric, "panel", "too few"), (), {"x": 9}),
        ("elsewhere", metric): PanelVerdict(Verdict(metric, "panel", 1), (), {"x": 1, "z": 1}),
    }
    found = score(benchmark, panel=panel)
    assert found.judged.policy_alignment.value == 4
    assert {judge: numbers.policy_alignment.value for judge, numbers in found.judges.items()} == {"x": 6, "y": 5}
    assert found.agreement[metric].pairs[0].offset == 2
    assert {row.id: row.missing.get(metric) for row in found.tasks}["b"] == "too few"


def test_a_verdict_without_the_score_it_should_have_is_none(benchmark) -> None:
    found = score(benchmark, (), {("a", "policy_alignment"): [("one", Verdict("policy_alignment", "one"))]})
    assert found.judged.policy_alignment.n == 0
    assert {row.id: row.missing["policy_alignment"] for row in found.tasks}["a"] == "no score"


def test_worst_first(benchmark) -> None:
    findings = [
        *(finding(benchmark, "c", Severity.INFORMATION) for _ in range(3)),
        finding(benchmark, "d", Severity.WARNING),
        finding(benchmark, "a", Severity.ERROR, of="another"),
        finding(benchmark, None, Severity.ERROR),
    ]
    assert ids(score(benchmark, findings)) == ["d", "c", "a", "b"]
    assert ids(score(benchmark, findings, aligned("policy_alignment", 9, 3))) == ["d", "b", "a", "c"]
    counts = {row.id: dict(row.findings) for row in score(benchmark, findings).tasks}
    assert counts == {"a": {}, "b": {}, "c": {Severity.INFORMATION: 3}, "d": {Severity.WARNING: 1}}


def test_where_tasks_start(benchmark) -> None:
    found = score(benchmark, show=str.upper)
    lines = (found.tasks[0].path, [row.line for row in found.tasks])
    text = json.dumps(tasks("a", "b", "c", "d"), indent=2).splitlines()
    assert lines == (found.tasks[0].path.upper(), [index for index, line in enumerate(text, 1) if line == "  {"])


def test_tasks_of_one_id_are_one(folder) -> None:
    found = score(load(folder, "a", "b", "a"), (), aligned("policy_alignment", 4, 8))
    assert sorted(ids(found)) == ["a", "b"]
    assert found.judged.policy_alignment.n == 2


def test_without_a_policy_there_is_nothing_to_violate(folder) -> None:
    benchmark = load(folder, "a", policy=False)
    found = score(benchmark, (), {("a", "violations"): [("one", ran_into("x"))]}, {"a": [Violation("x", "")]})
    assert found.items == ()
    assert found.judged.violations_per_task.value is None
    assert found.offline.coverage.value is None
    assert found.tasks[0].violations is None

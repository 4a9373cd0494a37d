"""What verdicts say of whole files: from where on, and when not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.judges.conftest import task, write_benchmark

from benchlint.analysis.judged import Said, judged_findings
from benchlint.catalogue.finding import Severity
from benchlint.catalogue.rule import load_rules
from benchlint.judges.protocol import JudgedFinding, NoVerdict, Verdict
from benchlint.trust.trust import Measurement, Trust

if TYPE_CHECKING:
    from pathlib import Path

    from benchlint.benchmark.model import Benchmark, Task

RULES = {name: load_rules()[name] for name in ("outcome-only-behaviour", "mismatched-policy")}
COUNT = 10


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    return write_benchmark(tmp_path / "library", [task(number) for number in range(1, COUNT + 1)])


def found(benchmark: Benchmark, spoken: list[Said], trust: Trust | None = None, static=()):
    return judged_findings(benchmark, spoken, RULES, trust or Trust(), static=static)


def score(item: Task, metric: str, value: float, judge: str = "m", found_by: str = "judge") -> Said:
    return Said(item, Verdict(metric, judge, value), found_by)


def outcome(item: Task, hit: bool = True, confidence: float = 0.9, judge: str = "m") -> Said:
    pointer = ("user_scenario", "instructions")
    fault = JudgedFinding(
        "outcome-only-behaviour", "You are", "so", confidence=confidence, pointer=pointer, span=(0, 7)
    )
    return Said(item, Verdict("description_alignment", judge, 8.0, (fault,) if hit else ()))


def scored(benchmark: Benchmark, complied: list[float], described: list[float], **more: str) -> list[Said]:
    tasks = benchmark.tasks
    said = [score(item, "policy_alignment", value, **more) for item, value in zip(tasks, complied, strict=False)]
    return said + [
        score(item, "description_alignment", value, **more) for item, value in zip(tasks, described, strict=False)
    ]


def test_low_policy_alignment_beside_high_description_alignment_is_another_policy(benchmark):
    (finding,) = found(benchmark, scored(benchmark, [1, 2] * 5, [8] * COUNT))
    assert finding.rule == "mismatched-policy"
    assert finding.severity is Severity.INFORMATION
    assert finding.message == (
        "the tasks do not seem to belong to policy.md: the median of policy alignment is 1.5 of 10 over 10 tasks, and "
        "that of description alignment 8"
    )
    assert finding.found_by == "judge"
    trust = Trust([Measurement("m", "mismatched-policy", 100, 1.0)])
    (finding,) = found(benchmark, scored(benchmark, [1] * COUNT, [8] * COUNT), trust)
    assert finding.severity is Severity.ERROR
    assert found(benchmark, scored(benchmark, [1] * COUNT, [8] * COUNT), static=[finding]) == []


@pytest.mark.parametrize(
    ("complied", "described"),
    [
        ([3] * COUNT, [8] * COUNT),
        ([1] * 4 + [9] * 6, [8] * COUNT),
        ([1] * COUNT, [2] * COUNT),
        ([1] * COUNT, []),
        ([1] * 8, [8] * 8),
    ],
    ids=["not so low", "half of them", "poor tasks", "one metric alone", "too few are read"],
)
def test_other_scores_are_no_other_policy(benchmark, complied, described):
    assert found(benchmark, scored(benchmark, complied, described)) == []


def test_few_tasks_and_the_offline_reader_say_nothing_of_a_file(benchmark, tmp_path):
    small = write_benchmark(tmp_path / "small", [task(number) for number in range(1, 5)])
    assert found(small, scored(small, [1] * 4, [8] * 4)) == []
    assert found(benchmark, scored(benchmark, [1] * COUNT, [8] * COUNT, found_by="offline")) == []


def test_outcomes_without_a_workflow_are_told_once_with_the_share(benchmark):
    (finding,) = found(benchmark, [outcome(item, index < 6) for index, item in enumerate(benchmark.tasks)])
    assert finding.rule == "outcome-only-behaviour"
    assert finding.message.startswith('6 of 10 tasks (60 %) expect an outcome and tell no workflow: "t1", "t2"')
    assert benchmark.tasks[0].slice.data[finding.anchor.start : finding.anchor.end] == b"You are"
    said = [outcome(item) for item in benchmark.tasks]
    assert found(benchmark, said, static=[finding]) == []


@pytest.mark.parametrize(("hits", "read", "confidence"), [(5, 10, 0.9), (2, 10, 0.9), (10, 10, 0.4), (8, 8, 0.9)])
def test_half_of_the_tasks_or_unsure_ones_are_none(benchmark, hits, read, confidence):
    said = [outcome(item, index < hits, confidence) for index, item in enumerate(benchmark.tasks[:read])]
    said += [Said(item, NoVerdict("description_alignment", "m", "down")) for item in benchmark.tasks[read:]]
    assert found(benchmark, said) == []

"""Every page of a judged rule is a test of the way from a model's answer to the finding.

The expected verdict of a page is served over loopback; litellm, HTTP, the
prompts and the reading of the answer are real. A verdict stands under
"Verdict", or "Verdict: X" for the example "Bad example: X", in blocks that
may name the metric, the task and the model that they are for:

    ```json policy_alignment task=renew model=ada
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.judges.endpoint import Call, Endpoint, answer
from tests.rules.test_pages import RULES, Example, examples, named

from benchlint.analysis.engine import analyse
from benchlint.analysis.judged import Said, judged_findings, said, uncalibrated_judges
from benchlint.analysis.snapshot import Snapshot
from benchlint.analysis.spoken import Thresholds
from benchlint.benchmark.discovery import discover
from benchlint.benchmark.loader import load
from benchlint.catalogue.finding import Finding, Severity
from benchlint.judges import llm
from benchlint.judges.llm import LiteLLMModel, ModelOptions
from benchlint.judges.panel import Panel
from benchlint.judges.prompt import answer_model, ask
from benchlint.judges.protocol import METRICS
from benchlint.judges.session import Session
from benchlint.trust.trust import Measurement, Trust

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Benchmark

JUDGED = {rule.name: rule for rule in RULES.values() if {"judge", "panel"} & set(rule.found_by)}
DERIVED = {"low-alignment", "low-challenge", "judge-disagreement", "mismatched-policy", "uncalibrated-judge"}
"""Rules that follow from verdicts: no judge is told to look for them."""

WITH = {
    "mismatched-task": {"low-alignment"},
    "mismatched-policy": {"low-alignment"},
    "low-alignment": set(),
    "uncalibrated-judge": {"missing-confirmation"},
}
"""Rules that are found in a bad example beside the page's own."""

FENCE = re.compile(r"^```json(?: (\w+))?((?: \w+=\S+)*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BAD = examples("Bad example", judged=True)
GOOD = examples("Good example", judged=True)


class Expected(NamedTuple):
    """A verdict of a page, and what it is for; "" stands for any task and any model."""

    metric: str
    task: str
    model: str
    answer: dict


def verdicts(example: Example) -> list[Expected]:
    rule = RULES[example.rule]
    found = []
    for metric, words, text in FENCE.findall(rule.section(f"Verdict{example.title.removeprefix('Bad example')}")):
        given = dict(word.split("=") for word in words.split())
        found.append(Expected(metric or rule.metric, given.get("task", ""), given.get("model", ""), json.loads(text)))
    return found


class Script:
    """Answers with the verdicts of a page where they fit a call, and elsewhere that all is well.

    All is well where nothing is at fault and the request runs into every
    policy item.
    """

    def __init__(self, expected: list[Expected], benchmark: Benchmark) -> None:
        self.expected = sorted(expected, key=lambda item: (item.task, item.model), reverse=True)
        self.metrics = {item.metric for item in expected}
        self.texts = {task.id: task.scenario[0].text for task in benchmark.tasks}

    def __call__(self, call: Call) -> str:
        for item in self.expected:
            about = not item.task or _plain(self.texts[item.task]) in _plain(call.user)
            if item.metric == call.metric and about and item.model in ("", call.body["model"]):
                return answer(call, **item.answer)
        if call.metric != "violations" or "violations" in self.metrics:
            return answer(call)
        hits = [
            {"policy_item": number, "quote": "You", "reason": "It is asked for.", "confidence": 1}
            for number in range(1, call.items + 1)
        ]
        return answer(call, violations=hits)


def _plain(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setattr(llm, "_works", {})
    monkeypatch.setattr(llm, "_refuses", {})
    with Endpoint() as server:
        yield server


def loaded(folder: Path) -> Benchmark:
    (layout,) = discover([str(folder)]).layouts
    return load(layout, Snapshot().read)


def listen(benchmark: Benchmark, endpoint: Endpoint, models: list[str]) -> list[Said]:
    """Ask each model behind the endpoint about all metrics."""
    asked = ask(benchmark, JUDGED.values())
    sessions = [Session(LiteLLMModel(ModelOptions(model=f"openai/{name}", base_url=endpoint.url))) for name in models]
    try:
        outcome = (Panel(sessions) if len(sessions) > 1 else sessions[0]).run(asked)
    finally:
        for session in sessions:
            session.close()
    assert {item.request.metric for item in asked} == set(METRICS if benchmark.policy else METRICS[:1])
    return [said(item.task, verdict) for item, verdict in zip(asked, outcome.verdicts, strict=True)]


def found_in(benchmark: Benchmark, spoken: list[Said], trust: Trust) -> list[Finding]:
    """Return what checks and judges find."""
    static = list(analyse(benchmark).findings)
    judged = judged_findings(benchmark, spoken, JUDGED, trust, static=static)
    return static + judged + uncalibrated_judges([(benchmark, spoken)], JUDGED, trust, Thresholds())


def trusted(name: str) -> Trust:
    """Return the trust of a judge that was always right, if the page is not about the lack of it."""
    if name == "uncalibrated-judge":
        return Trust()
    return Trust([Measurement("openai/judge", rule, 100, 1.0) for rule in JUDGED])


def told(benchmark: Benchmark, folder: Path, findings: list[Finding]) -> list[tuple[str, str, int, int, str]]:
    """Return rule, file, range and message of each finding."""
    starts = {source.document.path: [piece.start for piece in source.slices] for source in benchmark.sources}
    found = []
    for item in findings:
        anchor = item.anchor
        base = starts[anchor.path][anchor.slice] if anchor.slice is not None else 0
        name = Path(anchor.path).relative_to(folder).as_posix()
        found.append((item.rule, name, base + anchor.start, base + anchor.end, item.message))
    return sorted(found)


@pytest.mark.parametrize("example", BAD, ids=named)
def test_bad_example_is_found_at_its_marks(example, tmp_path, endpoint):
    assert example.marks, "the example has no marks"
    example.write(tmp_path)
    benchmark = loaded(tmp_path)
    expected = verdicts(example)
    assert expected, "the example has no verdict"
    endpoint.script = Script(expected, benchmark)
    models = sorted({item.model for item in expected if item.model}) or ["judge"]
    spoken = listen(benchmark, endpoint, models)
    findings = found_in(benchmark, spoken, trusted(example.rule))
    places = [item[:4] for item in told(benchmark, tmp_path, findings) if item[0] not in WITH.get(example.rule, ())]
    assert places == [(example.rule, *mark) for mark in example.marks], findings
    own = [item for item in findings if item.rule == example.rule]
    assert max(item.severity for item in own) == RULES[example.rule].severity
    assert {item.found_by for item in own} == {"panel" if len(models) > 1 else "judge"}
    unmeasured = [item for item in found_in(benchmark, spoken, Trust()) if item.rule == example.rule]
    assert all(item.severity <= Severity.INFORMATION for item in unmeasured)


@pytest.mark.parametrize("example", GOOD, ids=named)
def test_good_example_gives_no_finding(example, tmp_path, endpoint):
    assert not example.marks
    example.write(tmp_path)
    benchmark = loaded(tmp_path)
    endpoint.script = Script([], benchmark)
    assert found_in(benchmark, listen(benchmark, endpoint, ["judge"]), Trust()) == []


FIXED = [item for item in BAD if RULES[item.rule].fix != "none" and item.title == "Bad example"]


@pytest.mark.parametrize("example", FIXED, ids=named)
def test_fix_of_the_bad_example_makes_the_good_one_of_it(example, tmp_path, endpoint):
    example.write(tmp_path)
    benchmark = loaded(tmp_path)
    endpoint.script = Script(verdicts(example), benchmark)
    (finding,) = found_in(benchmark, listen(benchmark, endpoint, ["judge"]), trusted(example.rule))
    (fix,) = finding.fixes
    assert not fix.safe
    for edit in fix.edits:
        path = Path(edit.anchor.path)
        base = benchmark.sources[0].slices[edit.anchor.slice].start
        data = path.read_bytes()
        path.write_bytes(data[: base + edit.anchor.start] + edit.text.encode() + data[base + edit.anchor.end :])
    after = loaded(tmp_path)
    good = next(item for item in GOOD if item.rule == example.rule and item.title == "Good example")
    good.write(tmp_path / "good")
    assert [task.value for task in after.tasks] == [task.value for task in loaded(tmp_path / "good").tasks]


@pytest.mark.parametrize("example", BAD, ids=named)
def test_verdicts_are_of_the_form_that_judges_are_asked_for(example):
    for expected in verdicts(example):
        assert expected.metric in METRICS
        answer_model(expected.metric).model_validate({"parts_read": 1, "items_read": 1, **expected.answer})


@pytest.mark.parametrize("rule", JUDGED.values(), ids=lambda rule: rule.name)
def test_judged_page_tells_the_judge_what_to_look_for(rule):
    assert bool(rule.section("Rubric")) == (rule.name not in DERIVED)
    if rule.name not in DERIVED:
        assert rule.metric in METRICS
        assert "not" in rule.section("Rubric")


def test_the_rubric_of_a_rule_reaches_the_judge(tmp_path, endpoint):
    example = next(item for item in BAD if item.rule == "missing-confirmation")
    example.write(tmp_path)
    listen(loaded(tmp_path), endpoint, ["judge"])
    prompts = {call.metric: call.body["messages"][0]["content"] for call in endpoint.calls}
    for rule in JUDGED.values():
        for metric, prompt in prompts.items():
            rubric = rule.section("Rubric")
            assert (bool(rubric) and rubric in prompt) == (bool(rubric) and metric == rule.metric), (rule.name, metric)

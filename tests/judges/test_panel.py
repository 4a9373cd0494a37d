"""What a majority says is kept, and where judges split is said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.judges.conftest import RULES
from tests.judges.endpoint import answer
from tests.judges.test_llm import FAULT

from benchlint.judges.cached import CachedJudge
from benchlint.judges.families import family
from benchlint.judges.keys import asker_key
from benchlint.judges.panel import Panel, View, combine
from benchlint.judges.prompt import ask
from benchlint.judges.protocol import JudgedFinding, NoVerdict, Verdict, Violation
from benchlint.judges.session import Memory

BEHAVIOUR = ("expected_behaviour",)
GPT, MINI, CLAUDE, GEMINI = "openai/gpt-4o", "azure/gpt-4o-mini", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-pro"


def found(rule: str = "missing-confirmation", span: tuple[int, int] | None = (0, 10), **changes: Any) -> JudgedFinding:
    values: dict[str, Any] = {"pointer": BEHAVIOUR, "confidence": 0.8, "reason": "No yes"} | changes
    return JudgedFinding(rule, "some words", span=span, **values)


def said(model: str, *findings: JudgedFinding, score: float | None = 7, judge: str = "", violations=()) -> View:
    return View(judge or model, model, Verdict("policy_alignment", model, score, findings, tuple(violations)))


def silent(model: str) -> View:
    return View(model, model, NoVerdict("policy_alignment", model, "the reply is empty"))


def test_a_majority_of_two_families_keeps_a_finding() -> None:
    result = combine([said(GPT, found(confidence=0.6)), said(CLAUDE, found(span=(5, 20))), said(GEMINI)], "panel")
    assert isinstance(result.verdict, Verdict)
    (kept,) = result.verdict.findings
    assert (kept.span, kept.confidence) == ((5, 20), 0.7)
    assert result.splits == ()
    assert result.verdict.judge == "panel"


def test_a_minority_is_a_split_that_keeps_each_view() -> None:
    result = combine([said(GPT, found()), said(CLAUDE), said(GEMINI)], "panel")
    assert isinstance(result.verdict, Verdict)
    assert result.verdict.findings == ()
    (split,) = result.splits
    assert split.message == "missing-confirmation: 1 of 3 answers of the judges say so"
    assert split.views == ((GPT, "No yes"), (CLAUDE, "does not say so"), (GEMINI, "does not say so"))
    assert split.finding == found()


def test_half_is_no_majority() -> None:
    assert len(combine([said(GPT, found()), said(CLAUDE)], "panel").splits) == 1


def test_models_of_one_family_alone_are_no_majority() -> None:
    result = combine([said(GPT, found()), said(MINI, found()), said(CLAUDE)], "panel")
    assert isinstance(result.verdict, Verdict)
    assert result.verdict.findings == ()
    assert result.splits[0].message == "missing-confirmation: only models of one family (openai) say so"
    assert combine([said(GPT, found()), said(MINI, found())], "panel").splits


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (found(span=(9, 12)), True),
        (found(span=(10, 12)), False),
        (found(span=None), True),
        (found(pointer=(*BEHAVIOUR, 0)), True),
        (found(pointer=("event_description",)), False),
        (found("forbidden-action"), False),
    ],
)
def test_findings_are_the_same_by_rule_and_place(other, same) -> None:
    result = combine([said(GPT, found()), said(CLAUDE, other)], "panel")
    assert isinstance(result.verdict, Verdict)
    assert (len(result.verdict.findings), len(result.splits)) == ((1, 0) if same else (0, 2))


def test_contradictions_are_the_same_by_their_items() -> None:
    one = JudgedFinding("contradictory-policy", "a", "So", ("p1", "p2"))
    other = JudgedFinding("contradictory-policy", "b", "So", ("p2", "p1"))
    third = JudgedFinding("contradictory-policy", "b", "So", ("p2", "p3"))
    result = combine([said(GPT, one, third), said(CLAUDE, other)], "panel")
    assert isinstance(result.verdict, Verdict)
    assert [item.policy_items for item in result.verdict.findings] == [("p1", "p2")]
    assert len(result.splits) == 1


def test_policy_items_are_those_that_most_name() -> None:
    items = (("p1", "p2"), ("p1",), ("p1", "p3"))
    views = [said(m, found(policy_items=named)) for m, named in zip((GPT, CLAUDE, GEMINI), items, strict=True)]
    result = combine(views, "panel")
    assert isinstance(result.verdict, Verdict)
    assert result.verdict.findings[0].policy_items == ("p1",)


def test_the_score_is_the_median_and_each_is_kept() -> None:
    result = combine([said(GPT, score=9), said(CLAUDE, score=7), said(GEMINI, score=8)], "panel")
    assert isinstance(result.verdict, Verdict)
    assert result.verdict.score == 8
    assert result.scores == {GPT: 9, CLAUDE: 7, GEMINI: 8}
    assert result.splits == ()


def test_scores_three_points_apart_are_a_split() -> None:
    (split,) = combine([said(GPT, score=9), said(CLAUDE, score=6), said(GEMINI, score=8)], "panel").splits
    assert split.message == "the scores of policy alignment go from 6 to 9"
    assert split.views == ((GPT, "9 of 10"), (CLAUDE, "6 of 10"), (GEMINI, "8 of 10"))
    assert split.finding is None


def test_one_model_asked_several_times_speaks_with_one_voice() -> None:
    views = [said(GPT, found(), judge="#1"), said(GPT, found(), judge="#2"), said(GPT, judge="#3", score=3)]
    result = combine(views, "panel")
    assert isinstance(result.verdict, Verdict)
    assert len(result.verdict.findings) == 1
    assert result.verdict.score == 7
    assert combine([*views[:1], said(GPT, judge="#2"), views[2]], "panel").splits
    assert combine([*views, said(CLAUDE)], "panel").splits, "three answers of one model are one voice of two"


def test_violations_are_kept_by_majority() -> None:
    one, other = Violation("p1", "words", confidence=0.9), Violation("p2", "words")
    views = [said(GPT, violations=[one, other]), said(CLAUDE, violations=[one]), said(GEMINI)]
    result = combine(views, "panel")
    assert isinstance(result.verdict, Verdict)
    assert [item.policy_item for item in result.verdict.violations] == ["p1"]
    assert result.violations == {}
    judged = [View(view.judge, view.model, replace(view.verdict, metric="violations", score=None)) for view in views]
    each = combine([*judged, View("x", "x", NoVerdict("violations", "x", "no"))], "panel").violations
    assert {judge: len(said) for judge, said in each.items()} == {GPT: 2, CLAUDE: 1, GEMINI: 0}
    assert result.splits == ()


def test_one_family_alone_gives_no_verdict_on_violations() -> None:
    views = [
        View(model, model, Verdict("violations", model, violations=(Violation("p1", "w"),))) for model in (GPT, MINI)
    ]
    result = combine([*views, View(CLAUDE, CLAUDE, NoVerdict("violations", CLAUDE, "down"))], "panel")
    assert isinstance(result.verdict, NoVerdict)
    assert "only models of one family (openai)" in result.verdict.reason
    assert result.violations.keys() == {GPT, MINI}
    alone = combine([replace(view, model=GPT) for view in views], "panel").verdict
    assert isinstance(alone, Verdict)
    assert len(alone.violations) == 1


def test_a_judge_without_a_verdict_does_not_vote() -> None:
    result = combine([said(GPT, found()), said(CLAUDE, found()), silent(GEMINI)], "panel")
    assert isinstance(result.verdict, Verdict)
    assert len(result.verdict.findings) == 1


def test_silent_judges_are_told_and_do_not_make_a_majority_smaller() -> None:
    others = [silent("mistral/a"), silent("groq/llama-b")]
    result = combine([said(GPT, found()), said(CLAUDE, found()), said(GEMINI), *others], "panel")
    assert isinstance(result.verdict, Verdict)
    assert result.verdict.findings == ()
    assert result.splits[0].message == "missing-confirmation: 2 of 3 answers of the judges say so"
    assert result.silent == (("mistral/a", "the reply is empty"), ("groq/llama-b", "the reply is empty"))
    assert combine([said(GPT), said(CLAUDE)], "panel").silent == ()


def test_half_of_the_judges_without_a_verdict_is_no_verdict() -> None:
    result = combine([said(GPT, found()), silent(CLAUDE)], "panel")
    assert isinstance(result.verdict, NoVerdict)
    assert result.verdict.reason == f"1 of 2 judges gave a verdict ({CLAUDE}: the reply is empty)"
    assert isinstance(combine([silent(GPT)], "panel").verdict, NoVerdict)
    reason = combine([silent(GPT), silent(CLAUDE)], "panel").verdict.reason
    assert reason == f"0 of 2 judges gave a verdict ({GPT}, {CLAUDE}: the reply is empty)"


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gpt-4o", "openai"),
        ("azure/gpt-4o-mini", "openai"),
        ("openrouter/openai/o3-mini", "openai"),
        ("bedrock/anthropic.claude-v2", "anthropic"),
        ("vertex_ai/claude-sonnet-4@20250514", "anthropic"),
        ("gemini/gemma-3-27b-it", "google"),
        ("groq/llama-3.3-70b-versatile", "meta"),
        ("mistral/codestral-latest", "mistral"),
        ("ollama/deepseek-r1-distill-qwen-32b", "deepseek"),
        ("together_ai/Qwen/Qwen3-235B", "alibaba"),
        ("openai/acme-small", "acme"),
        ("openai/acme_large", "acme"),
        ("openai/7b", "b"),
        ("openai/123", "123"),
    ],
)
def test_families(model, name) -> None:
    assert family(model) == name


@pytest.fixture
def quarrel(endpoint):
    """Every model finds the fault but Gemini, which finds another."""

    def script(call):
        if call.metric != "policy_alignment":
            return answer(call)
        other = {**FAULT, "rule": "forbidden-action"}
        fault = other if call.body["model"].startswith("gemini") else FAULT
        return answer(call, findings=[fault], score=4 if fault is FAULT else 8)

    endpoint.script = script
    return endpoint


MODELS = ("openai/gpt-4o", "openai/claude-sonnet", "openai/gemini-pro")


def test_a_panel_of_real_sessions(quarrel, session, benchmark) -> None:
    asked = ask(benchmark, RULES, ["policy_alignment"], benchmark.tasks[:5])
    store = Memory()
    panel = Panel([session(store, model=model) for model in MODELS])
    got: list = []
    outcome = panel.run(asked, lambda item, verdict: got.append((item.request.key, verdict)))
    assert sorted(key for key, _ in got) == [f"t{n}" for n in range(1, 6)]
    assert len(quarrel.calls) == outcome.usage.calls == 15
    for result in outcome.verdicts:
        assert isinstance(result.verdict, Verdict)
        assert [item.rule for item in result.verdict.findings] == ["missing-confirmation"]
        assert result.verdict.score == 4
        assert [split.message.split(":")[0] for split in result.splits] == [
            "the scores of policy alignment go from 4 to 8",
            "forbidden-action",
        ]
    assert outcome.scores() == {MODELS[0]: [4.0] * 5, MODELS[1]: [4.0] * 5, MODELS[2]: [8.0] * 5}
    askers = [asker_key(session(model=model).model.asker) for model in MODELS]
    cached = Panel([CachedJudge(store, [asker], name) for asker, name in zip(askers, MODELS, strict=True)])
    again = cached.run(asked)
    assert [result.splits for result in again.verdicts] == [result.splits for result in outcome.verdicts]
    assert again.cached == 15


def test_one_model_several_times_is_asked_several_times(endpoint, session, asked) -> None:
    store = Memory()
    panel = Panel([session(store, repetition=number, temperature=1.0) for number in range(3)])
    assert panel.judges == ["openai/judge #1", "openai/judge #2", "openai/judge #3"]
    outcome = panel.run([asked["policy_alignment"]])
    assert len(endpoint.calls) == 3
    assert list(outcome.verdicts[0].scores) == panel.judges
    panel.run([asked["policy_alignment"]])
    assert len(endpoint.calls) == 3


def test_a_panel_with_one_judge_down_goes_on(endpoint, session, asked) -> None:
    panel = Panel(
        [session(model=model) for model in MODELS[:2]] + [session(base_url="http://127.0.0.1:9/v1", retries=0)]
    )
    outcome = panel.run(list(asked.values()))
    assert all(isinstance(result.verdict, Verdict) for result in outcome.verdicts)
    assert {judge for result in outcome.verdicts for judge, _ in result.silent} == {"openai/judge"}

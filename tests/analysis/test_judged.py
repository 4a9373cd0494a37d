"""What judges say, as findings: where they stand, how severe they are, and what follows from them."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from benchlint.analysis.judged import judged_findings, said, uncalibrated_judges
from benchlint.analysis.snapshot import Snapshot
from benchlint.analysis.spoken import Thresholds, said_offline
from benchlint.benchmark.discovery import discover
from benchlint.benchmark.loader import load
from benchlint.catalogue.finding import Severity
from benchlint.catalogue.rule import load_rules, read_pages
from benchlint.judges.panel import PanelVerdict, Split
from benchlint.judges.prompt import ask
from benchlint.judges.protocol import JudgedFinding, NoVerdict, Verdict, Violation
from benchlint.trust.trust import Measurement, Trust

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.catalogue.finding import Anchor, Finding
    from benchlint.judges.protocol import Metric

RULES = load_rules()
POLICY = """# Shop — é

- The agent must obtain the order id before it cancels an order.
- Orders that are on their way cannot be cancelled.
- Today is 2026-04-10.
- The fee for a cancellation is 5 dollars.
"""
BEHAVIOUR = "The agent asks for the order id. 😀 It cancels the order at once. It says “goodbye”."


def task(number: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "id": str(number),
        "event_description": f"A user, é{number}, wants to cancel order W{number}.",
        "expected_behaviour": BEHAVIOUR,
        **more,
    }


def acting(number: int = 1) -> dict[str, Any]:
    arguments = {"order_id": f"W{number}", "items": ["é", "b"], "fee": 7, "zip": 123}
    actions = [
        {"action_id": f"{number}_0", "name": "get_order", "arguments": {"order_id": f"W{number}"}},
        {"action_id": f"{number}_1", "name": "cancel_order", "arguments": arguments},
    ]
    return {
        "id": str(number),
        "user_scenario": {"instructions": f"You are Mia. Cancel order W{number}."},
        "evaluation_criteria": {"actions": actions, "nl_assertions": ["The agent cancels the order."]},
    }


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., Benchmark]:
    def make(*tasks: Any, policy: str = POLICY, name: str = "tasks.json") -> Benchmark:
        text = tasks[0] if tasks and isinstance(tasks[0], str) else json.dumps(tasks, indent=1, ensure_ascii=False)
        (tmp_path / name).write_bytes(text.encode())
        (tmp_path / "policy.md").write_bytes(policy.encode())
        return load(discover([str(tmp_path)]).layouts[0], Snapshot().read)

    return make


def fault(
    rule: str = "missing-confirmation", quote: str = "It cancels the order at once.", **more: Any
) -> JudgedFinding:
    more = {"pointer": ("expected_behaviour",), "confidence": 0.9} | more
    return JudgedFinding(rule, quote, "The order is cancelled without a yes.", **more)


def verdict(*findings: JudgedFinding, judge: str = "gpt", metric: Metric = "policy_alignment", score: float | None = 8):
    return Verdict(metric, judge, score, findings)


def findings(benchmark: Benchmark, *said_of: Any, trust: Trust | None = None, **more: Any) -> list[Finding]:
    """Return the findings of verdicts on the first task, or of pairs of task and verdict."""
    pairs = [item if isinstance(item, tuple) else (benchmark.tasks[0], item) for item in said_of]
    return judged_findings(benchmark, [said(*pair) for pair in pairs], RULES, trust or Trust(), **more)


def text_at(benchmark: Benchmark, anchor: Anchor) -> str:
    if anchor.slice is None:
        return Path(anchor.path).read_bytes()[anchor.start : anchor.end].decode()
    return benchmark.sources[0].slices[anchor.slice].data[anchor.start : anchor.end].decode()


# Where a finding stands


def test_a_finding_stands_at_its_quote(made):
    benchmark = made(task(1), task(2))
    (found,) = findings(benchmark, (benchmark.tasks[1], verdict(fault(span=(36, 65)))))
    assert text_at(benchmark, found.anchor) == found.quote == BEHAVIOUR[36:65]
    assert (found.rule, found.task, found.pointer) == ("missing-confirmation", "2", "/expected_behaviour")
    assert found.found_by == "judge"


def test_a_quote_without_a_range_is_looked_for_in_its_field(made):
    benchmark = made(task())
    (found,) = findings(benchmark, verdict(fault(quote='it says "goodbye" ')))
    assert text_at(benchmark, found.anchor) == "It says “goodbye"


def test_a_quote_that_stands_nowhere_is_shown_at_its_field_and_said_so(made):
    benchmark = made(task())
    (found,) = findings(benchmark, verdict(fault(quote="It burns the order.", quoted="missing")))
    assert text_at(benchmark, found.anchor) == BEHAVIOUR
    assert 'the words "It burns the order." stand nowhere' in found.message
    assert found.fixes == ()


def test_a_judge_that_names_no_field_means_the_task(made):
    benchmark = made(task())
    (found,) = findings(benchmark, verdict(fault(pointer=None)))
    assert text_at(benchmark, found.anchor) == "1"


def test_a_whole_call_is_shown_at_its_name(made):
    benchmark = made(acting())
    at = ("evaluation_criteria", "actions", 1)
    (found,) = findings(benchmark, verdict(fault("forbidden-action", "cancel_order(order_id=", pointer=at)))
    assert text_at(benchmark, found.anchor) == "cancel_order"


def test_keys_and_values_of_calls(made):
    benchmark = made(acting())
    at = ("evaluation_criteria", "actions", 1, "arguments")
    key = fault("wrong-compensation", "fee", pointer=(*at, "fee"), key=True)
    value = fault("forbidden-action", "7", pointer=(*at, "fee"))
    listed = fault("hallucinated-step", "cancel_order", pointer=(*at, "items"))
    places = [text_at(benchmark, item.anchor) for item in findings(benchmark, verdict(key, value, listed))]
    assert places[:2] == ["fee", "7"]
    assert json.loads(places[2]) == ["é", "b"]


def test_the_policy_items_stand_beside_it(made):
    benchmark = made(task())
    items = benchmark.policy.items
    (found,) = findings(benchmark, verdict(fault(policy_items=(items[1].id, "gone"))))
    (related,) = found.related
    assert text_at(benchmark, related.anchor) == items[1].text
    assert items[1].text in related.message
    assert found.policy_items == (items[1].id, "gone")


def test_a_contradiction_stands_in_the_policy_with_the_other_item_beside_it(made):
    benchmark = made(task())
    one, other = benchmark.policy.items[:2]
    pair = fault("contradictory-policy", "cannot be cancelled", pointer=None, policy_items=(other.id, one.id))
    (found,) = findings(benchmark, (None, verdict(pair, metric="contradictions", score=None)))
    assert text_at(benchmark, found.anchor) == other.text
    assert [text_at(benchmark, item.anchor) for item in found.related] == [one.text]
    assert found.task is None


def test_a_contradiction_of_items_that_are_gone_is_not_told(made):
    pair = fault("contradictory-policy", pointer=None, policy_items=("gone", "too"))
    assert findings(made(task()), (None, verdict(pair, metric="contradictions", score=None))) == []


# How severe it is, and whether it is told


@pytest.mark.parametrize(
    ("measured", "severity"),
    [(None, Severity.INFORMATION), ((100, 1.0), Severity.WARNING), ((100, 0.1), Severity.HINT)],
)
def test_a_judge_is_trusted_as_far_as_it_was_measured(made, measured, severity):
    trust = Trust([Measurement("gpt", "missing-confirmation", *measured)] if measured else ())
    (found,) = findings(made(task()), verdict(fault()), trust=trust)
    assert found.severity is severity


def test_the_page_is_the_ceiling(made):
    trust = Trust([Measurement("gpt", "policy-loophole", 1000, 1.0)])
    loophole = fault("policy-loophole", "wants to cancel", pointer=("event_description",))
    (found,) = findings(made(task()), verdict(loophole, metric="ambiguity", score=None), trust=trust)
    assert found.severity is Severity.INFORMATION


def test_who_is_not_sure_is_not_told(made):
    benchmark = made(task())
    unsure = verdict(fault(confidence=0.69))
    assert findings(benchmark, unsure) == []
    assert len(findings(benchmark, unsure, thresholds=Thresholds(confidence=0.5))) == 1


def test_the_share_of_runs_is_no_confidence(made):
    decision = fault("ambiguous-instruction", "wants to cancel", pointer=("event_description",), confidence=0.2)
    assert len(findings(made(task()), verdict(decision, metric="ambiguity", score=None))) == 1


def test_no_verdict_says_nothing(made):
    assert findings(made(task()), NoVerdict("policy_alignment", "gpt", "down")) == []


def test_rules_that_are_not_looked_for_are_not_told(made):
    benchmark = made(task())
    rules = {name: rule for name, rule in RULES.items() if name != "missing-confirmation"}
    assert judged_findings(benchmark, [said(benchmark.tasks[0], verdict(fault(), score=2))], rules, Trust()) != []
    assert judged_findings(benchmark, [said(benchmark.tasks[0], verdict(fault()))], rules, Trust()) == []
    assert judged_findings(benchmark, [said(benchmark.tasks[0], verdict(fault(), score=1))], {}, Trust()) == []


def test_the_offline_reader_says_that_it_is(made):
    benchmark = made(task())
    spoken = said_offline(benchmark.tasks[0], [fault()], [Violation(benchmark.policy.items[0].id, "W1")])
    (found,) = judged_findings(benchmark, spoken, RULES, Trust())
    assert found.found_by == "offline"
    assert found.message == "The order is cancelled without a yes (offline reader)"


def test_a_page_of_a_team_is_a_rule_like_any_other(made, tmp_path):
    page = tmp_path / "my-rules" / "manners" / "rude-agent.md"
    page.parent.mkdir(parents=True)
    page.write_text(
        "---\nname: rude-agent\nseverity: error\nfound-by: judge\nmetric: policy_alignment\n---\n"
        "# rude-agent\n\n## What it finds\n\nRudeness.\n\n## Rubric\n\nReport rude words.\n",
        encoding="utf-8",
    )
    rules = RULES | {rule.name: rule for rule in read_pages(page.parent.parent)}
    benchmark = made(task())
    assert "rude-agent" in ask(benchmark, rules.values(), ["policy_alignment"])[0].rules
    rude = verdict(fault("rude-agent", "at once", rewrite="soon", span=(57, 64)))
    trust = Trust([Measurement("gpt", "rude-agent", 200, 1.0)])
    (found,) = judged_findings(benchmark, [said(benchmark.tasks[0], rude)], rules, trust)
    assert (found.severity, found.fixes[0].title) == (Severity.ERROR, 'Write "soon"')


# What is told once


def test_overlapping_findings_of_a_rule_are_one(made):
    benchmark = made(task())
    pair = fault(span=(36, 50), confidence=0.8), fault(quote="cancels the order at", span=(38, 60), confidence=0.95)
    (found,) = findings(benchmark, verdict(pair[0]), verdict(pair[1], judge="offline"))
    assert found.found_by == "offline"
    assert len(findings(benchmark, verdict(pair[0], dataclasses.replace(pair[1], rule="forbidden-action")))) == 2


@pytest.mark.parametrize(
    ("rule", "span", "told"),
    [
        ("missing-confirmation", (40, 80), 0),
        ("missing-confirmation", (65, 80), 1),
        ("duplicate-task", (36, 65), 0),
        ("duplicate-task", (36, 66), 1),
    ],
)
def test_what_a_check_has_found_there_is_not_told_again(made, rule, span, told):
    benchmark = made(task())
    (judged,) = findings(benchmark, verdict(fault(span=(36, 65))))
    (other,) = findings(benchmark, verdict(fault(span=span)))
    static = [replace(other, rule=rule, found_by="check")]
    assert len(findings(benchmark, verdict(fault(span=(36, 65))), static=static)) == told
    elsewhere = [replace(judged, anchor=replace(judged.anchor, slice=7))]
    assert len(findings(benchmark, verdict(fault(span=(36, 65))), static=elsewhere)) == 1


# What follows from verdicts


def test_low_scores_are_told_once_a_task(made):
    benchmark = made(task(1), task(2))
    low = verdict(metric="description_alignment", score=4), verdict(score=2)
    (found,) = findings(benchmark, *low, (benchmark.tasks[1], verdict(score=5)))
    assert found.rule == "low-alignment"
    assert found.message == "description alignment 4 and policy alignment 2 of 10; the floor is 5"
    assert text_at(benchmark, found.anchor) == "1"
    assert findings(benchmark, *low, thresholds=Thresholds(alignment=1)) == []


def test_of_several_scores_the_median_counts(made):
    scores = [verdict(score=score, judge=str(score)) for score in (1, 9, 8)]
    assert findings(made(task()), *scores) == []


def test_a_task_without_a_score_is_not_low(made):
    assert findings(made(task()), verdict(score=None, judge="offline")) == []


def violated(benchmark: Benchmark, *numbers: Sequence[int], judge: str = "gpt") -> list[tuple[Task, Verdict]]:
    """Return a verdict a task: the numbers of the items that it violates, from 0."""
    hits = [
        Violation(item.id, "wants", pointer=("event_description",), span=(11, 16)) for item in benchmark.policy.items
    ]
    return [
        (item, Verdict("violations", judge, violations=tuple(hits[number] for number in violated)))
        for item, violated in zip(benchmark.tasks, numbers, strict=False)
    ]


def of(rule: str, found: list[Finding]) -> list[Finding]:
    return [item for item in found if item.rule == rule]


def test_unchallenged_items_stand_in_the_policy(made):
    benchmark = made(*map(task, range(1, 5)))
    told = findings(benchmark, *violated(benchmark, [0], [0, 1], [0], [0, 1, 3]))
    found = of("unchallenged-policy-item", told)
    assert [text_at(benchmark, item.anchor) for item in found] == [benchmark.policy.items[at].text for at in (1, 3)]
    assert [item.message for item in found] == [
        "2 of 4 tasks challenge this item; 3 should",
        "1 of 4 tasks challenges this item; 3 should",
    ]
    assert [[related.message for related in item.related] for item in found] == [
        ['task "2" challenges it', 'task "4" challenges it'],
        ['task "4" challenges it'],
    ]
    assert text_at(benchmark, found[0].related[0].anchor) == benchmark.tasks[1].value["event_description"][11:16]


def test_few_verdicts_say_nothing_of_the_whole(made):
    benchmark = made(*map(task, range(1, 5)))
    assert findings(benchmark, *violated(benchmark, [0], [0], [0])) == []
    assert findings(benchmark, *violated(benchmark, [0], [0], [0]), thresholds=Thresholds(judged=0.7)) != []


def test_fewer_tasks_than_an_item_should_have_say_nothing_of_items(made):
    benchmark = made(task(1), task(2))
    assert of("unchallenged-policy-item", findings(benchmark, *violated(benchmark, [0], [1]))) == []


def test_the_silence_of_the_offline_reader_counts_for_nothing(made):
    benchmark = made(*map(task, range(1, 5)))
    assert findings(benchmark, *violated(benchmark, [], [], [], [], judge="offline")) == []


def test_low_challenge_is_one_finding_on_the_file_and_hints_on_tasks(made):
    benchmark = made(*map(task, range(1, 4)))
    found = of("low-challenge", findings(benchmark, *violated(benchmark, [0], [], [1])))
    assert [item.message for item in found] == [
        "3 tasks run into 2 policy items, 0.67 a task; the floor is 1",
        "the request runs into no policy item",
    ]
    assert (found[0].anchor.start, found[0].anchor.end, found[0].anchor.slice) == (0, 0, None)
    assert (found[1].severity, found[1].task) == (Severity.HINT, "2")


def test_a_judge_that_was_not_measured_is_told_once(made):
    benchmark = made(task(1), task(2))
    spoken = [
        said(benchmark.tasks[0], verdict(fault(), fault("forbidden-action", span=(0, 3)))),
        said(benchmark.tasks[1], verdict(fault(), fault("policy-loophole", span=(0, 3)))),
        *said_offline(benchmark.tasks[1], [fault()], []),
    ]
    trust = Trust([Measurement("gpt", "forbidden-action", 100, 1.0)])
    found = uncalibrated_judges([(benchmark, spoken), (benchmark, spoken)], RULES, trust, Thresholds())
    assert [item.message for item in found] == [
        "gpt has not been measured on missing-confirmation: what it finds there is information",
        "the offline reader has not been measured on missing-confirmation: what it finds there is information",
    ]
    assert [item.found_by for item in found] == ["judge", "offline"]


def test_a_judge_that_found_nothing_is_not_mentioned(made):
    benchmark = made(task())
    spoken = [said(benchmark.tasks[0], item) for item in (verdict(), verdict(fault(confidence=0.1)))]
    assert uncalibrated_judges([(benchmark, spoken)], RULES, Trust(), Thresholds()) == []


# Panels


def test_a_split_is_a_hint_with_each_view_beside_it(made):
    benchmark = made(task())
    splits = (
        Split("the scores go from 2 to 9", (("a", "2 of 10"), ("b", "9 of 10"))),
        Split(
            "missing-confirmation: 1 of 2 say so", (("a", "No yes."), ("b", "does not say so")), fault(span=(36, 65))
        ),
        Split("forbidden-action: 1 of 2 say so", (), fault("forbidden-action", confidence=0.3)),
    )
    panel = PanelVerdict(verdict(judge="panel of a, b"), splits)
    found = findings(benchmark, panel)
    assert {item.rule for item in found} == {"judge-disagreement"}
    assert [text_at(benchmark, item.anchor) for item in found] == ["1", BEHAVIOUR[36:65]]
    assert [[related.message for related in item.related] for item in found] == [
        ["a: 2 of 10", "b: 9 of 10"],
        ["a: No yes.", "b: does not say so"],
    ]
    assert all(item.severity is Severity.HINT and item.found_by == "panel" and not item.fixes for item in found)


def test_what_a_panel_agrees_on_is_the_panels(made):
    trust = Trust([Measurement("panel of a, b", "missing-confirmation", 100, 1.0)])
    (found,) = findings(made(task()), PanelVerdict(verdict(fault(), judge="panel of a, b")), trust=trust)
    assert (found.found_by, found.severity) == ("panel", Severity.WARNING)


# A task that belongs to another


def test_a_mismatched_task_names_the_one_it_belongs_to(made):
    told = "The agent finds the lost umbrella R-44 and sends it to Graz."
    benchmark = made(
        task(1, expected_behaviour=told),
        task(2, event_description="A user has lost the umbrella R-44 and wants it sent to Graz."),
        task(3),
    )
    swapped = fault("mismatched-task", "The agent finds the lost umbrella", span=(0, 33))
    (found,) = findings(benchmark, verdict(swapped, metric="description_alignment"))
    assert [item.message for item in found.related] == ['it fits the description of task "2"']
    unlike = made(task(1, expected_behaviour="The agent sings."), task(2), task(3))
    (found,) = findings(
        unlike, verdict(fault("mismatched-task", "The agent sings.", span=(0, 3)), metric="description_alignment")
    )
    assert found.related == ()


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_any_file_will_do(made, line_end):
    lines = [
        "benchlint: 1",
        "policy: policy.md",
        "tasks:",
        "  - id: é",
        "    description: You cancel.",
        "    expected:",
    ]
    lines += ["      behaviour: >-", "        The agent cancels", "        the 😀 order."]
    benchmark = made("\ufeff" + line_end.join(lines), name="tasks.yaml")
    at = fault(quote="cancels the 😀 order", pointer=("expected", "behaviour"))
    (found,) = findings(benchmark, verdict(at))
    assert text_at(benchmark, found.anchor) == f"cancels{line_end}        the 😀 order"

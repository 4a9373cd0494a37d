"""What an answer says is checked against what was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from benchlint.judges.protocol import JudgedFinding, NoVerdict, Verdict
from benchlint.judges.reading import read

if TYPE_CHECKING:
    from benchlint.judges.prompt import Asked

ACTIONS = ("evaluation_criteria", "actions")
INSTRUCTIONS = ("user_scenario", "instructions")


def fault(**changes: Any) -> dict[str, Any]:
    return {
        "rule": "missing-confirmation",
        "part": 4,
        "quote": "lend_book",
        "policy_items": [3],
        "reason": "No yes.",
        "confidence": 0.9,
        "rewrite": None,
    } | changes


def verdict(asked: Asked, **answer: Any) -> Verdict:
    counts = {"parts_read": len(asked.parts), "items_read": len(asked.items)}
    found = read(asked, counts | answer, "judge")
    assert isinstance(found, Verdict), found
    return found


def aligned(asked: dict[str, Asked], *faults: dict[str, Any]) -> Verdict:
    return verdict(asked["policy_alignment"], findings=list(faults), score=4)


def test_parts_are_what_the_tests_below_take_them_for(asked) -> None:
    assert [(part.label, part.text) for part in asked["policy_alignment"].parts] == [
        ("instructions", "You are member m1 and want to borrow the book b1."),
        ("purpose", "Checks loan 1."),
        ("expected action", 'get_member(member_id="m1")'),
        ("expected action", 'lend_book(member_id="m1", book_id="b1")'),
        ("assertion", "The agent lends b1 after the user has said yes."),
    ]


@pytest.mark.parametrize(
    ("part", "quote", "pointer", "span", "key"),
    [
        (1, "want to borrow", INSTRUCTIONS, (22, 36), False),
        (1, "want  to\nborrow", INSTRUCTIONS, (22, 36), False),
        (4, "lend_book", (*ACTIONS, 1, "name"), (0, 9), False),
        (4, "lend_book(member_id=", (*ACTIONS, 1), None, False),
        (4, 'lend_book(member_id="m1", book_id="b1")', (*ACTIONS, 1), None, False),
        (4, 'member_id="m1", book_id="b1"', (*ACTIONS, 1, "arguments"), None, False),
        (4, 'book_id="b1"', (*ACTIONS, 1, "arguments", "book_id"), None, False),
        (4, "book_id", (*ACTIONS, 1, "arguments", "book_id"), None, True),
        (4, "m1", (*ACTIONS, 1, "arguments", "member_id"), (0, 2), False),
        (3, "m1", (*ACTIONS, 0, "arguments", "member_id"), (0, 2), False),
        (None, "m1", INSTRUCTIONS, (15, 17), False),
        (99, "m1", INSTRUCTIONS, (15, 17), False),
        (5, "want to borrow", INSTRUCTIONS, (22, 36), False),
    ],
)
def test_a_quote_leads_to_the_value_in_which_it_stands(asked, part, quote, pointer, span, key) -> None:
    (found,) = aligned(asked, fault(part=part, quote=quote)).findings
    assert (found.pointer, found.span, found.key, found.quoted) == (pointer, span, key, "exact")


def test_a_misquote_is_found_and_said_to_be_one(asked) -> None:
    (found,) = aligned(asked, fault(part=5, quote="The agent lends b1 after the user said yes.")).findings
    assert found.quoted == "loose"
    assert found.pointer == ("evaluation_criteria", "nl_assertions", 0)


def test_words_that_stand_nowhere_mean_the_part_that_is_named(asked) -> None:
    (found,) = aligned(asked, fault(quote="a full refund of the fee", rewrite="no refund")).findings
    assert (found.pointer, found.span, found.quoted) == ((*ACTIONS, 1), None, "missing")
    assert found.rewrite is None


@pytest.mark.parametrize(
    "changes",
    [
        {"quote": ""},
        {"quote": " \n"},
        {"quote": "a full refund of the fee", "part": None},
        {"quote": "a full refund of the fee", "part": 0},
        {"quote": "a full refund of the fee", "part": -1},
        {"rule": "unmet-request"},
        {"rule": "made-up"},
    ],
)
def test_a_finding_without_a_place_or_of_no_rule_of_the_metric_is_dropped_and_counted(asked, changes) -> None:
    found = aligned(asked, fault(**changes))
    assert found.findings == ()
    assert found.dropped == 1
    assert found.score == 4


def test_a_rule_is_known_in_any_spelling(asked) -> None:
    assert aligned(asked, fault(rule="Missing Confirmation")).findings[0].rule == "missing-confirmation"
    assert aligned(asked, fault(rule="missing_confirmation")).findings[0].rule == "missing-confirmation"


def test_policy_items_out_of_range_are_left_out(asked) -> None:
    item = asked["policy_alignment"].items[2].id
    assert aligned(asked, fault(policy_items=[0, 3, 3, 9, -1])).findings[0].policy_items == (item,)


def test_of_two_findings_in_one_place_the_surer_is_kept(asked) -> None:
    found = aligned(asked, fault(confidence=0.5), fault(confidence=0.8), fault(rule="forbidden-action"))
    assert [(item.rule, item.confidence) for item in found.findings] == [
        ("missing-confirmation", 0.8),
        ("forbidden-action", 0.9),
    ]


def test_a_rewrite_that_changes_nothing_is_none(asked) -> None:
    assert aligned(asked, fault(rewrite="lend_book")).findings[0].rewrite is None
    assert aligned(asked, fault(rewrite="")).findings[0].rewrite == ""


@pytest.mark.parametrize("data", [None, [], {}, "10/10", 7, {"score": 10}, {"parts_read": 5, "findings": []}])
def test_what_is_not_of_the_form_is_no_verdict(asked, data) -> None:
    assert isinstance(read(asked["policy_alignment"], data, "judge"), NoVerdict)


def test_violations_are_of_items_and_need_a_quote(asked) -> None:
    hit = {"policy_item": 2, "part": 1, "quote": "borrow the book", "reason": "Three already.", "confidence": 0.6}
    found = verdict(
        asked["violations"],
        violations=[hit, hit | {"confidence": 0.9}, hit | {"policy_item": 9}, hit | {"policy_item": 1, "quote": ""}],
    )
    assert [(item.policy_item, item.confidence, item.pointer) for item in found.violations] == [
        (asked["violations"].items[1].id, 0.9, INSTRUCTIONS)
    ]
    assert found.dropped == 2
    assert found.findings == ()


def decision(**changes: Any) -> dict[str, Any]:
    plays = [{"user_says": "Yes.", "end_state": "b1 is lent."}, {"user_says": "No.", "end_state": "Nothing is lent."}]
    return {
        "decision": "whether to take another book",
        "part": 1,
        "quote": "want to borrow",
        "settled_by": None,
        "plays": plays,
        "likelihood": 0.4,
    } | changes


def played(asked: dict[str, Asked], *decisions: dict[str, Any], findings: tuple = ()) -> Verdict:
    return verdict(asked["ambiguity"], decisions=list(decisions), findings=list(findings))


def test_an_open_decision_with_two_ends_is_ambiguous(asked) -> None:
    (found,) = played(asked, decision()).findings
    assert (found.rule, found.pointer, found.confidence) == ("ambiguous-instruction", INSTRUCTIONS, 0.4)
    assert found.reason == "whether to take another book: b1 is lent, or Nothing is lent"


@pytest.mark.parametrize(
    "changes",
    [
        {"settled_by": "want to borrow the book b1"},
        {"likelihood": 0.19},
        {"plays": []},
        {"plays": [{"user_says": "Yes.", "end_state": "b1 is lent."}]},
        {"plays": [{"user_says": "Yes.", "end_state": "b1 is lent."}, {"user_says": "No", "end_state": "B1 is  lent"}]},
    ],
)
def test_a_settled_decision_and_one_with_one_end_are_no_finding(asked, changes) -> None:
    found = played(asked, decision(**changes))
    assert (found.findings, found.dropped) == ((), 0)


def test_words_outside_the_scenario_settle_nothing(asked) -> None:
    assert played(asked, decision(settled_by="take whatever the agent offers")).findings
    assert played(asked, decision(settled_by="Checks loan 1.")).findings
    assert played(asked, decision(settled_by=" ")).findings


def test_an_open_decision_without_a_quote_is_dropped_and_counted(asked) -> None:
    found = played(asked, decision(quote=""))
    assert (found.findings, found.dropped) == ((), 1)


def test_the_likelihood_from_which_on_a_decision_counts_can_be_set(asked) -> None:
    answer = {"parts_read": len(asked["ambiguity"].parts), "decisions": [decision(likelihood=0.1)], "findings": []}
    found = read(asked["ambiguity"], answer, "judge", likelihood=0.1)
    assert isinstance(found, Verdict)
    assert len(found.findings) == 1


def test_ambiguity_has_findings_of_its_other_rules_too(asked) -> None:
    found = played(asked, decision(plays=[]), findings=(fault(rule="missing-fallback", part=1, quote="the book"),))
    assert [item.rule for item in found.findings] == ["missing-fallback"]


def contradicting(asked: dict[str, Asked], *pairs: dict[str, Any]) -> Verdict:
    return verdict(asked["contradictions"], contradictions=list(pairs))


def pair(**changes: Any) -> dict[str, Any]:
    words = {"quote": "at most three loans", "reason": "With four.", "confidence": 0.8}
    return {"first": 1, "second": 2} | words | changes


def test_a_contradiction_stands_in_the_second_item(asked) -> None:
    items = asked["contradictions"].items
    (found,) = contradicting(asked, pair(), pair(first=2, second=1, confidence=0.3)).findings
    start = items[1].text.index("at most")
    assert found == JudgedFinding(
        "contradictory-policy",
        "at most three loans",
        "With four",
        (items[1].id, items[0].id),
        0.8,
        span=(start, start + 19),
    )


@pytest.mark.parametrize("changes", [{"first": 2}, {"first": 0}, {"second": 9}, {"quote": ""}])
def test_a_pair_that_is_none_is_dropped_and_counted(asked, changes) -> None:
    found = contradicting(asked, pair(**changes))
    assert (found.findings, found.dropped) == ((), 1)


def test_a_quote_that_is_not_in_the_item_means_the_item(asked) -> None:
    assert contradicting(asked, pair(quote="never any refunds")).findings[0].quoted == "missing"

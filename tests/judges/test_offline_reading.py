"""What the offline judge reads of policies, prose and actions, and that it always quotes the text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.judges.offline_cases import BANK, check_quotes, policy, rules, task
from tests.measure import offline as measured

from benchlint.benchmark.model import Call, Tools
from benchlint.benchmark.policy import read_policy
from benchlint.judges.offline import OfflineVerdict, PolicyReading, assess, read
from benchlint.judges.offline.assent import names
from benchlint.judges.offline.prose import read_prose
from benchlint.judges.offline.words import stem

# What is read of a policy


def test_needs_bans_limits_and_amounts_of_the_hotel():
    loaded = measured.benchmark(measured.FIXTURES / "hotel" / "tasks.yaml")
    reading = read(loaded.policy, loaded.tools)
    phrases = {flow.title: [need.phrase for need in flow.needs] for flow in reading.flows}
    assert phrases["Cancel a booking"] == [
        "the email address",
        "the booking number",
        "the reason for the cancellation",
        "",
    ]
    assert {(limit.number, limit.noun) for limit in reading.limits} == {(4, ("guest",)), (3, ("room",))}
    assert {(amount.value, amount.per) for amount in reading.amounts} == {
        (18, ("guest", "night")),
        (25, ("night",)),
        (20, ("night",)),
        (15, ("guest",)),
    }
    saver = [ban for ban in reading.bans if stem("saver") in ban.kinds]
    assert {ban.family for ban in saver} == {stem("change"), stem("cancel")}
    assert "travel-agency" in reading.exclusions[0].item
    assert reading.hand_over.startswith("hand-guest-over")


def test_a_conditional_duty_is_no_need_of_every_act():
    reading = policy("# Shop\n\n## Cancel an order\n\n- If the order was a gift, ask for the email address.\n")
    assert [flow.needs for flow in reading.flows] == [()]


def test_consent_only_for_what_the_policy_names():
    text = "# Shop\n\nYou can help customers cancel, return and track orders.\n\n"
    reading = policy(text + "- Before you cancel an order, obtain an explicit yes.\n")
    assert rules(reading, "You want to return a lamp.", "The agent returns the lamp.") == set()
    assert rules(reading, "You want to cancel it.", "The agent cancels the order.") == {"missing-confirmation"}


# What is read of prose


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Once the user confirms, the agent should proceed with the upgrade.",
            [("after", "user", "confirm"), ("main", "agent", "proceed")],
        ),
        (
            "It should inform the user that flights cannot be changed and suggest booking a new one.",
            [("main", "agent", "inform"), ("content", "other", "chang"), ("main", "agent", "suggest")],
        ),
        (
            "The agent stays polite, and neither cancels the booking nor hands the guest over.",
            [("main", "agent", "stai"), ("main", "agent", "cancel"), ("main", "agent", "hand")],
        ),
        (
            "Only after receiving a yes should the agent cancel it.",
            [("after", "", "receiv"), ("main", "agent", "cancel")],
        ),
    ],
)
def test_clauses(text, expected):
    found = [(clause.link, clause.subject, clause.verb) for clause in read_prose(text).clauses if clause.verb]
    assert [clause for clause in expected if clause not in found] == []


def test_negation_reaches_the_verbs_it_governs():
    text = "The agent stays polite, and neither cancels the booking nor hands the guest over."
    assert {clause.verb for clause in read_prose(text).clauses if clause.negated} == {"cancel", "hand"}


def test_a_list_of_steps_reads_like_one_text():
    reading = policy(BANK)
    steps = ["The assistant verifies the customer's identity.", "It blocks the card."]
    description = "You lost your card and want it blocked because you fear a fraud."
    verdict = assess(reading, task(description, steps))
    assert {found.rule for found in verdict.findings} == rules(reading, description, " ".join(steps))
    assert {found.pointer for found in verdict.findings} == {("behaviour", 1)}


@pytest.mark.parametrize("noise", ["Café 😀 naïve. ", "Première étape:\r\n", "\ufeffNow.\u2028", "e\u0301te\u0301. "])
def test_spans_are_right_beside_odd_characters(noise):
    reading = policy(BANK)
    judged = task(f"{noise}You want your card blocked.", f"{noise}The assistant blocks the card. {noise}")
    verdict = assess(reading, judged)
    assert "missing-confirmation" in {found.rule for found in verdict.findings}
    check_quotes(verdict, judged)


# Bare lists of actions


def call(name: str, **arguments: object) -> Call:
    return Call(("actions", 0), name, arguments)


AIRLINE = """# Airline

- Before booking, obtain the user id and an explicit confirmation.
- Each reservation can have at most five passengers.
- If the user complains about a delay and asks for compensation, offer a certificate of 50 dollars for each passenger.
"""


def test_a_list_of_actions_shows_sums_and_numbers():
    actions = (
        call("book_reservation", passengers=[{}] * 6),
        call("send_certificate", amount=70),
        call("send_certificate", amount=True),
        call("send_certificate", amount=150),
        call("cancel_reservation", reservation_id="R1"),
    )
    findings = assess(policy(AIRLINE), task("You want to book.", [], actions)).findings
    assert [(found.rule, found.quote) for found in findings] == [
        ("forbidden-action", "book_reservation"),
        ("wrong-compensation", "70"),
    ]


# Violations


@pytest.mark.parametrize(
    ("description", "behaviour", "quoted"),
    [
        ("A guest wants to cancel her saver booking.", "The agent refuses.", "to cancel her saver booking"),
        ("Five guests want to share one room.", "The agent refuses.", "Five guests want to share one room"),
        ("A guest asks for a recommendation.", "The agent declines.", "A guest asks for a recommendation"),
        ("A guest wants to cancel her flexible booking.", "The agent cancels it after a yes.", None),
        ("A guest wants to book a room for two.", "The agent books it after a yes.", None),
    ],
)
def test_violations_are_requests_against_an_item(description, behaviour, quoted):
    loaded = measured.benchmark(measured.FIXTURES / "hotel" / "tasks.yaml")
    judged = task(description, behaviour)
    verdict = assess(read(loaded.policy, loaded.tools), judged)
    check_quotes(verdict, judged)
    assert [violation.quote for violation in verdict.violations] == ([quoted] if quoted else [])


# Any input


def test_nothing_to_read_says_nothing():
    empty = OfflineVerdict()
    assert assess(PolicyReading(), task([], [])) == empty
    assert assess(PolicyReading(), task("You want a refund.", "The agent refunds it.")) == empty
    assert assess(policy(""), task("", "")) == empty
    assert read(read_policy([]), Tools({})).flows == ()


WORDS = [
    *re.findall(r"[A-Za-z']+|[.,;:()]", BANK),
    *("the agent", "The assistant should", "it should", "If the customer insists,", "confirm", "yes", "300 euros"),
    *("six", "not", "cannot", "to", "that", "and", "before", "after", "blocked", "\n\n", "- ", "1. ", "# ", "é", "😀"),
]


@given(st.lists(st.sampled_from(WORDS), max_size=60), st.lists(st.sampled_from(WORDS), max_size=40))
def test_any_words_give_quotes_from_the_text(behaviour, description):
    judged = task(" ".join(description), [" ".join(behaviour), " ".join(reversed(behaviour))])
    check_quotes(assess(READING, judged), judged)


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=300))
def test_any_text_is_read(description, behaviour, policy_text):
    judged = task(description, behaviour)
    check_quotes(assess(READING, judged), judged)
    check_quotes(assess(policy(policy_text), judged), judged)


READING = policy(BANK)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("You are Ida Berg, insurance 991.", {"ida", "berg"}),
        ("User 'John Doe' with ID 4 wants", {"john", "doe"}),
        ("I am \u00c9lodie.", {"\u00e9lodi"}),
        ("You are in Rome.", set()),
        ("You are a member of Plus.", set()),
        ("You are VERY angry.", set()),
        ("You are customer 4.", set()),
    ],
)
def test_a_user_is_known_by_name(text, found):
    assert names(text) == found

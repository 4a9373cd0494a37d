"""The offline judge: what it finds, and where it keeps silent."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.judges.offline_cases import BANK, check_quotes, policy, rules, task
from tests.measure import offline as measured

from benchlint.judges.offline import RULES, assess, read

ROOT = Path(__file__).parents[2]
needs_sample = pytest.mark.skipif(not measured.SHARED.is_dir(), reason="../shared/data/intellagent is not there")


# The sample and the fixtures


@needs_sample
def test_findings_on_the_reference_sample_are_right():
    rows = measured.measure()["reader"]
    every = measured.together(rows.values())
    assert every.findings >= 10
    assert sum(row.findings > 0 for row in rows.values()) >= 2
    assert every.precision >= 0.8
    assert every.recall >= 0.5


@needs_sample
def test_the_reader_is_better_than_the_baselines():
    table = measured.measure()
    reader, *baselines = (measured.together(rows.values()) for rows in table.values())
    assert len(baselines) == 3
    assert all(reader.precision > other.precision and reader.f1 > other.f1 for other in baselines)
    collection = table["reader"]["missing-information-collection"]
    assert collection.findings == 0 or collection.precision > 0.85, "the word cancel alone is right in 85 of 100"


@needs_sample
def test_quotes_on_the_real_tasks_stand_in_their_fields():
    for name in ("airline_run0", "airline_run1"):
        loaded = measured.benchmark(measured.SHARED / f"{name}.json")
        reading = read(loaded.policy, loaded.tools)
        for judged in loaded.tasks:
            check_quotes(assess(reading, judged), judged)


SILENT = {"hotel": 20, "hotel-planted": 20, "telecom-shop": 12, "clinic": 10, "library-phone": 12, "garden-shop": 12}
"""Fixtures of prose and how many tasks each has at least."""


def test_good_tasks_and_clean_twins_are_silent():
    for name, tasks in SILENT.items():
        file = "clean.yaml" if name == "hotel-planted" else "tasks.yaml"
        found = measured.findings(measured.FIXTURES / name / file)
        assert len(found) >= tasks
        assert {key: said for key, (_, said) in found.items() if said} == {}


def test_planted_defects_are_found_under_each_rule():
    rows, _, _ = measured.planted()
    every = measured.together(rows.values())
    assert set(rows) == set(RULES)
    assert all(row.labels >= 4 and row.found for row in rows.values())
    assert every.recall >= 0.8
    assert every.precision >= 0.8


def test_the_fix_of_a_planted_defect_leaves_the_rule_silent():
    loaded = measured.benchmark(measured.FIXTURES / "hotel-planted" / "tasks.yaml")
    reading = read(loaded.policy, loaded.tools)
    for judged in loaded.tasks:
        (field,) = judged.behaviour
        for found in assess(reading, judged).findings:
            assert found.rewrite is not None
            start, end = found.span
            mended = field.text[:start] + found.rewrite + field.text[end:]
            again = task([item.text for item in judged.scenario], mended)
            assert found.rule not in {other.rule for other in assess(reading, again).findings}, (judged.id, mended)


@pytest.mark.parametrize("domain", ["airline", "retail", "telecom"])
def test_reference_trajectories_of_tau2_are_not_faulted(domain):
    path = measured.SHARED.parent / "tau2" / domain / "tasks.json"
    if not path.is_file():
        pytest.skip("../shared/data/tau2 is not there")
    assert {key: said for key, (_, said) in measured.findings(path).items() if said} == {}


@pytest.mark.parametrize("rule", ["missing-confirmation", "missing-information-collection", "hallucinated-step"])
def test_examples_of_the_rule_pages(rule, tmp_path):
    page = (ROOT / "rules" / "behaviour" / f"{rule}.md").read_text(encoding="utf-8")
    for kind, expected in (("Bad", {rule}), ("Good", set())):
        section = page.partition(f"## {kind} example")[2].partition("\n## ")[0]
        folder = tmp_path / kind
        folder.mkdir()
        for name, text in re.findall(r"^```\w+ (\S+)\n(.*?)^```$", section, re.DOTALL | re.MULTILINE):
            (folder / name).write_text(re.sub("[⟦⟧]", "", text), encoding="utf-8")
        (path,) = folder.glob("*.yaml")
        found = [finding for _, said in measured.findings(path).values() for finding in said]
        assert {finding.rule for finding in found} == expected
        marked = re.search("⟦(.*?)⟧", section, re.DOTALL)
        if marked:
            assert all(measured.overlap(marked[1], marked[1], finding.quote) for finding in found)


def test_output_does_not_depend_on_the_hash_seed():
    code = (
        "from tests.measure.offline import FIXTURES, findings\n"
        "print([said for name in ('tasks', 'clean') "
        "for _, said in findings(FIXTURES / 'hotel-planted' / f'{name}.yaml').values()])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1


# Another domain, to see that nothing is made for hotels and airlines


@pytest.mark.parametrize(
    ("description", "behaviour"),
    [
        (
            "You want to send 300 euros to your landlord, Otto Weber.",
            "You verify the customer's identity by customer number and date of birth. You ask for the recipient's name,"
            " the account number and the amount, check that the balance covers it, read the transfer back, and make it"
            " after the customer approves.",
        ),
        (
            "A customer wants to transfer 8,000 euros to a friend right now.",
            "After verifying the customer's identity, the assistant explains that transfers above 5000 euros cannot be"
            " made in chat and declines. When the customer keeps insisting, the assistant repeats its answer.",
        ),
        (
            "Your card was stolen. You want it blocked and a new one sent to you.",
            [
                "The assistant verifies the customer number and the date of birth.",
                "It asks why the card is to be blocked.",
                "It explains that a blocked card cannot be unblocked and that a new card costs 10 euros.",
                "With the customer's explicit approval it blocks the card and orders a new one.",
            ],
        ),
        (
            "A customer asks whether it is a good moment to buy gold.",
            "The assistant should politely decline to give investment advice.",
        ),
        (
            "A customer wants to dispute a pending transaction.",
            "The assistant should verify the customer's identity, look up the transaction, and tell the customer that"
            " pending transactions cannot be disputed. It should not open a dispute.",
        ),
        (
            "A customer complains about a wrongly charged fee of 12 euros and asks for a refund.",
            "The assistant should verify the customer's identity, check the account, and offer to refund the fee of 12"
            " euros. If the customer agrees, the assistant should refund it.",
        ),
        (
            "A customer wants a mortgage.",
            "Since this is beyond its capabilities, the assistant should connect the customer to a human advisor.",
        ),
    ],
)
def test_good_tasks_of_a_bank_are_silent(description, behaviour):
    assert rules(policy(BANK), description, behaviour) == set()


@pytest.mark.parametrize(
    ("rule", "description", "behaviour"),
    [
        (
            "missing-confirmation",
            "You want to send 300 euros to your landlord.",
            "The assistant verifies the customer's identity, asks for the recipient's name, account number and the"
            " amount, checks the balance, and transfers the money.",
        ),
        (
            "missing-information-collection",
            "You want to send 300 euros to your landlord.",
            "The assistant verifies the customer's identity, summarises the transfer, and asks for approval. After"
            " approval it makes the transfer.",
        ),
        (
            "forbidden-action",
            "A customer wants to dispute a pending transaction of yesterday.",
            "The assistant verifies the customer's identity and summarises the case. On the customer's explicit"
            " approval it disputes the transaction.",
        ),
        (
            "forbidden-action",
            "A customer has found her blocked card again and wants it unblocked.",
            "The assistant should verify the customer's identity, ask for explicit approval and unblock the card.",
        ),
        (
            "forbidden-action",
            "A customer wants to transfer 8,000 euros.",
            "The assistant verifies identity and declines. If the customer is upset, the assistant connects the"
            " customer to a human advisor.",
        ),
        (
            "wrong-compensation",
            "Your card was stolen. You want a new one.",
            "The assistant verifies the customer's identity, asks for the reason, explains that a new card costs 15"
            " euros, and, after explicit approval, blocks the card and orders a new one.",
        ),
        (
            "wrong-compensation",
            "A customer mentions a fee of 12 euros that was wrongly charged.",
            "The assistant verifies the customer's identity and checks the account. It should offer a goodwill refund"
            " of 12 euros and, with approval, refund it.",
        ),
        (
            "hallucinated-step",
            "Your card was stolen. You want a new one.",
            "The assistant verifies the customer's identity, asks for the reason, and escalates the case to a"
            " supervisor.",
        ),
    ],
)
def test_defects_of_a_bank_are_found(rule, description, behaviour):
    assert rules(policy(BANK), description, behaviour) == {rule}


# Policies that others wrote

PROSE = yaml.safe_load((Path(__file__).parent / "prose.yaml").read_text(encoding="utf-8"))


def of_shared(entry: dict[str, str]) -> set[str]:
    path = measured.SHARED.parent / entry["policy"]
    if not path.is_file():
        pytest.skip("../shared/data is not there")
    return rules(policy(path.read_text(encoding="utf-8")), entry["description"], entry["behaviour"])


@pytest.mark.parametrize("entry", [entry for entry in PROSE if "rule" not in entry], ids=lambda entry: entry["id"])
def test_good_prose_is_silent(entry):
    assert of_shared(entry) == set()


@pytest.mark.parametrize("entry", [entry for entry in PROSE if "rule" in entry], ids=lambda entry: entry["id"])
def test_defective_prose_is_found(entry):
    assert entry["rule"] in of_shared(entry)


# Consent in many words


CLINIC = policy((measured.FIXTURES / "clinic" / "policy.md").read_text(encoding="utf-8"))
IDA = "You are Ida Berg, insurance 991. You want to see Dr Holm on 3 May about your knee."
INTAKE = (
    "The agent identifies Ida by name and insurance number. It collects the doctor, the date and the reason. The agent "
)
CONSENTING = [
    "sums up the appointment and waits for the patient's go-ahead. It then books the appointment.",
    "reads the details back to the patient, who is fine with them. It books the appointment.",
    "reads the details back. If that is right, the agent books the appointment.",
    "repeats the details. The patient has no objection, so the agent books the appointment.",
    "sums up the details and books the appointment as soon as the patient gives the green light.",
    'repeats the details; the patient says "sure, go ahead". The agent books the appointment.',
    'repeats the details and asks "Shall I book it?". After a nod from the patient it books the appointment.',
    "asks whether the details are correct. The patient replies that they are. The agent books the appointment.",
    "asks if it may book the appointment. The patient says that it may. It then books the appointment.",
    "double-checks the details with Ida and books the appointment.",
    "reads the summary to Ida. When she says OK, it books the appointment.",
    "reads the summary to Ida and, if she is happy, books the appointment.",
    "reads the summary to Ida and gets her OK. It books the appointment.",
    "lists the details. Ida accepts. The appointment is booked.",
    "lists the details and requests that Ida confirm. The appointment is then booked.",
    "lists the details and books the appointment once Ida has given her consent.",
    "makes sure that Ida wants this before it books the appointment.",
    "lists the details, and, subject to the patient's approval, books the appointment.",
    "asks Ida to say yes or no; on yes it books the appointment.",
    "has Ida confirm the details and books the appointment.",
    "seeks confirmation. Confirmation given, it books the appointment.",
    "only books the appointment when the patient explicitly agrees to the listed details.",
    "lists the details and asks Ida to approve them. She does, and the appointment is booked.",
    "does not book the appointment before Ida has confirmed the details.",
    "books the appointment upon the patient's agreement.",
    "verifies the details with the patient and then books the appointment.",
    "lists the details and asks for a final okay. Then it books the appointment.",
    "waits until Ida has no objections. Then the appointment is booked.",
    "goes through the details with her and books the appointment.",
    "says \u201cI will book 3 May with Dr Holm, may I?\u201d and books the appointment.",
]
NOT_CONSENTING = [
    "books the appointment.",
    "lists the details and books the appointment.",
    "tells the patient what it will do and then books the appointment.",
    "finds the card of the clinic all right and books the appointment.",
    'says "this will take a minute" and books the appointment.',
]


@pytest.mark.parametrize("behaviour", CONSENTING)
def test_consent_is_consent_in_whatever_words(behaviour):
    assert rules(CLINIC, IDA, INTAKE + behaviour) == set()


@pytest.mark.parametrize("behaviour", NOT_CONSENTING)
def test_talk_is_no_consent(behaviour):
    assert rules(CLINIC, IDA, INTAKE + behaviour) == {"missing-confirmation"}


LIBRARY = policy((measured.FIXTURES / "library-phone" / "policy.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("waived", "found"),
    [
        ("can waive 5 of the 12 euros", set()),
        ("waives 5 euros; 7 euros remain", set()),
        ("waives 5 euros, and 7 euros are still open", set()),
        ("waives 4 euros", set()),
        ("waives 12 euros", {"wrong-compensation"}),
        ("waives the fine of 12 euros", {"wrong-compensation"}),
    ],
)
def test_the_whole_of_which_a_part_is_given_is_no_gift(waived, found):
    behaviour = f"The agent asks for the card number. The reader has approved it, and the agent {waived}."
    assert rules(LIBRARY, "You complain about a fine of 12 euros and ask to have it dropped.", behaviour) == found


# Prices, in the ways in which policies and tasks tell them

THEATRE = policy(
    """# Theatre desk

## Prices

| seats | evening | matinee |
|---|---|---|
| gallery | 20 dollars | 14 dollars |

- A box costs 90 dollars for adults and 60 dollars for children.
- A programme costs 5 dollars, in the matinee 3 dollars.
- A handling fee of 3 dollars is added to each booking.
- If a show is interrupted, give a credit of 4 dollars for each full hour.
- The fee for an exchange is 7 dollars.
- Groups of ten and more get 20% off.
"""
)


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ("says that the gallery costs 14 dollars", set()),
        ("says that the gallery costs 15 dollars", {"wrong-compensation"}),
        ("offers the box for 60 dollars", set()),
        ("offers the box for 65 dollars", {"wrong-compensation"}),
        ("offers a programme for 3 dollars", set()),
        ("offers a programme for 7 dollars", {"wrong-compensation"}),
        ("names 66 dollars for the concert and 5 dollars for the programme", set()),
        ("names 66 dollars for the concert and 8 dollars for the programme", {"wrong-compensation"}),
        ("refunds 43 dollars including the handling fee of 3 dollars", set()),
        ("refunds 43 dollars including the handling fee of 4 dollars", {"wrong-compensation"}),
        ("names 20 dollars for the gallery and 5 dollars for the programme, a programme total of 25 dollars", set()),
        ("offers twelve boxes with 20% off, 864 dollars", set()),
        ("offers the box for USD 60", set()),
        ("offers the box for USD 65", {"wrong-compensation"}),
        ("says that the box is 70 dollars more than the gallery", set()),
        ("gives a credit of 12 dollars, that is 4 dollars for each full hour of the three hours", set()),
        ("gives a credit of 13 dollars for the three hours", {"wrong-compensation"}),
    ],
)
def test_sums_are_compared_with_what_they_are_for(told, found):
    assert rules(THEATRE, "A guest asks about seats.", f"The agent {told}.") == found


AIRLINE = policy(
    """# Airline

- You can help users book, change or cancel reservations.
- Before any change you must list the details and obtain the user's explicit confirmation.

## Book flight

- The agent must ask for the date of birth of each passenger.

## Change reservation

Change flights:
- Flights in basic economy cannot be changed.
- The agent must make sure that the rules apply.

Change cabin:
- The cabin of each flight must be the same.
"""
)


@pytest.mark.parametrize(
    ("behaviour", "found"),
    [
        ("The agent refuses: the reservation was booked two days ago.", set()),
        ("The agent lists the details. On an explicit yes it changes the cabin.", set()),
        ("The agent lists the details. On an explicit yes it changes the flights.", {"missing-information-collection"}),
        ("The agent lists the details. On a yes it books the flight.", {"missing-information-collection"}),
    ],
)
def test_what_was_before_is_no_act_and_a_list_is_about_what_opens_it(behaviour, found):
    assert rules(AIRLINE, "You want to fly in another cabin.", behaviour) == found


@pytest.mark.parametrize(
    ("before", "behaviour", "found"),
    [
        ("before you discuss a booking", "states the price and, on a clear yes, books a room", set()),
        ("before you discuss a booking", "on a clear yes, cancels the booking", {"missing-information-collection"}),
        ("before you make a booking", "on a clear yes, books a room", {"missing-information-collection"}),
        ("first", "on a clear yes, books a room", {"missing-information-collection"}),
    ],
)
def test_nobody_is_known_by_the_number_of_what_is_not_made_yet(before, behaviour, found):
    needed = f"You must verify the guest by booking number {before}."
    text = f"# Desk\n\nYou can help guests book or cancel rooms.\n\n- {needed}"
    assert rules(policy(text), "You want a room.", f"The agent {behaviour}.") == found

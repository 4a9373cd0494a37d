"""Means that a scenario demands and that the user's record does not have."""

from __future__ import annotations

import json

import pytest

from benchlint.analysis.run import Options, run
from benchlint.analysis.snapshot import Snapshot
from benchlint.config import ConfigLookup

USERS = {
    "ada_roe": {
        "user_id": "ada_roe",
        "name": "Ada",
        "email": "a@x.org",
        "membership": "silver",
        "payment_methods": {"c1": {"source": "credit_card", "brand": "visa"}},
    },
    "bo_lind": {
        "user_id": "bo_lind",
        "name": "Bo",
        "email": "b@x.org",
        "membership": "gold",
        "payment_methods": {"c2": {"source": "paypal"}},
    },
}


def messages(folder, said: str) -> list[str]:
    task = {
        "id": "1",
        "user_scenario": {"instructions": f"You are user ada_roe. {said}"},
        "evaluation_criteria": {"actions": [{"action_id": "1", "name": "book", "arguments": {"user_id": "ada_roe"}}]},
    }
    (folder / "tasks.json").write_text(json.dumps([task]))
    (folder / "db.json").write_text(json.dumps({"users": USERS}))
    result = run([str(folder)], Snapshot(), ConfigLookup(), Options(select=("impossible-constraint",)))
    return [finding.message for finding in result.findings]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("Pay with your Mastercard.", "the user must pay with a Mastercard; the record of ada_roe has none"),
        (
            "You want the refund charged to your PayPal.",
            "the user must pay with a PayPal account; the record of ada_roe has none",
        ),
        ("You are a gold member.", 'the user is a gold member; the record of ada_roe has membership "silver"'),
    ],
)
def test_what_the_record_does_not_have_is_found(tmp_path, said, message):
    assert messages(tmp_path, said) == [message]


@pytest.mark.parametrize(
    "said",
    [
        "Pay with your Visa.",
        "Pay with your Mastercard if the agent allows it.",
        "Pay with your Mastercard or your Visa.",
        "Say that you are a gold member.",
        "You are sure you are a gold member.",
        "You are a silver member.",
        "You are a team member.",
        "Ask which card was used, Visa, Mastercard or PayPal.",
        "Your friend has a Mastercard.",
    ],
)
def test_claims_ways_out_and_what_is_there_are_left_alone(tmp_path, said):
    assert messages(tmp_path, said) == []


@pytest.mark.parametrize("name", [{"first_name": "Ada", "last_name": "Roe"}, {"first": "Ada", "last": "Roe"}])
def test_a_person_has_a_name_in_parts(tmp_path, monkeypatch, name):
    monkeypatch.setitem(USERS, "ada_roe", {**USERS["ada_roe"], "name": name})
    assert messages(tmp_path, "Pay with your Mastercard.")

"""Items files: written from a policy, and written anew over what people wrote."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.benchmark.items import ItemsFile
from benchlint.benchmark.items_writing import extract
from benchlint.benchmark.loader import Unreadable
from benchlint.benchmark.toolguard import add_toolguard
from benchlint.text.document import Document

POLICY = """# Desk

## Cancel

- Saver bookings cannot be cancelled.
- The fee for the café is 5 €.
- You must ask for the reason.
"""


def policy(text: str) -> Document:
    return Document("policy.md", text.encode())


def items(text: str) -> ItemsFile:
    return ItemsFile(Document("policy.items.yaml", text.encode()))


def test_extraction_is_readable_and_says_the_same_twice():
    first = extract(policy(POLICY))
    file = items(first.text)
    assert not file.faults
    assert [(entry.text, entry.kind) for entry in file.entries] == [
        ("Saver bookings cannot be cancelled.", "prohibition"),
        ("The fee for the café is 5 €.", "amount"),
        ("You must ask for the reason.", "obligation"),
    ]
    assert 'place: "5:3-5:38"' in first.text
    again = extract(policy(POLICY), earlier=file)
    assert again.text == first.text
    assert (again.added, again.moved, again.vanished) == ((), (), ())


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_was_written_by_hand_stays(end):
    text = extract(policy(POLICY)).text
    text = text.replace(
        "  kind: prohibition\n", "  kind: obligation # ours: é\n  note: |\n    text: not a key\n  guards: []\n"
    )
    text = text.replace("\n", end)
    again = extract(policy("Intro.\n\n" + POLICY.replace("\n", end)), earlier=items(text)).text
    for line in ("  kind: obligation # ours: é", "  note: |", "    text: not a key", "  guards: []"):
        assert line in again
    assert 'place: "7:3-7:38"' in again
    assert not items(again).faults


def test_reworded_and_vanished_sentences_are_told():
    text = extract(policy(POLICY)).text.replace("kind: prohibition", "kind: prohibition\n  note: mine")
    changed = POLICY.replace("Saver bookings cannot", "Saver bookings can never").replace(
        "- You must ask for the reason.\n", ""
    )
    done = extract(policy(changed + "- Be polite to everybody here.\n"), earlier=items(text))
    ((old, new),) = done.moved
    assert old.startswith("saver-bookings-cannot")
    assert new.startswith("saver-bookings-can-never")
    assert [name.rpartition("-")[0] for name in done.vanished] == ["must-ask-reason"]
    entries = {entry.id: entry for entry in items(done.text).entries}
    assert entries[new].note == "mine"
    assert done.vanished[0] in entries
    assert len(done.added) == 1


@given(st.lists(st.text(min_size=1, max_size=30), min_size=1, max_size=4))
def test_any_policy_gives_a_file_that_is_read_back(lines):
    done = extract(policy("".join(f"- {line}\n" for line in lines)))
    file = items(done.text)
    assert len(file.entries) == len(done.added)
    assert extract(policy("".join(f"- {line}\n" for line in lines)), earlier=file).text == done.text


def test_toolguard_items_are_added_once():
    specification = {
        "tool_name": "cancel_booking",
        "policy_items": [
            {
                "name": "Saver",
                "description": "Reject saver bookings",
                "references": ["Saver bookings cannot be cancelled."],
                "compliance_examples": ["A flexible booking is cancelled"],
                "violation_examples": ["A saver booking is cancelled"],
            },
            {"name": "Other", "description": "Only open bookings: yes", "references": []},
            {"name": "Skipped", "description": "Never mind this", "skip": True},
        ],
    }
    document = Document("cancel_booking.json", json.dumps(specification).encode())
    text, count = add_toolguard("items:\n", document, "x.items.yaml")
    assert count == 2
    file = items(text)
    assert not file.faults
    assert [entry.tools for entry in file.entries] == [("cancel_booking",)] * 2
    assert file.entries[0].note == "Reject saver bookings"
    assert add_toolguard(text, document, "x.items.yaml") == (text, 0)


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"policy_items": 3}', b"[" * 100_000, b"\xff"])
def test_what_is_no_specification_is_told(data):
    with pytest.raises(Unreadable):
        add_toolguard("items:\n", Document("x.json", data), "x.items.yaml")

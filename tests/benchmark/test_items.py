"""Items files: written from a policy, and written anew over what people wrote."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.benchmark.item_parts import Reading
from benchlint.benchmark.items import ItemsFile
from benchlint.benchmark.items_writing import extract
from benchlint.benchmark.loader import Unreadable
from benchlint.benchmark.policy import read_policy
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


WORDS = st.sampled_from(["ask", "reason", "café", "booking", "refund", "guest", "cancel", "explain", "😀", "twice"])
SENTENCES = st.lists(st.lists(WORDS, min_size=6, max_size=12), min_size=1, max_size=4)


def split(document: Document, sizes: list[int]) -> dict[str, list[Reading]]:
    """Return readings that cut every sentence into two parts of at least three words."""
    found = {}
    for number, item in enumerate(read_policy([document]).sentences):
        words = item.text.split()
        at = 3 + sizes[number % len(sizes)] % (len(words) - 5) if len(words) >= 6 else 0
        if at:
            parts = " ".join(words[:at]), " ".join(words[at:])
            found[item.id] = [Reading(part, f"It means {part}", "obligation") for part in parts]
    return found


@given(SENTENCES, st.lists(st.integers(0, 9), min_size=1, max_size=4), st.sampled_from(["\n", "\r\n"]))
def test_parts_of_sentences_are_written_once_and_follow_their_words(sentences, sizes, end):
    text = "# Café\n\n" + "".join(f"- You must {' '.join(words)}.\n" for words in sentences)
    document = policy(text.replace("\n", end))
    readings = split(document, sizes)
    first = extract(document, readings=readings)
    file = items(first.text)
    assert not file.faults
    assert len(file.entries) == 2 * len(readings)
    for again in (extract(document, earlier=file), extract(document, earlier=file, readings=readings)):
        assert again.text == first.text
        assert (again.added, again.moved, again.vanished, again.kept) == ((), (), (), ())
    noted = first.text.replace("  origin: judge\n", "  note: ours é\n  origin: judge\n")
    moved = extract(policy("Hello.\n\n" + text), earlier=items(noted))
    after = items(moved.text)
    assert moved.vanished == ()
    assert sorted(entry.text for entry in after.entries if entry.origin) == sorted(entry.text for entry in file.entries)
    assert all(entry.note == "ours é" and entry.meaning for entry in after.entries if entry.origin)


def test_parts_written_by_hand_keep_their_own_ids():
    own = "items:\n- id: mine\n  text: ask for the reason\n- id: other\n  text: You must never smile\n"
    again = extract(policy(POLICY), earlier=items(own))
    entries = {entry.id: entry for entry in items(again.text).entries}
    assert entries["mine"].extracted
    assert not entries["other"].extracted
    assert again.vanished == ("other",)
    assert "You must ask for the reason." not in [entry.text for entry in entries.values()]
    assert extract(policy(POLICY), earlier=items(again.text)).text == again.text

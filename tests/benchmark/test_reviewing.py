"""The reviewed items of a policy take the place of its sentences."""

from __future__ import annotations

import pytest

from benchlint.benchmark.items_writing import extract
from benchlint.benchmark.policy import read_policy
from benchlint.text.document import Document

POLICY = """# Desk

## Cancel

- Saver bookings cannot be cancelled.
- The café's fee is 5 €.
- The desk is friendly.
"""


def policy_of(items: str | None = None, text: str = POLICY):
    files = [] if items is None else [Document("policy.items.yaml", items.encode())]
    return read_policy([Document("policy.md", text.encode())], files)


def extracted(mark: str = "reviewed: true\n", text: str = POLICY) -> str:
    return mark + extract(Document("policy.md", text.encode())).text


def texts(items) -> list[str]:
    return [item.text for item in items]


@pytest.mark.parametrize("mark", ["", "reviewed: false\n", "reviewed:\n", "# reviewed: true\n"])
def test_an_items_file_that_nobody_has_reviewed_changes_nothing(mark):
    plain, found = policy_of(), policy_of(extracted(mark))
    assert found.review is None
    assert found.items == found.sentences == plain.items


@pytest.mark.parametrize(
    ("mark", "date"),
    [
        ("reviewed: true\n", ""),
        ("reviewed: 2031-03-01\n", "2031-03-01"),
        ('"reviewed" : "2031-03-01"\r\n', "2031-03-01"),
        ("\ufeffreviewed: 2031-03-01\n", "2031-03-01"),
    ],
)
def test_a_mark_makes_the_items_those_of_the_file(mark, date):
    found = policy_of(extracted(mark).replace("kind: fact", "kind: obligation"))
    assert found.review is not None
    assert (found.review.date, found.review.beside, found.review.notes) == (date, (), ())
    assert texts(found.items) == texts(found.sentences)
    assert [item.kind for item in found.items] == ["prohibition", "amount", "obligation"]
    assert [item.path for item in found.items] == ["policy.md"] * 3


def test_the_hash_of_a_policy_is_that_of_its_reviewed_items_too():
    first, second = policy_of(extracted()), policy_of(extracted("reviewed: false\n"))
    third = policy_of(extracted().replace("kind: fact", "kind: obligation"))
    assert len({policy_of().hash, first.hash, second.hash, third.hash}) == 4
    assert policy_of().hash == policy_of(extracted("")).hash


def test_an_entry_that_was_taken_out_is_no_item_but_is_still_known():
    text = extracted()
    start = text.index("- id: desk-friendly")
    found = policy_of(text[:start])
    assert texts(found.items) == ["Saver bookings cannot be cancelled.", "The café's fee is 5 €."]
    assert texts(found.review.beside) == ["The desk is friendly."]
    assert found.review.notes == ()


def test_a_rule_in_no_entry_is_told():
    text = extracted()
    found = policy_of(text, POLICY + "- You must never sell two seats to one guest.\n")
    assert texts(found.review.beside) == ["You must never sell two seats to one guest."]
    (note,) = found.review.notes
    assert note.startswith("policy.items.yaml: 1 rule of the policy is in no reviewed item: must-never-sell")


def test_an_entry_whose_sentence_has_changed_does_not_count():
    found = policy_of(extracted(), POLICY.replace("5 €", "6 €"))
    assert texts(found.items) == ["Saver bookings cannot be cancelled.", "The desk is friendly."]
    assert texts(found.review.beside) == ["The café's fee is 6 €."]
    assert len(found.review.notes) == 2
    assert "the policy has no sentence of cafes-fee" in found.review.notes[0]
    assert "review it again" in found.review.notes[0]


def test_an_entry_written_by_hand_counts_as_it_is():
    own = "- id: fee-once\n  text: The fee is charged\n    once.\n  kind: obligation\n  phases: [Cancel]\n"
    found = policy_of(extracted() + own)
    item = found.items[-1]
    assert (item.id, item.text, item.kind) == ("fee-once", "The fee is charged once.", "obligation")
    assert item.path == "policy.items.yaml"
    data = (extracted() + own).encode()
    assert data[item.start : item.end].decode().split() == ["The", "fee", "is", "charged", "once."]
    assert item.headings[1:] == ("Cancel",)


def test_an_entry_belongs_to_the_sentence_with_its_words_whatever_its_id():
    text = extracted().replace("id: saver-bookings", "id: our-own")
    found = policy_of(text)
    assert [item.id for item in found.items] == [item.id for item in found.sentences]


def test_two_entries_of_one_sentence_are_one_item():
    text = extracted()
    found = policy_of(text + text[text.index("- id: ") :])
    assert len(found.items) == 3


def test_a_file_with_a_fault_keeps_what_can_be_read():
    found = policy_of(extracted() + "- nonsense\n")
    assert len(found.items) == 3

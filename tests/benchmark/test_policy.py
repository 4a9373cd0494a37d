from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.benchmark.markdown import plain
from benchlint.benchmark.policy import read_policy
from benchlint.benchmark.policy_items import item_id
from benchlint.benchmark.sentences import sentences
from benchlint.text.document import Document

if TYPE_CHECKING:
    from benchlint.benchmark.model import PolicyItem

SHARED = Path(__file__).parents[3] / "shared" / "data"

POLICY = """\
---
title: Library policy
---
# Library policy

<!-- The agent must not see this.

Never. -->
As a desk agent, you can help members **borrow**, renew or return books.

Before any change, you must get the member's consent. You should not guess.

## Members

Each member has a profile containing:
- name
- card number
- date of birth

There are two kinds of members: **basic** and **gold**.

## Lending

Limits:
- If the member is basic:
  - 3 free loans a month
  - The loan lasts 14 days.
- If the member is gold:
  - 10 free loans a month
- Each extra loan is $2.

Otherwise, a loan can be cancelled if any of the following is true:
- The book was borrowed today
- The book is damaged

Loans: Renewals cannot be repeated. The agent should ask why.

| Member | Fee |
|--------|-----|
| basic  | $5  |
| gold   | must **not** pay |

```
The agent must never read this.
```

Never waive a fee. Café members may pay later — see No. 5, i.e. “Le Café 📚”.
"""


def items(text: str, path: str = "policy.md") -> tuple[PolicyItem, ...]:
    return read_policy([Document(path, text.encode())]).items


def summary(text: str) -> list[tuple[str, str, str]]:
    return [(item.kind, item.text, item.context) for item in items(text)]


def test_items_kinds_and_contexts() -> None:
    limits = "Limits:"
    any_of = "Otherwise, a loan can be cancelled if any of the following is true:"
    assert summary(POLICY) == [
        ("permission", "As a desk agent, you can help members borrow, renew or return books.", ""),
        ("obligation", "Before any change, you must get the member's consent.", ""),
        ("prohibition", "You should not guess.", ""),
        ("fact", "Each member has a profile containing: name; card number; date of birth", ""),
        ("fact", "There are two kinds of members: basic and gold.", ""),
        ("amount", "3 free loans a month", f"{limits} If the member is basic:"),
        ("fact", "The loan lasts 14 days.", f"{limits} If the member is basic:"),
        ("amount", "10 free loans a month", f"{limits} If the member is gold:"),
        ("amount", "Each extra loan is $2.", limits),
        ("permission", "The book was borrowed today", any_of),
        ("permission", "The book is damaged", any_of),
        ("prohibition", "Loans: Renewals cannot be repeated.", ""),
        ("obligation", "The agent should ask why.", "Loans:"),
        ("amount", "basic | $5", "Member | Fee"),
        ("prohibition", "gold | must not pay", "Member | Fee"),
        ("prohibition", "Never waive a fee.", ""),
        ("permission", "Café members may pay later — see No. 5, i.e. “Le Café 📚”.", ""),
    ]


def test_headings_lead_to_the_item() -> None:
    by_text = {item.text: item.headings for item in items(POLICY)}
    assert by_text["You should not guess."] == ("Library policy",)
    assert by_text["Each extra loan is $2."] == ("Library policy", "Lending")


def cut_out(data: bytes, path: str = "policy.md") -> list[tuple[str, str]]:
    policy = read_policy([Document(path, data)])
    return [(plain(data[item.start : item.end].decode("utf-8", "replace")), item.text) for item in policy.items]


def test_ranges_cut_out_the_text() -> None:
    for shown, text in cut_out(POLICY.encode()):
        if "; " in text:
            assert shown.replace(" - ", " ").replace(": ", " ") == text.replace(";", "").replace(": ", " ")
        else:
            assert shown == text


VARIANTS = {
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "cr": lambda text: text.replace("\n", "\r").encode(),
    "bom": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "emoji": lambda text: ("😀é intro must stand.\n\n" + text.split("---\n", 2)[2]).encode(),
    "line separator": lambda text: text.replace("any change", "any\u2028change").encode(),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_line_ends_and_marks_change_no_item(variant: str) -> None:
    data = VARIANTS[variant](POLICY)
    found = read_policy([Document("policy.md", data)]).items
    expected = items(POLICY)
    if variant == "emoji":
        found = found[1:]
    assert [(item.id, item.kind, item.context) for item in found] == [
        (item.id, item.kind, item.context) for item in expected
    ]
    for shown, text in cut_out(data):
        if "; " not in text:
            assert shown == text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("You must ask.", "obligation"),
        ("Ask the user.", "obligation"),
        ("Confirm the price", "obligation"),
        ("If the line is down, guide the user to reboot.", "obligation"),
        ("If the user wants a compliment, compliment them", "obligation"),
        ("Transfer the user if and only if you cannot help.", "obligation"),
        ("The user is required to pay for the difference.", "obligation"),
        ("All passengers must fly the same flights.", "obligation"),
        ("Basic economy flights cannot be modified.", "prohibition"),
        ("Do not offer a refund unless the user asks.", "prohibition"),
        ("An order can only be cancelled if its status is 'pending'.", "prohibition"),
        ("Only compensate if the user is a gold member.", "prohibition"),
        ("The user can add but not remove checked bags.", "prohibition"),
        ("Other reasons are not acceptable.", "prohibition"),
        ("You are not allowed to delete tasks.", "prohibition"),
        ("You can change the cabin.", "permission"),
        ("All reservations can be cancelled.", "permission"),
        ("You are allowed to lift the suspension.", "permission"),
        ("Each extra bag is 50 dollars.", "amount"),
        ("Each reservation can have at most five passengers.", "amount"),
        ("The maximum is 2GB.", "amount"),
        ("The refund will arrive within 5 to 7 business days.", "amount"),
        ("The current time is 2024-05-15 15:00:00 EST.", "fact"),
        ("The store has 50 types of products.", "fact"),
        ("A flight can be available at multiple dates.", "fact"),
        ("Problems with the card can lead to a loss of service.", "fact"),
        ("There is no need to place a new order.", "fact"),
        ("The user may have used up the allowance.", "fact"),
        ("It checks the status of the card.", "fact"),
        ("Returns the name of all apps.", "fact"),
    ],
)
def test_kind(text: str, kind: str) -> None:
    assert [item.kind for item in items(text)] == [kind]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pay $30. Then go.", ["Pay $30.", "Then go."]),
        ("Within 24 h. of booking it is free.", ["Within 24 h. of booking it is free."]),
        ("It takes 24 h. The agent waits.", ["It takes 24 h.", "The agent waits."]),
        ("See No. 5 and 1.5 days, e.g. Monday, i.e. soon.", ["See No. 5 and 1.5 days, e.g. Monday, i.e. soon."]),
        ("The answer is no. The agent stops.", ["The answer is no.", "The agent stops."]),
        ("Dr. Smith and J. Doe pay. U.S. law holds.", ["Dr. Smith and J. Doe pay.", "U.S. law holds."]),
        ("Say 'HOLD ON. PLEASE WAIT.' to the user.", ["Say 'HOLD ON. PLEASE WAIT.' to the user."]),
        ('Say "Stop." Then hang up.', ['Say "Stop."', "Then hang up."]),
        ("Ask (by mail, phone etc. Never by fax) first.", ["Ask (by mail, phone etc. Never by fax) first."]),
        ("One.** **Two** three", ["One.**", "**Two** three"]),
        ("Really!!! Yes? No", ["Really!!!", "Yes?", "No"]),
        ("Don't ask. It's the user's. Fine.", ["Don't ask.", "It's the user's.", "Fine."]),
        ("必须确认。不得退款。", ["必须确认。", "不得退款。"]),
        ("• One\n• Two", ["One", "Two"]),
        ("First line  \nNext line", ["First line", "Next line"]),
        ("", []),
        (" . ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == expected


@given(st.text(alphabet="aA1 .!?\n'\"()*_`é😀。•e.g", max_size=60))
def test_sentences_are_ordered_and_keep_every_letter(text: str) -> None:
    ranges = sentences(text)
    flat = [offset for pair in ranges for offset in pair]
    assert flat == sorted(flat)
    kept = "".join(text[start:end] for start, end in ranges)
    assert [letter for letter in kept if letter.isalnum()] == [letter for letter in text if letter.isalnum()]


LINES = st.lists(
    st.sampled_from(
        [
            "# Title",
            "The agent must ask. It can é wait.",
            "- You must 😀 do it:",
            "  - never this",
            "1. first",
            "> quoted must",
            "| a | b |",
            "|---|---|",
            "| must c | 3 |",
            "```",
            "<!-- a",
            "-->",
            "",
            "---",
            "    indented must",
            "**Bold**",
            "<rules>",
            "\tt must",
            "Say:",
        ]
    ),
    max_size=12,
)


@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
def test_any_markdown_gives_ordered_ranges_of_its_own_text(lines: list[str], end: str, mark: bool) -> None:
    data = (b"\xef\xbb\xbf" if mark else b"") + end.join(lines).encode()
    policy = read_policy([Document("policy.md", data)])
    at = 0
    for item in policy.items:
        assert at <= item.start < item.end <= len(data)
        at = item.end
        words = data[item.start : item.end].decode().split()
        assert words
        for word in item.text.replace(";", "").split():
            assert word in plain(" ".join(words))
    assert len({item.id for item in policy.items}) == len(policy.items)


@given(st.binary(max_size=80))
def test_any_bytes_are_read(data: bytes) -> None:
    for path in ("policy.md", "rules.py", "policy.txt"):
        for item in read_policy([Document(path, data)]).items:
            assert 0 <= item.start < item.end <= len(data)
            item.text.encode()


def test_ids_follow_the_text_and_number_repeats() -> None:
    first, second, third = items("You must ask.\n\nYou **must**\nask.\n\nYou must go.\n")
    assert first.id == item_id("You must ask.")
    assert first.id.startswith("must-ask-")
    assert second.id == f"{first.id}-2"
    assert third.id.startswith("must-go-")
    moved = items("# New\n\nYou must go.\n\n- You must ask.\n")
    assert {item.id for item in moved} == {third.id, first.id}


def test_a_rule_above_a_line_is_no_heading() -> None:
    assert summary("Never refund a gift card\n---\nYou must ask.\n") == [
        ("prohibition", "Never refund a gift card", ""),
        ("obligation", "You must ask.", ""),
    ]
    assert [item.headings for item in items("Refunds\n---\nYou must ask.\n")] == [("Refunds",)]


def test_a_bold_line_is_a_heading() -> None:
    assert [item.headings for item in items("# A\n\n**Refunds**\n\nYou must ask.\n\n# B\n\nAsk me.\n")] == [
        ("A", "Refunds"),
        ("B",),
    ]


def test_tags_around_rules_are_left_out() -> None:
    assert summary("<rules>\n- You must ask.\n- Never guess.\n</rules>\n") == [
        ("obligation", "You must ask.", ""),
        ("prohibition", "Never guess.", ""),
    ]


def test_an_entry_that_is_a_rule_stays_one_above_its_own_list() -> None:
    assert summary("- Always verify the user\n  - by mail\n") == [
        ("obligation", "Always verify the user", ""),
        ("fact", "by mail", "Always verify the user"),
    ]


def test_python_rules_are_read_as_syntax() -> None:
    source = (
        'import os\nRULES = [\n    "You must é ask.",\n    "Never " "guess.",\n    f"{os} must run",\n    "word",\n]\n'
    )
    found = items(source, "rules.py")
    data = source.encode()
    assert [(item.kind, item.text) for item in found] == [
        ("obligation", "You must é ask."),
        ("prohibition", "Never guess."),
    ]
    assert data[found[0].start : found[0].end].decode() == "You must é ask."
    assert data[found[1].start : found[1].end].decode() == 'Never " "guess.'


def test_several_documents_in_their_order() -> None:
    policy = read_policy([Document("a.md", b"You must ask.\n"), Document("b.md", b"You must ask.\n")])
    assert [(item.path, item.id[-2:] == "-2") for item in policy.items] == [("a.md", False), ("b.md", True)]
    assert policy.paths == ("a.md", "b.md")
    assert policy.text == "You must ask.\n\n\nYou must ask.\n"
    assert policy.hash != read_policy([Document("a.md", b"You must ask.\n")]).hash


@pytest.mark.parametrize(
    ("name", "count", "facts"),
    [
        ("tau2/airline/policy.md", 81, 13),
        ("tau2/retail/policy.md", 62, 16),
        ("tau2/mock/policy.md", 6, 0),
        ("tau2/telecom/main_policy.md", 60, 17),
        ("intellagent/policy.md", 49, 5),
    ],
)
def test_real_policies(name: str, count: int, facts: int) -> None:
    path = SHARED / name
    if not path.exists():
        pytest.skip("the shared data is not here")
    policy = read_policy([Document(name, path.read_bytes())])
    assert (len(policy.items), sum(item.kind == "fact" for item in policy.items)) == (count, facts)


def test_real_citations_stand_in_items() -> None:
    path = SHARED / "intellagent"
    if not path.exists():
        pytest.skip("the shared data is not here")
    policy = read_policy([Document("policy.md", (path / "policy.md").read_bytes())])
    texts = {item.text for item in policy.items}
    cited = {
        cite["policy"]
        for name in ("airline_run0.json", "airline_run1.json")
        for task in json.loads((path / name).read_text())
        for cite in task["policies"]
    }
    whole = " ".join(policy.text.split())
    sentence = [cite for cite in cited if " ".join(cite.split()) in whole and ". " not in cite and "\n" not in cite]
    missing = [cite for cite in sentence if not any(cite in text or text in cite for text in texts)]
    assert sentence
    assert missing == []

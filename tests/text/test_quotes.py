"""A quote is found where it stands, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.text.quotes import find_quote

TEXT = (
    "The agent asks for the reason \u2013 \u201cwhy?\u201d \u2013 and\n"
    "  then cancels the caf\u00e9\u2019s order #W12. It refunds 30 euros."
)


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("asks for the reason", "asks for the reason"),
        ('reason - "why?" - and then', "reason \u2013 \u201cwhy?\u201d \u2013 and\n  then"),
        ("Then Cancels the cafe\u0301's order", "then cancels the caf\u00e9\u2019s order"),
        ('"asks for the reason."', "asks for the reason"),
        ("the agent asked for the reason", "The agent asks for the reason"),
    ],
)
def test_a_quote_is_found(quote: str, found: str) -> None:
    place = find_quote(quote, TEXT)
    assert place is not None
    assert TEXT[place.start : place.end] == found


@pytest.mark.parametrize("quote", ["", "  ", "...", "sends a certificate to the user", "It refunds 40 euros", "no"])
def test_what_does_not_stand_there_is_not_found(quote: str) -> None:
    assert find_quote(quote, TEXT) is None


def test_a_misquote_says_so() -> None:
    place = find_quote("the agent asked for the reason", TEXT)
    assert place is not None
    assert not place.exact


@given(st.text(max_size=30), st.text(min_size=1, max_size=20), st.text(max_size=30))
def test_what_was_cut_out_is_found(before: str, quote: str, after: str) -> None:
    text = before + quote + after
    place = find_quote(quote, text)
    if quote.strip():
        assert place is not None
        assert text[place.start : place.end] == quote
    else:
        assert place is None


@given(st.text(max_size=40), st.text(max_size=60))
def test_ranges_lie_in_the_text(quote: str, text: str) -> None:
    place = find_quote(quote, text)
    assert place is None or 0 <= place.start <= place.end <= len(text)

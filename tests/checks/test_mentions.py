from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.checks.mentions import (
    Day,
    amounts,
    counts,
    days,
    emails,
    identifiers,
    names,
    neighbours,
    number,
    numbers,
)

MONTH_NAMES = "January February March April May June July August September October November December"
MONTHS = MONTH_NAMES.split()


def cut(text, mentions):
    return [text[mention.start : mention.end] for mention in mentions]


@pytest.mark.parametrize(
    ("text", "words", "day"),
    [
        ("on 2024-05-22.", "2024-05-22", Day(2024, 5, 22)),
        ("at 2024-05-22T10:00:00", "2024-05-22", Day(2024, 5, 22)),
        ("on May 22nd", "May 22nd", Day(None, 5, 22)),
        ("on May 22, 2024, at noon", "May 22, 2024", Day(2024, 5, 22)),
        ("on May 22 2024.", "May 22 2024", Day(2024, 5, 22)),
        ("the 3rd of Sept. 2024", "3rd of Sept. 2024", Day(2024, 9, 3)),
        ("on 22 May", "22 May", Day(None, 5, 22)),
        ("on 05/22/2024", "05/22/2024", Day(2024, 5, 22)),
        ("on 22/05/2024", "22/05/2024", Day(2024, 5, 22)),
        ("on 05/06/2024", "05/06/2024", Day(2024, 5, 6, either=True)),
    ],
)
def test_a_day_in_any_notation(text, words, day):
    for before in ("", "é😀\u2028 "):
        found = days(before + text)
        assert cut(before + text, found) == [words]
        assert found[0].value == day


@pytest.mark.parametrize(
    "text",
    [
        "You may 3 times ask",
        "It costs 22.05 or 1/2",
        "version 2024-13-01",
        "2024-05-2",
        "13/32/2024",
        "May 45",
        "May 5% off",
        "Mayor 5",
        "12024-05-22",
        "room 2024",
    ],
)
def test_what_is_no_day(text):
    assert days(text) == ()


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_all_notations_of_a_day_match(day):
    month = MONTHS[day.month - 1]
    short = f"{month} {day.day}"
    texts = [f"{day:%Y-%m-%d}", short, f"{day.day} {month[:3]} {day.year}", f"{short}, {day.year}"]
    values = [found.value for text in texts for found in days(f"on {text}.")]
    assert len(values) == len(texts)
    assert all(left.matches(right) and right.matches(left) for left in values for right in values)


@given(st.dates(date(1990, 1, 1), date(2050, 1, 1)), st.dates(date(1990, 1, 1), date(2050, 1, 1)))
def test_different_days_do_not_match(left, right):
    values = [days(f"{day:%Y-%m-%d}")[0].value for day in (left, right)]
    assert values[0].matches(values[1]) == (left == right)


def test_a_date_of_which_either_number_is_the_month_matches_both():
    assert Day(2024, 5, 6, either=True).matches(Day(2024, 6, 5))
    assert Day(2024, 6, 5).matches(Day(2024, 5, 6, either=True))
    assert not Day(2024, 5, 6).matches(Day(2024, 6, 5))


def test_amounts_have_a_currency():
    text = "é😀 $1,628.50, 50 dollars, $2k and €7, but 300 and 3 bags and #40 dollars"
    found = amounts(text)
    assert [mention.value for mention in found] == [1628.5, 50, 2000, 7]
    assert cut(text, found) == ["$1,628.50", "50", "$2k", "€7"]


@given(st.integers(0, 10**9), st.integers(0, 99))
def test_an_amount_is_read_with_and_without_separators(whole, cents):
    value = round(whole + cents / 100, 2)
    for text in (f"{whole}.{cents:02}", f"{whole:,}.{cents:02}"):
        assert number(text) == value
        assert [item.value for item in amounts(f"It costs ${text}.")] == [value]
        assert [item.value for item in numbers(f"It costs {text}, not more.")] == [value]


def test_numbers_stand_alone():
    text = "1,628 or 12.5, not W12, 3rd, 5%, 1/2, 10:30, 2024-05-22"
    assert [mention.value for mention in numbers(text)] == [1628, 12.5]


def test_counts_have_the_words_after_them():
    text = "é😀 2 free bags, three-passenger trip, $5 bills, 1,000 miles, 12.5 hours"
    found = counts(text)
    assert [(item.value, item.nouns) for item in found] == [(2, ("free", "bags")), (3, ("passenger", "trip"))]
    assert cut(text, found) == ["2", "three"]


def test_identifiers():
    text = (
        "é😀 credit_card_907483, #W9502127 (HAT271), M05KNL and 746342064230; not 2024-05-22, 22nd, 8GB, 3pm, 16-inch, "
        "555-123-2002, covid-19, x@y1.com or 12345"
    )
    found = identifiers(text)
    values = [mention.value for mention in found]
    assert values == ["credit_card_907483", "#W9502127", "HAT271", "M05KNL", "746342064230"]
    assert cut(text, found) == values


def test_names_are_neighbours_with_capitals():
    text = "é😀 Zoë Müller and Anna O'Brien-Sá fly SFO to New York; Agent Kim."
    found = names(text)
    assert [mention.value for mention in found] == [
        ("Zoë", "Müller"),
        ("Anna", "O'Brien-Sá"),
        ("New", "York"),
        ("Agent", "Kim"),
    ]
    assert cut(text, found)[:2] == ["Zoë Müller", "Anna O'Brien-Sá"]


def test_mail_addresses():
    text = "é😀 write to ana.sa1@example.com."
    assert cut(text, emails(text)) == ["ana.sa1@example.com"]


def test_neighbours_are_the_closest():
    text = "HAT001 and HAT002 on May 3 and HAT003"
    before, after = neighbours(days(text)[0], identifiers(text))
    assert (before.value, after.value) == ("HAT002", "HAT003")


@given(st.text())
def test_any_text_gives_ranges_inside_it(text):
    for find in (days, amounts, counts, numbers, identifiers, emails, names):
        for mention in find(text):
            assert 0 <= mention.start < mention.end <= len(text)

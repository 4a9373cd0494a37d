"""What a sentence mentions: days, amounts, counts, ids and names.

Every mention has its characters in the text and its value in one form, so
that "May 22nd" and "2024-05-22", or "$1,628" and 1628, are equal.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
)
WORDS = {word: value for value, word in enumerate(_WORDS.split())}
"""Numbers that are written as words."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_DAY = r"(?P<day>3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th)?(?![\w%]|[.,][0-9])"
_YEAR = r"(?:,?\s+(?P<year>(?:19|20)[0-9]{2})(?!\w))?"
_DATES = (
    re.compile(r"(?<![0-9-])(?P<year>[0-9]{4})-(?P<month>0[1-9]|1[0-2])-(?P<day>3[01]|[12][0-9]|0[1-9])(?![0-9-])"),
    re.compile(rf"\b{_MONTH}\s+{_DAY}{_YEAR}"),
    re.compile(rf"(?<![\w.,:$-]){_DAY}\s+(?:of\s+)?{_MONTH}{_YEAR}"),
    re.compile(r"(?<![0-9/])(?P<month>[0-9]{1,2})/(?P<day>[0-9]{1,2})/(?P<year>[0-9]{4})(?![0-9/])"),
)
_NUMERAL = r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?"
_NUMBER = re.compile(rf"(?<![\w.,#/-])(?<![0-9]:)(?:{_NUMERAL})(?![\w/%]|[.,:-][0-9])")
_AMOUNT = re.compile(
    rf"(?P<sign>[$€£])\s?(?P<signed>{_NUMERAL})(?P<unit>[kKmM]\b)?"
    rf"|(?<![\w.,#/-])(?P<named>{_NUMERAL})(?=\s?(?:dollars?|bucks|usd|eur|euros?|gbp)\b)",
    re.IGNORECASE,
)
_COUNT = re.compile(
    rf"(?<![\w.,#/$€£-])(?P<number>[0-9]{{1,3}}|{'|'.join(WORDS)})(?=[ -](?P<nouns>[a-z-]+(?: [a-z-]+){{0,2}}))",
    re.IGNORECASE,
)
_ID = re.compile(r"#?(?<!\w)[A-Za-z0-9]+(?:[_-]+[A-Za-z0-9]+)*(?!\w)")
_UNITS = (
    "st|nd|rd|th|s|x|k|m|am|pm|h|hr|hrs|min|mins|gb|tb|mb|kb|ghz|hz|mah|mm|cm|ml|l|g|kg|lb|lbs|oz|w|v|in|inch|ft|d|p"
)
_NO_ID = re.compile(rf"[0-9]+(?:{_UNITS})?|[0-9-]+|[0-9]+(?:-[a-z]+)+|[a-z]+-[0-9]{{1,2}}", re.IGNORECASE)
_DIGIT = re.compile(r"[0-9]")
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


class Day(NamedTuple):
    """A day; the year is None where the text does not give it.

    `either` is True for a date such as 05/06/2024, whose month may be the
    second number as well.
    """

    year: int | None
    month: int
    day: int
    either: bool = False

    def matches(self, other: Day) -> bool:
        """Say whether two mentions may mean the same day."""
        if self.year is not None and other.year is not None and self.year != other.year:
            return False
        pair, swapped = (self.month, self.day), (self.day, self.month)
        theirs = (other.month, other.day)
        return pair == theirs or ((self.either or other.either) and swapped == theirs)


T = TypeVar("T")


class Mention(NamedTuple, Generic[T]):
    """A value and the characters of the text that give it."""

    value: T
    start: int
    end: int


class Count(NamedTuple):
    """A number, its characters, and up to three words after it, in lower case."""

    value: int
    start: int
    end: int
    nouns: tuple[str, ...]


@lru_cache(4096)
def days(text: str) -> tuple[Mention[Day], ...]:
    """Return the dates of a text, in order: ISO, "May 22nd, 2024", "22 May", 05/22/2024."""
    if not _DIGIT.search(text):
        return ()
    matches = sorted((match for pattern in _DATES for match in pattern.finditer(text)), key=re.Match.start)
    found: list[Mention[Day]] = []
    for match in matches:
        day = _day(match)
        if day is not None and (not found or found[-1].end <= match.start()):
            found.append(Mention(day, *match.span()))
    return tuple(found)


def _day(match: re.Match[str]) -> Day | None:
    month_text, day, year = match["month"], int(match["day"]), match["year"]
    if not month_text.isdigit():
        return Day(int(year) if year else None, _MONTHS.index(month_text[:3].lower()) + 1, day)
    month = int(month_text)
    slashes = "/" in match[0]
    if slashes and month > 12:
        month, day = day, month
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return Day(int(year), month, day, either=slashes and day <= 12)


@lru_cache(4096)
def amounts(text: str) -> tuple[Mention[float], ...]:
    """Return the amounts of money of a text: "$1,628.50", "50 dollars", "$2k"."""
    found = []
    for match in _AMOUNT.finditer(text):
        value = number(match["signed"] or match["named"])
        scale = {"k": 1000, "m": 1_000_000}.get((match["unit"] or "").lower(), 1)
        found.append(Mention(value * scale, *match.span()))
    return tuple(found)


@lru_cache(4096)
def numbers(text: str) -> tuple[Mention[float], ...]:
    """Return the numbers in digits that stand alone; a currency sign before one is no part of it."""
    return tuple(Mention(number(match[0]), *match.span()) for match in _NUMBER.finditer(text))


@lru_cache(4096)
def counts(text: str) -> tuple[Count, ...]:
    """Return the small whole numbers before words: "2 free bags", "one-passenger"."""
    return tuple(
        Count(
            _whole(match["number"]),
            *match.span("number"),
            tuple(match["nouns"].lower().split()),
        )
        for match in _COUNT.finditer(text)
    )


@lru_cache(4096)
def identifiers(text: str) -> tuple[Mention[str], ...]:
    """Return the words that look like ids: letters and digits, or long numbers.

    Dates, times, quantities with a unit, and parts of mail addresses are none.
    """
    if not _DIGIT.search(text):
        return ()
    mails = [match.span() for match in _EMAIL.finditer(text)] if "@" in text else []
    return tuple(
        Mention(match[0], *match.span())
        for match in _ID.finditer(text)
        if _is_id(match[0]) and not any(start <= match.start() < end for start, end in mails)
    )


def _is_id(word: str) -> bool:
    if not _DIGIT.search(word):
        return False
    if word.isdigit():
        return len(word) >= 6
    return _NO_ID.fullmatch(word) is None


@lru_cache(4096)
def emails(text: str) -> tuple[Mention[str], ...]:
    """Return the mail addresses of a text."""
    return tuple(Mention(match[0], *match.span()) for match in _EMAIL.finditer(text)) if "@" in text else ()


@lru_cache(4096)
def names(text: str) -> tuple[Mention[tuple[str, str]], ...]:
    """Return pairs of neighbouring words with a capital and small letters: "Omar Rossi"."""
    words = list(_WORD.finditer(text))
    return tuple(
        Mention((left[0], right[0]), left.start(), right.end())
        for left, right in pairwise(words)
        if _is_name(left[0]) and _is_name(right[0]) and text[left.end() : right.start()] == " "
    )


def _is_name(word: str) -> bool:
    return len(word) > 1 and word[0].isupper() and not word.isupper()


def neighbours(
    mention: Mention[Any], others: Sequence[Mention[str]]
) -> tuple[Mention[str] | None, Mention[str] | None]:
    """Return the closest of other mentions, in order, before and after one."""
    before = next((other for other in reversed(others) if other.end <= mention.start), None)
    after = next((other for other in others if other.start >= mention.end), None)
    return before, after


def number(text: str) -> float:
    """Return the value of a numeral, thousands separated by commas or not."""
    return round(float(text.replace(",", "")), 6)


def _whole(text: str) -> int:
    return int(text) if text.isdigit() else WORDS[text.lower()]

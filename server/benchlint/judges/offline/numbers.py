"""Numbers and sums of money in a text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.words import stem, stem_set, word_set, words

if TYPE_CHECKING:
    from collections.abc import Iterator

_NUMBERS: Final = {
    word: number
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
} | {"single": 1, "twice": 2}
_MONEY: Final = re.compile(
    r"(?P<sign>[$€£]|\b(?:usd|eur|gbp|chf)\b)\s?(?P<first>\d[\d,]*(?:\.\d+)?)"
    r"|(?P<second>\d[\d,]*(?:\.\d+)?)\s?(?P<unit>[€£$]|(?:dollars?|usd|euros?|eur|pounds?|gbp|chf|credits?|points?)\b)",
    re.IGNORECASE,
)
_CURRENCIES: Final = {"$": "dollar", "usd": "dollar", "€": "euro", "eur": "euro", "£": "pound", "gbp": "pound"}
MONEY_STEMS: Final = stem_set("dollar usd euro eur pound gbp credit point cent")
_PER: Final = re.compile(
    r"\b(?:per|for each|for every|times the number of|multiplied by the number of|each)\s+", re.IGNORECASE
)
_END_OF_UNIT: Final = lexicon.PREPOSITION_WORDS | lexicon.AUXILIARY_WORDS | word_set("that which who concerned if when")
_WHOLE: Final = word_set("full whole complete entire started single additional extra further calendar working")
"""Words before a unit that do not change what is counted: "each full day"."""
_REACH: Final = 25
"""Characters between a sum and its unit."""


def number_of(lower: str) -> int | None:
    """Return the number that a word in lower case or a numeral names."""
    if lower.isdecimal() and lower.isascii() and len(lower) < 7:
        return int(lower)
    return _NUMBERS.get(lower)


class Sum(NamedTuple):
    """A sum of money: its value and currency, its range, and the range of its numeral, in characters."""

    value: float
    currency: str
    start: int
    end: int
    numeral: tuple[int, int]


def sums(text: str, start: int = 0, end: int | None = None) -> Iterator[Sum]:
    """Find the sums of money in a part of a text."""
    for match in _MONEY.finditer(text, start, len(text) if end is None else end):
        group = "first" if match["first"] else "second"
        unit = (match["sign"] or match["unit"]).lower()
        value = float(match[group].replace(",", ""))
        yield Sum(value, _CURRENCIES.get(unit, stem(unit)), match.start(), match.end(), match.span(group))


def units(text: str, start: int, end: int) -> tuple[str, ...]:
    """Return the stems of what the sum that ends at `start` is multiplied by: "per guest and night".

    Behind another number they are that one's: "9 dollars, 3 for each day".
    """
    match = _PER.search(text, start, end)
    if match is None or match.start() - start > _REACH or any(map(str.isdigit, text[start : match.start()])):
        return ()
    found: list[str] = []
    for word in words(text, match.end(), end):
        if word.kind != "word" or word.lower in _END_OF_UNIT or len(found) == 2:
            break
        if word.lower in ("and", "each", "every", *_WHOLE) or word.lower in lexicon.DETERMINER_WORDS:
            continue
        if found and word.lower.endswith("s"):
            break
        found.append(word.stem)
    return tuple(found)

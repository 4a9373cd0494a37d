"""Where a quoted phrase stands in a text, even if it is quoted a little wrong."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

SIMILARITY = 88.0
"""How alike, from 0 to 100, a misquote must be to what it is taken for."""

_SHORTEST_MISQUOTE = 12
_MARKS = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-", "`": "'"}
)
_TOKEN = re.compile(r"\s+|\S")


class Quoted(NamedTuple):
    """A range of characters in a text. `exact` is False for a misquote."""

    start: int
    end: int
    exact: bool


def find_quote(quote: str, text: str) -> Quoted | None:
    """Return where a quote stands in a text; the first place counts.

    White space, quotation marks, dashes, case and Unicode composition may
    differ. A longer quote may also be misquoted, up to `SIMILARITY`.
    """
    if not quote.strip():
        return None
    at = text.find(quote)
    if at >= 0:
        return Quoted(at, at + len(quote), True)
    wanted, _ = _folded(quote.strip())
    wanted = wanted.strip(" \"'.\u2026")
    if not wanted:
        return None
    folded, places = _folded(text)
    at = folded.find(wanted)
    if at >= 0:
        return Quoted(places[at][0], places[at + len(wanted) - 1][1], True)
    if len(wanted) < _SHORTEST_MISQUOTE:
        return None
    return _misquote(wanted, folded, places)


def _misquote(wanted: str, folded: str, places: Sequence[tuple[int, int]]) -> Quoted | None:
    from rapidfuzz import fuzz

    if len(folded) < len(wanted) // 2:
        return None
    found = fuzz.partial_ratio_alignment(wanted, folded, score_cutoff=SIMILARITY)
    if found is None or found.dest_end <= found.dest_start:
        return None
    start, end = _whole_words(folded, found.dest_start, found.dest_end)
    if not _same_figures(wanted, folded[start:end]):
        return None
    return Quoted(places[start][0], places[end - 1][1], False)


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Trim white space and widen a range to whole words."""
    while start < end and text[start] == " ":
        start += 1
    while end > start and text[end - 1] == " ":
        end -= 1
    while start > 0 and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return start, end


def _same_figures(one: str, other: str) -> bool:
    """Say whether two texts have the same numbers: no misquote may change one."""
    return re.findall(r"\d+", one) == re.findall(r"\d+", other)


def _folded(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a text with its spelling evened out, and the range of each character."""
    characters: list[str] = []
    places: list[tuple[int, int]] = []
    for match in _TOKEN.finditer(text):
        token = match[0]
        folded = " " if token.isspace() else unicodedata.normalize("NFKD", token).translate(_MARKS).casefold()
        characters.append(folded)
        places.extend([match.span()] * len(folded))
    return "".join(characters), places

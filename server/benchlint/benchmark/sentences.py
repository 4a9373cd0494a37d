"""Where the sentences of a running text begin and end."""

from __future__ import annotations

import re
from bisect import bisect_right


def words(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


_END = re.compile(
    r"(?<![.!?…])(?P<stop>[.!?…]+)(?P<closing>[\"'”’»)\]*_`]*)(?=\s)"
    r"|(?P<full>[。！？]+[”’」』）]*)"
    r"|(?P<line>(?:(?<! ) {2,}|\\)\n)(?=\s*[\"'“‘«(\[*_`]*[A-Z])"
    r"|(?P<bullet>\n)(?=[ \t]*[•◦▪●‣·]\s)"
)
_NEXT = re.compile(r"\s*(?P<opening>[\"'“‘«(\[*_`•◦▪●‣·\s]*)(?P<first>.)?", re.DOTALL)
_QUOTED = re.compile(
    r"`[^`]{1,400}`"
    r"|\"[^\"]{1,400}\""
    r"|“[^”]{1,400}”|«[^»]{1,400}»"
    r"|\([^()]{1,400}\)"
    r"|(?<![\w'])'(?=\S)(?:[^']|(?<=\w)'(?=\w)){1,400}'(?!\w)"
)
_LAST_WORD = re.compile(r"[^\s(\[\"“‘«*_`]*$")
_WORD = 40
"""How far before a full stop its word is looked for."""

_TRIM = " \t\r\n\v\f\u2028\u2029\u00a0•◦▪●‣·"
_ABBREVIATIONS = words(
    """
    approx art cf co dept dr e.g eg esp est etc fig i.e ie incl inc ltd max min mr mrs ms mt nr par resp sec
    sr st tel viz vol vs
    """
)
_NUMBERING = frozenset({"no", "nos", "art", "ch", "fig", "nr", "par", "p", "pp", "sec", "vol"})


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the range of each sentence, without the white space around it.

    A sentence ends at a full stop, question or exclamation mark before what
    looks like the start of another: not after an abbreviation, an initial or
    a number that counts, and not inside quotation marks or parentheses. A
    hard line end and a bullet also end one.
    """
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    found: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if match["stop"] and not _ends(text, match, start, quoted):
            continue
        _add(text, start, match.end(), found)
        start = match.end()
    _add(text, start, len(text), found)
    return found


def _add(text: str, start: int, end: int, found: list[tuple[int, int]]) -> None:
    stripped = text[start:end].rstrip(_TRIM)
    end = start + len(stripped)
    start = end - len(stripped.lstrip(_TRIM))
    if any(character.isalnum() for character in text[start:end]):
        found.append((start, end))


def _ends(text: str, match: re.Match[str], start: int, quoted: list[tuple[int, int]]) -> bool:
    """Say whether a stop with white space after it ends the sentence that began at `start`."""
    begin, end = quoted[bisect_right(quoted, (match.start(), 0)) - 1] if quoted else (0, 0)
    if begin < match.start() < end:
        whole = not text[start:begin].strip()
        if match.end("stop") < end - 1 or (text[begin] == "(" and not whole):
            return False
    following = _NEXT.match(text, match.end())
    assert following is not None
    first = following["first"]
    if first is None:
        return True
    if first.islower() and not set("*_`") & set(following["opening"]):
        return False
    if match["stop"] != ".":
        return True
    return not _is_abbreviation(text, start, match.start(), first)


def _is_abbreviation(text: str, start: int, stop: int, following: str) -> bool:
    """Say whether the full stop at `stop` belongs to the word before it."""
    near = text[max(start, stop - _WORD) : stop]
    last = _LAST_WORD.search(near)
    word = last[0].lstrip("'") if last else ""
    lower = word.lower()
    if lower in _NUMBERING and following.isdigit():
        return True
    if lower == "etc":
        return False
    if lower in _ABBREVIATIONS:
        return True
    before = near[: len(near) - len(word)].strip()
    if word.isdigit():
        return not before
    if len(word) == 1 and word.isalpha():
        return word.isupper() or not before[-1:].isdigit()
    return False

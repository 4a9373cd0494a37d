"""What a text says of circumstances and numbers."""

from __future__ import annotations

from itertools import pairwise, product
from math import prod
from typing import TYPE_CHECKING, Final

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.numbers import MONEY_STEMS, number_of
from benchlint.judges.offline.words import stem, word_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchlint.judges.offline.clause import Clause
    from benchlint.judges.offline.prose import Prose
    from benchlint.judges.offline.reading import Fact, Limit, Stems
    from benchlint.judges.offline.words import Word

ABSENT_WORDS: Final = word_set("no not without never neither lacks lack")
_REACH: Final = 4
"""Words within which the words of one circumstance stand together."""
_AHEAD: Final = 3
"""Words after a number in which its noun stands."""


def holds(fact: Fact, prose: Prose) -> bool:
    """Say whether a text states a circumstance: its words close together, and denied where the circumstance is."""
    return any(_states(fact, clause) for clause in prose.clauses)


def _states(fact: Fact, clause: Clause) -> bool:
    place = _together(fact.stems, clause)
    if place is None:
        return False
    return (clause.negated or _is_absent(clause, place)) == fact.negated


def _is_absent(clause: Clause, place: int) -> bool:
    """Say whether a word shortly before a place denies what stands there: "without insurance"."""
    for word in reversed(clause.words[max(place - _REACH, 0) : place]):
        if word.lower in ABSENT_WORDS or word.lower.endswith("n't"):
            return True
        if word.kind == "mark" or word.lower in lexicon.PREPOSITION_WORDS or word.lower in lexicon.COORDINATOR_WORDS:
            return False
    return False


def _together(stems: Sequence[str], clause: Clause) -> int | None:
    """Return where the first of some stems stands, if all of them follow each other closely."""
    if not clause.stems.issuperset(stems):
        return None
    for index, word in enumerate(clause.words):
        if word.stem in stems:
            near = {other.stem for other in clause.words[index : index + len(stems) + _REACH]}
            if near.issuperset(stems):
                return index
    return None


def counts_of(noun: str, texts: Iterable[Prose], people: Stems) -> set[int]:
    """Return how many of something texts speak of: "three nights", "four guests".

    "three other passengers" may be three or four. Nouns for people stand for
    each other.
    """
    is_person = noun in people
    nouns = people | {stem("people")} if is_person else frozenset({noun})
    found: set[int] = set()
    for prose in texts:
        for clause in prose.clauses:
            found |= _counts_in(clause, nouns)
            if is_person and "alone" in clause.lowers:
                found.add(1)
    return found


def _counts_in(clause: Clause, nouns: Stems) -> set[int]:
    if clause.stems.isdisjoint(nouns):
        return set()
    found: set[int] = set()
    for index, word in enumerate(clause.words):
        number = number_of(word.lower)
        if number is None or number < 1:
            continue
        between = 0
        for other in clause.words[index + 1 : index + 1 + _AHEAD]:
            if other.kind == "mark" or other.lower == "per" or other.stem in MONEY_STEMS:
                break
            between += other.lower in ("other", "more", "additional")
            if other.stem in nouns:
                found |= {number, number + min(between, 1)}
                break
    if any(word.lower == "only" and after.stem in nouns for word, after in pairwise(clause.words)):
        found.add(1)
    return found


def totals(value: float, counts: Sequence[set[int]]) -> set[float]:
    """Return what a sum per unit comes to, for all combinations of counts."""
    return {value * prod(combination) for combination in product(*counts)}


def number_with(limit: Limit, clause: Clause, people: Stems) -> int | None:
    """Return how many of a limited thing a clause speaks of."""
    noun = limit.noun[-1]
    same = people if noun in people else frozenset({noun})
    if clause.stems.isdisjoint(same):
        return None
    found = clause.words
    for index, word in enumerate(found):
        number = number_of(word.lower)
        if number is None or not _is_followed(found[index + 1 :], limit, same):
            continue
        return number
    return None


def _is_followed(found: list[Word], limit: Limit, same: Stems) -> bool:
    ahead = [word.stem for word in found[: len(limit.noun)]]
    return len(ahead) == len(limit.noun) and ahead[:-1] == list(limit.noun[:-1]) and ahead[-1] in same

"""What a policy forbids, permits and limits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from benchlint.benchmark.policy_kind import is_conditional
from benchlint.judges.offline import lexicon
from benchlint.judges.offline.items import content
from benchlint.judges.offline.lexicon import family
from benchlint.judges.offline.numbers import MONEY_STEMS, number_of
from benchlint.judges.offline.reading import Ban, Fact, Limit
from benchlint.judges.offline.words import stem, stem_set, word_set, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.judges.offline.clause import Speech
    from benchlint.judges.offline.items import Item
    from benchlint.judges.offline.reading import Stems
    from benchlint.judges.offline.words import Word

_NEGATIVE_MODAL: Final = re.compile(
    r"\b(?:cannot|can't|mustn't|shouldn't|(?:can|must|may|should|shall) (?:not|never))\b", re.IGNORECASE
)
SEGMENT_END: Final = re.compile(r"[;.]|,\s+(?:and|but|so|or)\s+|\bbut\b")
_LIMIT: Final = re.compile(
    r"\b(?:at most|no more than|not more than|up to|(?:a )?maximum of)\s+(?:an? (?:total|maximum) of\s+)?"
    r"(?P<number>\d+|[a-z]+)\b",
    re.IGNORECASE,
)
_NO_ACT: Final = (
    stem_set("be have do use take hold make help go see know allow assist apply proceed happen keep stay")
    | lexicon.TELL
    | lexicon.OFFER
)
_CONDITION_WORDS: Final = word_set("if unless when without only")
_TIME_WORDS: Final = word_set("before within until for than")
_ENDS_NOUN: Final = lexicon.PREPOSITION_WORDS | word_set("that which who and or")
_RELATIVE_WORDS: Final = word_set("that which who")


def bans_of(item: Item, speech: Speech) -> Iterator[Ban]:
    """Yield what an item forbids. Conditions that are not understood make no ban."""
    if item.kind != "prohibition" or is_conditional(item.text):
        return
    for match in _NEGATIVE_MODAL.finditer(item.text):
        first = 0
        for end in SEGMENT_END.finditer(item.text, 0, match.start()):
            first = end.end()
        left = words(item.text, first, match.start()) or words(item.text, 0, first)
        stop = SEGMENT_END.search(item.text, match.end())
        right = words(item.text, match.end(), stop.start() if stop else len(item.text))
        ban = _ban(item, left, right, speech)
        if ban is not None:
            yield ban


def _ban(item: Item, left: list[Word], right: list[Word], speech: Speech) -> Ban | None:
    right = [word for word in right if not lexicon.is_adverb(word.lower) or word.lower == "only"]
    if not right or any(word.lower in _CONDITION_WORDS for word in (*left, *right)):
        return None
    passive = right[0].lower == "be" and len(right) > 1
    verb, rest = (right[1], right[2:]) if passive else (right[0], right[1:])
    if verb.stem not in speech.commands or verb.stem in _NO_ACT:
        return None
    after = ""
    place = next((index for index, word in enumerate(rest) if word.lower == "after"), None)
    if place is not None:
        after = _event(rest[place + 1 :])
        rest = rest[:place]
        if not after:
            return None
    if any(word.lower in _TIME_WORDS for word in rest):
        return None
    act = family(verb.stem)
    if passive:
        objects, kinds, facts = _patient(left)
        return Ban(item.id, item.text, act, objects, kinds, facts, after) if objects else None
    objects = content(rest)
    if not objects or not _names_actor(left, speech):
        return None
    return Ban(item.id, item.text, act, objects, after=after)


def _event(found: list[Word]) -> str:
    """Return the stem of the event that words name: "arrival", "the booking has been made"."""
    plain = lexicon.GENERIC | {stem("make")}
    return next((word.stem for word in found if word.kind == "word" and word.stem not in plain), "")


def _names_actor(left: list[Word], speech: Speech) -> bool:
    return any(
        word.stem in lexicon.AGENTS or word.stem in speech.users or word.lower in ("you", "it", "they", "we")
        for word in left
    )


def _patient(left: list[Word]) -> tuple[Stems, Stems, tuple[Fact, ...]]:
    """Read what a passive ban is about: its noun, the words that narrow it, and circumstances."""
    head: list[Word] = []
    rest: list[Word] = []
    for index, word in enumerate(left):
        if word.kind != "word":
            continue
        if word.lower in lexicon.MODAL_WORDS:
            break
        if word.lower in lexicon.PREPOSITION_WORDS or word.lower in _RELATIVE_WORDS:
            rest = left[index:]
            break
        head.append(word)
    nouns = [word for word in head if word.stem not in lexicon.GENERIC and word.lower not in lexicon.DETERMINER_WORDS]
    if not nouns:
        return frozenset(), frozenset(), ()
    if any(word.lower in ("and", "or") for word in head):
        return frozenset(word.stem for word in nouns), frozenset(), ()
    kinds = frozenset(word.stem for word in nouns[:-1])
    facts: tuple[Fact, ...] = ()
    telling = [word for word in rest[1:] if word.stem not in lexicon.GENERIC and word.kind == "word"]
    if telling and rest[0].lower in _RELATIVE_WORDS:
        facts = (Fact(tuple(word.stem for word in telling)),)
    elif telling:
        kinds |= frozenset(word.stem for word in telling[:-1] or telling)
    return frozenset({nouns[-1].stem}), kinds, facts


def permissions_of(item: Item) -> Iterator[tuple[Stems, Stems]]:
    """Yield the item's stems and those of what it permits an act on."""
    for clause in item.prose.clauses if item.kind == "permission" else ():
        if clause.modal in ("can", "may") and clause.head >= 0:
            yield item.stems, content(clause.object_words)


def limits_of(item: Item) -> Iterator[Limit]:
    """Yield the limits on numbers of things that an item sets."""
    for match in _LIMIT.finditer(item.text):
        number = number_of(match["number"].lower())
        noun = _noun_after(item.text, match.end())
        if number is None or not noun or noun[-1] in MONEY_STEMS:
            continue
        families = frozenset(
            family(clause.verb)
            for clause in item.prose.clauses
            if clause.verb and clause.verb not in _NO_ACT and clause.start <= match.start()
        )
        yield Limit(item.id, item.text, number, noun, families)


def _noun_after(text: str, start: int) -> tuple[str, ...]:
    found: list[str] = []
    for word in words(text, start)[:5]:
        if word.kind != "word" or word.lower in _ENDS_NOUN or word.lower in lexicon.FINITE_WORDS:
            break
        found.append(word.stem)
    return tuple(found[-2:])

"""What a policy says of money: how much of it for what, and who gets none."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.bans import SEGMENT_END
from benchlint.judges.offline.items import content
from benchlint.judges.offline.numbers import sums, units
from benchlint.judges.offline.reading import Amount, Exclusion, Fact, OnRequest
from benchlint.judges.offline.words import stem, stem_set, word_set, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.judges.offline.items import Item
    from benchlint.judges.offline.reading import Stems
    from benchlint.judges.offline.words import Word

_CEILING: Final = re.compile(
    r"\b(?:up to|at most|no more than|not more than|maximum of|max\.?|limit of)\s*$", re.IGNORECASE
)
_THRESHOLD: Final = re.compile(
    r"\b(?:above|over|exceed\w*|more than|below|under|less than|at least|minimum of|from|between|than)\s*$",
    re.IGNORECASE,
)
_DO_NOT: Final = re.compile(
    r"(?:please )?(?:do not|don't|never|you (?:must|should|may|can) ?not)\s+(?:\w+ly\s+)?", re.IGNORECASE
)
_UNLESS_ASKED: Final = re.compile(r"\bunless\b[^.]*?\b(?:asks? for|requests?|demands?|claims?)\s+", re.IGNORECASE)
_NOT_IF: Final = re.compile(
    r"(?:please )?(?:do not|don't|never|you (?:must|should|may|can) ?not)\s+(?:\w+ly\s+)?(?P<verb>\w+)\b[^.]*?\bif\s+"
    r"(?:the\s+)?\w+\s+(?=is|has|are|have|was|did|does)",
    re.IGNORECASE,
)
_GET_NONE: Final = re.compile(
    r"(?P<who>.{3,120}?)\s+(?:get|gets|receive|receives|are given|is given)\s+no\s+(?P<what>[^.]*)", re.IGNORECASE
)
_GIVES: Final = lexicon.GIVE | lexicon.OFFER
_COSTS: Final = stem_set("cost price charge amount worth extra additional per")
_NO_THING_WORDS: Final = lexicon.PREPOSITION_WORDS | lexicon.FINITE_WORDS | word_set("which that most least")
_NO_FACT_WORDS: Final = (
    lexicon.PREPOSITION_WORDS | lexicon.AUXILIARY_WORDS | word_set("no not without who that which so when if")
)
_OF_THE_LAST: Final = re.compile(
    r"\s*(?:for|per|a|an|each)\s[^,;.:|]*?(?:\b(?:and|or)\b(?!\s+\w+\s*[,;.:|])|(?=[,;.:|])|$)", re.IGNORECASE
)
"""What follows a sum and says more of it: "150 euros for cars and"."""
_ASIDE: Final = re.compile(r"\b(?:for|on|in|with|at|from|by)\s+(?:[\w-]+\s+){1,5}$", re.IGNORECASE)
"""What stands before a sum and only says when it is due: "in the evening 7 euros"."""
_NEVER_MORE: Final = re.compile(
    r"(?:never|do not|don't|(?:you|it) (?:must|may|can|should) ?not|nobody (?:gets|receives))\b[^.;]*\bmore than\s*$"
    r"|^(?:the|a) (?:maximum|limit|most)\b[^.;]*$|^(?:but |and )?(?:at most|up to|no more than|a maximum of)\s*$",
    re.IGNORECASE,
)
"""What stands before a sum, from the start of its sentence, that bounds what the sentence before it gives."""
_WHOLES: Final = stem_set("order booking reservation claim case stay trip move contract rental delivery visit")
"""Of what there is one in a conversation as a rule: "up to 200 euros per order" bounds a sum for each item of it."""
_BEFORE: Final = 16
"""Characters before a sum in which its bound stands."""


def amounts_of_all(items: Sequence[Item]) -> Iterator[Amount]:
    """Yield the sums that a policy sets, each with the bound of the sentence behind it."""
    for item, following in zip_longest(items, items[1:]):
        found = list(amounts_of(item))
        most = _bound(following) if following is not None and following.headings == item.headings else None
        for amount in found:
            yield replace(amount, most=min(amount.most, most)) if most is not None and amount.per else amount


def amounts_of(item: Item) -> Iterator[Amount]:
    """Yield the sums that an item sets for something.

    One that nothing is said of is for what the one before it is for: the next
    cell of a row, "5 euros, or 7 on Sundays".
    """
    gives = any(clause.verb in _GIVES and clause.link == "main" for clause in item.prose.clauses)
    trigger = _trigger(item) if gives else frozenset()
    things = _given(item)
    is_priced = not (things or trigger)
    previous = 0
    last: Amount | None = None
    for found in sums(item.text):
        before = item.text[max(found.start - _BEFORE, 0) : found.start]
        is_ceiling = _CEILING.search(before) is not None
        if (_THRESHOLD.search(before) and not is_ceiling) or _NEVER_MORE.search(item.text, 0, found.start):
            continue
        end = SEGMENT_END.search(item.text, found.end)
        per = units(item.text, found.end, end.start() if end else len(item.text))
        own = _priced(_naming(item.text, previous, found.start))
        things = (own or things) if is_priced else things
        previous = found.end
        in_all = not per or per[0] in _WHOLES
        if is_ceiling and last is not None and last.per and in_all and not own and last.currency == found.currency:
            last = replace(last, most=found.value)
            continue
        if last is not None:
            yield last
        last = None
        if things:
            last = Amount(item.id, item.text, found.value, found.currency, per, things, trigger, is_ceiling)
    if last is not None:
        yield last


def _bound(item: Item) -> float | None:
    """Return the most that may be given by what the sentence before an item says: "Never offer more than 60 euros"."""
    found = list(sums(item.text))
    if len(found) == 1 and _NEVER_MORE.search(item.text, 0, found[0].start):
        per = units(item.text, found[0].end, len(item.text))
        return None if per else found[0].value
    return None


def _trigger(item: Item) -> Stems:
    """Return the words of the situation in which a sum is due: "if a guest complains about noise"."""
    found: set[str] = set()
    for clause in item.prose.clauses:
        if clause.link in ("condition", "content"):
            found |= content(word for word in clause.words if word.lower not in _NO_FACT_WORDS)
    return frozenset(found) - lexicon.USERS - {stem("complain")}


def _given(item: Item) -> Stems:
    """Return what an item has the agent give: the first noun after "offer"."""
    for clause in item.prose.clauses:
        if clause.verb not in _GIVES or clause.link != "main":
            continue
        for word in clause.object_words:
            if word.kind != "word" or word.lower in lexicon.PREPOSITION_WORDS:
                break
            if word.stem not in lexicon.GENERIC and word.lower not in lexicon.DETERMINER_WORDS:
                return frozenset({word.stem})
    return frozenset()


def _naming(text: str, previous: int, start: int) -> list[Word]:
    """Return the words between two sums that may name what the second is for."""
    more = _OF_THE_LAST.match(text, previous, start) if previous else None
    begin = more.end() if more else previous
    aside = _ASIDE.search(text, begin, start)
    end = aside.start() if aside and not any(w.lower in lexicon.FINITE_WORDS for w in words(aside[0])) else start
    return words(text, begin, end)


def _priced(segment: list[Word]) -> Stems:
    """Return what has a price: the last noun before the sum, or what is done ("cancelling later costs ...")."""
    if segment and segment[0].lower.endswith("ing") and segment[0].stem in lexicon.COMMANDS:
        return frozenset({segment[0].stem})
    nouns = [
        word
        for word in segment
        if word.kind == "word"
        and word.stem not in lexicon.GENERIC
        and word.stem not in _COSTS
        and word.lower not in _NO_THING_WORDS
    ]
    return frozenset({nouns[-1].stem}) if nouns else frozenset()


def on_request(item: Item, given: Stems) -> OnRequest | None:
    """Read "do not offer X unless the user asks for Y"; `given` are the things that the policy gives."""
    match = _UNLESS_ASKED.search(item.text)
    opening = _DO_NOT.match(item.text)
    if match is None or opening is None:
        return None
    offered = [word for word in words(item.text, opening.end(), match.start()) if word.kind == "word"][1:6]
    named = content(offered)
    wanted = [word for word in words(item.text, match.end())[:6] if word.kind == "word"]
    asked = content(wanted)
    things = (named & given) or named or given
    if not things:
        return None
    phrase = next((word.lower for word in wanted if word.stem in asked), "")
    last = next((word.lower for word in reversed(offered) if word.stem in things), "it")
    return OnRequest(item.id, phrase or last, asked, things)


def exclusion(item: Item, given: Stems) -> Exclusion | None:
    """Read "do not compensate if the user is X and has no Y", "guests who did X get no credit"."""
    match = _NOT_IF.match(item.text)
    if match is not None:
        if stem(match["verb"].lower()) not in lexicon.GIVE:
            return None
        facts = _facts(words(item.text, match.end()))
    else:
        match = _GET_NONE.match(item.text)
        if match is None or given.isdisjoint(word.stem for word in words(match["what"])):
            return None
        facts = _facts(words(match["who"]))
    return Exclusion(item.id, item.text, facts, given) if facts else None


def _facts(found: list[Word]) -> tuple[Fact, ...]:
    """Read circumstances joined by "and": "has no insurance and flies economy"."""
    parts: list[list[Word]] = [[]]
    for word in found:
        if word.lower == "and":
            parts.append([])
        elif word.kind == "word":
            parts[-1].append(word)
    facts = []
    for part in parts:
        negated = any(word.lower in ("no", "not", "without") or word.lower.endswith("n't") for word in part)
        is_verb = len(part) > 1 and part[0].stem not in lexicon.GENERIC and part[0].lower.endswith(("s", "ed"))
        stems = tuple(
            word.stem
            for word in part[is_verb:]
            if word.stem not in lexicon.GENERIC | lexicon.USERS | lexicon.WANT and word.lower not in _NO_FACT_WORDS
        )
        if stems:
            facts.append(Fact(stems, negated))
    return tuple(facts)

"""Days that are not those of the expected actions."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from benchlint.checks.facts import day_of
from benchlint.checks.mentions import days, identifiers, neighbours
from benchlint.checks.said import contradiction
from benchlint.checks.wording import alike, done, family, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchlint.checks.facts import Facts, Leaf
    from benchlint.checks.mentions import Day, Mention
    from benchlint.checks.said import Fault, Said

_WORD = re.compile(r"[A-Za-z]+")
_TO_DAY = re.compile(
    r"[\s(:,]*(?:(?:on|for|at|leaving|departing|departs|dated|date|flights?|is|the)[\s(:]*)*", re.IGNORECASE
)
"""What may stand between an id and its day, or between a day and its ids."""

_FROM_DAY = re.compile(r"[\s(:]*(?:(?:with|using|via|by|on|the|in|flights?|numbers?)[\s(:]*)*", re.IGNORECASE)
_MORE = re.compile(r"\b(?:also|additionally|too|as well|further)\b", re.IGNORECASE)
_ARRIVING = re.compile(
    r"\b(?:arriv\w+|land\w*|valid|expir\w+|through|by)\s+(?:on\s+|at\s+|in\s+[A-Z]+\s+(?:on\s+)?)?\Z", re.IGNORECASE
)
_CODE = re.compile(r"#?(?<!\w)[A-Z0-9]{3,}(?!\w)")
"""What stands for a thing without being a word: an airport, an order."""

_LISTED = re.compile(r"[0-9](?:\s*,)?\s*(?:,|and|&)\s*\Z")
"""What stands before an id that is one of several."""

_SHORT = 40
"""Longer texts are no dates."""


def days_of_ids(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find a day beside an id (a flight's number), where the expected actions give this id another day."""
    found = days(said.text)
    clause = done(said.text) if found else None
    if clause is None:
        return
    mentions = [mention for mention in identifiers(said.text) if mention.value in facts.days_by_id]
    bound = {
        mention.value: [
            leaf for leaf in facts.days_by_id[mention.value] if clause.verb in family(tokens(leaf.call.name)[0])
        ]
        for mention in mentions
    }
    places = [mention for mention in mentions if bound[mention.value]]
    for mention in found:
        before, behind = neighbours(mention, places)
        partner = None
        if before and _TO_DAY.fullmatch(said.text, before.end, mention.start):
            partner = before
        elif behind and _FROM_DAY.fullmatch(said.text, mention.end, behind.start):
            partner = behind
        if partner is None:
            continue
        ids = dict.fromkeys(place.value for place in places) if len(found) == 1 else {partner.value: None}
        leaves = [leaf for identifier in ids for leaf in bound[identifier]]
        if any(_has_day(leaf.value, mention.value) for leaf in leaves):
            continue
        if any(facts.recorded(identifier, partial(_has_day, day=mention.value)) for identifier in ids):
            continue
        yield _fault(said, mention, leaves, ids, alone=not _LISTED.search(said.text[: partner.start]))


def _has_day(value: Any, day: Day) -> bool:
    return isinstance(value, str) and len(value) < _SHORT and any(day.matches(mention.value) for mention in days(value))


def days_of_calls(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find the only day of a sentence that spells out an expected call, where the call has another."""
    found = days(said.text)
    if len(found) != 1 or _MORE.search(said.text):
        return
    day = found[0].value
    if any(day.matches(mention.value) for mention in days(facts.told)):
        return
    words = [word.lower() for word in _WORD.findall(said.text)]
    present = {*_CODE.findall(said.text), *(mention.value for mention in identifiers(said.text))}
    for call in facts.task.actions:
        top = [leaf for leaf in facts.leaves if leaf.call is call and leaf.top]
        dated = [leaf for leaf in top if day_of(leaf)]
        codes = [leaf.value for leaf in top if isinstance(leaf.value, str) and _CODE.fullmatch(leaf.value)]
        if len(dated) != 1 or not codes or not present.issuperset(codes):
            continue
        if not all(any(word in family(token) or alike(word, token) for word in words) for token in tokens(call.name)):
            continue
        same = [leaf for leaf in facts.leaves if leaf.call.name == call.name and day_of(leaf)]
        if not _is_among(day, map(day_of, same)):
            yield _fault(said, found[0], dated)
            return


def days_of_nothing(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find a day of what the agent changes that is in no fact, where the expected actions have other days."""
    found = days(said.text)
    if not found:
        return
    clause = done(said.text)
    dated = [leaf for leaf in facts.leaves if day_of(leaf) and facts.is_write(leaf.call)]
    if clause is not None:
        dated = [leaf for leaf in dated if clause.verb in family(tokens(leaf.call.name)[0])]
    elif not any(mention.value in facts.days_by_id for mention in identifiers(said.field.text)):
        return
    unknown = [
        mention
        for mention in found
        if not _is_among(mention.value, map(day_of, facts.leaves)) and not _ARRIVING.search(said.text[: mention.start])
    ]
    if not dated or not unknown:
        return
    policy = facts.benchmark.policy
    purpose = "\n".join(field.text for field in facts.task.purpose)
    known = [mention.value for text in (facts.told, purpose, policy.text if policy else "") for mention in days(text)]
    for mention in unknown:
        if not _is_among(mention.value, known) and not _is_among(mention.value, facts.reached_days):
            yield _fault(said, mention, dated)


def _is_among(day: Day, known: Iterable[Day | None]) -> bool:
    return any(other is not None and day.matches(other) for other in known)


def _fault(
    said: Said, mention: Mention[Day], leaves: Sequence[Leaf], ids: Iterable[str] = (), *, alone: bool = True
) -> Fault:
    """Say what a day contradicts; `alone` tells that it is the day of nothing else, so that it can be changed."""
    place = (mention.start, mention.end)
    meant = {day for leaf in leaves if (day := day_of(leaf))}
    one = meant.pop() if alone and len(meant) == 1 else None
    words = _written_as(said.text[slice(*place)], mention.value, one) if one else None
    return contradiction(said, place, leaves, of=ids, meant=words)


def _written_as(words: str, day: Day, other: Day) -> str | None:
    """Write a day as another one is written, where only the figures differ."""
    if re.fullmatch(r"[0-9-]+", words) and other.year is not None:
        return f"{other.year}-{other.month:02}-{other.day:02}"
    if (day.month, day.year or other.year) != (other.month, other.year):
        return None
    return re.sub(rf"(?<![0-9/])0?{day.day}(?![0-9/])(?:st|nd|rd|th)?", str(other.day), words, count=1)

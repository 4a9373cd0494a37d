"""Sentences that contradict the records of the database."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from benchlint.checks.arguments import is_creating
from benchlint.checks.mentions import WORDS, identifiers
from benchlint.checks.said import Evidence, Fault
from benchlint.checks.wording import alike, one_slip, speaks_of_user, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchlint.benchmark.database import Database
    from benchlint.checks.facts import Facts
    from benchlint.checks.said import Said

_LEAST_IDS = 8
"""How many ids with one beginning make a kind."""

_WORD = 4
"""How long a value must be to be looked for as a word."""

_LEAST_LETTERS = 5
"""How long an id must be for another to be its misspelling."""

_LEAST_RECORDS = 20
_MOST_VALUES = 6
"""How many records, and of how few values, tell that a field is a choice."""

_PREFIX = re.compile(r"(#?[A-Za-z][A-Za-z_-]*?[_-]?)[0-9]+")
_HAS = re.compile(
    rf"\b(?:user|customer|client|he|she|they)\s+(?:has|have|owns?)\s+(?P<number>[0-9]{{1,3}}|{'|'.join(WORDS)})\s+"
    r"(?P<noun>[a-z]+(?: [a-z]+)?)(?=\s*(?:[.,;)]|\Z|in (?:the|his|her|their) (?:profile|account)))",
    re.IGNORECASE,
)
_STANDING = re.compile(
    r"\b(?:user|customer|client|member|he|she|they)\s+(?P<sure>(?:is|was|are|has|have)"
    r"(?:\s+(?:actually|really|in fact|a|an|the|only|just|not an?\s+[a-z]+\s+[a-z]+\s+but))*)"
    r"\s+(?P<value>[a-z]+)(?:\s+(?P<after>[a-z]+)\b|\s*[.,;)]|\s*\Z)",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"\b(?:since|because|as)\s+(?:it|the (?:flight|reservation|order|ticket|booking))(?:'s|’s|\s+is|\s+was)\s+"
    r"(?:a |an |in )?(?P<value>[a-z]+(?: [a-z]+)?)",
    re.IGNORECASE,
)
_RANKS = frozenset({"status", "level", "tier", "rank", "member", "and", "but", "so"})
_CLAIM = re.compile(
    r"\b(?:claim|think|thought|believ|insist|say|said|pretend|lie[sd]?\b|lying|tell|told|mention|not\b|if\b|whether)|n['’]t\b",
    re.IGNORECASE,
)


def unknown_ids(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find an id of a known kind that the database does not have."""
    database = facts.benchmark.database
    if database is None or facts.has_state:
        return
    for mention in identifiers(said.text):
        word = mention.value
        if facts.exists(word) or any(word in text for text in facts.strings if " " in text):
            continue
        close = _closest(word, facts)
        prefix = _PREFIX.fullmatch(word)
        collection = close[0] if close else _kinds(database).get(prefix[1]) if prefix else None
        if collection is None or (prefix and _can_be_new(facts, collection)):
            continue
        leaf = next((leaf for leaf in facts.leaves if close and leaf.value == close[1]), None)
        if leaf:
            meant = f"; the expected {leaf.call.name} has {leaf.value}"
        else:
            meant = f"; it has {close[1]}" if close else ""
        yield Fault(
            said.field,
            said.span(mention.start, mention.end),
            f'"{word}" is not in the database{meant}',
            (Evidence(f"{leaf.key} of the expected {leaf.call.name} is {leaf.value}", leaf.pointer),) if leaf else (),
            close[1] if close else None,
        )


def _closest(word: str, facts: Facts) -> tuple[str, str] | None:
    """Return the record that a word misspells, of those of the expected actions or else of those that are reached."""
    large = {name for name, item in facts.collections.items() if len(item.records) >= _LEAST_RECORDS}
    acted = [(name, text) for text in facts.strings for name in large if text in facts.collections[name].records]
    for records in (acted, [key for key in facts.reached if key[0] in large]):
        near = {text: name for name, text in records if len(text) >= _LEAST_LETTERS and one_slip(word, text)}
        if near:
            return next((name, text) for text, name in near.items()) if len(near) == 1 else None
    return None


def _can_be_new(facts: Facts, collection: str) -> bool:
    """Say whether an expected action makes a record of a collection, which then has an id that nobody can know."""
    noun = collection.rpartition(".")[2]
    made = [tokens(call.name)[1:] for call in facts.task.actions if is_creating(call.name)]
    return any(alike(word, noun) for name in made for word in name)


@lru_cache(4)
def _kinds(database: Database) -> dict[str, str]:
    """Return the collection of the ids that begin alike before their number: `credit_card_`, `HAT`, `#W`."""
    found = Counter(
        (match[1], name)
        for name, collection in database.collections().items()
        for identifier in collection.records
        if (match := _PREFIX.fullmatch(identifier))
    )
    return {prefix: name for (prefix, name), times in found.items() if times >= _LEAST_IDS}


@lru_cache(16)
def _choices(database: Database, collection: str) -> dict[str, frozenset[str]]:
    """Return the values of the fields of a collection's records that have a few values only."""
    found: dict[str, frozenset[str]] = {}
    records = [record for record in database.collections()[collection].records.values() if isinstance(record, dict)]
    for field, value in records[0].items() if len(records) >= _LEAST_RECORDS else ():
        values = _few_values(records, field) if isinstance(value, str) else None
        if values:
            found[field] = values
    return found


def _few_values(records: list[dict[str, Any]], field: str) -> frozenset[str] | None:
    """Return the values of a field, if they are a few words only."""
    values: set[str] = set()
    for record in records:
        value = record.get(field)
        if isinstance(value, str) and value not in values:
            if len(values) == _MOST_VALUES or not re.fullmatch(r"[a-z_ ]{3,}", value):
                return None
            values.add(value)
    return frozenset(values) if len(values) > 1 else None


def standing(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find what a sentence says of the user's own record: "he has Silver status" of a regular member."""
    database = facts.benchmark.database
    matches = list(_STANDING.finditer(said.text)) if database is not None and speaks_of_user(said.text) else ()
    person = facts.person if matches else None
    if person is None or database is None:
        return
    collection, identifier, record = person
    choices = _choices(database, collection)
    for match in matches:
        value, after = match["value"].lower(), match["after"] or ""
        field = next((field for field, values in choices.items() if value in values), None)
        if field is None or value == record.get(field):
            continue
        if after and after.lower() not in _RANKS and not alike(after, field) and not field.startswith(after.lower()):
            continue
        if "actually" not in match["sure"] and _CLAIM.search(said.text[: match.start()]):
            continue
        yield _fault(said, match.span("value"), field, identifier, record)


def strangers(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find the id of a record that belongs to another person than the task's user."""
    mentions = [
        item for item in facts.ids(said.text) if item.value not in facts.strings and item.value not in facts.told_ids
    ]
    person = facts.person if mentions else None
    if person is None:
        return
    people = facts.collections[person[0]].records
    for mention in mentions:
        for name, collection in facts.collections.items():
            record = collection.records.get(mention.value)
            if "." in name or name == person[0] or not isinstance(record, dict):
                continue
            owners = [value for value in record.values() if isinstance(value, str) and value in people]
            if len(owners) == 1 and owners[0] != person[1]:
                yield Fault(
                    said.field,
                    said.span(mention.start, mention.end),
                    f'"{mention.value}" is of {owners[0]} in the database; the task is about {person[1]}',
                )


def reasons(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find "since it is business" of a record that the database has otherwise."""
    match = _SINCE.search(said.text)
    database = facts.benchmark.database
    if match is None or database is None:
        return
    records = [
        (name, mention.value, collection.records[mention.value])
        for mention in facts.ids(said.text[: match.start()])
        for name, collection in facts.collections.items()
        if mention.value in collection.records
    ]
    if len(records) != 1:
        return
    name, identifier, record = records[0]
    text = match["value"].lower()
    for field, values in _choices(database, name).items():
        fitting = [value for value in values if len(value) >= _WORD and text.startswith(value.replace("_", " "))]
        value = max(fitting, key=len, default=None)
        if value is None or value == record.get(field):
            continue
        if any(
            leaf.key == field and leaf.value == value and facts.mentions(leaf.call, identifier) for leaf in facts.leaves
        ):
            continue
        place = (match.start("value"), match.start("value") + len(value))
        yield _fault(said, place, field, identifier, record)


def _fault(said: Said, place: tuple[int, int], field: str, identifier: str, record: Mapping[str, Any]) -> Fault:
    has = record.get(field)
    words = said.text[slice(*place)]
    return Fault(said.field, said.span(*place), f'"{words}" contradicts the database: {field} of {identifier} is {has}')


def possessions(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find how many of something a sentence says that the user has, where the record lists another number."""
    person = facts.person if _HAS.search(said.text) else None
    if person is None:
        return
    _, identifier, record = person
    for match in _HAS.finditer(said.text):
        number = int(match["number"]) if match["number"].isdigit() else WORDS[match["number"].lower()]
        field = next((key for key in record if _same_words(match["noun"], key)), None)
        if field is None or not isinstance(record[field], (list, dict)) or len(record[field]) == number:
            continue
        if _CLAIM.search(said.text[: match.start()]):
            continue
        yield Fault(
            said.field,
            said.span(*match.span("number")),
            f'"{match["number"]}" contradicts the database: {identifier} has {len(record[field])} {match["noun"]}',
        )


def _same_words(noun: str, key: str) -> bool:
    left, right = noun.lower().split(), key.lower().replace("-", "_").split("_")
    if len(left) > len(right):
        left = left[: len(right)]
    return len(left) == len(right) and all(map(alike, left, right))

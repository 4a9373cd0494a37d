"""What the scenario says of who the user is, against the user's record."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from benchlint.checks.mentions import emails
from benchlint.checks.said import Evidence, Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchlint.benchmark.model import Field
    from benchlint.checks.facts import Facts

_NAME = re.compile(
    r"\b(?:You are|You're|Your? name is)\s+(?P<first>[^\W\d_][\w'’-]+) (?P<last>[^\W\d_][\w'’-]+)"
    r"(?=\s*(?:[.,;(\n]|\Z|(?:in|from|and|with|living|residing|who)\b))"
)
_ID = re.compile(r"\buser[ _]id(?:\s+is|\s*:)+\s*['\"]?(?P<id>[\w-]+)|\bYou are (?:user )?(?P<alone>[a-z0-9]+_[\w-]+)")
_FIVE = re.compile(r"\b[0-9]{5}\b")
_ZIP = re.compile(
    r"\bzip ?code(?: is)?:? (?P<value>[0-9]{5})\b|\bzip(?: is)?:? (?P<other>[0-9]{5})\b"
    r"|\b(?:live|living|reside|residing|located) in [^.\n]{0,60}?\b(?P<home>[0-9]{5})\b(?!-)",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?:husband|wife|spouse|partner|friend|brother|sister|son|daughter|mother|father|mom|dad|parent|assistant|secretary"
    r"|colleague|boss|roommate|behalf|pretend|impersonat\w*|imposter|impostor|fraud\w*|stolen|fake|someone else|wrong"
    r"|incorrect|mistake\w*|typo\w*|misremember\w*|maiden|nickname|lie|lying)\b",
    re.IGNORECASE,
)
_PLACE = r"(?:[a-z]+ ){0,2}(?:address|home|house|place|apartment|zip|e-?mail)"
_MOVED = re.compile(
    rf"\b(?:moved?|moving|relocat\w*"
    rf"|(?:new|old|former|previous|another|other|different|second|chang\w+|updat\w+) {_PLACE})\b",
    re.IGNORECASE,
)
_WHAT = {"name": "the name", "email": "the mail address", "zip": "the zip code"}


class Stated(NamedTuple):
    """Something that a scenario says of its user: `kind` is name, zip, email or id."""

    kind: str
    value: Any
    start: int
    end: int


@lru_cache(4096)
def stated(text: str) -> tuple[Stated, ...]:
    """Return what a text says of the user's identity."""
    found: list[Stated] = []
    for match in _NAME.finditer(text) if "You" in text or "name is" in text else ():
        pair = (match["first"], match["last"])
        if all(part[0].isupper() and not part.isupper() for part in pair):
            found.append(Stated("name", pair, match.start("first"), match.end("last")))
    for match in _ZIP.finditer(text) if _FIVE.search(text) else ():
        group = match.lastgroup or "value"
        found.append(Stated("zip", match[group], *match.span(group)))
    for match in _ID.finditer(text) if "_" in text or "user id" in text else ():
        group = match.lastgroup or "id"
        found.append(Stated("id", match[group], *match.span(group)))
    found += [Stated("email", *mail) for mail in emails(text)]
    return tuple(found)


def identity(facts: Facts) -> Iterator[Fault]:
    """Find a name, mail address or zip code that is not that of the user's record.

    Where the scenario gives both an address and a zip code, a wrong one may
    be meant to be tried first.
    """
    task = facts.task
    if facts.has_state or facts.benchmark.database is None:
        return
    said = [(field, item) for field in task.scenario for item in stated(field.text)]
    if not said:
        return
    person = facts.person
    if person is None:
        return
    kinds = [item.kind for _, item in said]
    _, identifier, record = person
    for field, item in said:
        if item.kind == "id":
            yield from _other_id(facts, field, item)
            continue
        right = None if kinds.count(item.kind) > 1 or item.value in facts.strings else _record_value(record, item.kind)
        if right is None or _agrees(item, right) or right in facts.told or _OTHERS.search(facts.told):
            continue
        if item.kind != "name" and (_MOVED.search(facts.told) or {"zip", "email"} <= set(kinds)):
            continue
        if item.kind == "zip" and any(str(item.value) in text for text in facts.reached_strings):
            continue
        words = field.text[item.start : item.end]
        yield Fault(
            field,
            (item.start, item.end),
            f'"{words}" contradicts the database: {_WHAT[item.kind]} of {identifier} is {right}',
            meant=right,
        )


def _other_id(facts: Facts, field: Field, item: Stated) -> Iterator[Fault]:
    """Find the id of a user whom the expected actions do not act for."""
    if facts.person is None or item.value in facts.strings or item.value == facts.person[1]:
        return
    leaves = [leaf for leaf in facts.leaves if leaf.value == facts.person[1]]
    if leaves and not _OTHERS.search(facts.told):
        leaf = leaves[0]
        yield Fault(
            field,
            (item.start, item.end),
            f'"{item.value}" contradicts the expected {leaf.call.name}, which has {leaf.value}',
            (Evidence(f"{leaf.key} of the expected {leaf.call.name} is {leaf.value}", leaf.pointer),),
            leaf.value,
        )


def _agrees(item: Stated, right: str) -> bool:
    if item.kind == "name":
        left = right.casefold().split()
        return all(part.casefold() in left for part in item.value)
    return bool(str(item.value).casefold() == right.casefold())


def _record_value(record: Any, kind: str) -> str | None:
    """Return what a person's record has for a kind, where it has one string for it."""
    if kind == "name":
        name = record.get("name", record)
        if isinstance(name, str):
            return name
        parts = [name.get("first_name"), name.get("last_name")] if isinstance(name, dict) else []
        texts = [part for part in parts if isinstance(part, str)]
        if len(texts) == 2:
            return " ".join(texts)
        full = record.get("full_name")
        return full if isinstance(full, str) else None
    keys = {"email": ("email",), "zip": ("zip", "zip_code", "postal_code")}
    found = list(_under(record, keys.get(kind, ())))
    return found[0] if len(found) == 1 else None


def _under(value: Any, keys: Iterable[str], depth: int = 2) -> Iterator[str]:
    if not isinstance(value, dict):
        return
    for key, item in value.items():
        if key in keys and isinstance(item, str):
            yield item
        elif depth:
            yield from _under(item, keys, depth - 1)

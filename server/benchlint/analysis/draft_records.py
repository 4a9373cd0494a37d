"""Records of a database for a new task: a person, what belongs to them, and how an agent would look them up."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchlint.benchmark.database import Database
    from benchlint.benchmark.model import PolicyItem, Tool, Tools

_PEOPLE: Final = ("user", "customer", "member", "guest", "client", "patient", "passenger", "student", "account")
_MOST: Final = 2000
"""So many people are looked at."""

_TOLD = re.compile(r"(?:first_|last_|full_)?name|email|phone_number|zip")
_WORD = re.compile(r"[a-z]{4,}|\d+")
_COMMON: Final = re.compile(
    "about|after|agent|also|already|because|been|before|being|both|cannot|customer|does|each|else|ever|from|have|into|less|more|most|must|never|only"
    "|other|policy|same|should|such|than|that|their|them|then|there|these|they|this|those|under|unless|until|user|users|very|what|when"
    "|where|which|while|will|with|without|would|your|request|ask|allowed|action|actions|tool|tools|call|provide|make|ensure|order|orders|able"
)


class Reached(NamedTuple):
    """A record: its collection, its id and its value."""

    collection: str
    kind: str
    id: str
    value: Any


class Lookup(NamedTuple):
    """A call that reads."""

    name: str
    arguments: dict[str, Any]


class Found(NamedTuple):
    """A person of the database, None where there is none, a record of theirs, and the calls that read both."""

    person: Reached | None
    record: Reached | None
    lookups: tuple[Lookup, ...]


def find_records(database: Database | None, tools: Tools | None, item: PolicyItem) -> Found:
    """Return the records to which a policy item has most to say. A database that cannot be read has none."""
    from benchlint.benchmark.database_files import DatabaseError

    person = record = None
    if database is not None:
        with suppress(DatabaseError):
            person, record = _best(database, _words(f"{item.text} {item.context}"))
    return Found(person, record, tuple(_lookups(tools, person, record)))


def told(person: Reached) -> dict[str, str]:
    """Return what a person knows of themselves, by key: name, email address, zip code, phone number."""
    found: dict[str, str] = {}
    for key, value in _scalars(person.value):
        if isinstance(value, str) and _TOLD.fullmatch(key):
            found.setdefault(key, value)
    return found


def _best(database: Database, words: frozenset[str]) -> tuple[Reached | None, Reached | None]:
    collections = database.collections()
    people = next(
        (
            item
            for name in _PEOPLE
            for item in collections.values()
            if item.unique and "." not in item.name and item.kind.endswith(name)
        ),
        None,
    )
    if people is None:
        return None, None
    owned = _owners(database, people.name, set(people.records))
    best: tuple[Reached | None, Reached | None] = None, None
    most = -1
    for identifier, value in islice(people.records.items(), _MOST):
        person = Reached(people.name, people.kind, identifier, value)
        own = len(words & _words(_text(value)))
        for record in (*_mentioned(database, people.name, value), *owned.get(identifier, ())):
            score = 1 + own + 2 * len(words & _words(_text(record.value)))
            if score > most:
                best, most = (person, record), score
        if own > most:
            best, most = (person, None), own
    return best


def _mentioned(database: Database, people: str, value: Any) -> Iterator[Reached]:
    """Yield the records whose ids a person's record holds."""
    seen = set()
    for _, text in _scalars(value):
        if not isinstance(text, str) or text in seen:
            continue
        seen.add(text)
        for name in database.collections_of(text):
            collection = database.collections()[name]
            if name != people and collection.unique and not name.startswith(f"{people}."):
                yield Reached(name, collection.kind, text, collection.records[text])


def _owners(database: Database, people: str, ids: set[str]) -> dict[str, list[Reached]]:
    """Return the records that name their person, by the person's id."""
    found: dict[str, list[Reached]] = {}
    for name, collection in database.collections().items():
        if name == people or "." in name or not collection.unique:
            continue
        for identifier, value in islice(collection.records.items(), _MOST):
            for _, text in _scalars(value, depth=1):
                if text in ids:
                    found.setdefault(str(text), []).append(Reached(name, collection.kind, identifier, value))
                    break
    return found


def _lookups(tools: Tools | None, person: Reached | None, record: Reached | None) -> Iterator[Lookup]:
    """Yield the calls that read a person and their record, as far as the tools take what is known."""
    if tools is None or person is None:
        return
    made: list[Lookup] = []
    for reached in (person, *([record] if record is not None else ())):
        values = _known(reached)
        found = []
        for (side, _), tool in tools.by_name.items():
            arguments = _arguments(tool, values) if side == "assistant" and tool.effect == "read" else None
            if arguments is not None:
                is_own = reached is person or _own_key(reached) in arguments
                is_named = tool.name.split("_")[1:2] == reached.kind.split(" ")[:1]
                found.append((not is_own, not is_named, tool.name, arguments))
        for _, _, name, arguments in sorted(found, key=lambda item: item[:3])[:1]:
            if Lookup(name, arguments) not in made:
                made.append(Lookup(name, arguments))
    yield from made


def _arguments(tool: Tool, values: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return all that a tool needs; None where something is not known, or nothing is needed."""
    needed = [name for name, parameter in tool.parameters.items() if parameter.required]
    if not needed or any(name not in values for name in needed):
        return None
    arguments = {name: values[name] for name in needed}
    fits = all(_fits(tool.parameters[name].schema.get("type"), value) for name, value in arguments.items())
    return arguments if fits else None


def _fits(kind: Any, value: Any) -> bool:
    return kind is None or (kind == "string") == isinstance(value, str)


def _known(record: Reached) -> dict[str, Any]:
    """Return what is known of a record under the names that tools have for it."""
    values: dict[str, Any] = {}
    for key, value in _scalars(record.value):
        values.setdefault(key, value)
    return {**values, _own_key(record): record.id}


def _own_key(record: Reached) -> str:
    return f"{record.kind.replace(' ', '_')}_id"


def _scalars(value: Any, key: str = "", depth: int = 4) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict) and depth:
        for name, inner in value.items():
            yield from _scalars(inner, str(name), depth - 1)
    elif isinstance(value, list) and depth:
        for inner in value:
            yield from _scalars(inner, key, depth - 1)
    elif not isinstance(value, (dict, list)):
        yield key, value


def _text(value: Any) -> str:
    return " ".join(str(item) for _, item in _scalars(value))


def _words(text: str) -> frozenset[str]:
    words = frozenset(_WORD.findall(text.lower().replace("_", " ")))
    return frozenset(word for word in words if not _COMMON.fullmatch(word))

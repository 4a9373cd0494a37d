"""What the calls of a task say, and the records that its ids reach."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from benchlint.checks.mentions import Mention, days, identifiers
from benchlint.checks.wording import tokens
from benchlint.text.slices import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from benchlint.benchmark.model import Benchmark, Call, Task
    from benchlint.benchmark.records import Collection
    from benchlint.checks.mentions import Day
    from benchlint.text.tree import Pointer

_RECORDS = 300
"""How many records a task may reach; more tell nothing about it."""

_FLAG = 3
"""Options of so few letters, such as "yes", are no words to look for."""

_CAPITALS = 4
"""From how many letters on a word in capitals may be an id."""

_MONEY = frozenset({"amount", "price", "cost", "fee", "balance"})
_SUM = frozenset({"total", "credit", "refund", "charge", "payment"})
_NAMES = frozenset({"first_name", "last_name", "first", "last", "given", "family", "given_name", "family_name"})
"""The parts of a person's name."""

_MAP = 20
"""From how many entries on a map in a record is large."""

_LONG = 200
"""Longer strings are no ids."""

_CAPITAL_WORD = re.compile(r"\b[A-Z]{4,}\b")
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ID = re.compile(r"#?\w[\w-]*")


class Leaf(NamedTuple):
    """A scalar inside the arguments of a call.

    `key` is the name of the nearest field, and `owner` the object that has
    it; `top` tells whether that object is the arguments themselves.
    """

    call: Call
    pointer: Pointer
    key: str
    value: Any
    owner: Mapping[str, Any]
    top: bool


def is_money(leaf: Leaf) -> bool:
    """Say whether a scalar is an amount of money: a number under a name for one."""
    names = tokens(leaf.key)
    return type(leaf.value) in (int, float) and (names[-1] in _SUM or not _MONEY.isdisjoint(names))


def day_of(leaf: Leaf) -> Day | None:
    """Return the day that a scalar gives, if it is a date."""
    if not isinstance(leaf.value, str) or not _ISO.match(leaf.value):
        return None
    found = days(leaf.value)
    return found[0].value if found else None


class Facts:
    """A task's calls and records, worked out when they are asked for."""

    def __init__(self, benchmark: Benchmark, task: Task) -> None:
        self.benchmark = benchmark
        self.task = task

    @property
    def has_state(self) -> bool:
        """Whether the task has an initial state, so that the records may be others than the database's."""
        return self.task.initial_data is not None or bool(self.task.value.get("initial_state"))

    @cached_property
    def complete(self) -> bool:
        """Whether every expected action is known in full."""
        return all(call.known and call.arguments is not None for call in self.task.actions) and not any(
            leaf.value is UNKNOWN for leaf in self.leaves
        )

    @cached_property
    def leaves(self) -> list[Leaf]:
        """Every scalar in the arguments of the expected actions."""
        return [
            leaf
            for call in self.task.actions
            if call.arguments is not None
            for leaf in _leaves(call, call.arguments_pointer, "", call.arguments, call.arguments, top=True)
        ]

    @cached_property
    def days_by_id(self) -> dict[str, list[Leaf]]:
        """The dates that stand beside an id in one object, by the id: when a flight leaves."""
        return self._beside_ids(day_of)

    @cached_property
    def money_by_id(self) -> dict[str, list[Leaf]]:
        """The amounts that stand beside an id in one object, by the id: what a card pays."""
        return self._beside_ids(is_money)

    def _beside_ids(self, wanted: Callable[[Leaf], object]) -> dict[str, list[Leaf]]:
        groups: dict[int, list[Leaf]] = {}
        for leaf in self.leaves:
            if not leaf.top:
                groups.setdefault(id(leaf.owner), []).append(leaf)
        found: dict[str, list[Leaf]] = {}
        for group in groups.values():
            ids = [leaf.value for leaf in group if _is_code(leaf.value)]
            values = [leaf for leaf in group if wanted(leaf)]
            if len(ids) == 1 and len(values) == 1:
                found.setdefault(ids[0], []).append(values[0])
        return found

    @cached_property
    def chosen(self) -> dict[str, tuple[tuple[str, ...], list[Leaf]]]:
        """By argument, the words that the tools' schemas allow, and the scalars that are one of them."""
        tools = self.benchmark.tools
        found: dict[str, tuple[tuple[str, ...], list[Leaf]]] = {}
        for leaf in self.leaves if tools else ():
            tool = tools.get(leaf.call.requestor, leaf.call.name) if tools and leaf.top else None
            parameter = tool.parameters.get(leaf.key) if tool else None
            values = parameter.schema.get("enum") if parameter else None
            if isinstance(values, list) and isinstance(leaf.value, str):
                options = tuple(value for value in values if isinstance(value, str) and len(value) > _FLAG)
                if len(options) > 1:
                    found.setdefault(leaf.key, (options, []))[1].append(leaf)
        return found

    @cached_property
    def people(self) -> dict[tuple[str, str], Leaf]:
        """The people in the arguments: first and last name, case folded, and where the last name stands."""
        found = {}
        for leaf in self.leaves:
            first, last = leaf.owner.get("first_name"), leaf.owner.get("last_name")
            if isinstance(first, str) and isinstance(last, str) and leaf.key == "last_name":
                found[first.casefold(), last.casefold()] = leaf
        return found

    @cached_property
    def strings(self) -> frozenset[str]:
        """The strings among them."""
        values = (value for call in self.task.actions for value in scalars_of(call.arguments))
        return frozenset(value for value in values if isinstance(value, str))

    @cached_property
    def told(self) -> str:
        """What is given outside the expected behaviour: scenario, ticket, initial state."""
        task = self.task
        initial = (task.initial_data, *(call.arguments for call in task.initial_calls))
        parts = [task.text, task.ticket.text if task.ticket else "", *(str(value) for value in initial if value)]
        return "\n".join(parts)

    @cached_property
    def told_ids(self) -> frozenset[str]:
        """The words of what is given that could be ids: in capitals, or with more than letters."""
        found: set[str] = set()
        for word in self.told.split():
            if not word.isalpha():
                found.update(_ID.findall(word))
            elif word.isupper() and len(word) >= _CAPITALS:
                found.add(word)
        return frozenset(found)

    @cached_property
    def collections(self) -> Mapping[str, Collection]:
        """The database's collections; none without a database."""
        database = self.benchmark.database
        return database.collections() if database is not None else {}

    @cached_property
    def own(self) -> dict[tuple[str, str], Any]:
        """The records whose ids stand in the scenario or in the expected actions, by collection and id."""
        texts = [value for value in self.strings if len(value) < _LONG]
        return _records((*sorted(self.told_ids), *sorted(texts)), self._by_id)

    @cached_property
    def reached(self) -> dict[tuple[str, str], Any]:
        """These records, and those that they name: a user's orders, an order's user.

        What a record with a large map in it names (a flight, all its dates)
        is left out.
        """
        reached = dict(self.own)
        whole = [(name, records) for name, records in self._by_id if "." not in name]
        for record in self.own.values():
            if _is_large(record):
                continue
            reached.update(_records(_strings(record), whole))
            if len(reached) > _RECORDS:
                break
        return reached

    @cached_property
    def _by_id(self) -> list[tuple[str, Mapping[str, Any]]]:
        return [(name, collection.records) for name, collection in self.collections.items()]

    @cached_property
    def reached_strings(self) -> frozenset[str]:
        """All strings and keys of the records that are reached."""
        return frozenset(text for record in self.reached.values() for text in _strings(record)) | {
            identifier for _, identifier in self.reached
        }

    @cached_property
    def reached_values(self) -> list[Any]:
        """All scalars of the records that are reached, keys left out."""
        return [value for record in self.reached.values() for value in scalars_of(record)]

    @cached_property
    def reached_days(self) -> frozenset[Day]:
        """The days that the reached records name as values."""
        texts = (text for text in self.reached_values if isinstance(text, str))
        return frozenset(mention.value for text in texts if _ISO.match(text) for mention in days(text))

    def is_write(self, call: Call) -> bool:
        """Say whether a call changes the database, as far as the tools tell."""
        tools = self.benchmark.tools
        tool = tools.get(call.requestor, call.name) if tools else None
        return tool is not None and tool.effect == "write"

    def mentions(self, call: Call, identifier: str) -> bool:
        """Say whether an id is a whole value among a call's arguments."""
        return identifier in self._strings_of.get(call.pointer, ())

    @cached_property
    def _strings_of(self) -> dict[Pointer, set[str]]:
        found: dict[Pointer, set[str]] = {}
        for leaf in self.leaves:
            if isinstance(leaf.value, str):
                found.setdefault(leaf.call.pointer, set()).add(leaf.value)
        return found

    def recorded(self, identifier: str, fits: Callable[[Any], bool]) -> bool:
        """Say whether an object in the reached records has an id and, beside it, a fitting value."""

        def inside(value: Any) -> bool:
            if isinstance(value, list):
                return any(map(inside, value))
            if not isinstance(value, dict):
                return False
            items = list(value.values())
            return (identifier in items and any(map(fits, items))) or any(map(inside, items))

        return any(map(inside, self.reached.values()))

    def has_name(self, pair: tuple[str, str]) -> bool:
        """Say whether the reached records have a person with a first and last name, case folded."""

        def inside(value: Any) -> bool:
            if isinstance(value, list):
                return any(map(inside, value))
            if not isinstance(value, dict):
                return isinstance(value, str) and value.casefold() == " ".join(pair)
            own = (value.get("first_name"), value.get("last_name"))
            return tuple(str(part).casefold() for part in own) == pair or any(map(inside, value.values()))

        return any(map(inside, self.reached.values()))

    def ids(self, text: str) -> list[Mention[str]]:
        """Return the words of a text that look like ids, and those in capitals that are ids of records."""
        capitals = (
            Mention(match[0], *match.span())
            for match in _CAPITAL_WORD.finditer(text)
            if any(match[0] in item.records for item in self.collections.values())
        )
        return [*identifiers(text), *capitals]

    def exists(self, identifier: str) -> bool:
        """Say whether an id is one of the task's own, or of a record of the database.

        A `#` before it does not count.
        """
        forms = (identifier, f"#{identifier}", identifier.lstrip("#"))
        return any(
            form in self.strings
            or form in self.told_ids
            or any(form in item.records for item in self.collections.values())
            or form in self.reached_strings
            for form in forms
        )

    def has_people(self, collection: str) -> bool:
        """Say whether the records of a collection are people."""
        record = next(iter(self.collections[collection].records.values()), None)
        return "." not in collection and isinstance(record, dict) and _is_person(record)

    @cached_property
    def person(self) -> tuple[str, str, Mapping[str, Any]] | None:
        """The user: collection, id and record, where exactly one person is told of, acted for or recorded."""
        people = {name: self.collections[name] for name in self.collections if self.has_people(name)}
        for ids in (self.told_ids | self.strings, self._recorded):
            found = [
                (name, text, item.records[text])
                for name, item in people.items()
                for text in ids
                if text in item.records
            ]
            if found:
                return found[0] if len(found) == 1 else None
        return None

    @cached_property
    def _recorded(self) -> frozenset[str]:
        """The strings that stand at the top of the task's own records."""
        records = (record for record in self.own.values() if isinstance(record, dict))
        return frozenset(value for record in records for value in record.values() if isinstance(value, str))


def _records(ids: Iterable[str], collections: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[tuple[str, str], Any]:
    """Return the records of some collections that have some ids."""
    pairs = list(collections)
    return {(name, text): records[text] for text in ids for name, records in pairs if text in records}


def _is_large(record: Any) -> bool:
    return isinstance(record, dict) and any(isinstance(item, dict) and len(item) > _MAP for item in record.values())


def _is_code(value: Any) -> bool:
    found = identifiers(value) if isinstance(value, str) else ()
    return len(found) == 1 and found[0].value == value


def _is_person(record: Mapping[str, Any]) -> bool:
    """Say whether a record is a person's: it has a name of two parts, or an address to write to."""
    name = record.get("name")
    if isinstance(name, dict):
        return not _NAMES.isdisjoint(name)
    return (
        "full_name" in record
        or ("first_name" in record and "last_name" in record)
        or ("name" in record and "email" in record)
    )


def _leaves(call: Call, at: Pointer, key: str, value: Any, owner: Mapping[str, Any], *, top: bool) -> Iterator[Leaf]:
    if isinstance(value, dict):
        inside = owner is value and top
        for name, item in value.items():
            yield from _leaves(call, (*at, name), str(name), item, value, top=inside)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _leaves(call, (*at, index), key, item, owner, top=top)
    else:
        yield Leaf(call, at, key, value, owner, top)


def scalars_of(value: Any) -> Iterator[Any]:
    """Yield the scalars inside a value, keys left out."""
    if isinstance(value, dict):
        for item in value.values():
            yield from scalars_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from scalars_of(item)
    else:
        yield value


def _strings(value: Any) -> list[str]:
    """Return the strings inside a value, keys too."""
    found: list[str] = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, dict):
            found += [key for key in item if isinstance(key, str)]
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item
    return found

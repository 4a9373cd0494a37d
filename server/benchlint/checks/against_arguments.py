"""Counts, choices, ids and names that are not those of the expected actions."""

from __future__ import annotations

import re
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

from benchlint.checks.arguments import is_creating
from benchlint.checks.facts import Leaf
from benchlint.checks.mentions import WORDS, counts, identifiers, names
from benchlint.checks.said import contradiction, either
from benchlint.checks.wording import alike, done, family, forms, is_exact, one_slip, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchlint.benchmark.model import Call
    from benchlint.checks.facts import Facts
    from benchlint.checks.said import Fault, Said
    from benchlint.checks.wording import Clause

_ASIDE = re.compile(r"\b(?:since|because|as|due to|although|though|even|so|which|who|that)\b")
_INTO = re.compile(
    r"\b(?:to|into|as|reason|reason is|reason of|reason as|reason:)\s+[\"']?(?:an?\s+|the\s+)?\Z", re.IGNORECASE
)
_OF = re.compile(
    r"\s*(?:[.,;:)\"']|\Z|(?:class|cabin|flights?|tickets?|seats?|fares?|reservations?|bookings?|round|one|from|to|with|on"
    r"|for|and|via|using|by|at|in)\b)",
    re.IGNORECASE,
)
"""What may follow an option that is chosen: "business class", not "business trip"."""

_NUMBER_OF = re.compile(
    r"number of (?P<noun>[a-z]+)\b[^.]*?\b(?:updated|set|changed|modified|increased|reduced) to (?P<number>[0-9]{1,3}|"
    + "|".join(WORDS)
    + r")\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?P<word>[a-z]+)\s+(?:id|ID|method|number)\s*(?:as|is|to|[:=#])*\s*\Z")
_ENDS = frozenset({"and", "for", "from", "to", "with", "in", "on", "of", "at", "per"})
"""Words after which a noun is no longer what is counted."""

_PAY = frozenset(chain.from_iterable(map(forms, ("use", "charge", "pay", "assign", "apply", "refund", "put", "bill"))))
"""What the agent does with a means of payment."""


def counts_of_things(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find how many of something ("3 bags"), where the expected calls have another number of them."""
    clause = done(said.text)
    told = _NUMBER_OF.search(said.text)
    if told:
        value = int(told["number"]) if told["number"].isdigit() else WORDS[told["number"].lower()]
        yield from _count(facts, said, value, told["noun"].lower(), told.span("number"), facts.task.actions)
    if clause is None or not is_exact(said.text):
        return
    calls = [
        call
        for call in facts.task.actions
        if clause.verb in family(tokens(call.name)[0]) or clause.verb in family("add")
    ]
    for count in counts(said.text):
        if count.start < clause.end:
            continue
        for noun in count.nouns:
            if noun in _ENDS:
                break
            yield from _count(facts, said, count.value, noun, (count.start, count.end), calls)


def _count(
    facts: Facts, said: Said, value: int, noun: str, place: tuple[int, int], calls: Iterable[Call]
) -> Iterator[Fault]:
    """Compare a count with the numbers and lists in some calls whose names have its noun.

    Allowed are these, what is left of one without another (bags that are
    free), what a record had before, and the difference to it; where a list is
    given anew, also some of it.
    """
    leaves: list[Leaf] = []
    totals: list[int] = []
    allowed: set[int] = set()
    for call in calls:
        numbers: list[int] = []
        for key, item in (call.arguments or {}).items():
            if not any(alike(noun, token) for token in tokens(str(key))):
                continue
            number = _number(item)
            if number is None:
                return
            numbers.append(number)
            if isinstance(item, list) and not is_creating(call.name):
                allowed.update(range(number))
            leaves.append(Leaf(call, (*call.arguments_pointer, key), key, number, call.arguments or {}, True))
            allowed |= _before(facts, call, key, number)
        allowed.update(numbers)
        allowed.update(abs(left - right) for left, right in combinations(numbers, 2))
        totals += numbers[:1]
    allowed.update(sum(totals[start:end]) for start, end in combinations(range(len(totals) + 1), 2))
    if leaves and value not in allowed:
        yield contradiction(said, place, leaves, has=either(totals))


def _number(item: Any) -> int | None:
    """Return a whole number, or how many ids or people a list has: of flights, a trip of two may be called one."""
    if isinstance(item, list):
        whole = all(isinstance(part, str) or (isinstance(part, dict) and "last_name" in part) for part in item)
        return len(item) if whole else None
    return item if type(item) is int else None


def _before(facts: Facts, call: Call, key: str, value: int) -> set[int]:
    """Return what a count was in the record that a call changes, and the difference."""
    found: set[int] = set()
    for (_, identifier), record in facts.own.items():
        if isinstance(record, dict) and facts.mentions(call, identifier):
            before = _number(record.get(key))
            if before is not None:
                found |= {before, abs(value - before)}
    return found


def choices(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find a value that a tool's schema allows for an argument, where the expected calls have another of them."""
    clause = done(said.text) if facts.chosen else None
    if clause is None:
        return
    text = _ASIDE.split(said.text)[0]
    ids = {mention.value for mention in identifiers(said.text)}
    for options, all_leaves in facts.chosen.values():
        leaves = [leaf for leaf in all_leaves if clause.verb in family(tokens(leaf.call.name)[0])]
        concerned = [leaf for leaf in leaves if any(facts.mentions(leaf.call, identifier) for identifier in ids)]
        if not concerned and len({leaf.call.pointer for leaf in leaves}) != 1:
            continue
        leaves = concerned or leaves
        expected = {leaf.value for leaf in leaves}
        found = [item for item in _options_in(text, options) if item[1][0] >= clause.end]
        wrong = next((place for _, place in found if _is_chosen(text, place, clause)), None)
        if wrong and not any(value in expected for value, _ in found):
            yield contradiction(said, wrong, leaves)


def _is_chosen(text: str, place: tuple[int, int], clause: Clause) -> bool:
    """Say whether an option is what the agent brings about, not what was there before."""
    if _OF.match(text, place[1]) is None:
        return False
    return clause.verb in family("book") or _INTO.search(text[: place[0]]) is not None


def _options_in(text: str, options: Sequence[str]) -> list[tuple[str, tuple[int, int]]]:
    """Find options as words, the longest first: "basic economy" is not "economy"."""
    plain = text.replace("-", " ").replace("_", " ").lower()
    found: list[tuple[str, tuple[int, int]]] = []
    for option in sorted(options, key=len, reverse=True):
        words = option.replace("-", " ").replace("_", " ").lower()
        start = plain.find(words)
        while start >= 0:
            end = start + len(words)
            apart = not plain[max(0, start - 1) : start].isalnum() and not plain[end : end + 1].isalnum()
            if apart and not any(start < right and left < end for _, (left, right) in found):
                found.append((option, (start, end)))
            start = plain.find(words, end)
    return sorted(found, key=lambda item: item[1])


def labelled_ids(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find an id under the name of an argument ("payment id X"), where the expected calls have another there."""
    clause = done(said.text)
    if clause is None:
        return
    for mention in identifiers(said.text):
        label = _LABEL.search(said.text[: mention.start])
        if label is None or mention.value in facts.strings:
            continue
        leaves = [
            leaf
            for leaf in facts.leaves
            if isinstance(leaf.value, str)
            and label["word"] in tokens(leaf.key)
            and facts.is_write(leaf.call)
            and _kind(leaf.value) == _kind(mention.value)
        ]
        if leaves:
            yield contradiction(said, mention[1:], leaves)


def _kind(identifier: str) -> str:
    return re.sub(r"[0-9]+", "0", re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]+", "A", identifier)))


def other_ids(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find an id in what the agent does (a flight, a card), where the expected calls have others of its kind."""
    clause = done(said.text)
    if clause is None:
        return
    mentions = identifiers(said.text)
    here = {mention.value for mention in mentions}
    paying = clause.verb in _PAY
    for mention in mentions:
        word = mention.value
        if word in facts.strings or word in facts.told_ids:
            continue
        kinds = [name for name, item in facts.collections.items() if word in item.records]
        leaves = [
            leaf
            for leaf in facts.leaves
            if isinstance(leaf.value, str)
            and any(leaf.value in facts.collections[kind].records for kind in kinds)
            and (clause.verb in family(tokens(leaf.call.name)[0]) or (paying and "payment" in leaf.key))
        ]
        concerned = [leaf for leaf in leaves if any(facts.mentions(leaf.call, other) for other in here)] or leaves
        if not concerned or here.issuperset(leaf.value for leaf in concerned):
            continue
        if (paying and here.isdisjoint(leaf.value for leaf in concerned)) or word not in facts.reached_strings:
            yield contradiction(said, mention[1:], concerned)


def misspelt_names(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find a person's name that is that of the expected actions but for a letter or two."""
    known = facts.people
    for mention in names(said.text) if known else ():
        pair = (mention.value[0].casefold(), mention.value[1].casefold())
        if pair in known or f"{pair[0]} {pair[1]}" in facts.told.casefold() or facts.has_name(pair):
            continue
        for other, leaf in known.items():
            index = 0 if pair[1] == other[1] else 1 if pair[0] == other[0] else None
            if index is None or not one_slip(pair[index], other[index]):
                continue
            right = f"{leaf.owner.get('first_name')} {leaf.owner.get('last_name')}"
            yield contradiction(said, mention[1:], [leaf], has=right, meant=right)
            break

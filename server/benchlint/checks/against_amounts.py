"""Amounts that are not those of the expected actions, or not those that the agent must say."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING

from benchlint.checks.facts import is_money
from benchlint.checks.mentions import Mention, amounts, identifiers, neighbours, number, numbers
from benchlint.checks.said import Evidence, Fault, contradiction, shown
from benchlint.checks.wording import alike, done, family, is_exact, one_slip, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.checks.facts import Facts, Leaf
    from benchlint.checks.said import Said

_AMOUNT = re.compile(r"\$?[0-9][0-9,]*(?:\.[0-9]+)?")
_WORD = re.compile(r"[A-Za-z]+")
_TO_AMOUNT = re.compile(
    r"[\s(:=]*(?:(?:dollars?|usd|will|should|be|is|was|are|charged?|paid|put|payment|on|to|onto|from|with|using|via|by"
    r"|in|the|a|his|her|their|user's|user|method|id|amount|of|for|worth|has|credit|gift|debit|card|certificate|account)"
    r"[\s(:=]*)*",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\b(?:fees?|prices?|fare|cost|insurance|bags?|baggages?|luggage|difference|seats?|items?|tickets?|taxe?s?|tips?"
    r"|deposit|upgrade)\s+(?:fee\s+|price\s+)?(?:of\s+|for\s+|is\s+|at\s+|\(|:\s*)?\Z",
    re.IGNORECASE,
)
"""Words before an amount that is but a part of what is paid."""

_PAYING = re.compile(r"\b(?:charg|pa(?:y|id)|put|bill|debit)", re.IGNORECASE)
_SUMS = 8
"""Of how many values all sums are tried."""

_LETTERS = 4
"""How long a word must be to name a means of payment."""

_DIGITS = 3
"""How many figures an amount must have for one that differs in a figure to be the same one."""


def amounts_of_ids(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find an amount beside an id (of a card), where the expected actions give this id another amount."""
    found = amounts(said.text)
    if not found or not facts.money_by_id or not is_exact(said.text):
        return
    bound = facts.money_by_id
    places = [mention for mention in identifiers(said.text) if mention.value in bound]
    places = sorted([*places, *_named_places(facts, said.text)], key=lambda place: place.start)
    for mention in found:
        before, behind = neighbours(mention, places)
        partner = None
        if behind and _TO_AMOUNT.fullmatch(said.text, mention.end, behind.start):
            partner = behind.value
        elif before and _TO_AMOUNT.fullmatch(said.text, before.end, mention.start):
            partner = before.value
        if partner is None or _PART.search(said.text[: mention.start]) or _is_paid(facts, partner, mention.value):
            continue
        leaves = bound[partner]
        yield contradiction(said, mention[1:], leaves, of=[partner], meant=_written_as(said, mention, leaves))


def _is_paid(facts: Facts, identifier: str, amount: float) -> bool:
    """Say whether an amount is what an id pays, in one call or in all, a total, or recorded with the id."""
    leaves = facts.money_by_id[identifier]
    calls = [leaf.call for leaf in leaves]
    beside = [leaf.value for leaf in facts.leaves if leaf.call in calls and is_money(leaf)]
    return (
        amount in _sums([leaf.value for leaf in leaves])
        or amount in _sums(beside)
        or facts.recorded(identifier, lambda value: value == amount)
    )


def _sums(values: Sequence[float]) -> set[float]:
    """Return the sums of some of the values; of many, only of one and of all."""
    sizes = range(1, len(values) + 1) if len(values) <= _SUMS else (1, len(values))
    return {round(sum(some), 2) for size in sizes for some in combinations(values, size)}


def _named_places(facts: Facts, text: str) -> Iterator[Mention[str]]:
    """Find ids by what their records call them: "mastercard" where one card of the actions has that brand."""
    if not _PAYING.search(text):
        return
    called: dict[str, set[str]] = {}
    for identifier in facts.money_by_id:
        for collection in facts.collections.values():
            record = collection.records.get(identifier)
            for value in record.values() if isinstance(record, dict) else ():
                if isinstance(value, str) and value != identifier and len(value) >= _LETTERS:
                    called.setdefault(value.replace("_", "").replace(" ", "").lower(), set()).add(identifier)
    words = list(_WORD.finditer(text))
    for size in (2, 1):
        for group in zip(*(words[at:] for at in range(size)), strict=False):
            ids = called.get("".join(word[0] for word in group).lower(), set())
            if len(ids) == 1:
                yield Mention(next(iter(ids)), group[0].start(), group[-1].end())


def amounts_of_things(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find the amount of what a tool sends or charges ("a $150 certificate"), where the expected call has another."""
    found = amounts(said.text)
    if not found or not is_exact(said.text):
        return
    paying: dict[str, list[Leaf]] = {}
    for leaf in facts.leaves:
        if leaf.top and is_money(leaf):
            paying.setdefault(leaf.call.name, []).append(leaf)
    clause = done(said.text)
    for tool, leaves in paying.items():
        noun = tokens(tool)[-1]
        if clause is None or clause.verb not in family(tokens(tool)[0]):
            continue
        allowed = _sums([leaf.value for leaf in leaves])
        for mention in found:
            if mention.value in allowed or not _is_amount_of(said.text, mention, noun):
                continue
            yield contradiction(said, mention[1:], leaves, meant=_written_as(said, mention, leaves))


def _is_amount_of(text: str, mention: Mention[float], noun: str) -> bool:
    """Say whether an amount stands right before or after a noun: "$50 certificate", "certificate of $50"."""
    behind = re.match(r"[\s-]*(?:dollars?\b|usd\b)?[\s-]*([A-Za-z]+)(?:\s([A-Za-z]+))?", text[mention.end :])
    before = re.search(
        r"([A-Za-z]+)\s+(?:of|for|worth|in the amount of|with a value of|valued at)\s+\Z", text[: mention.start]
    )
    nouns = [*(behind.groups() if behind else ()), *(before.groups() if before else ())]
    return any(word and alike(word, noun) for word in nouns)


def told_amounts(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find an amount that differs by one digit from one that the agent must say, and that no other sentence has."""
    found = amounts(said.text)
    if not found or not facts.task.communicate_info:
        return
    asserted = {
        mention.value for field in facts.task.nl_assertions for mention in (*numbers(field.text), *amounts(field.text))
    }
    told = {
        field: number(field.text.lstrip("$")) for field in facts.task.communicate_info if _AMOUNT.fullmatch(field.text)
    }
    acted = {leaf.value for leaf in facts.leaves if type(leaf.value) in (int, float)}
    for mention in found:
        if mention.value in told.values() or mention.value in acted:
            continue
        for field, value in told.items():
            if value in asserted or len(shown(value)) < _DIGITS or not one_slip(shown(mention.value), shown(value)):
                continue
            words = said.text[mention.start : mention.end]
            yield Fault(
                said.field,
                said.span(mention.start, mention.end),
                f'"{words}" contradicts what the agent must say: "{field.text}"',
                (Evidence("the text that the agent must say", field.pointer),),
            )


def _written_as(said: Said, mention: Mention[float], leaves: Sequence[Leaf]) -> str | None:
    """Write the one amount of some expected actions as another is written."""
    values = {leaf.value for leaf in leaves}
    words = said.text[mention.start : mention.end]
    return re.sub(r"[0-9].*[0-9]|[0-9]", shown(values.pop()), words) if len(values) == 1 else None

"""Means that a scenario makes its user insist on, and that the user's record does not have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from benchlint.benchmark.sentences import sentences
from benchlint.checks.facts import Facts
from benchlint.checks.registry import Check

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchlint.benchmark.model import Field
    from benchlint.catalogue.finding import Finding
    from benchlint.checks.view import View

RULE: Final = "impossible-constraint"

_METHODS: Final = ("payment_methods", "payment_method", "payments", "cards", "wallet")
_LEVELS: Final = ("membership", "membership_level", "membership_tier", "loyalty_level", "loyalty_tier", "tier")
_MEANS: Final = {
    "Mastercard": r"master ?card",
    "Visa card": r"visa(?: card)?",
    "American Express card": r"amex|american express",
    "PayPal account": r"pay ?pal",
}
_NAMED: Final = {
    "Mastercard": ("mastercard",),
    "Visa card": ("visa",),
    "American Express card": ("amex", "americanexpress"),
    "PayPal account": ("paypal",),
}
_USE = r"\b(?:pay|paid|charged?|refund(?:ed)?|use|using|cover|put|bill(?:ed)?)\b[^.;\n]{0,60}?\b"
_DEMANDS: Final = {
    means: re.compile(rf"(?:{_USE})(?:to|with|on|by|via)?\s*(?:your|my)\s+(?:own\s+)?(?:{words})\b", re.IGNORECASE)
    for means, words in _MEANS.items()
}
_LEVEL = re.compile(r"\bYou(?: are|'re|’re) an? (?P<level>[A-Za-z]+)(?:[ -](?:level|tier))? member\b")
_HEDGE = re.compile(
    r"\b(?:if|unless|otherwise|else|or|instead|rather|whether|not|never|don['’]?t|cannot|can['’]?t|no longer|new|add"
    r"|tell|say|claim\w*|pretend\w*|insist\w*|believe\w*|think\w*|sure|convinced|lie|lying|wrong\w*|incorrect\w*|mistake\w*"
    r"|try|trying|attempt\w*|first|should|prefer\w*|possible|accept|willing|fine|okay|ok)\b",
    re.IGNORECASE,
)


def _check(view: View) -> Iterator[Finding]:
    if not any(_may_demand(item.text) for item in view.task.scenario):
        return
    person = Facts(view.benchmark, view.task).person
    if person is None:
        return
    collection, identifier, record = person
    has = _methods(record)
    for item in view.task.scenario:
        for start, end in sentences(item.text):
            sentence = item.text[start:end]
            if _HEDGE.search(sentence):
                continue
            if has is not None:
                yield from _means(view, item, (start, sentence), has, identifier)
            yield from _level(view, item, (start, sentence), record, (collection, identifier))


_HINTS: Final = ("master", "visa", "amex", "american express", "paypal", "pay pal", "member")
"""Without one of these in lower case there is nothing to find; a pattern for it takes ten times as long."""


def _may_demand(text: str) -> bool:
    """Say whether a text speaks of a means or a level as its user's own."""
    folded = text.lower()
    if not any(hint in folded for hint in _HINTS):
        return False
    return any(demand.search(text) for demand in _DEMANDS.values()) or _LEVEL.search(text) is not None


def _means(view: View, item: Field, said: tuple[int, str], has: str, identifier: str) -> Iterator[Finding]:
    for means, pattern in _DEMANDS.items():
        match = pattern.search(said[1])
        if match is None or any(name in has for name in _NAMED[means]):
            continue
        message = f"the user must pay with a {means}; the record of {identifier} has none"
        span = (said[0] + match.start(), said[0] + match.end())
        yield view.finding(RULE, message, item.pointer, span=span)


def _level(
    view: View, item: Field, said: tuple[int, str], record: Mapping[str, Any], person: tuple[str, str]
) -> Iterator[Finding]:
    """Report a membership that the user is told to have, where this user has another of the levels on record."""
    match = _LEVEL.search(said[1])
    field = next((name for name in _LEVELS if isinstance(record.get(name), str)), None)
    if match is None or field is None or match["level"].lower() == record[field].lower():
        return
    records = view.database.collections()[person[0]].records.values()
    levels = {str(other.get(field)).lower() for other in records if isinstance(other, dict)}
    if match["level"].lower() in levels:
        message = f'the user is a {match["level"]} member; the record of {person[1]} has {field} "{record[field]}"'
        span = (said[0] + match.start("level"), said[0] + match.end("level"))
        yield view.finding(RULE, message, item.pointer, span=span)


def _methods(record: Mapping[str, Any]) -> str | None:
    """Return all words of a record's payment methods, without spaces; None where it has no such field."""
    value = next((record[name] for name in _METHODS if name in record), None)
    if not isinstance(value, (dict, list)) or not value:
        return None
    return re.sub(r"[^a-z0-9{},:]", "", str(value).lower())


CHECKS = (Check((RULE,), _check, needs=("database",), reads=("database", "tools")),)

"""Items of a policy that say the same with another number, or with and without a not.

Only items that agree word for word in all else, under the same headings
and in the same list, are compared: what two differently worded items mean
together is for a reader to say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from benchlint.catalogue.finding import Anchor, Related
from benchlint.checks.registry import Check

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from benchlint.benchmark.model import PolicyItem
    from benchlint.catalogue.finding import Finding
    from benchlint.checks.view import View

RULE: Final = "contradictory-policy"

_LEAST: Final = 3
"""So many words two items must share; fewer are a label or a cell."""

_UNITS: Final = (
    *("cents?", "dollars?", "euros?", "eur", "usd", "gbp", "pounds?", "percent", "points?"),
    *("seconds?", "minutes?", "hours?", "days?", "nights?", "weeks?", "months?", "years?"),
    *("grams?", "kg", "kilos?", "kilograms?", "km", "kilomet(?:er|re)s?", "miles?", "gb", "mb"),
)
_NUMBERS: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_AMOUNT = re.compile(
    rf"[$€£]\s*#|#\s*(?:[$€£%]|(?:{'|'.join(_UNITS)})\b)|\b(?:at (?:most|least)|up to|exactly|maximum (?:of|is)"
    r"|minimum (?:of|is)|no (?:more|fewer|less) than)\s+#"
)
"""A number that counts something; others are names: room 2, step 3."""

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?|[$€£%]")
_CONDITION = re.compile(
    r"\b(?:if|when(?:ever)?|unless|until|except|otherwise|only|in case|provided|where|while|after|before|between|over"
    r"|under|above|below|more than|less than|fewer than|older|younger|from|for (?:a|each|every|all|any)|per|first"
    r"|second|third|other|another|also|some|step)\b",
    re.IGNORECASE,
)
"""Words that give an item a case of its own, of which the number may be a part."""

_POLARITY: Final = {
    "cannot": "can",
    "can't": "can",
    "mustn't": "must",
    "shouldn't": "should",
    "won't": "will",
    "isn't": "is",
    "aren't": "are",
    "doesn't": "does",
    "don't": "do",
}
_NOTHING: Final = frozenset({"not", "never"})
_ALWAYS: Final = frozenset({"always"})


class _Said(NamedTuple):
    """What an item says: its words without numbers and negations, the numbers, and whether it is negated."""

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    negated: bool


def _check(view: View) -> Iterator[Finding]:
    seen: dict[Hashable, list[tuple[PolicyItem, _Said]]] = {}
    for item in view.policy.items:
        said = _said(item.text)
        if len(said.words) - len(said.numbers) < _LEAST:
            continue
        others = seen.setdefault((item.path, item.headings, item.context, said.words), [])
        for other, before in others:
            message = _message(item, before, said)
            if message:
                related = Related(f'the policy: "{other.text}"', Anchor(other.path, other.start, other.end))
                anchor = Anchor(item.path, item.start, item.end)
                yield view.file_finding(RULE, message, anchor, related=(related,), quote=item.text)
                break
        others.append((item, said))


def _message(item: PolicyItem, before: _Said, said: _Said) -> str:
    """Say in what an item contradicts one with the same words; "" where it does not."""
    if before.negated != said.negated:
        if before.numbers != said.numbers:
            return ""
        return "another item says the same without the negation" if said.negated else "another item negates the same"
    different = [pair for pair in zip(before.numbers, said.numbers, strict=False) if pair[0] != pair[1]]
    is_case = bool(item.context) or _CONDITION.search(item.text) is not None
    if is_case or len(said.numbers) != 1 or not different or not _AMOUNT.search(" ".join(said.words)):
        return ""
    one, other = different[0]
    return f"it says {other} where another item with the same words says {one}"


def _said(text: str) -> _Said:
    words: list[str] = []
    numbers: list[str] = []
    negated = False
    for token in _TOKEN.findall(text.casefold().replace("’", "'")):
        if token[0].isdigit() or token in _NUMBERS:
            words.append("#")
            numbers.append(str(_NUMBERS.index(token)) if token in _NUMBERS else token)
        elif token in _NOTHING:
            negated = not negated
        elif token in _POLARITY:
            negated = not negated
            words.append(_POLARITY[token])
        elif token not in _ALWAYS:
            words.append(token)
    return _Said(tuple(words), tuple(numbers), negated)


CHECKS = (Check((RULE,), _check, "benchmark", needs=("policy",), reads=("policy",), by_guard=True),)

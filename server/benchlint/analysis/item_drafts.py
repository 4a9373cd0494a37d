"""The rules that a model reads in the sentences of a policy, as far as they are true to its text.

What the model wrote is a proposal like any text: its words must stand in
the sentence, its meaning may say nothing that the policy does not, and the
rules of a sentence must together hold all of it. A sentence for which that
does not hold stays as it is written.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchlint.benchmark.item_parts import Reading, left_out
from benchlint.checks.vocabulary import stem
from benchlint.judges.protocol import Verdict
from benchlint.text.quotes import find_quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchlint.benchmark.model import PolicyItem, Tools
    from benchlint.judges.prompt import Asked
    from benchlint.judges.protocol import NoVerdict

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]{4,}")
_NOT = re.compile(r"\b(?:not|no|never|none|neither|nor|cannot|without|only|unless|except)\b|n't\b", re.IGNORECASE)
_FORBIDDING = re.compile(
    r"\b(?:den(?:y|ies)|refus\w+|reject\w*|forbid\w*|forbidden|prohibit\w*|fails?)\b", re.IGNORECASE
)
_FREE: Final = 2
"""So many words of a meaning may be the model's own: "agent", "customer"."""

_LONGER: Final = 400
"""By so many characters a meaning may be longer than the words that it explains."""

_SHOWN: Final = 5


class ReadItems(NamedTuple):
    """The rules of sentences, by the sentences' ids, and what was dropped, in sentences. `missing` has no answer."""

    readings: Mapping[str, Sequence[Reading]]
    told: tuple[str, ...]
    missing: int


def read_items(
    asked: Sequence[Asked],
    answers: Sequence[Verdict | NoVerdict],
    sentences: Sequence[PolicyItem],
    text: str,
    tools: Tools | None,
) -> ReadItems:
    """Check what a model wrote of the sentences of a policy, whose whole text is `text`."""
    readings: dict[str, Sequence[Reading]] = {}
    told: list[str] = []
    missing = 0
    reader = _Reader(text, tools)
    for item, answer in zip(asked, answers, strict=True):
        if not isinstance(answer, Verdict):
            missing += 1
            told.append(f"sentences {item.request.key} were not read: {answer.reason}")
            continue
        first, last = map(int, item.request.key.split("-"))
        rules: dict[int, list[Any]] = defaultdict(list)
        for rule in answer.answer.rules:
            if first <= rule.item <= last:
                rules[rule.item].append(rule)
            else:
                told.append(f"a rule of sentence {rule.item} was dropped: it was not asked about")
        for number, found in sorted(rules.items()):
            sentence = sentences[number - 1]
            read, problem = reader.sentence(sentence, found)
            if problem:
                told.append(f"{sentence.id} stays as it is written: {problem}")
            elif read:
                readings[sentence.id] = read
    return ReadItems(readings, tuple(told), missing)


class _Reader:
    def __init__(self, text: str, tools: Tools | None) -> None:
        self._numbers = set(_NUMBER.findall(text))
        self._stems = _stems(text)
        self._tools = {tool.name for tool in tools.by_name.values()} if tools is not None else set()

    def sentence(self, sentence: PolicyItem, rules: Sequence[Any]) -> tuple[list[Reading], str]:
        """Return the rules of a sentence, none where it says all itself; or what is wrong with one of them."""
        places: list[tuple[int, int]] = []
        read = []
        for rule in rules:
            found = find_quote(rule.quote, sentence.text)
            if found is None or not found.exact:
                return [], f'it does not say "{_clipped(rule.quote)}"'
            if any(start < found.end and found.start < end for start, end in places):
                return [], "two of its rules are quoted with the same words"
            places.append((found.start, found.end))
            words = sentence.text[found.start : found.end]
            problem = self._problem(sentence, words, rule.meaning)
            if problem:
                return [], problem
            concerned = tuple(dict.fromkeys(name for name in rule.tools if name in self._tools))
            read.append(Reading(words, " ".join(rule.meaning.split()), rule.kind, concerned))
        rest = left_out(sentence.text, [item.text for item in read])
        if rest:
            return [], f'its rules leave out "{_clipped(rest)}"'
        if len(read) == 1:
            whole = read[0]._replace(text=sentence.text, kind=sentence.kind)
            return ([] if _same(whole.meaning, sentence.text) else [whole]), ""
        return read, ""

    def _problem(self, sentence: PolicyItem, words: str, meaning: str) -> str:
        """Say what a meaning adds to some words of a sentence, or leaves out; "" where it is true to them."""
        own, said = _NUMBER.findall(words), _NUMBER.findall(meaning)
        strange = [number for number in said if number not in self._numbers]
        lost = [number for number in own if number not in said]
        if strange:
            return f"the meaning has {strange[0]}, which stands nowhere in the policy"
        if lost:
            return f"the meaning leaves out {lost[0]}"
        if len(meaning) > len(words) + len(sentence.context) + _LONGER:
            return "the meaning is much longer than the sentence"
        new = [word for word in dict.fromkeys(_WORD.findall(meaning.lower())) if stem(word) not in self._stems]
        if len(new) > _FREE:
            return f"the meaning speaks of {', '.join(new[:_SHOWN])}, and the policy does not"
        around = f"{words} {sentence.context}"
        if bool(_NOT.search(words)) and not (_NOT.search(meaning) or _FORBIDDING.search(meaning)):
            return f'the meaning turns it round: "{_clipped(meaning)}"'
        if _NOT.search(meaning) and not (_NOT.search(f"{around} {sentence.text}") or _FORBIDDING.search(around)):
            return f'the meaning turns it round: "{_clipped(meaning)}"'
        return ""


def _stems(text: str) -> set[str]:
    return {stem(word) for word in _WORD.findall(text.lower())}


def _same(one: str, other: str) -> bool:
    return "".join(filter(str.isalnum, one.casefold())) == "".join(filter(str.isalnum, other.casefold()))


def _clipped(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 80 else f"{text[:80].rsplit(' ', 1)[0]} …"

"""Policy items prepared for reading, and patterns that policies are written in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from benchlint.benchmark.policy_kind import label_end
from benchlint.judges.offline import lexicon
from benchlint.judges.offline.clause import Speech
from benchlint.judges.offline.lexicon import family
from benchlint.judges.offline.prose import read_prose
from benchlint.judges.offline.words import is_noun_of_action, stem, stem_set, word_set, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchlint.benchmark.model import PolicyItem, Tools
    from benchlint.judges.offline.prose import Prose
    from benchlint.judges.offline.reading import Stems
    from benchlint.judges.offline.words import Word

_HELPS: Final = re.compile(
    r"\byou (?:can |may |should )?(?:help|assist|serve)\s+(?:the\s+|our\s+)?(?P<role>[a-z]+)\b", re.IGNORECASE
)
_VERB_USE: Final = re.compile(r"\b(?:can|cannot|must|should|may|be|to|not|before)\s+(?=([a-z]+)\b)", re.IGNORECASE)
_NOMINAL_WORDS: Final = word_set(
    "booking change update upgrade downgrade return refund exchange order transfer purchase reservation swap switch"
    " replacement move edit amendment renewal closure deposit credit"
)
"""Further nouns for what is done: "complete the booking", "make the change"."""
_NEVER: Final = re.compile(
    r"(?:\bnever|\bdo not|\bdon't|\b(?:must|may|shall|should) (?:not|never)"
    r"|\bnot (?:allowed|permitted|authori[sz]ed) to"
    r"|\b(?:can|may) \w+(?: \w+){0,4}?,? but not) (?:[a-z]+ly )?(?P<verb>[a-z]{3,})\b",
    re.IGNORECASE,
)
"""What stands before a verb that the agent is told not to do."""
_NO_COMMANDS: Final = stem_set(
    "promise comment plan access store visit drive park travel have under more less later without because return"
    " the any all for after before only just too charge fee ticket"
)
"""Words behind it that are nouns as well, or no verbs."""
_LONGEST: Final = 800
"""Characters of an item that are read; no plain sentence is longer."""
_SAME_PARAGRAPH: Final = 2
"""Bytes between two sentences of one paragraph, at most."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item: its text without the label before it ("Payment: ..."), its words and clauses.

    `label` is its own, that of the sentence with which its paragraph begins,
    or the one that opens its list ("Change flights:"). `headings` are those under the document's title.
    """

    id: str
    text: str
    label: str
    headings: tuple[str, ...]
    kind: str
    prose: Prose
    words: tuple[Word, ...]
    stems: Stems


def speech_of(items: Sequence[PolicyItem], tools: Tools | None) -> Speech:
    """Return the words for users and the verbs that a policy and its tools add to plain English."""
    roles = set()
    for item in items:
        match = _HELPS.search(item.text)
        if match and match["role"].lower() not in lexicon.DETERMINER_WORDS | {"with", "to"}:
            roles.add(stem(match["role"].lower()))
    forbidden = {stem(match["verb"].lower()) for item in items for match in _NEVER.finditer(item.text)}
    used = {stem(match[1].lower()) for item in items for match in _VERB_USE.finditer(item.text)}
    names = [heading for item in items for heading in item.headings[1:]]
    names += [tool.name.replace("_", " ") for tool in tools.by_name.values()] if tools is not None else []
    firsts = (re.match(r"[A-Za-z]+", name) for name in names)
    verbs = {stem(first[0].lower()) for first in firsts if first and not is_noun_of_action(first[0].lower())}
    return Speech(lexicon.USERS | roles, lexicon.COMMANDS | (verbs & used) | (forbidden - _NO_COMMANDS))


def prepare(items: Sequence[PolicyItem], speech: Speech) -> Iterator[Item]:
    """Read the items of a policy one by one."""
    label = ""
    previous: PolicyItem | None = None
    for item in items:
        text = " ".join(item.text.split())[:_LONGEST]
        cut = label_end(text)
        if cut:
            label = text[:cut].rstrip(" :-–—")
        elif previous is None or previous.path != item.path or not 0 <= item.start - previous.end <= _SAME_PARAGRAPH:
            opening = item.context
            label = opening.removesuffix(":") if opening.endswith(":") and opening.count(":") == 1 else ""
        previous = item
        body = text[cut:]
        found = tuple(words(body))
        stems = frozenset([word.stem for word in found])
        prose = read_prose(body, "agent", speech)
        yield Item(item.id, body, label, item.headings[1:], item.kind, prose, found, stems)


def services(items: Iterable[Item], speech: Speech) -> Iterator[str]:
    """Yield the families of the acts in "you can help users book, modify or cancel bookings"."""
    for item in items:
        match = _HELPS.search(item.text)
        before = ""
        for word in words(item.text, match.end()) if match else ():
            previous, before = before, word.lower
            is_base = word.stem == stem(word.lower) and not is_noun_of_action(word.lower)
            if is_base and word.stem in speech.commands and previous not in lexicon.DETERMINER_WORDS:
                yield family(word.stem)


def act_named(text: str, speech: Speech) -> tuple[str, Stems] | None:
    """Read a heading or label that names an act ("Cancel pending order"): its family and what it is done to."""
    found = [word for word in words(text) if word.kind == "word"]
    if not found or (len(found) == 1 and not is_noun_of_action(found[0].lower)):
        return None
    first, last = found[0], found[-1]
    talk = lexicon.TELL | lexicon.CHECK | lexicon.REFUSE | {stem("complain")}
    is_order = not (first.lower.endswith("s") or is_noun_of_action(first.lower))
    if is_order and first.stem in speech.commands and first.stem not in talk:
        return family(first.stem), content(found[1:])
    if is_noun_of_action(last.lower) and last.stem not in talk and len(found) < 5:
        return family(last.stem), content(found[:-1])
    return None


def is_act_noun(word: Word) -> bool:
    """Say whether a word is a noun for what is done ("cancellation", "booking")."""
    return is_noun_of_action(word.lower) or word.lower.removesuffix("s") in _NOMINAL_WORDS


def content(found: Iterable[Word]) -> Stems:
    """Return the stems of words that tell what something is about."""
    return frozenset([word.stem for word in found if word.kind == "word" and word.stem not in lexicon.GENERIC])


def hands_over(stems: Stems) -> bool:
    """Say whether words speak of handing the user over to a person."""
    return not stems.isdisjoint(lexicon.HAND_OVER) and not stems.isdisjoint(lexicon.HUMANS)

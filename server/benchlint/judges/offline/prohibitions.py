"""What a policy tells the agent never to do, in sentences that know no exception."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.items import content
from benchlint.judges.offline.lexicon import family
from benchlint.judges.offline.reading import Prohibition
from benchlint.judges.offline.words import is_participle, stem, stem_set, word_set, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.judges.offline.clause import Speech
    from benchlint.judges.offline.items import Item
    from benchlint.judges.offline.reading import Stems
    from benchlint.judges.offline.words import Word

_ORDER: Final = re.compile(
    r"(?:^|[;,]\s+(?:and\s+|but\s+)?|\band\s+)(?:please\s+)?(?:do not|don't|never)\s+", re.IGNORECASE
)
_MODAL: Final = re.compile(
    r"\b(?:(?:must|may|shall|should|can|will)\s?(?:not|never)|cannot|can't|mustn't|shouldn't"
    r"|(?:is|are)\s+not\s+(?:allowed|permitted|authori[sz]ed)\s+to)\s+",
    re.IGNORECASE,
)
_UNDER_NO: Final = re.compile(
    r"\bunder no circumstances\s+(?:may|can|must|should|shall)\s+(?:(?P<you>you)|the\s+(?P<who>\w+))\s+", re.IGNORECASE
)
BUT_NOT: Final = re.compile(r"\b(?:can|may)\s+\w+(?:\s+\w+){0,4}?,?\s+but\s+not\s+(?=\w)", re.IGNORECASE)
"""What stands before what users may not do as well: "can add but not remove"."""
_IMPOSSIBLE: Final = re.compile(
    r"^(?P<what>[\w' -]{3,50}?)\s+(?:is|are)\s+(?:not|never)\s+(?:possible|allowed|permitted|accepted|available)\.?$",
    re.IGNORECASE,
)
_EXCEPTIONS: Final = re.compile(
    r"\b(?:if|unless|when|whenever|until|except|without|only|before|after|once|more|less|fewer|and|while|both|than)\b"
    r"|\d",
    re.IGNORECASE,
)
"""Words with which a sentence holds sometimes, or takes more than a plain reading."""
_END: Final = re.compile(r"[.;:]|,?\s+but\b|,\s+(?:so|which|as|because)\b")
_EXAMPLES: Final = re.compile(r"\((?:e\.\s?g\.|for example|such as|like)?,?\s*(?P<names>[^()]{2,80})\)", re.IGNORECASE)
_NO_VERB: Final = stem_set(
    "be have do use hold help allow let ask assume proceed go see know apply try stay keep rely expect take need"
)
_RELATIVE_WORDS: Final = word_set("that which")
_ASKED_WORDS: Final = word_set("who what whether why how where")
_EMPTY: Final = stem_set("behalf way kind sort basis circumstance")
_APART_WORDS: Final = word_set("same other another existing new current additional further different first own")
_MOST: Final = 4
"""Words of an object, at most; what is longer is no plain one."""


def prohibitions_of(item: Item, speech: Speech) -> Iterator[Prohibition]:
    """Yield what an item forbids without a condition."""
    text = item.text
    ruled_out = _IMPOSSIBLE.match(text)
    if ruled_out is not None:
        stems = content(words(ruled_out["what"]))
        if len(stems) > 1:
            yield Prohibition(item.id, text, "", (stems,), (), item.headings)
        return
    if item.kind != "prohibition" and not _ORDER.search(text) and not _UNDER_NO.search(text):
        return
    for start, left in _openings(text, speech):
        end = _END.search(text, start)
        segment = text[start : end.start() if end else len(text)]
        bare = _EXAMPLES.sub(" ", segment)
        if _EXCEPTIONS.search(bare):
            continue
        found = words(bare)
        if len(found) > 1 and found[0].lower == "be":
            yield from _passive(item, left, found[1:])
        else:
            yield from _active(item, found, speech)


def _openings(text: str, speech: Speech) -> Iterator[tuple[int, str]]:
    """Yield where what is forbidden begins, and the subject before it where the sentence is a passive."""
    for pattern in (_ORDER, _UNDER_NO):
        for match in pattern.finditer(text):
            if pattern is _ORDER or match["you"] or stem(match["who"].lower()) in lexicon.AGENTS:
                yield match.end(), ""
    for match in BUT_NOT.finditer(text):
        yield match.end(), ""
    for match in _MODAL.finditer(text):
        left = re.split(r"[;:]", text[: match.start()])[-1]
        after = words(text, match.end())[:1]
        follows = bool(after) and after[0].lower == "be"
        agent = any(word.stem in lexicon.AGENTS or word.lower in ("you", "we") for word in words(left))
        agent = agent or (left.strip().lower() == "it" and bool(after) and after[0].stem in lexicon.COMMANDS)
        if follows or (agent and not any(word.stem in speech.users for word in words(left))):
            yield match.end(), left


def _passive(item: Item, left: str, found: list[Word]) -> Iterator[Prohibition]:
    """Read "vouchers cannot be exchanged for cash", "such medicines (e.g. X) must not be refilled by chat"."""
    found = [word for word in found if not lexicon.is_adverb(word.lower)]
    if not found or not is_participle(found[0].lower) or found[0].stem in _NO_VERB:
        return
    examples = _EXAMPLES.search(left)
    subject: list[Word] = []
    for word in words(_EXAMPLES.sub(" ", left)):
        if word.lower in lexicon.FINITE_WORDS or word.lower in lexicon.PREPOSITION_WORDS:
            break
        subject.append(word)
    objects = _alternatives(subject)
    if examples is not None:
        objects += _alternatives(words(examples["names"]))
    _, about = _object_and_about(found[1:])
    if about:
        yield Prohibition(item.id, item.text, family(found[0].stem), objects, about, item.headings)


def _active(item: Item, found: list[Word], speech: Speech) -> Iterator[Prohibition]:
    """Read "do not comment on X or compare Y with Z", "may not diagnose, interpret Y or recommend Z"."""
    for phrase in _phrases(found, speech):
        told = [word for word in phrase if word.lower != "to" and not lexicon.is_adverb(word.lower)]
        if not told:
            continue
        verb, *rest = told
        if verb.kind != "word" or verb.stem in _NO_VERB:
            continue
        if any(word.lower in _RELATIVE_WORDS or word.lower in ("not", "no") for word in rest):
            continue
        objects, about = _object_and_about(rest)
        if objects or about:
            yield Prohibition(item.id, item.text, family(verb.stem), objects, about, item.headings)


def _phrases(found: list[Word], speech: Speech) -> Iterator[list[Word]]:
    """Part words before each further verb: after "or" or a comma, one that is known, or that the first goes with."""
    phrase: list[Word] = []
    for index, word in enumerate(found):
        previous = found[index - 1].lower if index else ""
        if phrase and previous in ("or", ",", "nor"):
            lone = sum(other.kind == "word" and other.lower not in ("or", "nor") for other in phrase) == 1
            is_verb = word.stem in speech.commands and word.stem not in lexicon.AMBIGUOUS
            if lone or is_verb or word.lower == "to":
                yield phrase
                phrase = []
        phrase.append(word)
    yield phrase


def _object_and_about(found: list[Word]) -> tuple[tuple[Stems, ...], tuple[Stems, ...]]:
    """Part what a verb is done to from what a preposition adds, each as alternatives."""
    place = next(
        (
            index
            for index, word in enumerate(found)
            if (word.lower in lexicon.PREPOSITION_WORDS and word.lower != "of") or word.lower in _ASKED_WORDS
        ),
        len(found),
    )
    return _alternatives(found[:place]), _alternatives(found[place:])


def _alternatives(found: list[Word]) -> tuple[Stems, ...]:
    """Return the stems of each of several things that "or" or a comma joins."""
    groups: list[list[Word]] = [[]]
    for word in found:
        if word.lower in ("or", "nor", ",", "and"):
            groups.append([])
        elif word.lower not in lexicon.PREPOSITION_WORDS and word.lower not in _ASKED_WORDS:
            groups[-1].append(word)
    stems = (_telling(group) for group in groups)
    return tuple(group for group in stems if group and len(group) <= _MOST)


def _telling(group: list[Word]) -> Stems:
    """Return the stems of words that tell what is meant: with those that set it apart ("the same day")."""
    apart = frozenset(word.stem for word in group if word.lower in _APART_WORDS)
    nouns = content(word for word in group if word.lower not in lexicon.DETERMINER_WORDS | lexicon.AUXILIARY_WORDS)
    return (nouns | apart) - _EMPTY

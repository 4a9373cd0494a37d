"""Whether what a policy wants first has been obtained or checked when an act comes."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.lexicon import family
from benchlint.judges.offline.needs import IDENTITY
from benchlint.judges.offline.scene import status_of
from benchlint.judges.offline.words import stem, stem_set, word_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from benchlint.judges.offline.clause import Clause
    from benchlint.judges.offline.prose import Passage
    from benchlint.judges.offline.reading import Need, Stems
    from benchlint.judges.offline.scene import Scene

_IDS: Final = stem_set("id identifier number no code reference")
_REASON: Final = stem_set("reason why purpose motive")
_EMAIL: Final = stem_set("email mail")
_BIRTH: Final = stem_set("birth birthday dob born")
_PHONE: Final = stem_set("phone telephone mobile")
_NAME: Final = stem("name")
_RECORD: Final = stem_set("profile account detail information record identity data")
_OF_RECORD_WORDS: Final = word_set("in up by with under from and using")
_FINDS: Final = lexicon.CHECK - stem_set("confirm search compare calculate")
_RETRIEVES: Final = stem_set("look retrieve find search locate access get query identify")
_ENSURES: Final = stem_set("ensure make")
_MAKE: Final = stem("make")
_PROCEDURE: Final = stem_set(
    "confirm collect provide tool call task one respond information yes consent agree obtain list"
)
_ELIGIBLE: Final = stem_set(
    "eligible eligibility allow allowed permit permitted qualify condition rule policy criteria requirement"
)
_ALL_DETAILS: Final = re.compile(
    r"\b(?:all|any|the|every)\s+(?:other\s+)?(?:necessary|required|needed|relevant|requisite|mandatory|essential)\s+"
    r"(?:\w+\s+){0,2}(?:details?|information|data|fields?)\b"
    r"|\b(?:necessary|required|needed|requested)\s+(?:information|details?|data)\b"
    r"|\b(?:all|every|everything)\b(?:\s+(?:the|of|details?|information|data|that|which|is|are))*\s+(?:\w+\s+){0,3}?"
    r"(?:needs?|requires?|needed|required|necessary)\b",
    re.IGNORECASE,
)
_RULES_OUT: Final = word_set("possible impossible allowed permitted")
_INCLUDING: Final = re.compile(r"\s*,?\s*(?:including|such as|like)\b", re.IGNORECASE)
_EVERYWHERE: Final = re.compile(
    r"(?:before|prior to|throughout|always|in (?:all|each|every|any)|for (?:all|each|every)"
    r"|at (?:all|every|the (?:start|beginning|outset))|first(?: of all)?\b|to (?:start|begin)|initially|beforehand)\b",
    re.IGNORECASE,
)
_NEAR: Final = 5
"""Words before an id in which stands whose it is."""


def is_met(scene: Scene, need: Need, clause: Clause, act: str) -> bool:
    """Say whether a need of an act is met when the act's clause comes."""
    known = [*scene.description.clauses, *_known(scene, clause)]
    if need.is_check:
        return any(_checks_rules(scene, other, known) for other in known)
    if _gathers_all(scene, clause, act) or (_is_id_of_thing(scene, need) and _was_made(scene, clause)):
        return True
    if any(not option.isdisjoint(_REASON) for option in need.options) and _user_says_why(scene):
        return True
    sentences = [
        [other for other in sentence if _gives_something(other)]
        for sentence in (*scene.description.by_sentence, *_by_sentence(_known(scene, clause)))
    ]
    return any(_gives(option, sentence, scene) for option in need.options for sentence in sentences)


def _known(scene: Scene, clause: Clause) -> Iterator[Clause]:
    """Yield what the behaviour has told when a clause comes, and what it says of all times."""
    passage = scene.behaviour
    for other in passage.clauses:
        start, _ = passage.sentence_of(other)
        if other.sentence <= clause.sentence or _EVERYWHERE.match(passage.text, start):
            yield other


def _by_sentence(clauses: Iterable[Clause]) -> list[list[Clause]]:
    found: dict[int, list[Clause]] = {}
    for clause in clauses:
        found.setdefault(clause.sentence, []).append(clause)
    return list(found.values())


def _gives_something(clause: Clause) -> bool:
    return clause.link != "without" and not (clause.negated and clause.subject == "user")


def _user_says_why(scene: Scene) -> bool:
    return any(clause.link == "cause" or "due" in clause.lowers for clause in scene.description.clauses)


def _is_id_of_thing(scene: Scene, need: Need) -> bool:
    """Say whether a need is the id of a thing, and not of a person."""
    people = scene.reading.speech.users | {stem("account")}
    return all(not option.isdisjoint(_IDS) and option.isdisjoint(people) for option in need.options)


def _was_made(scene: Scene, clause: Clause) -> bool:
    """Say whether what an act concerns was made earlier in the conversation, so that its id is known."""
    return any(
        act.family in lexicon.MAKES and act.status != "offered" and act.sentence < clause.sentence for act in scene.acts
    )


def _gives(option: Stems, sentence: list[Clause], scene: Scene) -> bool:
    """Say whether a sentence names a piece of information."""
    stems = frozenset(family(name) for clause in sentence for name in clause.stems)
    if option & _REASON:
        return not stems.isdisjoint(_REASON)
    if option & _EMAIL:
        return not stems.isdisjoint(_EMAIL) or any("@" in name for name in stems)
    if option & _BIRTH:
        return not stems.isdisjoint(_BIRTH) or _gives_details(sentence, scene)
    if option & _PHONE:
        return not stems.isdisjoint(_PHONE)
    if option == IDENTITY and _finds_out_who(sentence, scene):
        return True
    if option & _IDS and len(option) > 1:
        return _identifies(option, sentence, scene)
    if _NAME in option:
        return _NAME in stems or _gives_details(sentence, scene)
    return stems.issuperset(map(family, option))


def _finds_out_who(sentence: list[Clause], scene: Scene) -> bool:
    people = scene.reading.speech.users | IDENTITY
    for clause in sentence:
        if _looks_up(clause, people):
            return True
        identifies = clause.verb in lexicon.IDENTIFY
        if identifies and not clause.stems.isdisjoint(people):
            return True
        finds = identifies or clause.verb == "find"
        if finds and any(other.parent is clause and "who" in other.lowers for other in sentence):
            return True
    return False


def _identifies(option: Stems, sentence: list[Clause], scene: Scene) -> bool:
    """Say whether a sentence names an id of something: "the user id", "booking HB-2041", "look up the booking"."""
    people = scene.reading.speech.users
    things = set(map(family, option - _IDS))
    if not things.isdisjoint(people):
        things |= people
        record = people | _RECORD
        if any(clause.verb in lexicon.IDENTIFY and not clause.stems.isdisjoint(record) for clause in sentence):
            return True
    for clause in sentence:
        if any(_is_id_near(clause, index, things) for index in range(len(clause.words))):
            return True
        if _looks_up(clause, things):
            return True
    return False


def _is_id_near(clause: Clause, index: int, things: set[str]) -> bool:
    word = clause.words[index]
    following = clause.words[index + 1].lower if index + 1 < len(clause.words) else ""
    named = index > 0 and family(clause.words[index - 1].stem) in things
    is_count = word.lower == "number" and following == "of" and not named
    if word.kind != "identifier" and (word.stem not in _IDS or is_count):
        return False
    last = index + (4 if following in ("of", "for") else 0)
    return any(family(other.stem) in things for other in clause.words[max(index - _NEAR, 0) : last])


def _looks_up(clause: Clause, things: AbstractSet[str]) -> bool:
    """Say whether the agent looks up the thing itself, by whatever it has."""
    if clause.verb not in _FINDS or clause.subject == "user":
        return False
    return any(_is_looked_up(clause, index, things) for index in range(len(clause.object_words)))


def _is_looked_up(clause: Clause, index: int, things: AbstractSet[str]) -> bool:
    """Say whether a word of an object is the thing itself: "look up the booking", "the user's profile"."""
    found = clause.object_words
    word = found[index]
    if family(word.stem) not in things:
        return False
    following = found[index + 1] if index + 1 < len(found) else None
    if following is None or following.kind == "mark":
        return not word.lower.endswith("'s")
    return following.stem in _RECORD or following.lower in _OF_RECORD_WORDS


def _gives_details(sentence: list[Clause], scene: Scene) -> bool:
    """Say whether somebody's details are obtained or given: "passenger details", "personal information"."""
    people = scene.reading.speech.users
    for clause in sentence:
        if clause.verb in lexicon.ASK or clause.verb in lexicon.TELL:
            for before, word in pairwise(clause.object_words):
                if word.stem in _RECORD and (before.stem in people or before.lower == "personal"):
                    return True
    return False


def _gathers_all(scene: Scene, clause: Clause, act: str) -> bool:
    """Say whether "all necessary information" for an act is obtained before it."""
    _, end = scene.behaviour.sentence_of(clause)
    for match in _ALL_DETAILS.finditer(scene.behaviour.text, 0, end):
        if _is_about(scene, scene.behaviour, match.start(), act):
            return True
    text = scene.description.text
    return any(
        not _INCLUDING.match(text, match.end()) and _is_about(scene, scene.description, match.start(), act)
        for match in _ALL_DETAILS.finditer(text)
    )


def _is_about(scene: Scene, passage: Passage, place: int, act: str) -> bool:
    """Say whether the act that is named in the sentence of a place, or last before it, is this one."""
    named = act
    for (start, end), clauses in zip(passage.sentences, passage.by_sentence, strict=True):
        families = [name for clause in clauses for name in scene.families_in(clause)]
        if start <= place < end:
            return act in families or named == act
        if families:
            named = families[-1]
    return named == act


def _checks_rules(scene: Scene, clause: Clause, beside: list[Clause]) -> bool:
    """Say whether a clause has the agent find out whether the rules allow something."""
    if clause.negated or clause.link == "without":
        return False
    if clause in scene.behaviour.clauses and _applies_rules(scene, clause):
        return True
    if clause.link in ("condition", "asked") and not clause.stems.isdisjoint(_ELIGIBLE):
        return stem("request") not in clause.stems
    if clause.subject == "user" or clause.link in ("content", "asked", "relative", "condition"):
        return False
    if clause.verb in _ENSURES:
        return _ensures(clause, beside)
    if clause.verb not in lexicon.CHECK or clause.has_assent:
        return False
    people = scene.reading.speech.users
    objects = {word.stem for word in clause.object_words} - lexicon.GENERIC
    if clause.verb == "confirm":
        talks = "with" in clause.lowers and not clause.stems.isdisjoint(people)
        if talks or clause.passive or scene.names_act(clause):
            return False
    if clause.verb in _RETRIEVES and any(
        other.link in ("content", "asked") and other.parent is clause for other in beside
    ):
        return True
    acts = scene.reading.writes - scene.reading.things
    known = lexicon.IDENTIFYING | people | _RECORD | _IDS | acts | lexicon.PREPOSITION_WORDS
    rest = set(map(family, objects)) - known
    if clause.verb in _RETRIEVES:
        return clause.verb != "search" and not rest <= scene.reading.things
    return bool(rest) or not objects or (clause.verb == "confirm" and not clause.stems.isdisjoint(_RECORD))


def _applies_rules(scene: Scene, clause: Clause) -> bool:
    """Say whether a clause tells what the rules come to here: "as it was booked today", "it may be cancelled"."""
    if clause.link == "cause":
        refused = any(other.verb in lexicon.REFUSE for other in scene.behaviour.beside(clause))
        return clause.subject not in ("user", "agent") and not refused
    if clause.link == "content":
        above = clause.parent
        tells = above is not None and above.verb in lexicon.TELL and status_of(above) == "done"
        return tells and not clause.lowers.isdisjoint(_RULES_OUT) and clause.subject not in ("user", "agent")
    return clause.link == "main" and clause.subject != "user" and clause.passive and clause.modal in ("can", "may")


def _ensures(clause: Clause, beside: list[Clause]) -> bool:
    """Say whether the agent makes sure of a fact, and not that a procedure is kept."""
    if clause.verb == _MAKE and "sure" not in clause.lowers:
        return False
    content = [clause, *(other for other in beside if other.parent is clause)]
    stems = frozenset(word.stem for word in clause.object_words).union(*(other.stems for other in content[1:]))
    told = stems - lexicon.GENERIC - {stem("sure")}
    return bool(told) and told.isdisjoint(_PROCEDURE) and not any(other.has_assent for other in content)

"""Policy items that the user's request runs into: what the policy makes the agent refuse or handle specially."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.facts import holds, number_with
from benchlint.judges.offline.lexicon import family
from benchlint.judges.offline.scene import status_of
from benchlint.judges.offline.situation import is_banned
from benchlint.judges.offline.verdict import clipped
from benchlint.judges.offline.words import stem, stem_set, words
from benchlint.judges.protocol import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchlint.judges.offline.clause import Clause
    from benchlint.judges.offline.reading import Stems
    from benchlint.judges.offline.scene import Scene

_ADVICE: Final = stem_set("recommend recommendation advice opinion")
_COMPENSATION: Final = stem("compensation")
_FORBIDS: Final = re.compile(r"\b(?:only|cannot|can't|not|never|no)\b", re.IGNORECASE)
_LEAST: Final = 0.5
"""The share of an item's words that a refusal has to have."""
_MOST_WORDS: Final = 8
"""Of so many words of an item, at most, the share is taken."""


def detect(scene: Scene) -> Iterator[Violation]:
    """Yield each item once, with the words of the request that run into it."""
    seen: set[str] = set()
    for item, clause, confidence in _all(scene):
        if item not in seen:
            seen.add(item)
            span = (clause.start, _end(scene, clause))
            pointer, place = scene.description.place(span)
            quote = scene.description.text[span[0] : span[1]]
            reason = f'The policy says "{clipped(scene.reading.text(item))}".'
            yield Violation(item, quote, reason, confidence, pointer, place)


def _end(scene: Scene, clause: Clause) -> int:
    """Return where a clause ends, with what completes it: "advice on whether ...", "wants to ..."."""
    beside = scene.description.beside(clause)
    completes = [other.end for other in beside if other.parent is clause and other.link in ("asked", "infinitive")]
    return max([clause.end, *completes])


def _all(scene: Scene) -> Iterator[tuple[str, Clause, float]]:
    yield from _banned(scene)
    yield from _too_many(scene)
    yield from _advice(scene)
    yield from _excluded(scene)
    yield from _refused(scene)


def _told(scene: Scene) -> Iterator[Clause]:
    """Yield the clauses of the description in which the agent does nothing, and that deny nothing."""
    return (clause for clause in scene.description.clauses if clause.subject != "agent" and not clause.negated)


def _banned(scene: Scene) -> Iterator[tuple[str, Clause, float]]:
    for wish in scene.requests:
        for ban in scene.reading.bans:
            if ban.family == wish.family and is_banned(scene, ban, wish.objects, wish.clause):
                yield ban.item, wish.clause, 0.85


def _too_many(scene: Scene) -> Iterator[tuple[str, Clause, float]]:
    users = scene.reading.speech.users
    for clause in _told(scene):
        for limit in scene.reading.limits:
            number = number_with(limit, clause, users)
            if number is None or number <= limit.number:
                continue
            if limit.families.isdisjoint(scene.reading.writes) or not limit.families.isdisjoint(
                scene.families_in(clause)
            ):
                yield limit.item, clause, 0.85


def _advice(scene: Scene) -> Iterator[tuple[str, Clause, float]]:
    if scene.reading.no_advice:
        for clause in _told(scene):
            if clause.subject == "user" and not clause.stems.isdisjoint(_ADVICE):
                yield scene.reading.no_advice, clause, 0.85


def _excluded(scene: Scene) -> Iterator[tuple[str, Clause, float]]:
    asked = frozenset({_COMPENSATION}).union(*(rule.asked for rule in scene.reading.on_request))
    for rule in scene.reading.exclusions:
        if all(holds(fact, scene.description) for fact in rule.facts):
            for clause in _told(scene):
                if not clause.stems.isdisjoint(asked):
                    yield rule.item, clause, 0.8


def _refused(scene: Scene) -> Iterator[tuple[str, Clause, float]]:
    """Yield the items on which the expected behaviour grounds its refusals. What bans say is not taken from there."""
    for clause in scene.behaviour.clauses:
        refusal = _refusal(scene, clause)
        if refusal is None or refusal[0] not in scene.reading.writes:
            continue
        item = _item_of(scene, *refusal)
        understood = any(ban.item == item and ban.family == refusal[0] for ban in scene.reading.bans)
        asked = _asked_for(scene, *refusal) if item and not understood else None
        if asked is not None:
            yield item, asked, 0.7


def _refusal(scene: Scene, clause: Clause) -> tuple[str, Stems] | None:
    """Return the family of the act that a clause refuses, and the stems around it."""
    beside = scene.behaviour.beside(clause)
    if clause.verb in lexicon.REFUSE and status_of(clause) == "done":
        below = [other for other in beside if clause in other.ancestors() and other.link in ("infinitive", "cause")]
        act = next((other for other in below if other.link == "infinitive" and other.head >= 0), None)
        return (family(act.verb), _stems(below)) if act is not None else None
    if clause.link not in ("content", "cause") or not (clause.negated or _limits(scene, clause)):
        return None
    above = clause.parent
    if clause.link == "content" and (above is None or above.verb not in lexicon.CLAIM or status_of(above) != "done"):
        return None
    related = [
        other
        for other in beside
        if other is clause or clause in other.ancestors() or (above is not None and other.parent is above)
    ]
    named = next((name for other in (clause, *related) for name in scene.families_in(other)), "")
    return named, _stems([*related, *(other for other in beside if other.link == "cause")])


def _limits(scene: Scene, clause: Clause) -> bool:
    """Say whether a clause says that something is only possible in a case that is not this one."""
    if "only" not in clause.lowers:
        return False
    beside = scene.behaviour.beside(clause)
    if not any(other.link == "condition" and clause in other.ancestors() for other in beside):
        return True
    sentences = scene.behaviour.by_sentence
    following = sentences[clause.sentence + 1] if clause.sentence + 1 < len(sentences) else ()
    return any(other.link == "cause" for other in following)


def _stems(clauses: Iterable[Clause]) -> Stems:
    return frozenset(family(name) for clause in clauses for name in clause.stems) - lexicon.GENERIC


def _item_of(scene: Scene, act: str, refusal: Stems) -> str:
    """Return the item that forbids an act and shares most words with its refusal."""
    best, score = "", _LEAST
    for item, text in scene.reading.texts:
        stems = _telling(text)
        if act not in stems or len(stems) < 2 or not _FORBIDS.search(text):
            continue
        shared = len(stems & refusal)
        share = shared / min(len(stems), _MOST_WORDS)
        if shared >= 2 and share > score:
            best, score = item, share
    return best


@lru_cache(maxsize=4096)
def _telling(text: str) -> Stems:
    plain = lexicon.GENERIC | lexicon.USERS | lexicon.AGENTS
    return frozenset(
        family(word.stem)
        for word in words(text)
        if word.kind == "word"
        and word.stem not in plain
        and word.lower not in lexicon.MODAL_WORDS
        and word.lower not in lexicon.PREPOSITION_WORDS
        and word.lower != "only"
    )


def _asked_for(scene: Scene, act: str, refusal: Stems) -> Clause | None:
    """Return the request for an act that shares most with its refusal."""
    best: Clause | None = None
    most = 0
    for wish in scene.requests:
        shared = len(set(map(family, wish.clause.stems)) & refusal - scene.reading.speech.users)
        if wish.family == act and shared > most:
            best, most = wish.clause, shared
    return best

"""forbidden-action: the conversation handed over to a person where the policy wants a refusal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.items import hands_over
from benchlint.judges.offline.lexicon import family
from benchlint.judges.offline.scene import is_offer
from benchlint.judges.offline.situation import is_banned
from benchlint.judges.offline.verdict import clipped, finding, governor, with_verb
from benchlint.judges.offline.words import stem, stem_set, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.judges.offline.clause import Clause
    from benchlint.judges.offline.scene import Scene
    from benchlint.judges.offline.verdict import Span
    from benchlint.judges.protocol import JudgedFinding

_INSISTS: Final = stem_set("insist persist object protest argue demand threaten pressure")
_GOES_ON: Final = stem_set("continue keep repeat")
_GOES_ON_TO: Final = stem_set("ask insist request demand press push complain refuse argue object protest")
_NOT_ACCEPTED: Final = re.compile(
    r"\b(?:(?:does|do) not accept|(?:refuses?|unwilling) to accept|(?:is|are|becomes?|remains?|gets?|stays?)"
    r" (?:still |not )?(?:dissatisfied|unhappy|upset|angry|frustrated|displeased|satisfied|impatient))\b",
    re.IGNORECASE,
)
_BEYOND: Final = re.compile(
    r"\b(?:cannot|can't|could not|unable|not able|beyond|outside|out of scope|impossible)\b", re.IGNORECASE
)
_NO_PERSON: Final = lexicon.USERS | {stem("person")}


def detect(scene: Scene, rule: str) -> Iterator[tuple[JudgedFinding, int]]:
    """Yield findings about handovers, each with its sentence."""
    if not scene.reading.hand_over:
        return
    for clause in scene.behaviour.clauses:
        if clause.verb in lexicon.HAND_OVER and hands_over(clause.stems) and is_offer(clause):
            found = _on_insistence(scene, rule, clause) or _of_banned(scene, rule, clause)
            if found is not None:
                yield found, clause.sentence


def _on_insistence(scene: Scene, rule: str, clause: Clause) -> JudgedFinding | None:
    passage = scene.behaviour
    conditions = [other for other in passage.beside(clause) if other.enclosing("condition") is not None]
    trailing = [other for other in conditions if other.start > clause.start]
    if _insists(scene, trailing):
        conditions = trailing
    told = _told(scene, conditions)
    if not _insists(scene, conditions) or _BEYOND.search(told) or _wants_person(conditions):
        return None
    main = governor(clause)
    start = min(main.start, conditions[0].start)
    end = max(clause.end, conditions[-1].end)
    rewrite = (
        passage.text[start : main.start]
        + with_verb(passage, main, "decline again")
        + (passage.text[clause.end : end] if conditions is trailing else "")
    )
    item = scene.reading.hand_over
    reason = f'That the user insists is no ground for a handover (policy: "{clipped(scene.reading.text(item))}").'
    return finding(rule, passage, (start, end), reason, [item, scene.reading.deny], 0.85, rewrite)


def _of_banned(scene: Scene, rule: str, clause: Clause) -> JudgedFinding | None:
    """Find a handover for an act that is to be refused: "offer to transfer the user for adding insurance"."""
    for other in scene.behaviour.beside(clause):
        if other.link not in ("gerund", "infinitive") or other.head < 0 or clause not in other.ancestors():
            continue
        for ban in scene.reading.bans:
            if ban.family != family(other.verb) or not is_banned(scene, ban, other.stems, other):
                continue
            if hands_over(frozenset(word.stem for word in words(ban.text))):
                continue
            main = governor(clause)
            span: Span = (main.start, max(clause.end, other.end))
            reason = f'This is to be refused, not handed over: the policy says "{clipped(ban.text)}".'
            rewrite = with_verb(scene.behaviour, main, "explain that this is not possible")
            return finding(rule, scene.behaviour, span, reason, [ban.item, scene.reading.hand_over], 0.85, rewrite)
    return None


def _told(scene: Scene, clauses: Sequence[Clause]) -> str:
    return " ".join(map(scene.behaviour.said, clauses))


def _insists(scene: Scene, conditions: Sequence[Clause]) -> bool:
    """Say whether the conditions of a handover are that the user does not give in."""
    if not any(clause.subject == "user" for clause in conditions):
        return False
    stems = frozenset(name for clause in conditions for name in clause.stems)
    goes_on = not stems.isdisjoint(_GOES_ON) and not stems.isdisjoint(_GOES_ON_TO)
    return not stems.isdisjoint(_INSISTS) or goes_on or _NOT_ACCEPTED.search(_told(scene, conditions)) is not None


def _wants_person(conditions: Sequence[Clause]) -> bool:
    return any(not (clause.stems - _NO_PERSON).isdisjoint(lexicon.HUMANS) for clause in conditions)

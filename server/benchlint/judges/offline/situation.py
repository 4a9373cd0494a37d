"""Whether a ban of the policy applies to an act in the situation that a task describes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.facts import ABSENT_WORDS, holds
from benchlint.judges.offline.lexicon import family
from benchlint.judges.offline.words import is_participle, stem_set

if TYPE_CHECKING:
    from benchlint.judges.offline.clause import Clause
    from benchlint.judges.offline.reading import Ban, Stems
    from benchlint.judges.offline.scene import Scene

_SECOND: Final = stem_set("another other separate second")
"""Words after which it is not sure which of two things is meant."""
_SPREAD: Final = 3
"""Words that may stand between those that name a kind."""


def is_banned(scene: Scene, ban: Ban, stems: Stems, clause: Clause) -> bool:
    """Say whether an act of a ban's family is the one that it forbids.

    `stems` are those of the act and around it; `clause` is where it stands,
    in the behaviour or in the description.
    """
    banned = frozenset(map(family, ban.objects))
    if not ban.kinds and not ban.facts and not ban.after:
        return len(banned) > 1 and banned <= frozenset(map(family, stems))
    if banned.isdisjoint(map(family, stems)) and not _is_of_request(scene, ban, banned, stems):
        return False
    if ban.kinds and (_is_permitted(scene, ban, banned, stems) or not _is_of_kind(scene, ban)):
        return False
    if ban.kinds and _is_of_kind_no_more(scene, ban, banned, clause):
        return False
    if not all(holds(fact, scene.description) for fact in ban.facts):
        return False
    return not ban.after or _has_happened(scene, ban.after, clause)


def _is_of_request(scene: Scene, ban: Ban, banned: Stems, stems: Stems) -> bool:
    """Say whether an act names no object of its own, and the user's request for it has the banned one."""
    own = set(map(family, stems)) - {ban.family} - lexicon.GENERIC - scene.reading.writes
    if not own.isdisjoint(map(family, scene.reading.vocabulary)):
        return False
    return any(
        wish.family == ban.family and not banned.isdisjoint(map(family, wish.objects)) for wish in scene.requests
    )


def _is_permitted(scene: Scene, ban: Ban, banned: Stems, stems: Stems) -> bool:
    """Say whether an item permits this act on things of the kind: "all, including basic ones, can change cabin"."""
    special = set(map(family, stems)) - banned - lexicon.GENERIC - {ban.family}
    return any(
        ban.kinds <= permission and not special.isdisjoint(objects) for permission, objects in scene.reading.permissions
    )


def _is_of_kind_no_more(scene: Scene, ban: Ban, banned: Stems, clause: Clause) -> bool:
    """Say whether something was done before that an item permits on things of the kind, and that changes what it is."""
    return any(
        act.status in ("done", "past")
        and act.sentence < clause.sentence
        and act.clause is not clause
        and _is_permitted(scene, ban, banned, act.objects | act.clause.stems)
        for act in scene.acts
    )


def _is_of_kind(scene: Scene, ban: Ban) -> bool:
    """Say whether the thing in question is of the kind that a ban singles out."""
    for clause in scene.description.clauses:
        if clause.negated or not ban.kinds <= clause.stems or not _is_told(clause):
            continue
        places = [index for index, word in enumerate(clause.words) if word.stem in ban.kinds]
        before = clause.words[max(places[0] - _SPREAD, 0) : places[0]]
        if any(word.lower in ABSENT_WORDS for word in before):
            continue
        if places[-1] - places[0] < len(ban.kinds) + _SPREAD:
            return scene.description_stems.isdisjoint(_SECOND)
    return False


def _is_told(clause: Clause) -> bool:
    """Say whether a clause tells a fact, and not what may be or what the agent may say."""
    if clause.enclosing("condition", "asked") is not None:
        return False
    return clause.link != "content" or clause.parent is None or clause.parent.subject != "agent"


def _has_happened(scene: Scene, event: str, clause: Clause) -> bool:
    """Say whether the event after which something is forbidden lies in the past."""
    if family(event) not in lexicon.MAKES:
        return any(
            word.stem == event and is_participle(word.lower)
            for told in scene.description.clauses
            if not told.negated and told.link != "condition"
            for word in told.words
        )
    if not scene.makes:
        return True
    if clause in scene.description.clauses:
        return any(
            told.sentence < clause.sentence and family(told.verb) in lexicon.MAKES for told in scene.description.clauses
        )
    return any(
        act.family in lexicon.MAKES and act.status in ("done", "past") and act.sentence < clause.sentence
        for act in scene.acts
    )

"""forbidden-action: something that the policy forbids in this situation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from benchlint.judges.offline import handover, lexicon, prohibited
from benchlint.judges.offline.facts import number_with
from benchlint.judges.offline.lexicon import family
from benchlint.judges.offline.scene import status_of
from benchlint.judges.offline.situation import is_banned
from benchlint.judges.offline.verdict import clipped, finding, governor, with_verb
from benchlint.judges.offline.words import stem_set, word_set, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.judges.offline.clause import Clause
    from benchlint.judges.offline.scene import Act, Scene
    from benchlint.judges.protocol import JudgedFinding

RULE: Final = "forbidden-action"

_NOT_POSSIBLE: Final = "explain that this is not possible"
_OTHER_WORDS: Final = word_set("other another instead different new second entire whole remaining separate rest both")
_NARROW_WORDS: Final = word_set("only just one more than without until unless before after while if first")
_OPTION: Final = stem_set("option possibility opportunity way chance")
_SPLITS: Final = stem_set("split separate two several divide")
_LIMITING: Final = re.compile(r"\b(?:only|cannot|not|never)\b", re.IGNORECASE)
_SHARED: Final = 3
"""Words that a refusal shares with the item on which it stands, at least."""


def detect(scene: Scene) -> Iterator[JudgedFinding]:
    """Yield findings for steps that items forbid; at most one a sentence."""
    seen: set[int] = set()
    for found, sentence in _all(scene):
        if sentence not in seen:
            seen.add(sentence)
            yield found


def _all(scene: Scene) -> Iterator[tuple[JudgedFinding, int]]:
    yield from handover.detect(scene, RULE)
    yield from prohibited.detect(scene, RULE)
    for clause in scene.behaviour.clauses:
        found = _banned_option(scene, clause)
        if found is not None:
            yield found, clause.sentence
    for act in scene.acts:
        found = _banned(scene, act) or _over_limit(scene, act) or _denied_before(scene, act)
        if found is not None:
            yield found, act.sentence


def _banned(scene: Scene, act: Act) -> JudgedFinding | None:
    if act.status == "offered":
        return None
    clause = act.clause
    for ban in scene.reading.bans:
        if ban.family == act.family and is_banned(scene, ban, act.objects | clause.stems, clause):
            reason = f'The policy forbids this here: "{clipped(ban.text)}".'
            return _instead(scene, act, reason, ban.item)
    return None


def _instead(scene: Scene, act: Act, reason: str, item: str) -> JudgedFinding:
    """Return a finding whose fix has the agent explain, instead of act."""
    main = governor(act.clause)
    if main.head >= 0 and main.link == "main" and not main.passive:
        span = (main.start, act.clause.end)
        rewrite = with_verb(scene.behaviour, main, _NOT_POSSIBLE)
    else:
        span = scene.behaviour.sentence_of(act.clause)
        rewrite = ""
    return finding(RULE, scene.behaviour, span, reason, [item], 0.85, rewrite)


def _banned_option(scene: Scene, clause: Clause) -> JudgedFinding | None:
    """Find a banned act that the agent presents as possible: "the option to add insurance"."""
    above = clause.parent
    if clause.head < 0 or clause.negated or above is None or above.verb not in lexicon.TELL:
        return None
    option = clause.link == "infinitive" and any(word.stem in _OPTION for word in above.object_words)
    can = clause.link == "content" and clause.modal in ("can", "may") and clause.subject in ("user", "agent")
    if not (option or (can and clause.lowers.isdisjoint(("only", "if")))) or status_of(above) != "done":
        return None
    for ban in scene.reading.bans:
        if ban.family == family(clause.verb) and is_banned(scene, ban, clause.stems, clause):
            reason = f'The agent presents as possible what the policy forbids: "{clipped(ban.text)}".'
            rewrite = with_verb(scene.behaviour, above, _NOT_POSSIBLE)
            return finding(RULE, scene.behaviour, (above.start, clause.end), reason, [ban.item], 0.85, rewrite)
    return None


def _over_limit(scene: Scene, act: Act) -> JudgedFinding | None:
    if act.status not in ("done", "past") or not act.clause.stems.isdisjoint(_SPLITS):
        return None
    for limit in scene.reading.limits:
        if limit.families and act.family not in limit.families:
            continue
        number = number_with(limit, act.clause, scene.reading.speech.users)
        if number is not None and number > limit.number:
            reason = f'{number} is more than the policy allows: "{clipped(limit.text)}".'
            return _instead(scene, act, reason, limit.item)
    return None


def _denied_before(scene: Scene, act: Act) -> JudgedFinding | None:
    """Find an act of which the agent has said, in the same behaviour, that it cannot be done."""
    passage = scene.behaviour
    if act.status != "done" or not act.clause.lowers.isdisjoint(_OTHER_WORDS) or len(act.objects - {act.family}) > 1:
        return None
    for clause in passage.clauses:
        if clause.sentence >= act.sentence or clause.link != "content" or not clause.negated:
            continue
        if family(clause.verb) != act.family or not clause.lowers.isdisjoint(_NARROW_WORDS | _OTHER_WORDS):
            continue
        item = _prohibition(scene, act.family, clause)
        main = governor(act.clause)
        if not item or main.head < 0 or not main.own_subject:
            continue
        policy = clipped(scene.reading.text(item))
        reason = f'The agent has said "{passage.said(clause)}" and does it all the same (policy: "{policy}").'
        start, end = span = passage.sentence_of(act.clause)
        rewrite = (
            passage.text[start : main.start]
            + with_verb(passage, main, "decline again")
            + passage.text[max(act.clause.end, main.end) : end]
        )
        return finding(RULE, passage, span, reason, [item], 0.85, rewrite)
    return None


def _prohibition(scene: Scene, act: str, clause: Clause) -> str:
    """Return the item that forbids or limits an act and shares most words with a clause."""
    best, most = "", _SHARED - 1
    for item, text in scene.reading.texts:
        stems = frozenset(word.stem for word in words(text))
        shared = len(stems & clause.stems)
        if shared > most and _LIMITING.search(text) and act in map(family, stems):
            best, most = item, shared
    return best

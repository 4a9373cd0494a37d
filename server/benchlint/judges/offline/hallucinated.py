"""hallucinated-step: a step that neither the policy nor the tools know."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.scene import is_offer, status_of
from benchlint.judges.offline.steps import STEPS
from benchlint.judges.offline.verdict import clipped, finding, listed, with_verb
from benchlint.judges.offline.words import stem, stem_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.judges.offline.clause import Clause
    from benchlint.judges.offline.scene import Scene
    from benchlint.judges.offline.verdict import Span
    from benchlint.judges.protocol import JudgedFinding

RULE: Final = "hallucinated-step"

_NO_STEP: Final = lexicon.REFUSE | lexicon.CHECK | stem_set("acknowledge apologise apologize")
_TOLD_TOO: Final = frozenset({"an escalation", "a document", "a later notice"})
"""Steps that a verb of saying may be part of: "inform the manager"."""
_ONE_AT_A_TIME: Final = re.compile(r"\b(?:one|single)\b[^.;]{0,60}\bat a time\b|\bsimultaneously\b", re.IGNORECASE)
_RULES_OF: Final = re.compile(
    r"\b(?P<topic>[a-z][a-z-]+)\s+(?:policy|policies|regulations?|guidelines|rules?|procedures?)\b", re.IGNORECASE
)
_INSTEAD: Final = re.compile(r"\binstead\b|\bas an alternative\b|\balternatively\b", re.IGNORECASE)
_PLAIN: Final = lexicon.GENERIC | stem_set(
    "company relevant applicable general appropriate privacy current our their respective internal service"
)


class _Unknown(NamedTuple):
    """A clause with a step that nothing supports, where the step ends, and what it is."""

    clause: Clause
    end: int
    what: str


def detect(scene: Scene) -> Iterator[JudgedFinding]:
    """Yield a finding for each step, or row of steps in one sentence, that nothing supports."""
    unknown = [found for clause in scene.behaviour.clauses if (found := _unknown_service(scene, clause)) is not None]
    for _, group in groupby(unknown, key=lambda found: found.clause.sentence):
        steps = list(group)
        reason = f"Neither the policy nor the tools know of {listed([step.what for step in steps])}."
        span, rewrite = _without(scene, steps[0].clause, steps[-1].clause, steps[-1].end)
        yield finding(RULE, scene.behaviour, span, reason, [scene.reading.closed], 0.8, rewrite)
    for clause in scene.behaviour.clauses:
        wrong = _invented_ground(scene, clause) or _alternative(scene, clause) or _foreign_rules(scene, clause)
        if wrong is not None:
            yield wrong


def _unknown_service(scene: Scene, clause: Clause) -> _Unknown | None:
    if clause.head < 0 or clause.verb in _NO_STEP or not is_offer(clause):
        return None
    below = [
        other.end
        for other in scene.behaviour.beside(clause)
        if other.parent is clause and other.link in ("gerund", "condition", "after", "infinitive")
    ]
    end = max([clause.end, *below])
    text = scene.behaviour.text[clause.words[clause.head].start : end]
    for step in STEPS:
        if not step.known_by.isdisjoint(scene.reading.vocabulary):
            continue
        match = step.wording.search(text)
        if match is None or (clause.verb in lexicon.CLAIM and step.name not in _TOLD_TOO):
            continue
        if step.name == "an escalation" and stem(match[0].lower().split()[-1]) in scene.reading.vocabulary:
            continue
        return _Unknown(clause, end, f'{step.name} ("{match[0].strip()}")')
    return None


def _without(scene: Scene, first: Clause, last: Clause, end: int) -> tuple[Span, str]:
    """Return what to quote of steps that end at `end`, and the text without them.

    Steps beside others are quoted with the word before them, or with the
    verb after them, so that a sentence remains.
    """
    text = scene.behaviour.text
    beside = scene.behaviour.beside(first)
    main = [other for other in beside if other.link == "main" and other.head >= 0 and other.subject == "agent"]
    before = [other for other in beside if other.end <= first.start and other.words[-1].kind == "word"]
    if first in main and not first.own_subject and before and main[0] is not first:
        return (before[-1].words[-1].start, end), text[before[-1].words[-1].start : before[-1].end]
    following = next((other for other in main if other.start > last.start and not other.own_subject), None)
    if first in main and following is not None:
        verb = following.words[following.head]
        return (first.words[first.head].start, verb.end), text[verb.start : verb.end]
    return scene.behaviour.sentence_of(first), ""


def _invented_ground(scene: Scene, clause: Clause) -> JudgedFinding | None:
    """Find a refusal on the ground that only one thing can be handled at a time, where no item says so."""
    if clause.verb not in lexicon.REFUSE or clause.verb == stem("avoid") or status_of(clause) != "done":
        return None
    for other in scene.behaviour.beside(clause):
        said = scene.behaviour.said(other)
        if other.link != "cause" or clause not in other.ancestors() or not _ONE_AT_A_TIME.search(said):
            continue
        if any(_ONE_AT_A_TIME.search(text) for _, text in scene.reading.texts):
            return None
        span, rewrite = _without(scene, clause, clause, other.end)
        reason = f'The policy knows no such ground for a refusal: "{said}".'
        return finding(RULE, scene.behaviour, span, reason, [scene.reading.closed], 0.7, rewrite)
    return None


def _alternative(scene: Scene, clause: Clause) -> JudgedFinding | None:
    """Find a recommendation of something else than was asked for, where the policy forbids recommendations."""
    item = scene.reading.no_advice
    if not item or clause.verb not in lexicon.RECOMMEND or status_of(clause) != "done":
        return None
    below = [other for other in scene.behaviour.beside(clause) if other.parent is clause]
    end = max([clause.end, *(other.end for other in below)])
    said = scene.behaviour.text[clause.start : end]
    if not _INSTEAD.search(said) or any(other.verb in lexicon.HAND_OVER for other in below):
        return None
    reason = f'"{said}" recommends what the user has not asked for (policy: "{clipped(scene.reading.text(item))}").'
    span, rewrite = _without(scene, clause, clause, end)
    return finding(RULE, scene.behaviour, span, reason, [item], 0.7, rewrite)


def _foreign_rules(scene: Scene, clause: Clause) -> JudgedFinding | None:
    """Find information about rules of something that the policy never mentions: "the pet policy"."""
    item = scene.reading.closed
    if not item or clause.verb not in lexicon.TELL or status_of(clause) != "done":
        return None
    for match in _RULES_OF.finditer(scene.behaviour.said(clause)):
        topic = match["topic"].lower()
        known = stem(topic) in scene.reading.vocabulary or stem(topic) in _PLAIN
        if known or topic in lexicon.DETERMINER_WORDS or topic in lexicon.PREPOSITION_WORDS:
            continue
        reason = f'Nothing tells the agent about "{match[0]}" (policy: "{clipped(scene.reading.text(item))}").'
        rewrite = with_verb(scene.behaviour, clause, "explain that it has no information about this")
        return finding(RULE, scene.behaviour, (clause.start, clause.end), reason, [item], 0.75, rewrite)
    return None

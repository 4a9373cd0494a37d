"""missing-confirmation: a change without the consent that the policy wants first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.scene import status_of
from benchlint.judges.offline.verdict import agent_name, clipped, finding, is_third_person
from benchlint.judges.offline.words import stem_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.judges.offline.scene import Act, Consent, Scene
    from benchlint.judges.offline.verdict import Span
    from benchlint.judges.protocol import JudgedFinding

RULE: Final = "missing-confirmation"

_VAGUE: Final = stem_set("handle start begin initiate facilitate conduct")
_ASSISTS: Final = lexicon.HELP - stem_set("allow let permit")


def detect(scene: Scene) -> Iterator[JudgedFinding]:
    """Yield a finding for the first act of each family that nobody has consented to."""
    seen: set[str] = set()
    places: set[Span] = set()
    for act in scene.acts:
        if act.status == "offered" or not act.named or _is_vague(act) or act.family in seen:
            continue
        rules = [rule for rule in scene.reading.consents if rule.families is None or act.family in rule.families]
        if not rules or any(_covers(scene, consent, act) for consent in scene.consents):
            continue
        span = scene.behaviour.sentence_of(act.clause)
        if span in places:
            continue
        seen.add(act.family)
        places.add(span)
        policy = clipped(scene.reading.text(rules[0].item))
        reason = f'"{scene.behaviour.said(act.clause)}" comes without the user\'s confirmation (policy: "{policy}").'
        rewrite = _with_question(scene, act, span)
        yield finding(RULE, scene.behaviour, span, reason, [rules[0].item], 0.85, rewrite)


def _is_vague(act: Act) -> bool:
    """Say whether a clause leaves open when the change is made: "handle the booking", "assist in booking"."""
    above = act.clause.parent
    assists = act.clause.link == "gerund" and above is not None and above.verb in _ASSISTS
    return act.clause.verb in _VAGUE or assists


def _covers(scene: Scene, consent: Consent, act: Act) -> bool:
    """Say whether consent is to an act: before it, in its sentence, or to everything."""
    if consent.about and consent.about != act.family:
        return False
    if consent.clause.sentence <= act.sentence:
        return True
    asks = status_of(consent.clause) in ("done", "user", "pending")
    if asks and act.status == "pending" and not _is_done_before(scene, act, consent):
        return True
    every = lexicon.EVERY_WORDS | {"all"}
    return any(not every.isdisjoint(other.lowers) for other in scene.behaviour.beside(consent.clause))


def _is_done_before(scene: Scene, act: Act, consent: Consent) -> bool:
    """Say whether an act that was to be done is done, before a later consent."""
    return any(
        other.family == act.family
        and other.status in ("done", "past")
        and act.sentence < other.sentence < consent.clause.sentence
        for other in scene.acts
    )


def _with_question(scene: Scene, act: Act, span: Span) -> str:
    """Return the sentence of an act with the question for consent before the act."""
    text, clause = scene.behaviour.text, act.clause
    if clause.link == "main" and not clause.own_subject and clause.head >= 0 and clause.start > span[0]:
        ask = "asks" if is_third_person(clause) else "ask"
        question = f"{ask} for the user's explicit confirmation, and "
        return text[span[0] : clause.start] + question + text[clause.start : span[1]]
    name = agent_name(scene.behaviour)
    return f"{name} should list the details and ask for the user's explicit confirmation. {text[span[0] : span[1]]}"

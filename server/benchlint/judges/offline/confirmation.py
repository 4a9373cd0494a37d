"""missing-confirmation: a change without the consent that the policy wants first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.scene import status_of
from benchlint.judges.offline.verdict import agent_name, clipped, finding, sentence_of
from benchlint.judges.offline.words import stem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.judges.offline.scene import Act, Consent, Scene
    from benchlint.judges.protocol import JudgedFinding

RULE = "missing-confirmation"


def detect(scene: Scene) -> Iterator[JudgedFinding]:
    """Yield a finding for the first act of each family that nobody has consented to."""
    seen: set[tuple[int, int] | str] = set()
    for act in scene.acts:
        if act.status == "offered" or not act.named or _is_vague(act):
            continue
        rule = next(
            (rule for rule in scene.reading.consents if rule.families is None or act.family in rule.families), None
        )
        if rule is None or _has_consent(scene, act):
            continue
        span = sentence_of(act.part, act.clause)
        if act.family in seen or span in seen:
            continue
        seen |= {act.family, span}
        words = scene.reading.text(rule.item)
        step = act.part.field.text[act.clause.start : act.clause.end]
        reason = f'"{step}" comes without the user\'s confirmation (policy: "{clipped(words)}").'
        text = act.part.field.text[span[0] : span[1]]
        rewrite = f"{agent_name(scene)} should list the details and ask for the user's explicit confirmation. {text}"
        yield finding(RULE, act.part, span, reason, [rule.item], 0.85, rewrite)


def _is_vague(act: Act) -> bool:
    """Say whether a clause leaves open when the change is made: "handle the booking", "assist in booking"."""
    above = act.clause.parent.verb if act.clause.parent is not None and act.clause.link == "gerund" else ""
    return act.clause.verb in _VAGUE or above in lexicon.HELP - {stem("allow"), stem("let"), stem("permit")}


_VAGUE = frozenset(map(stem, "handle start begin initiate facilitate conduct".split()))


def _has_consent(scene: Scene, act: Act) -> bool:
    """Say whether the user consents before an act, in its sentence, or to everything."""
    for consent in scene.consents:
        if consent.about and consent.about != act.family:
            continue
        if consent.part is not act.part:
            return True
        if consent.clause.sentence <= act.clause.sentence:
            return True
        asks = status_of(consent.clause) in ("done", "user", "pending")
        if act.status == "pending" and asks and not _is_done_before(scene, act, consent):
            return True
        general = any(
            word.lower in ("any", "each", "every", "all", "throughout")
            for clause in consent.part.prose.of_sentence(consent.clause.sentence)
            for word in clause.words
        )
        if general:
            return True
    return False


def _is_done_before(scene: Scene, act: Act, consent: Consent) -> bool:
    """Say whether an act that was to be done is done, before a later consent."""
    return any(
        other.family == act.family
        and other.status in ("done", "past")
        and other.part is act.part
        and act.clause.sentence < other.clause.sentence < consent.clause.sentence
        for other in scene.acts
    )

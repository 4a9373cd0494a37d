"""missing-information-collection: an act before what the policy makes the agent obtain or check first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.coverage import is_met
from benchlint.judges.offline.lexicon import family
from benchlint.judges.offline.reading import Flow
from benchlint.judges.offline.scene import status_of
from benchlint.judges.offline.verdict import agent_name, clipped, finding, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.judges.offline.clause import Clause
    from benchlint.judges.offline.reading import Need, Stems
    from benchlint.judges.offline.scene import Act, Scene
    from benchlint.judges.protocol import JudgedFinding

RULE: Final = "missing-information-collection"


class _Commitment(NamedTuple):
    """A place at which the behaviour goes on to an act; `pending` where it is not done yet."""

    clause: Clause
    family: str
    objects: Stems
    pending: bool


def detect(scene: Scene) -> Iterator[JudgedFinding]:
    """Yield a finding for each flow whose act comes before something that it needs."""
    seen: set[str] = set()
    told: set[tuple[Stems, ...]] = set()
    for place in _commitments(scene):
        if scene.declined and place.pending:
            continue
        for flow in scene.flows_of(place.family, place.objects) or _unnamed(scene, place):
            if flow.title in seen:
                continue
            seen.add(flow.title)
            missing = [
                need
                for need in _needs(scene, flow, place)
                if (need.is_check or need.options not in told) and not is_met(scene, need, place.clause, place.family)
            ]
            if missing:
                told |= {need.options for need in missing if not need.is_check}
                yield _finding(scene, place.clause, flow, missing)


def _unnamed(scene: Scene, place: _Commitment) -> list[Flow]:
    """Return a flow without needs of its own, for an act that the policy has no part for."""
    clause = place.clause
    named = place.family == family(clause.verb) or clause.verb in lexicon.CARRY_OUT
    if not scene.reading.needs or clause.head < 0 or not named:
        return []
    text = scene.behaviour.text[clause.words[clause.head].start : clause.end]
    return [Flow(place.family, frozenset(), text)]


def _commitments(scene: Scene) -> list[_Commitment]:
    found = [
        _Commitment(act.clause, act.family, act.objects, act.status == "pending")
        for act in scene.acts
        if act.status != "offered" and not _is_put_off(scene, act)
    ]
    for consent in scene.consents:
        clause = consent.clause
        if clause.negated or status_of(clause) not in ("done", "pending", "user") or _is_general(scene, clause):
            continue
        topic = scene.topic(clause)
        if topic is not None:
            found.append(_Commitment(clause, *topic, pending=True))
    return sorted(found, key=lambda place: place.clause.start)


def _is_put_off(scene: Scene, act: Act) -> bool:
    """Say whether an act is only what a question comes before ("ask for it before booking"), and no more heard of."""
    if act.status != "pending" or act.clause.parent is None or act.clause.link != "before":
        return False
    if any(consent.clause.sentence == act.sentence for consent in scene.consents):
        return False
    return not any(
        clause.sentence > act.sentence
        and clause.link in ("main", "after", "infinitive", "gerund", "before")
        and act.family in scene.families_in(clause)
        for clause in scene.behaviour.clauses
    )


def _is_general(scene: Scene, clause: Clause) -> bool:
    """Say whether a sentence speaks of every change, and of none in particular."""
    beside = scene.behaviour.beside(clause)
    general = [other for other in beside if not lexicon.EVERY_WORDS.isdisjoint(other.lowers)]
    return bool(general) and not any(scene.names_act(other) for other in beside if other not in general)


def _needs(scene: Scene, flow: Flow, place: _Commitment) -> list[Need]:
    own = [need for need in flow.needs if place.family == flow.family or not need.is_check]
    common = [need for need in scene.reading.needs if not _comes_to_be(need, place)]
    return [*common, *(need for need in own if not need.objects or _concerns(scene, need, place.objects))]


def _comes_to_be(need: Need, place: _Commitment) -> bool:
    """Say whether an act makes what has to be there for a need: identity by the number of a booking, when booking."""
    return place.family in lexicon.MAKES and place.family in map(family, need.objects)


def _concerns(scene: Scene, need: Need, objects: Stems) -> bool:
    """Say whether a need of some objects only applies to an act."""
    if not objects.isdisjoint(need.objects):
        return True
    named = set(map(family, objects)) - set(map(family, scene.reading.services))
    return not named and any(not need.objects.isdisjoint(wish.objects) for wish in scene.requests)


def _finding(scene: Scene, clause: Clause, flow: Flow, missing: list[Need]) -> JudgedFinding:
    asked = [need for need in missing if not need.is_check]
    checks = [need for need in missing if need.is_check]
    phrases = listed([need.phrase for need in asked])
    gaps, steps = [], []
    if asked:
        policy = clipped(scene.reading.text(asked[0].item))
        gaps.append(f'{phrases} {"are" if len(asked) > 1 else "is"} not obtained (policy: "{policy}")')
        steps.append(f"obtain {phrases}")
    if checks:
        policy = clipped(scene.reading.text(checks[0].item))
        gaps.append(f'nothing shows that the rules are checked (policy: "{policy}")')
        steps.append("check that the policy allows it")
    span = scene.behaviour.sentence_of(clause)
    reason = f'Before "{flow.title[:1].lower() + flow.title[1:]}" {", and ".join(gaps)}.'
    sentence = scene.behaviour.text[span[0] : span[1]]
    rewrite = f"{agent_name(scene.behaviour)} should first {' and '.join(steps)}. {sentence}"
    confidence = 0.9 if asked else 0.75
    return finding(RULE, scene.behaviour, span, reason, (need.item for need in missing), confidence, rewrite)

"""missing-information-collection: an act before what the policy makes the agent obtain or check first."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.lexicon import family
from benchlint.judges.offline.scene import status_of
from benchlint.judges.offline.verdict import agent_name, clipped, finding, listed, sentence_of
from benchlint.judges.offline.words import stem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.judges.offline.policy import Flow, Need
    from benchlint.judges.offline.prose import Clause
    from benchlint.judges.offline.scene import Act, Part, Scene
    from benchlint.judges.protocol import JudgedFinding

RULE = "missing-information-collection"

_IDS = frozenset(map(stem, "id identifier number no code reference".split()))
_REASON = frozenset(map(stem, "reason why purpose motive".split()))
_EMAIL = frozenset(map(stem, "email mail".split()))
_BIRTH = frozenset(map(stem, "birth birthday dob born".split()))
_PHONE = frozenset(map(stem, "phone telephone mobile".split()))
_RECORD = frozenset(map(stem, "profile account detail information record identity data".split()))
_ELIGIBLE = frozenset(
    map(stem, "eligible eligibility allow allowed permit permitted qualify condition rule policy criteria requirement".split())
)
_ENSURES = frozenset(map(stem, "ensure make".split()))
_RETRIEVES = frozenset(map(stem, "look retrieve find search locate access get query identify".split()))
_PROCEDURE = frozenset(
    map(stem, "confirm collect provide tool call task one respond information yes consent agree obtain list".split())
)
_FINDS = lexicon.CHECK - {stem("confirm"), stem("search"), stem("compare"), stem("calculate")}
_ALL_DETAILS = re.compile(
    r"\b(?:all|any|the|every)\s+(?:other\s+)?(?:necessary|required|needed|relevant|requisite|mandatory|essential)\s+"
    r"(?:\w+\s+){0,2}(?:details?|information|data|fields?)\b"
    r"|\b(?:necessary|required|needed|requested)\s+(?:information|details?|data)\b",
    re.IGNORECASE,
)
_INCLUDING = re.compile(r"\s*,?\s*(?:including|such as|like)\b", re.IGNORECASE)
_EVERY = frozenset({"any", "each", "every", "throughout"})
_EVERYWHERE = re.compile(
    r"(?:before|prior to|throughout|always|in (?:all|each|every|any)|for (?:all|each|every)|at (?:all|every|the (?:start|beginning|outset))"
    r"|first(?: of all)?\b|to (?:start|begin)|initially|beforehand)\b",
    re.IGNORECASE,
)


def detect(scene: Scene) -> Iterator[JudgedFinding]:
    """Yield a finding for each flow whose act comes before something that it needs."""
    seen: set[str] = set()
    told: set[tuple[frozenset[str], ...]] = set()
    for part, clause, act, objects, status in _commitments(scene):
        if scene.declined and status == "pending":
            continue
        for flow in scene.flows_of(act, objects):
            if flow.title in seen:
                continue
            seen.add(flow.title)
            missing = [
                need
                for need in _needs(scene, flow, act, objects)
                if (need.is_check or need.options not in told) and not _is_met(scene, need, part, clause, act)
            ]
            if missing:
                told |= {need.options for need in missing if not need.is_check}
                yield _finding(scene, part, clause, flow, missing)


def _commitments(scene: Scene) -> Iterator[tuple[Part, Clause, str, frozenset[str], str]]:
    """Yield the places at which the behaviour goes on to an act, in the order of the text."""
    found: list[tuple[int, int, Part, Clause, str, frozenset[str], str]] = []
    order = {id(part): index for index, part in enumerate(scene.behaviour)}
    for act in scene.acts:
        if act.status != "offered" and not _is_put_off(scene, act):
            found.append((order[id(act.part)], act.start, act.part, act.clause, act.family, act.objects, act.status))
    for consent in scene.consents:
        clause = consent.clause
        if status_of(clause) not in ("done", "pending", "user") or clause.negated:
            continue
        topic = scene.topic(consent.part, clause)
        if topic is not None and topic[0] in scene.reading.writes and not _is_general(scene, consent.part, clause):
            found.append((order[id(consent.part)], clause.start, consent.part, clause, *topic, "pending"))
    for _, _, part, clause, family_, objects, status in sorted(found, key=lambda entry: entry[:2]):
        yield part, clause, family_, objects, status


def _is_put_off(scene: Scene, act: Act) -> bool:
    """Say whether an act is only what comes after a question ("ask for the id before booking"), and never heard of again."""
    if act.status != "pending" or act.clause.parent is None or act.clause.link != "before":
        return False
    if any(consent.clause.sentence == act.clause.sentence and consent.part is act.part for consent in scene.consents):
        return False
    return not any(
        clause.sentence > act.clause.sentence and act.family in scene.families_in(clause)
        for clause in act.part.prose.clauses
        if clause.link in ("main", "after", "infinitive", "gerund", "before")
    )


def _is_general(scene: Scene, part: Part, clause: Clause) -> bool:
    """Say whether a sentence speaks of every change, and of none in particular."""
    beside = part.prose.of_sentence(clause.sentence)
    general = [other for other in beside if any(word.lower in _EVERY for word in other.words)]
    return bool(general) and not any(scene.names_act(other) for other in beside if other not in general)


def _needs(scene: Scene, flow: Flow, act: str, objects: frozenset[str]) -> list[Need]:
    needs = [*scene.reading.needs, *(need for need in flow.needs if act == flow.family or not need.is_check)]
    return [need for need in needs if not need.objects or _concerns(scene, need, objects)]


def _concerns(scene: Scene, need: Need, objects: frozenset[str]) -> bool:
    """Say whether a need of some objects only applies to an act."""
    if objects & need.objects:
        return True
    named = {family(word) for word in objects} - {family(word) for word in scene.reading.services}
    return not named and any(need.objects & wanted for _, _, wanted in scene.requests)


def _is_id_of_thing(scene: Scene, need: Need) -> bool:
    people = lexicon.USERS | scene.reading.roles | {"account"}
    return all(option & _IDS and not option & people for option in need.options)


def _was_made(scene: Scene, part: Part, clause: Clause) -> bool:
    """Say whether what an act concerns was made earlier in the conversation, so that its id is known."""
    return any(
        earlier.family in lexicon.MAKES and (earlier.part is not part or earlier.clause.sentence < clause.sentence)
        for earlier in scene.acts
        if earlier.status != "offered"
    )


def _is_met(scene: Scene, need: Need, part: Part, clause: Clause, act: str) -> bool:
    if need.is_check:
        known = _known_at(scene, part, clause)
        return any(_checks_rules(scene, other, known) for other in known)
    if _gathers_all(scene, part, clause, act) or (_is_id_of_thing(scene, need) and _was_made(scene, part, clause)):
        return True
    if any(option & _REASON for option in need.options) and _user_says_why(scene):
        return True
    known = _sentences(_known_at(scene, part, clause))
    return any(_gives(option, sentence, scene) for option in need.options for sentence in known)


def _user_says_why(scene: Scene) -> bool:
    return any(
        clause.link == "cause" or "due" in clause.stems
        for part in scene.description
        for clause in part.prose.clauses
    )


def _known_at(scene: Scene, part: Part, clause: Clause) -> list[Clause]:
    """Return the clauses that may have settled a need when an act comes."""
    found = [other for told in scene.description for other in told.prose.clauses]
    for told in scene.behaviour:
        for other in told.prose.clauses:
            start, _ = told.prose.sentences[other.sentence]
            earlier = told is not part or other.sentence <= clause.sentence
            if earlier or _EVERYWHERE.match(told.prose.text, start):
                found.append(other)
    return found


def _sentences(clauses: list[Clause]) -> list[list[Clause]]:
    """Group clauses by sentence, without those that say what is not given."""
    groups: list[list[Clause]] = []
    last: Clause | None = None
    for clause in clauses:
        if last is None or clause.sentence != last.sentence or clause.start < last.start:
            groups.append([])
        last = clause
        if clause.link != "without" and not (clause.negated and clause.subject == "user"):
            groups[-1].append(clause)
    return groups


def _gives(option: frozenset[str], sentence: list[Clause], scene: Scene) -> bool:
    """Say whether a sentence names a piece of information."""
    stems = frozenset(family(word) for clause in sentence for word in clause.stems)
    if option & _REASON:
        return bool(stems & _REASON)
    if option & _EMAIL:
        return bool(stems & _EMAIL) or any("@" in word for word in stems)
    if option & _BIRTH:
        return bool(stems & _BIRTH) or _gives_details(sentence)
    if option & _PHONE:
        return bool(stems & _PHONE)
    if option & _IDS and len(option) > 1:
        return _identifies(option, sentence, scene)
    if "nam" in option:
        return "nam" in stems or _gives_details(sentence)
    return {family(word) for word in option} <= stems


def _identifies(option: frozenset[str], sentence: list[Clause], scene: Scene) -> bool:
    """Say whether a sentence names an id of something: "the user id", "booking HB-2041", "look up the booking"."""
    people = lexicon.USERS | scene.reading.roles
    things = {family(word) for word in option - _IDS}
    if things & people:
        things |= people
        if any(clause.verb in lexicon.IDENTIFY and clause.stems & (people | _RECORD) for clause in sentence):
            return True
    for clause in sentence:
        for index, word in enumerate(clause.words):
            following = clause.words[index + 1].lower if index + 1 < len(clause.words) else ""
            if word.kind == "identifier" or (word.stem in _IDS and not (following == "of" and word.stem == "number")):
                near = clause.words[max(index - 5, 0) : index + (4 if following in ("of", "for") else 0)]
                if any(family(other.stem) in things for other in near):
                    return True
    return any(
        clause.verb in _FINDS
        and clause.subject != "user"
        and any(_is_looked_up(clause, index, things) for index in range(len(clause.object_words)))
        for clause in sentence
    )


def _is_looked_up(clause: Clause, index: int, things: set[str]) -> bool:
    """Say whether a word of an object is the thing itself: "look up the booking", "the user's profile"."""
    found = clause.object_words
    word = found[index]
    if family(word.stem) not in things:
        return False
    following = found[index + 1] if index + 1 < len(found) else None
    if following is None or following.kind == "mark":
        return not word.lower.endswith("'s")
    return following.stem in _RECORD or following.lower in ("in", "up", "by", "with", "under", "from", "and", "using")


def _gives_details(sentence: list[Clause]) -> bool:
    """Say whether somebody's details are obtained or given: "passenger details", "personal information"."""
    for clause in sentence:
        if clause.verb not in lexicon.ASK | {"provid", "giv"}:
            continue
        for before, word in pairwise(clause.object_words):
            if word.stem in _RECORD and (before.stem in lexicon.USERS or before.lower == "personal"):
                return True
    return False


def _gathers_all(scene: Scene, part: Part, clause: Clause, act: str) -> bool:
    """Say whether "all necessary information" for an act is obtained before it."""
    _, end = sentence_of(part, clause)
    for match in _ALL_DETAILS.finditer(part.prose.text, 0, end):
        if _is_about(scene, part, match.start(), act):
            return True
    for told in scene.description:
        for match in _ALL_DETAILS.finditer(told.prose.text):
            if not _INCLUDING.match(told.prose.text, match.end()) and _is_about(scene, told, match.start(), act):
                return True
    return False


def _is_about(scene: Scene, part: Part, place: int, act: str) -> bool:
    """Say whether the act named last before a place, or in its sentence, is this one."""
    named: list[str] = []
    for clause in part.prose.clauses:
        start, end = part.prose.sentences[clause.sentence]
        if start <= place < end and act in scene.families_in(clause):
            return True
        if end <= place:
            named += scene.families_in(clause)
    return not named or named[-1] == act


def _checks_rules(scene: Scene, clause: Clause, beside: list[Clause]) -> bool:
    """Say whether a clause has the agent find out whether the rules allow something."""
    if clause.negated or clause.link == "without":
        return False
    if clause.link in ("condition", "asked") and clause.stems & _ELIGIBLE and "request" not in clause.stems:
        return True
    if clause.subject == "user" or clause.link in ("content", "asked", "relative", "condition"):
        return False
    objects = {word.stem for word in clause.object_words} - lexicon.GENERIC
    if clause.verb in _ENSURES:
        if clause.verb == "mak" and "sur" not in objects:
            return False
        content = [other for other in beside if other.parent is clause]
        found = objects.union(*(other.stems for other in content)) - lexicon.GENERIC
        return bool(found - {"sur"}) and not found & _PROCEDURE and not any(
            word.lower in lexicon.ASSENT_NOUNS for other in (clause, *content) for word in other.words
        )
    if clause.verb not in lexicon.CHECK or any(word.lower in lexicon.ASSENT_NOUNS for word in clause.words):
        return False
    people = lexicon.USERS | scene.reading.roles
    if clause.verb == "confirm" and scene.names_act(clause):
        return False
    if clause.verb == "confirm" and (clause.passive or ("with" in clause.stems and clause.stems & people)):
        return False
    acts = scene.reading.writes - scene.reading.things
    rest = {family(word) for word in objects} - lexicon.IDENTIFYING - people - _RECORD - _IDS - acts - lexicon.PREPOSITIONS
    if clause.verb in _RETRIEVES:
        return bool(rest - scene.reading.things) and clause.verb != "search"
    return bool(rest) or not objects or (clause.verb == "confirm" and bool(clause.stems & _RECORD))


def _finding(scene: Scene, part: Part, clause: Clause, flow: Flow, missing: list[Need]) -> JudgedFinding:
    asked = [need.phrase for need in missing if not need.is_check]
    checks = [need for need in missing if need.is_check]
    act = flow.title[:1].lower() + flow.title[1:]
    parts = []
    if asked:
        parts.append(f"{listed(asked)} {'is' if len(asked) == 1 else 'are'} never obtained")
    if checks:
        parts.append(f'nothing is checked although the policy says "{clipped(scene.reading.text(checks[0].item))}"')
    quoted = f' (policy: "{clipped(scene.reading.text(missing[0].item))}")' if asked else ""
    reason = f"Before the step of '{act}' {', and '.join(parts)}{quoted}."
    span = sentence_of(part, clause)
    steps = []
    if asked:
        steps.append(f"obtain {listed(asked)}")
    if checks:
        steps.append("check that the policy allows it")
    rewrite = f"{agent_name(scene)} should first {' and '.join(steps)}. {part.field.text[span[0] : span[1]]}"
    return finding(RULE, part, span, reason, [need.item for need in missing], 0.9 if asked else 0.75, rewrite)

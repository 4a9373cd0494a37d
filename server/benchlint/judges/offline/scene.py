"""A task as the detectors see it: what the user wants, what the agent does, when the user consents."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.assent import AGREE, asks_leave, assents, names, speaks_of_consent
from benchlint.judges.offline.items import content, is_act_noun
from benchlint.judges.offline.lexicon import family
from benchlint.judges.offline.prose import read_passage
from benchlint.judges.offline.words import is_noun_of_action, is_participle, stem, stem_set, word_set, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Field, Task
    from benchlint.judges.offline.clause import Clause
    from benchlint.judges.offline.prose import Passage
    from benchlint.judges.offline.reading import Flow, PolicyReading, Stems
    from benchlint.judges.offline.words import Word

Status = Literal[
    "done", "past", "pending", "offered", "refused", "told", "asked", "condition", "cause", "user", "mentioned"
]  # fmt: skip

_MAKING: Final = stem_set("create place submit")
_SETS_ABOUT: Final = lexicon.PROCEED | lexicon.CARRY_OUT | lexicon.HELP | stem_set("use agree be able let")
_EMPTY_OBJECTS: Final = stem_set("request it this that action them process task")
_RECORDS: Final = stem_set("database system record account profile")
_UNSAID: Final = lexicon.EVERY_WORDS | word_set("no such")
_APPLIES: Final = stem_set("apply implement execute perform process issue submit complete finalise finalize")
_CORRECT: Final = stem("correct")
_DECLINES: Final = stem_set("decline refuse")
_BEFOREHAND: Final = word_set("ago yesterday earlier already previously originally")
"""Words with which a passive tells what was before the conversation: "it was booked two days ago"."""
_ESTABLISHES: Final = lexicon.CHECK | {"confirm"}
_RESTATES: Final = 0.5
"""The share of words from which a second field only restates the first."""


@dataclass(frozen=True, slots=True, eq=False)
class Act:
    """An act that changes something, as the expected behaviour has it.

    `status` is `done` (the agent does it), `past` (it has been done),
    `pending` (it is to be done next) or `offered`. `named` is False where
    only the context tells which act is meant ("proceed").
    """

    clause: Clause
    family: str
    objects: Stems
    status: Status
    named: bool = True

    @property
    def sentence(self) -> int:
        """The index of its sentence."""
        return self.clause.sentence


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """An act that the user asks for."""

    clause: Clause
    family: str
    objects: Stems


@dataclass(frozen=True, slots=True, eq=False)
class Consent:
    """A place at which the user is asked for consent, or gives it. `about` is a family, or empty."""

    clause: Clause
    about: str


def status_of(clause: Clause) -> Status:
    """Say whether what a clause tells is done by the agent, and if not, what it is."""
    if clause.negated or clause.link == "without":
        return "refused"
    parent = clause.parent
    match clause.link:
        case "main" | "topic":
            if clause.subject == "user":
                return "user"
            if clause.passive and (clause.modal in ("can", "may") or not _BEFOREHAND.isdisjoint(clause.lowers)):
                return "told"
            return "done" if clause.subject in ("agent", "") or clause.passive else "mentioned"
        case "infinitive" | "gerund":
            return _status_under(clause, parent)
        case "before":
            above = "done" if parent is None else status_of(parent)
            return "pending" if above in ("done", "pending", "user") else above
        case "after":
            if clause.subject == "user":
                return "condition"
            return "told" if parent is not None and status_of(parent) == "told" else "past"
        case "content":
            return "told"
        case "asked":
            return "asked"
        case "cause":
            return "cause"
        case _:
            return "condition"


def _status_under(clause: Clause, parent: Clause | None) -> Status:
    """Say what becomes of a verb that hangs on another: "attempt to cancel", "refuse to cancel"."""
    if parent is None or parent.link == "topic":
        return "mentioned"
    above = status_of(parent)
    if above not in ("done", "past", "pending"):
        return above
    if parent.verb in lexicon.REFUSE:
        return "refused"
    if parent.verb in lexicon.HELP:
        return above
    if clause.subject == "user":
        return "user"
    if parent.verb in lexicon.OFFER:
        return "offered"
    if parent.verb in lexicon.ASK | lexicon.LIST and parent.has_assent:
        return "pending"
    empty = any(word.stem in _EMPTY_OBJECTS for word in parent.object_words)
    return above if parent.verb in _SETS_ABOUT and not empty else "mentioned"


def is_offer(clause: Clause) -> bool:
    """Say whether the agent does or offers what a clause tells."""
    return status_of(clause) in ("done", "offered")


class Scene:
    """What is read of one task. Lists are in the order of the text."""

    def __init__(self, reading: PolicyReading, task: Task) -> None:
        self.reading = reading
        self.description: Passage = read_passage(_distinct(task.scenario), "user", reading.speech)
        users = reading.speech.users | names(self.description.text)
        self.speech = replace(reading.speech, users=users)
        """As that of the policy; the user may be called by name."""
        self.behaviour: Passage = read_passage(task.behaviour, "agent", self.speech)
        self.consents = list(self._consents())
        self.acts = list(self._acts())

    @cached_property
    def requests(self) -> list[Request]:
        """What the user asks for, as far as it is an act."""
        return [
            Request(clause, name, content(clause.words))
            for clause in self.description.clauses
            if _is_request(clause)
            for name in self.families_in(clause)
        ]

    @cached_property
    def description_stems(self) -> Stems:
        """All stems of the description."""
        return frozenset(name for clause in self.description.clauses for name in clause.stems)

    @cached_property
    def declined(self) -> bool:
        """Whether the description says that the user does not consent in the end."""
        for clause in self.description.clauses:
            if clause.subject != "user":
                continue
            if clause.negated and speaks_of_consent(clause, self.reading.speech.users):
                return True
            if clause.verb in _DECLINES and not content(clause.object_words):
                return True
        return False

    @cached_property
    def makes(self) -> bool:
        """Whether something is made in this task (a booking, an order) of which other acts are a part."""
        return any(act.family in lexicon.MAKES and act.status != "offered" for act in self.acts) or any(
            wish.family in lexicon.MAKES and family(wish.clause.verb) == wish.family for wish in self.requests
        )

    def flows_of(self, act: str, objects: Stems) -> list[Flow]:
        """Return the parts of the policy that an act falls under."""
        flows = self.reading.flows
        found = [flow for flow in flows if flow.family == act and not (flow.narrow and self._is_apart(flow, objects))]
        if len(found) > 1:
            about = set(map(family, objects))
            named = [flow for flow in found if not about.isdisjoint(map(family, flow.names))]
            found = named or (found[:1] if not objects else [])
        if not found and not self.makes:
            found = [flow for flow in flows if not objects.isdisjoint(flow.others.get(act, ()))]
        return found

    def _is_apart(self, flow: Flow, objects: Stems) -> bool:
        """Say whether an act is on something else than what a flow names, here or in the request for it."""
        named = set(map(family, flow.names))
        about = set(map(family, objects)) - {flow.family}
        if about & set(map(family, self.reading.vocabulary)):
            return named.isdisjoint(about)
        wishes = [wish for wish in self.requests if wish.family == flow.family]
        return bool(wishes) and all(named.isdisjoint(map(family, wish.objects)) for wish in wishes)

    def names_act(self, clause: Clause) -> bool:
        """Say whether a clause names an act."""
        return any(True for _ in self.families_in(clause))

    def families_in(self, clause: Clause) -> Iterator[str]:
        """Yield the families of acts that a clause names, by verb or noun."""
        if "mind" in clause.stems:
            return
        seen = set()
        for index, word in enumerate(clause.words):
            name = family(word.stem)
            if word.kind != "word" or name not in self.reading.writes or name in seen:
                continue
            if index == clause.head or (is_act_noun(word) and name not in self.reading.things):
                seen.add(name)
                yield name

    def topic(self, clause: Clause) -> tuple[str, Stems] | None:
        """Say which act of the behaviour a clause is about: by itself, its sentence, the one before, the request."""
        own = [clause] if clause.stems.isdisjoint(_RECORDS) else []
        own += [other for other in self.behaviour.beside(clause) if other is not clause]
        before = self.behaviour.by_sentence[clause.sentence - 1] if clause.sentence else ()
        for other in (*own, *reversed(before)):
            apart = other.link in ("content", "cause") and other is not clause
            if apart or (other.negated and other.sentence != clause.sentence):
                continue
            if lexicon.EVERY_WORDS.isdisjoint(other.lowers):
                for name in self.families_in(other):
                    return name, content(other.words)
        wanted = {wish.family: wish.objects for wish in self.requests}
        return next(iter(wanted.items())) if len(wanted) == 1 else None

    def _acts(self) -> Iterator[Act]:
        for clause in self.behaviour.clauses:
            status = status_of(clause)
            if status not in ("done", "past", "pending", "offered"):
                continue
            if clause.subject == "user" and status in ("past", "pending", "offered"):
                continue
            act = self._act(clause, status)
            if act is not None:
                yield act

    def _act(self, clause: Clause, status: Status) -> Act | None:
        """Return the act that a clause tells of, if it is one."""
        writes = self.reading.writes
        if clause.head < 0:
            return self._nominal_act(clause) if status == "pending" else None
        if clause.verb in lexicon.HAND_OVER and not clause.stems.isdisjoint(lexicon.HUMANS):
            return None
        after = clause.object_words
        carries_out = clause.verb in _MAKING or clause.verb in lexicon.CARRY_OUT or clause.verb in lexicon.PROCEED
        noun = _object_noun(after) if carries_out else None
        if noun is not None and is_act_noun(noun) and family(noun.stem) in writes:
            if any(word.lower in _UNSAID for word in after[:3]):
                return None
            return Act(clause, family(noun.stem), content(after), status)
        verb = family(clause.verb)
        if verb in writes and not is_noun_of_action(clause.words[clause.head].lower):
            if any(word.lower in _UNSAID for word in after[:2]):
                return None
            noun = _object_noun(after)
            if not _RECORDS.isdisjoint(clause.stems if noun is None else (noun.stem,)):
                return self._act_of_topic(clause, status)
            if clause.verb == _CORRECT and after and after[0].lower in lexicon.THEM_WORDS:
                return None
            subject = clause.words[: clause.head] if clause.passive else []
            return Act(clause, verb, content([*after, *subject]), status)
        if clause.verb in _APPLIES and after and after[0].lower in ("it", "this", "them"):
            return self._act_of_topic(clause, status)
        if clause.verb in lexicon.PROCEED and (not after or (noun is not None and noun.stem in _EMPTY_OBJECTS)):
            beside = self.behaviour.beside(clause)
            if not any(other.parent is clause and other.link in ("infinitive", "gerund") for other in beside):
                return self._act_of_topic(clause, status)
        return None

    def _nominal_act(self, clause: Clause) -> Act | None:
        """Read "before the cancellation"."""
        for word in clause.words:
            name = family(word.stem)
            if is_act_noun(word) and name in self.reading.writes and name not in self.reading.things:
                return Act(clause, name, content(clause.words), "pending")
        return None

    def _act_of_topic(self, clause: Clause, status: Status) -> Act | None:
        topic = self.topic(clause)
        return Act(clause, *topic, status, named=False) if topic is not None else None

    def _consents(self) -> Iterator[Consent]:
        asked = ""
        for clause in self.behaviour.clauses:
            if clause.enclosing("asked") is not None and clause.verb not in lexicon.WANT:
                asked = family(clause.verb) if clause.verb in self.reading.speech.commands else asked
            if asks_leave(clause, self.reading.writes):
                yield Consent(clause, "")
            if not speaks_of_consent(clause, self.speech.users):
                continue
            if clause.link == "without" and any(status_of(above) == "done" for above in clause.ancestors()):
                continue
            if not self._is_verification(clause):
                yield Consent(clause, asked if AGREE in clause.stems else "")
        for clause in assents(self.behaviour):
            yield Consent(clause, "")

    def _is_verification(self, clause: Clause) -> bool:
        """Say whether "confirm" means that facts are found out, and not that the user consents."""
        if clause.has_assent:
            return False
        if clause.verb in lexicon.CONSENT | lexicon.CHECK:
            after = clause.object_words
            objects = [word for word in after if word.kind == "word" and word.lower not in lexicon.DETERMINER_WORDS]
            if objects and clause.verb in _ESTABLISHES:
                return objects[-1].stem in lexicon.FACTS or objects[0].stem in lexicon.FACTS
            return clause.subject != "user" and clause.passive and not clause.stems.isdisjoint(lexicon.FACTS)
        near = [*self.behaviour.beside(clause)]
        near += self.behaviour.by_sentence[clause.sentence - 1] if clause.sentence else ()
        checks = any(other.subject == "agent" and other.verb in lexicon.CHECK for other in near)
        users = self.speech.users
        return checks and not any(speaks_of_consent(other, users) for other in near if other is not clause)


def _object_noun(after: list[Word]) -> Word | None:
    """Return the noun that a verb acts on, past "with" or "on"."""
    noun = None
    for word in after:
        if noun is None and word.lower in ("with", "on", "ahead", "out"):
            continue
        if word.kind != "word" or word.lower in lexicon.PREPOSITION_WORDS or word.lower in lexicon.COORDINATOR_WORDS:
            break
        noun = word
    return noun


def _is_request(clause: Clause) -> bool:
    """Say whether a clause of the description tells what the user wants; what is told in the past is no wish."""
    if clause.negated:
        return False
    if clause.head >= 0 and not clause.modal and is_participle(clause.words[clause.head].lower):
        return False
    if clause.subject == "user" and clause.link in ("main", "infinitive", "gerund", "condition", "asked"):
        return True
    above = clause.parent
    return clause.link in ("infinitive", "gerund", "asked") and above is not None and above.subject == "user"


def _distinct(fields: tuple[Field, ...]) -> list[Field]:
    """Return the fields without those that only restate the first with other names."""
    kept: list[Field] = []
    first: set[str] = set()
    for field in fields:
        stems = {word.stem for word in words(field.text)}
        if kept and len(first) > 15 and len(stems & first) >= _RESTATES * min(len(first), len(stems)):
            continue
        kept.append(field)
        first = first or stems
    return kept

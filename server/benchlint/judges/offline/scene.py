"""A task as the detectors see it: what the user wants, what the agent does, when the user consents."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.lexicon import family
from benchlint.judges.offline.prose import Clause, Prose, read_prose
from benchlint.judges.offline.words import is_noun_of_action, stem, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Field, Task
    from benchlint.judges.offline.policy import Flow, PolicyReading
    from benchlint.judges.offline.words import Word

Status = Literal[
    "done", "past", "pending", "offered", "refused", "told", "asked", "condition", "cause", "user", "mentioned"
]  # fmt: skip

_NOMINALS = frozenset(
    "booking change update upgrade downgrade return refund exchange order transfer purchase reservation swap switch"
    " replacement move edit amendment renewal closure deposit credit".split()
)
"""Further nouns for what is done: "complete the booking", "make the change"."""
_MAKING = frozenset(map(stem, "create place submit".split()))
_SETS_ABOUT = lexicon.PROCEED | lexicon.CARRY_OUT | lexicon.HELP | frozenset(map(stem, "use agree be able let".split()))
_EMPTY_OBJECTS = frozenset(map(stem, "request it this that action them process task".split()))
_RECORDS = frozenset(map(stem, "database system record account profile".split()))
_RESTATES = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A field of the task as prose."""

    field: Field
    prose: Prose


@dataclass(frozen=True, slots=True, eq=False)
class Act:
    """An act that changes something, as the expected behaviour has it.

    `status` is `done` (the agent does it), `past` (it has been done),
    `pending` (it is to be done next) or `offered`. `named` is False where
    only the context tells which act is meant ("proceed").
    """

    part: Part
    clause: Clause
    family: str
    objects: frozenset[str]
    status: Status
    named: bool

    @property
    def start(self) -> int:
        """Where the clause of the act starts."""
        return self.clause.start


@dataclass(frozen=True, slots=True, eq=False)
class Consent:
    """A place at which the user is asked for consent, or gives it. `about` is a family or empty."""

    part: Part
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
            return "done" if clause.subject in ("agent", "") or clause.passive else "mentioned"
        case "infinitive" | "gerund":
            return _status_under(clause, parent)
        case "before":
            return "pending" if parent is None or status_of(parent) in ("done", "pending", "user") else status_of(parent)
        case "after":
            return "condition" if clause.subject == "user" else "past"
        case "content":
            return "told"
        case "asked":
            return "asked"
        case "cause":
            return "cause"
        case _:
            return "condition"


def _status_under(clause: Clause, parent: Clause | None) -> Status:
    if parent is None or parent.link == "topic":
        return "mentioned"
    above = status_of(parent)
    if above != "done" and above != "past" and above != "pending":
        return above
    verb = parent.verb
    if verb in lexicon.REFUSE:
        return "refused"
    if verb in lexicon.HELP:
        return above
    if clause.subject == "user":
        return "user"
    if verb in lexicon.OFFER:
        return "offered"
    asks = lexicon.ASK | lexicon.LIST
    if verb in asks and any(word.lower in lexicon.ASSENT_NOUNS or word.lower == "yes" for word in parent.words):
        return "pending"
    if clause.link == "gerund" and parent.words[-1].stem in _EMPTY_OBJECTS | {"polici", "need"}:
        return "mentioned"
    if verb in _SETS_ABOUT and not {word.stem for word in parent.object_words} & _EMPTY_OBJECTS:
        return above
    return "mentioned"


class Scene:
    """Everything that is read of one task. Lists are in the order of the text."""

    def __init__(self, reading: PolicyReading, task: Task) -> None:
        self.reading = reading
        self.task = task
        self.description = [
            Part(field, read_prose(field.text, "user", reading.roles)) for field in _distinct(task.scenario)
        ]
        self.behaviour = [Part(field, read_prose(field.text, "agent", reading.roles)) for field in task.behaviour]
        self.consents = [consent for part in self.behaviour for consent in self._consents(part)]
        self.acts = [act for part in self.behaviour for act in self._acts(part)]

    @cached_property
    def requests(self) -> list[tuple[Clause, str, frozenset[str]]]:
        """What the user asks for: the clause, the family of the act and its objects."""
        found = []
        for part in self.description:
            for clause in part.prose.clauses:
                if not _is_request(clause):
                    continue
                for name in self.families_in(clause):
                    found.append((clause, name, _objects(clause.words)))
        return found

    @cached_property
    def description_stems(self) -> frozenset[str]:
        """All stems of the description."""
        return frozenset(stem_ for part in self.description for clause in part.prose.clauses for stem_ in clause.stems)

    @cached_property
    def declined(self) -> bool:
        """Whether the description says that the user does not consent in the end."""
        for part in self.description:
            for clause in part.prose.clauses:
                if clause.subject == "user" and clause.negated and _speaks_of_consent(clause):
                    return True
                if clause.subject == "user" and clause.verb in _DECLINES and not _objects(clause.object_words):
                    return True
        return False

    @cached_property
    def makes(self) -> bool:
        """Whether something is made in this task (a booking, an order) of which other acts are a part."""
        return any(act.family in lexicon.MAKES for act in self.acts) or any(
            name in lexicon.MAKES for _, name, _ in self.requests
        )

    def flows_of(self, act: str, objects: frozenset[str]) -> list[Flow]:
        """Return the parts of the policy that an act falls under."""
        found = [flow for flow in self.reading.flows if flow.family == act]
        if len(found) > 1:
            named = [flow for flow in found if {family(name) for name in flow.names} & {family(name) for name in objects}]
            found = named or (found[:1] if not objects else [])
        if not found and not self.makes:
            found = [flow for flow in self.reading.flows if act in flow.others and objects & flow.others[act]]
        return found

    def names_act(self, clause: Clause) -> bool:
        """Say whether a clause names an act."""
        return any(True for _ in self.families_in(clause))

    def families_in(self, clause: Clause) -> Iterator[str]:
        """Yield the families of acts that a clause names, by verb or noun."""
        if "mind" in clause.stems:
            return
        seen = set()
        for index, word in enumerate(clause.words):
            if word.kind != "word":
                continue
            name = family(word.stem)
            if name not in self.reading.writes or name in seen:
                continue
            noun = _names_act(word) and name not in self.reading.things
            if index == clause.head or noun:
                seen.add(name)
                yield name

    def topic(self, part: Part, clause: Clause) -> tuple[str, frozenset[str]] | None:
        """Say which act a sentence is about: the clause itself, what precedes it, the sentence before, the request."""
        own = part.prose.of_sentence(clause.sentence)
        itself = [clause] if not clause.stems & _RECORDS else []
        ordered = [*itself, *(other for other in own if other is not clause and other.link not in ("content", "cause"))]
        for other in ordered:
            for name in self.families_in(other):
                if _is_topical(other, name):
                    return name, _objects(other.words)
        if clause.sentence > 0:
            for other in reversed(part.prose.of_sentence(clause.sentence - 1)):
                if other.link in ("content", "cause") or other.negated:
                    continue
                for name in self.families_in(other):
                    if _is_topical(other, name):
                        return name, _objects(other.words)
        wanted = {name: objects for _, name, objects in self.requests}
        return next(iter(wanted.items())) if len(wanted) == 1 else None

    def _acts(self, part: Part) -> Iterator[Act]:
        for clause in part.prose.clauses:
            status = status_of(clause)
            if status not in ("done", "past", "pending", "offered"):
                continue
            if status in ("past", "pending") and clause.subject == "user":
                continue
            act = self._act(part, clause, status)
            if act is not None:
                yield act

    def _act(self, part: Part, clause: Clause, status: Status) -> Act | None:
        verb = family(clause.verb)
        making = clause.verb in _MAKING
        after = clause.object_words
        stems = {word.stem for word in after}
        noun = _object_noun(clause) if making or clause.verb in lexicon.CARRY_OUT | lexicon.PROCEED else None
        made = noun is not None and _names_act(noun) and family(noun.stem) in self.reading.writes
        if clause.head >= 0 and verb in self.reading.writes and not made and not is_noun_of_action(clause.words[clause.head].lower):
            if clause.subject == "user" and status != "done":
                return None
            if any(word.lower in ("any", "such", "each", "every") for word in after[:2]) or stems & {"databas"}:
                return self._by_topic(part, clause, status) if stems & _RECORDS and "ani" not in stems else None
            subject = clause.words[: clause.head] if clause.passive else ()
            return Act(part, clause, verb, _objects((*after, *subject)), status, named=True)
        if making or clause.verb in lexicon.CARRY_OUT | lexicon.PROCEED:
            if noun is not None and made:
                if any(word.lower in ("any", "each", "every", "no") for word in after[:3]):
                    return None
                return Act(part, clause, family(noun.stem), _objects(after), status, named=True)
            if clause.verb in lexicon.PROCEED and (not after or (noun is not None and noun.stem in _EMPTY_OBJECTS)):
                hangs = any(other.parent is clause and other.link in ("infinitive", "gerund") for other in part.prose.clauses)
                return None if hangs else self._by_topic(part, clause, status)
        if status == "pending" and clause.head < 0:
            for word in clause.words:
                name = family(word.stem)
                if _names_act(word) and name in self.reading.writes - self.reading.things:
                    return Act(part, clause, family(word.stem), _objects(clause.words), status, named=True)
        return None

    def _by_topic(self, part: Part, clause: Clause, status: Status) -> Act | None:
        topic = self.topic(part, clause)
        if topic is None:
            return None
        return Act(part, clause, topic[0], topic[1], status, named=False)

    def _consents(self, part: Part) -> Iterator[Consent]:
        asked_about = ""
        for clause in part.prose.clauses:
            if clause.link == "asked" or (clause.parent is not None and clause.parent.link == "asked"):
                for name in [family(clause.verb)] if clause.verb in lexicon.COMMANDS - lexicon.WANT else []:
                    asked_about = name
            if not _speaks_of_consent(clause):
                continue
            if clause.link == "without" and any(status_of(above) == "done" for above in clause.ancestors()):
                continue
            if _is_verification(clause, part):
                continue
            agreed = clause.verb == "agre" or "agre" in clause.stems
            yield Consent(part, clause, asked_about if agreed else "")


_DECLINES = frozenset(map(stem, "decline refuse".split()))
_WILL = frozenset(map(stem, "want wish like would proceed".split()))


def _speaks_of_consent(clause: Clause) -> bool:
    """Say whether a clause asks for the user's consent or has it given."""
    for word in clause.words:
        if word.lower == "yes" or word.lower in lexicon.ASSENT_NOUNS:
            return True
    if clause.verb in lexicon.CONSENT:
        if clause.subject == "user":
            return True
        if clause.passive and clause.subject == "other":
            return True
        return "with" in clause.stems and bool(clause.stems & lexicon.USERS)
    return any(word.lower in ("confirmed", "agreed", "approved") for word in clause.words[:3]) and clause.link == "after"


def _is_verification(clause: Clause, part: Part) -> bool:
    """Say whether "confirm" means that facts are found out, and not that the user consents."""
    if any(word.lower == "yes" or word.lower in lexicon.ASSENT_NOUNS for word in clause.words):
        return False
    if clause.verb in lexicon.CONSENT:
        objects = [word for word in clause.object_words if word.kind == "word" and word.lower not in lexicon.DETERMINERS]
        if objects and clause.verb == "confirm":
            return objects[-1].stem in lexicon.FACTS or objects[0].stem in lexicon.FACTS
        if clause.subject != "user" and clause.passive:
            return any(word.stem in lexicon.FACTS for word in clause.words)
        return False
    before = [other for other in part.prose.clauses if other.sentence in (clause.sentence, clause.sentence - 1)]
    checks = [other for other in before if other.subject == "agent" and other.verb in lexicon.CHECK]
    return bool(checks) and not any(_speaks_of_consent(other) for other in before if other is not clause)


def _is_topical(clause: Clause, name: str) -> bool:
    """Say whether a clause is about an act that it names, and does not deny it or speak of something generic."""
    del name
    return not any(word.lower in ("any", "each", "every") for word in clause.words)


def _names_act(word: Word) -> bool:
    return is_noun_of_action(word.lower) or word.lower.removesuffix("s") in _NOMINALS or word.lower.endswith("ings")


def _object_noun(clause: Clause) -> Word | None:
    """Return the noun that the verb of a clause acts on, past "with" or "on"."""
    noun = None
    for word in clause.object_words:
        if word.lower in ("with", "on", "ahead", "out") and noun is None:
            continue
        if word.kind != "word" or word.lower in ("of", "for", "to", "in", "from", "and", "or", "by", "with", "as", "at"):
            break
        noun = word
    return noun


def _objects(found: tuple[Word, ...] | list[Word]) -> frozenset[str]:
    return frozenset(word.stem for word in found if word.kind == "word" and word.stem not in lexicon.GENERIC)


def _is_request(clause: Clause) -> bool:
    """Say whether a clause of the description tells what the user wants."""
    if clause.negated:
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
        if kept and first and len(stems & first) >= _RESTATES * min(len(first), len(stems)) and len(first) > 15:
            continue
        kept.append(field)
        first = first or stems
    return kept

"""What the offline reader says of a task, and how it words it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from benchlint.judges.offline import lexicon
from benchlint.judges.protocol import JudgedFinding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchlint.judges.offline.clause import Clause
    from benchlint.judges.offline.prose import Passage
    from benchlint.judges.protocol import Violation

_LONGEST: Final = 160

Span = tuple[int, int]
"""A range of the behaviour or the description, in characters."""


@dataclass(frozen=True, slots=True)
class OfflineVerdict:
    """Findings about the expected behaviour, and policy items that the request runs into. No scores."""

    findings: tuple[JudgedFinding, ...] = ()
    violations: tuple[Violation, ...] = ()


def finding(
    rule: str, passage: Passage, span: Span, reason: str, items: Iterable[str], confidence: float, rewrite: str
) -> JudgedFinding:
    """Return a finding that quotes a range of a passage. Empty ids of items are left out."""
    pointer, place = passage.place(span)
    named = tuple(dict.fromkeys(item for item in items if item))
    quote = passage.text[span[0] : span[1]]
    return JudgedFinding(rule, quote, reason, named, confidence, rewrite, pointer=pointer, span=place)


def agent_name(passage: Passage) -> str:
    """Return how the expected behaviour calls the agent: "The chatbot"."""
    for clause in passage.clauses:
        if clause.subject == "agent" and clause.own_subject:
            for word in clause.words[: max(clause.head, 0)]:
                if word.stem in lexicon.AGENTS:
                    return f"The {word.lower}"
    return "The agent"


def clipped(text: str) -> str:
    """Return a policy's words for a message, cut at a word where they are long."""
    text = text.strip().rstrip(".")
    return text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(" ", 1)[0] + " ..."


def listed(phrases: Sequence[str]) -> str:
    """Join phrases: "a, b and c"."""
    return ", ".join(phrases[:-1]) + " and " + phrases[-1] if len(phrases) > 1 else "".join(phrases)


def with_verb(passage: Passage, clause: Clause, predicate: str) -> str:
    """Return a clause up to its verb, with another predicate ("decline again") in the verb's form."""
    head = clause.words[clause.head]
    verb, space, rest = predicate.partition(" ")
    if is_third_person(clause):
        verb = verb[:-1] + "ies" if verb.endswith("y") else verb + "s"
    return passage.text[clause.start : head.start] + verb + space + rest


def is_third_person(clause: Clause) -> bool:
    """Say whether the verb of a clause has the form of "asks"."""
    lower = clause.words[clause.head].lower
    return not clause.modal and not clause.passive and lower.endswith("s") and not lower.endswith("ss")


def governor(clause: Clause) -> Clause:
    """Return the clause whose verb governs another: "offer to transfer" for "to transfer"."""
    while clause.link in ("infinitive", "gerund") and clause.parent is not None and clause.parent.head >= 0:
        clause = clause.parent
    return clause

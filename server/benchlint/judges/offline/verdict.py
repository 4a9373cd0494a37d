"""What the offline reader says of a task, and how it writes its sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchlint.judges.protocol import JudgedFinding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchlint.judges.offline.prose import Clause
    from benchlint.judges.offline.scene import Part, Scene
    from benchlint.judges.protocol import Violation


@dataclass(frozen=True, slots=True)
class OfflineVerdict:
    """Findings about the expected behaviour, and policy items that the request runs into. No scores."""

    findings: tuple[JudgedFinding, ...] = ()
    violations: tuple[Violation, ...] = ()


def finding(
    rule: str,
    part: Part,
    span: tuple[int, int],
    reason: str,
    items: Sequence[str],
    confidence: float,
    rewrite: str | None,
) -> JudgedFinding:
    """Return a finding that quotes a part of a field."""
    quote = part.field.text[span[0] : span[1]]
    return JudgedFinding(
        rule, quote, reason, tuple(dict.fromkeys(items)), confidence, rewrite, pointer=part.field.pointer
    )


def sentence_of(part: Part, clause: Clause) -> tuple[int, int]:
    """Return the range of the sentence in which a clause stands."""
    return part.prose.sentences[clause.sentence]


def agent_name(scene: Scene) -> str:
    """Return how the expected behaviour calls the agent: "The chatbot"."""
    from benchlint.judges.offline import lexicon

    for part in scene.behaviour:
        for clause in part.prose.clauses:
            if clause.subject == "agent" and clause.own_subject:
                for word in clause.words[: max(clause.head, 0)]:
                    if word.stem in lexicon.AGENTS:
                        return f"The {word.lower}"
    return "The agent"


def clipped(text: str, longest: int = 160) -> str:
    """Return a policy's words for a message, cut at a word where they are long."""
    text = text.strip().rstrip(".")
    if len(text) <= longest:
        return text
    return text[:longest].rsplit(" ", 1)[0] + " ..."


def listed(phrases: Sequence[str]) -> str:
    """Join phrases: "a, b and c"."""
    if len(phrases) < 2:
        return "".join(phrases)
    return ", ".join(phrases[:-1]) + " and " + phrases[-1]

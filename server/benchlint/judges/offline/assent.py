"""Where a behaviour asks the user for consent, or has it given, in whatever words."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.words import stem, stem_set, word_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.judges.offline.clause import Clause
    from benchlint.judges.offline.prose import Passage
    from benchlint.judges.offline.reading import Stems

_SENDS: Final = stem_set("send email mail give provide issue forward")
_CHECKED: Final = lexicon.CHECK | lexicon.CONSENT | stem_set("double-check cross-check recheck go review settle clear")
_NAMES_CONSENT: Final = lexicon.CONSENT - stem_set("accept")
_PRONOUNS: Final = word_set("her him them")
_MAY: Final = word_set("may should shall can")

_CONTENT: Final = re.compile(
    r"\b(?:(?:is|are|be|looks?|sounds?|seems?)\s+(?:all\s+)?"
    r"(?:fine|happy|content|satisfied|okay|ok|right|correct|good|agreeable|acceptable)"
    r"|no objections?|nod(?:s|ded|ding)?|green light|thumbs[- ]up|all right|alright)\b",
    re.IGNORECASE,
)
"""What a user is, does or gives who consents without a word of consent."""
_HAS_CONFIRM: Final = re.compile(
    r"\b(?:has|have|having|lets?|gets?|makes?)\s+(?:(?:the|their|our)\s+)?[\w']+\s+(?:to\s+)?(?:\w+ly\s+)?"
    r"(?:confirm|agree|approve|consent)\b",
    re.IGNORECASE,
)
"""What an agent does who wants consent: "have the guest confirm it"."""
_SPOKEN: Final = re.compile(
    r"\b(?:all right|alright|do (?:it|so|that)|fine|go ahead|of course|please do|proceed|sure|that works|yeah|yep"
    r"|(?:shall|should|may|can) (?:i|we)\b[^?]*\?)",
    re.IGNORECASE,
)
"""What is said by a user who consents, or by an agent who asks for it."""
_NAMED: Final = re.compile(
    r"\b(?:[Yy]ou(?: a|')re|I am|I'm|(?:[Mm]y|[Yy]our) name is|[Nn]ame:|(?:[Uu]ser|[Cc]ustomer|[Cc]lient)(?= [\"']))"
    r"\s*[\"']?((?:[^\W\d_]+(?:[-' ](?=[^\W\d_a-z]))?){1,4})"
)
_QUOTATION: Final = re.compile(
    r"\"[^\"]{1,200}\"|“[^”]{1,200}”|„[^“”]{1,200}[“”]|«[^»]{1,200}»|(?<!\w)'[^']{1,200}'(?!\w)"
)


def speaks_of_consent(clause: Clause, users: Stems) -> bool:
    """Say whether a clause asks for the user's consent or has it given."""
    if clause.has_assent:
        return clause.verb not in _SENDS or clause.subject != "agent"
    if clause.verb in _CHECKED and _is_with_user(clause, users):
        return True
    if clause.verb in lexicon.CONSENT:
        return clause.subject in ("user", "other")
    if not (users.isdisjoint(clause.stems) or _NAMES_CONSENT.isdisjoint(clause.stems)):
        return clause.subject != "agent"
    return clause.link == "after" and any(
        word.lower in ("confirmed", "agreed", "approved") for word in clause.words[:3]
    )


def asks_leave(clause: Clause, acts: Stems) -> bool:
    """Say whether the agent asks if it may do one of some acts."""
    return clause.link == "asked" and clause.verb in acts and not _MAY.isdisjoint(clause.lowers)


def assents(passage: Passage) -> Iterator[Clause]:
    """Yield the clauses in which consent is asked for or given in other words than those that name it."""
    quotations = [match.span() for match in _QUOTATION.finditer(passage.text)]

    def clause_at(position: int) -> Clause | None:
        return next((item for item in passage.clauses if item.start <= position < item.end), None)

    for match in _CONTENT.finditer(passage.text):
        clause = clause_at(match.start())
        if clause is not None and clause.subject != "agent" and not clause.negated:
            yield clause
    for match in _HAS_CONFIRM.finditer(passage.text):
        clause = clause_at(match.start())
        if clause is not None and not clause.negated:
            yield clause
    for start, end in quotations:
        spoken = _SPOKEN.search(passage.text, start, end)
        clause = clause_at(spoken.start()) if spoken is not None else None
        if clause is not None:
            yield clause


def _is_with_user(clause: Clause, users: Stems) -> bool:
    """Say whether something is gone through with the user: "double-checks the dates with Ida"."""
    for index, word in enumerate(clause.words):
        if word.lower == "with":
            after = clause.words[index + 1 :]
            if len(after) == 1 and after[0].lower in _PRONOUNS:
                return True
            named = [item for item in after if item.lower not in lexicon.DETERMINER_WORDS][:1]
            if any(item.stem in users or item.capital for item in named):
                return True
    return False


def names(text: str) -> Stems:
    """Return the stems of the names that a description gives its user: "You are Ida Berg"."""
    found: list[str] = []
    for match in _NAMED.finditer(text):
        found += takewhile(lambda word: word[0].isupper() and not word.isupper(), match[1].split())
    return frozenset(stem(word.lower()) for word in found)


AGREE: Final = stem("agree")
"""The one verb of consent that may be about another act than the one at hand."""

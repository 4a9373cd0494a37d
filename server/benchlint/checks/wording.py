"""How a criterion says that the agent does something, or that it must not."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from benchlint.checks.arguments import words

_FAMILIES = (
    frozenset({"cancel", "return", "refund"}),
    frozenset({"book", "create", "add", "open", "make", "register", "place", "order"}),
    frozenset({"update", "modify", "change", "edit", "set", "upgrade", "downgrade"}),
    frozenset({"exchange", "replace", "swap", "modify"}),
    frozenset({"send", "issue", "offer", "give", "grant"}),
    frozenset({"delete", "remove", "close"}),
)
"""Verbs that authors use for one and the same tool."""

_IRREGULAR = {
    "send": ("sent",),
    "make": ("made",),
    "give": ("gave", "given"),
    "set": ("setting",),
    "swap": ("swapped", "swapping"),
}

_NO_THING = re.compile(r"(?:,|;|\band|\bwith|\bhas|\.)\s+no\s+[a-z]+(?:\s[a-z]+)?", re.IGNORECASE)
_MONTH = re.compile(r"\bMay\b(?=\s+[0-9])|(?<=[0-9] )May\b")
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?")
_HEDGE_WORDS = """
not cannot never nor neither none unable instead rather unless if when whether until before except or either may might
could would try tries tried trying deny denies denied denying lie lies lied lying no without another other different
"""
_HEDGES = frozenset(_HEDGE_WORDS.split())
_HEDGE_STEMS = (
    "refus",
    "reject",
    "declin",
    "avoid",
    "attempt",
    "ask",
    "request",
    "want",
    "claim",
    "pretend",
    "think",
    "believ",
    "insist",
    "wrong",
    "incorrect",
    "mistak",
    "fail",
    "alternativ",
)
_ROUGH = re.compile(
    r"\b(?:between|range|more than|less than|at least|at most|up to|under|over|below|above|exceed\w*|approximately"
    r"|approx|about|around|roughly|nearly|almost|per|each|every)\b",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"^(?:check(?:s|ed)? that |verify that |ensure that |make sure (?:that )?)?(?:the )?(?:agent|assistant) "
    r"(?:(?:should|must|does|do|did|will|shall|is|was)(?: not|n't|n’t)|never|(?:should |must )?refuses? to"
    r"|should refuse to)\s+(?:proceed with |go ahead with )?",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"^(?:check(?:s|ed)? that |verify that |ensure that |make sure (?:that )?)?(?:the )?(?:agent|assistant)\s+"
    r"(?:(?:should|must|will|shall|has|have|had|also|then|first|finally|correctly|successfully|properly|immediately"
    r"|needs? to|able to)\s+)*",
    re.IGNORECASE,
)
_VERB = re.compile(r"(?:the )?(?P<verb>[A-Za-z]+)")
_PASSIVE = re.compile(
    r"^(?:check that |verify that |ensure that )?(?:the )?(?:[A-Za-z]+ (?:id |number )?)?"
    r"(?P<subject>#?(?=[A-Za-z_-]*[0-9])[\w-]+|(?-i:[A-Z]{4,}))\s+"
    r"(?:is|was|gets|has been|should be|must be|will be)\s+(?P<not>not\s+)?(?:successfully |correctly |also )*"
    r"(?P<verb>[a-z]+)\b",
    re.IGNORECASE,
)
_USER = re.compile(r"\b(?:user|customer|client|member|he|she|they)\s+(?:is|was|are|has|have|owns?)\b", re.IGNORECASE)
_REASON = re.compile(r"\b(?:since|because|as (?:it|the|this|that|he|she|they)|due to)\b", re.IGNORECASE)


class Clause(NamedTuple):
    """What a criterion says about the agent: its verb, and where the verb stands.

    In a passive sentence ("Reservation X is updated"), `subject` tells where
    the id stands to which it is done.
    """

    verb: str
    start: int
    end: int
    subject: tuple[int, int] | None = None


def is_plain(sentence: str) -> bool:
    """Say whether a sentence states something without negation, condition, choice or hedge.

    "no insurance" in a list of what the agent books is no negation of the
    booking.
    """
    found = _WORD.findall(_MONTH.sub(" ", _NO_THING.sub(" ", sentence)).lower())
    return not any(word in _HEDGES or word.startswith(_HEDGE_STEMS) or word.endswith(("n't", "n’t")) for word in found)


def is_exact(sentence: str) -> bool:
    """Say whether the numbers of a sentence are neither bounds nor rough nor rates."""
    return _ROUGH.search(sentence) is None


def speaks_of_user(sentence: str) -> bool:
    """Say whether a sentence tells what the user is or has."""
    return _USER.search(sentence) is not None


def main_clause(sentence: str) -> str:
    """Return a sentence up to the reason that it gives."""
    match = _REASON.search(sentence)
    return sentence[: match.start()] if match else sentence


@lru_cache(1024)
def done(sentence: str) -> Clause | None:
    """Return the verb of a sentence that says what the agent does, or what is done to an id."""
    passive = _PASSIVE.match(sentence)
    if passive:
        clause = Clause(passive["verb"].lower(), *passive.span("verb"), passive.span("subject"))
        return None if passive["not"] else clause
    match = _DOES.match(sentence)
    word = _VERB.match(sentence, match.end()) if match else None
    return Clause(word["verb"].lower(), *word.span("verb")) if word else None


def refused(sentence: str) -> Clause | None:
    """Return the verb of a sentence that says what the agent must not do."""
    passive = _PASSIVE.match(sentence)
    if passive:
        clause = Clause(passive["verb"].lower(), *passive.span("verb"), passive.span("subject"))
        return clause if passive["not"] else None
    match = _REFUSAL.match(sentence)
    word = _VERB.match(sentence, match.end()) if match else None
    return Clause(word["verb"].lower(), *word.span("verb")) if word else None


@lru_cache(4096)
def forms(verb: str) -> frozenset[str]:
    """Return the forms in which a verb appears: "cancel", "cancels", "cancelled", "cancellation"."""
    found = {verb, f"{verb}s", f"{verb}es", f"{verb}ed", f"{verb}d", f"{verb}ing", *_IRREGULAR.get(verb, ())}
    if verb.endswith("e"):
        found |= {f"{verb[:-1]}ing"}
    if verb.endswith("y"):
        found |= {f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb[:-1]}ication"}
    if verb.endswith("l"):
        found |= {f"{verb}led", f"{verb}ling", f"{verb}lation"}
    return frozenset(found)


@lru_cache(4096)
def family(verb: str) -> frozenset[str]:
    """Return the verbs, in all forms, that authors use for what a verb says."""
    verbs = {verb}.union(*(group for group in _FAMILIES if any(verb in forms(item) for item in group)))
    return frozenset().union(*map(forms, verbs))


@lru_cache(4096)
def tokens(name: str) -> tuple[str, ...]:
    """Return the words of a name in code, one at least: `update_reservation_flights`, `paymentId`."""
    return tuple(words(name)) or (name,)


@lru_cache(4096)
def alike(word: str, other: str) -> bool:
    """Say whether two nouns are forms of each other: "bags" and "baggages", "passenger" and "passengers"."""
    left, right = _singular(word), _singular(other)
    short, long = sorted((left, right), key=len)
    return left == right or (len(short) >= 3 and long.startswith(short) and len(long) - len(short) <= 4)


def _singular(word: str) -> str:
    word = word.lower()
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word.removesuffix("s")


def one_slip(word: str, other: str) -> bool:
    """Say whether two words differ by one letter more, less or other, or by two letters swapped."""
    if word == other or abs(len(word) - len(other)) > 1:
        return False
    start = next((at for at, pair in enumerate(zip(word, other, strict=False)) if pair[0] != pair[1]), len(word))
    left, right = word[start:], other[start:]
    if len(left) != len(right):
        return left[1:] == right if len(left) > len(right) else left == right[1:]
    return left[1:] == right[1:] or (left[:2] == right[1::-1] and left[2:] == right[2:])

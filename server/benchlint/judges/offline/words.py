"""Words of a text: where they stand, and their stems."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

_WORD: Final = re.compile(
    r"(?P<word>[^\W\d_]++(?:['’-][^\W\d_]++)*+)(?!-?\d|[_@])"
    r"|(?P<number>\d+(?:[.,]\d+)*)(?![\w-])"
    r"|(?P<identifier>[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\#\w+|\w+(?:[-_]\w+)*)"
    r"|(?P<mark>[^\w\s])"
)

_IRREGULAR: Final = {
    "ate": "eat", "began": "begin", "begun": "begin", "bought": "buy", "broke": "break", "broken": "break",
    "brought": "bring", "came": "come", "children": "child", "chose": "choose", "chosen": "choose", "did": "do",
    "does": "do", "done": "do", "drew": "draw", "drawn": "draw", "dying": "die", "fell": "fall", "flew": "fly",
    "flown": "fly", "forgot": "forget", "found": "find", "gave": "give", "given": "give", "goes": "go",
    "gone": "go", "got": "get", "had": "have", "has": "have", "held": "hold", "kept": "keep", "knew": "know",
    "known": "know", "left": "leave", "lent": "lend", "lost": "lose", "made": "make", "meant": "mean",
    "met": "meet", "paid": "pay", "people": "person", "persons": "person", "ran": "run", "rose": "rise",
    "said": "say", "saw": "see", "seen": "see", "sent": "send", "shown": "show", "slept": "sleep", "sold": "sell",
    "sought": "seek", "spent": "spend", "spoke": "speak", "spoken": "speak", "stole": "steal", "stolen": "steal",
    "taken": "take", "told": "tell", "took": "take", "understood": "understand", "used": "use", "using": "use",
    "went": "go", "withdrawn": "withdraw", "withdrew": "withdraw", "won": "win", "written": "write", "wrote": "write",
}  # fmt: skip

_NOUNS_OF_ACTIONS: Final = {
    "acceptance": "accept", "activation": "activate", "addition": "add", "adjustment": "adjust",
    "agreement": "agree", "alteration": "alter", "amendment": "amend", "application": "apply",
    "approval": "approve", "arrival": "arrive", "assistance": "assist", "authentication": "authenticate",
    "authorisation": "authorize", "authorization": "authorize", "cancelation": "cancel", "cancellation": "cancel",
    "closure": "close", "collection": "collect", "compensation": "compensate", "complaint": "complain",
    "completion": "complete", "confirmation": "confirm", "correction": "correct", "creation": "create",
    "deactivation": "deactivate", "deletion": "delete", "delivery": "deliver", "denial": "deny",
    "departure": "depart", "escalation": "escalate", "explanation": "explain", "extension": "extend",
    "identification": "identify", "insistence": "insist", "installation": "install", "modification": "modify",
    "notification": "notify", "payment": "pay", "permission": "permit", "reactivation": "reactivate",
    "recommendation": "recommend", "redemption": "redeem", "refusal": "refuse", "registration": "register",
    "reimbursement": "reimburse", "rejection": "reject", "removal": "remove", "renewal": "renew",
    "replacement": "replace", "resumption": "resume", "revision": "revise", "suggestion": "suggest",
    "suspension": "suspend", "termination": "terminate", "validation": "validate", "verification": "verify",
    "withdrawal": "withdraw",
}  # fmt: skip

_UNCHANGED: Final = frozenset({
    "address", "always", "anything", "basis", "bed", "bus", "business", "during", "evening", "everything", "express",
    "feed", "four", "gas", "his", "its", "king", "less", "morning", "news", "nothing", "plus", "process", "red", "ring",
    "series", "something", "speed", "spring", "status", "string", "thing", "this", "thus", "unless", "us", "wedding",
    "yes",
})  # fmt: skip
_VOWEL: Final = re.compile(r"[aeiouy]")


class Word(NamedTuple):
    """A word, number, identifier or punctuation mark, in characters of its text.

    `lower` is the text in lower case, `stem` what its inflected forms and its
    noun of action share ("cancelled", "cancellation"). `kind` is `word`,
    `number`, `identifier` (holds digits and letters, or is an e-mail
    address) or `mark`.
    """

    lower: str
    stem: str
    start: int
    end: int
    kind: str
    capital: bool


def words(text: str, start: int = 0, end: int | None = None) -> list[Word]:
    """Return the words of a part of a text, in their order."""
    found = []
    for match in _WORD.finditer(text, start, len(text) if end is None else end):
        kind = match.lastgroup or "mark"
        raw = match[0]
        lower = raw.lower().replace("’", "'")
        name = stem(lower) if kind == "word" else lower
        found.append(Word(lower, name, match.start(), match.end(), kind, raw[0].isupper()))
    return found


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """Return the stem of a word in lower case. Only equality of stems means something."""
    word = word.removesuffix("'s").removesuffix("s'")
    if word == "e-mail":
        word = "email"
    if word in _UNCHANGED:
        return word
    word = _IRREGULAR.get(word, word)
    singular = _singular(word)
    word = _NOUNS_OF_ACTIONS.get(singular, singular)
    return _bare(_without_ending(word))


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text that are parted by white space."""
    return frozenset(text.split())


def stem_set(text: str) -> frozenset[str]:
    """Return the stems of the words of a text that are parted by white space."""
    return frozenset(map(stem, text.split()))


def is_noun_of_action(lower: str) -> bool:
    """Say whether a word is a noun that names an action ("cancellation", "renewals")."""
    return _singular(lower) in _NOUNS_OF_ACTIONS


def is_participle(lower: str) -> bool:
    """Say whether a word has the form of a past participle ("booked", "chosen")."""
    return lower.endswith(("ed", "en")) or lower in _IRREGULAR


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def _without_ending(word: str) -> str:
    if word.endswith("ing") and len(word) > 4 and _VOWEL.search(word[:-3]):
        return word[:-3]
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("eed"):
        return word[:-1] if word in ("agreed", "disagreed", "freed", "guaranteed") else word
    if word.endswith("ed") and len(word) > 4 and _VOWEL.search(word[:-2]):
        return word[:-2]
    return word


def _bare(word: str) -> str:
    """Drop what the endings change: a final e, a doubled consonant, y or i."""
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeious":
        word = word[:-1]
    if len(word) > 2 and word.endswith("y"):
        word = word[:-1] + "i"
    return word

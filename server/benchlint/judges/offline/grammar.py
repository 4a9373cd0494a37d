"""Who is the subject of a clause, and which word is its verb."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.words import is_participle, word_set

if TYPE_CHECKING:
    from benchlint.judges.offline.clause import Clause, Link, Speech, Subject
    from benchlint.judges.offline.words import Word

_NEGATIONS: Final = word_set("not cannot never neither nor without")
_BE: Final = word_set("am is are was were be been being")
_NO_VERB: Final = (lexicon.PREPOSITION_WORDS - {"to"}) | word_set("most more less fewer if that which who any")
_NOT_IN_SUBJECT: Final = word_set("that if whether when once because since unless until before after")
_WISHES: Final = lexicon.INSIST | lexicon.WANT | lexicon.CONSENT
_OPENINGS: Final = lexicon.PREPOSITION_WORDS | word_set(
    "when whenever unless until once after upon having before since because while whereas although though without"
    " who whom whose whether should had if that as prior to in case on with how what which where why"
)
_QUOTES: Final = "'\"’”“‘"
_ONLY_VERBS: Final = word_set("agree ask expect insist want")
_ASIDES: Final = word_set("including except excluding even")
_LONGEST_SUBJECT: Final = 7


def negates(lower: str) -> bool:
    """Say whether a word in lower case denies its verb."""
    return lower in _NEGATIONS or lower.endswith("n't")


def role_of(noun: Word | None, speech: Speech) -> Subject:
    """Say who a noun is."""
    if noun is None or noun.lower.endswith("'s"):
        return "other"
    if noun.stem in lexicon.AGENTS:
        return "agent"
    return "user" if noun.stem in speech.users else "other"


def is_finite_act(word: Word, speech: Speech) -> bool:
    """Say whether a word is a verb in -s that tells what somebody does ("wants", "confirms")."""
    return word.lower.endswith("s") and (word.stem in _WISHES or word.stem in speech.commands)


def subject_at(found: list[Word], at: int, you: Subject, speech: Speech) -> tuple[Subject, int] | None:
    """Read a subject that starts at a word: whose it is, and where its verb may stand."""
    if at >= len(found) or found[at].kind != "word":
        return None
    first = found[at]
    if first.lower == "you":
        return you, at + 1
    if first.lower in lexicon.USER_PRONOUN_WORDS and first.lower != "who":
        return "user", at + 1
    if first.lower in lexicon.AGENT_PRONOUN_WORDS:
        return "agent", at + 1
    if first.lower in ("there", "nobody", "none"):
        return "other", at + 1
    if first.lower == "neither" or _is_verb_with_object(found, at, speech):
        return None
    return _noun_subject(found, at, speech)


def _is_verb_with_object(found: list[Word], at: int, speech: Speech) -> bool:
    following = found[at + 1].lower if at + 1 < len(found) else ""
    if following == "to" and (is_finite_act(found[at], speech) or found[at].lower in _ONLY_VERBS):
        return at + 2 < len(found) and (found[at + 2].lower == "be" or found[at + 2].stem in speech.commands)
    return found[at].stem in speech.commands and (
        following in lexicon.DETERMINER_WORDS
        or following in lexicon.THEM_WORDS
        or following in ("that", "whether", "if", "for", "it")
    )


def _noun_subject(found: list[Word], at: int, speech: Speech) -> tuple[Subject, int] | None:
    """Read a subject made of nouns, up to a verb that can only be one."""
    last: Word | None = None
    place = at if found[at].lower in lexicon.DETERMINER_WORDS else at - 1
    end = at + _LONGEST_SUBJECT
    while (place := place + 1) < min(len(found), end + 1):
        word = found[place]
        if word.kind == "mark":
            if word.lower in _QUOTES:
                continue
            aside = _end_of_aside(found, place)
            if aside is None:
                return None
            place, end = aside, end + aside - place
            continue
        if word.lower in _NOT_IN_SUBJECT:
            return None
        if word.lower in lexicon.FINITE_WORDS or word.lower.endswith("n't"):
            return (role_of(last, speech), place) if last is not None else None
        if last is not None and word.kind == "word" and not last.lower.endswith("'s"):
            role = role_of(last, speech)
            acts = word.lower.endswith(("s", "ed")) and (word.stem in _WISHES or word.stem in speech.commands)
            does = role == "agent" and word.lower.endswith("s") and not last.lower.endswith("s")
            if role != "other" and (acts or does or lexicon.is_adverb(word.lower)):
                return role, place
        last = word if word.kind == "word" else last
    return None


def _end_of_aside(found: list[Word], place: int) -> int | None:
    """Return where an aside in a subject ends: "rooms (old ones too) can", "all rooms, including suites, can"."""
    if found[place].lower == "(":
        closing = ")"
    elif found[place].lower == "," and place + 1 < len(found) and found[place + 1].lower in _ASIDES:
        closing = ","
    else:
        return None
    return next((index for index in range(place + 1, len(found)) if found[index].lower == closing), None)


def find_verb(clause: Clause, you: Subject, speech: Speech) -> None:
    """Set subject, negation and verb of a clause whose verb is the word read last, if it is."""
    found = clause.words
    if found[-1].kind != "word":
        return
    start = 0
    while start < len(found) and (
        found[start].kind == "mark"
        or found[start].lower in lexicon.COORDINATOR_WORDS
        or lexicon.is_adverb(found[start].lower)
        or (clause.link not in ("main", "topic") and found[start].lower in _OPENINGS)
    ):
        start += 1
    if start < len(found) - 1 and found[start].lower in lexicon.MODAL_WORDS:
        clause.modal = found[start].lower
        clause.negated = clause.negated or found[start].lower == "cannot"
        start += 1
        start = _past_inverted_subject(clause, start, speech)
    if start >= len(found):
        return
    at = _past_subject(clause, start, you, speech)
    if at is not None and at < len(found):
        _find_head(clause, at, speech)


def _past_inverted_subject(clause: Clause, start: int, speech: Speech) -> int:
    """Read a subject after its modal verb ("should the agent cancel"); return where the verb may stand."""
    place = start + (clause.words[start].lower in lexicon.DETERMINER_WORDS)
    role = role_of(clause.words[place], speech) if place < len(clause.words) else "other"
    if role == "other":
        return start
    clause.subject, clause.own_subject = role, True
    return place + 1


def _past_subject(clause: Clause, start: int, you: Subject, speech: Speech) -> int | None:
    """Return where the verb of a clause may stand; None where it has no subject yet."""
    found = clause.words
    subject = subject_at(found, start, you, speech)
    if clause.own_subject:
        return subject[1] if subject is not None else start
    if subject is not None and subject[1] < len(found):
        clause.subject, clause.own_subject = subject[0], True
        clause.negated = found[start].lower in ("no", "none", "nobody", "nothing")
        clause.modal = ""
        return subject[1]
    if clause.link in ("infinitive", "gerund", "before", "after", "without", "while") or clause.subject:
        return start
    if _is_order(found[start:], speech):
        clause.subject = "agent"
        return start
    return None


def _find_head(clause: Clause, at: int, speech: Speech) -> None:
    found = clause.words
    negated = passive = perfect = False
    for place in range(at, len(found)):
        word = found[place]
        lower = word.lower
        negated = negated or negates(lower)
        if lower in lexicon.MODAL_WORDS:
            clause.modal = lower
            continue
        if lower in lexicon.AUXILIARY_WORDS:
            passive = lower in _BE
            perfect = lower in ("have", "has", "had")
            continue
        if word.kind != "word" or negates(lower) or lexicon.is_adverb(lower) or lower in ("to", "longer", "no"):
            continue
        if place != len(found) - 1 or (perfect and not is_participle(lower)):
            return
        if lower in _NO_VERB or lower in lexicon.DETERMINER_WORDS or lower in lexicon.COORDINATOR_WORDS:
            return
        if not clause.own_subject and not _is_verb_form(clause, word, speech):
            return
        clause.head = place
        clause.negated = clause.negated or negated or lower in lexicon.UNABLE_WORDS
        clause.passive = passive and not lower.endswith("ing")
        return


def _is_order(found: list[Word], speech: Speech) -> bool:
    """Say whether words are an order up to its verb: "Ask", "Do not offer"."""
    last = found[-1]
    if last.stem not in speech.commands and last.lower != "do":
        return False
    return not last.lower.endswith(("ing", "ings", "ed")) and all(
        word.lower in ("do", "always", "please") or negates(word.lower) or lexicon.is_adverb(word.lower)
        for word in found[:-1]
    )


_GERUND_LINKS: Final[tuple[Link, ...]] = ("before", "after", "without", "while", "gerund")


def _is_verb_form(clause: Clause, word: Word, speech: Speech) -> bool:
    """Say whether a word can be the verb of a clause without a subject."""
    known = word.stem in speech.commands
    if clause.link not in _GERUND_LINKS:
        return known
    return word.lower.endswith("ing") or (clause.subject != "" and known and not word.lower.endswith("s"))

"""What a policy makes the agent obtain or check before an act."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.items import act_named, content, is_act_noun
from benchlint.judges.offline.lexicon import family
from benchlint.judges.offline.reading import Need
from benchlint.judges.offline.words import stem, stem_set, word_set, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.judges.offline.clause import Clause, Speech
    from benchlint.judges.offline.items import Item
    from benchlint.judges.offline.reading import Stems
    from benchlint.judges.offline.words import Word

_BINDING_WORDS: Final = word_set("must should needs shall ought")
_COLLECTS: Final = lexicon.ASK - stem_set("require prompt")
_USER_GIVES: Final = stem_set("provide give supply state confirm present show")
_CHECKS: Final = stem_set("check verify ensure validate")
_MAKING: Final = stem_set("make place submit do take proceed")
_KEEPS: Final = stem_set("date reason")
"""Nouns that "of" and "for" belong to: "date of birth", "reason for the cancellation"."""
_FILLERS: Final = word_set("first instead also then")
_FINDS_WHO: Final = re.compile(r"\bfind out who\b|\bidentity\b", re.IGNORECASE)
_IDENTIFIES: Final = re.compile(r"\b(?:authenticate|identify|verify)\b[^.]*", re.IGNORECASE)
_BEFORE_RECORDS: Final = re.compile(
    r"^(?:[\w']+ ){0,4}(?:obtain|get|collect|know|verify|check|ask for)\b[^.;]*\bbefore\s+(?:you\s+|it\s+)?"
    r"(?:access\w*|open\w*|discuss\w*|view\w*|look\w* (?:up|at|into)|giv\w+ (?:\w+ )?access to)\s+"
    r"(?:a|an|any|the|their|his)\s+\w+",
    re.IGNORECASE,
)
"""What is asked before a record is looked at, and so before everything: "obtain X before accessing an account"."""
_ASKS_FIRST: Final = re.compile(
    r"^(?:the \w+ )?(?:must |should |shall )?(?:always )?(?:asks?|obtains?|gets?)(?: for)? the \w+ "
    r"(?:id|number|name|e-?mail)(?: address)? first\b|^(?:the \w+ )?(?:must |should |shall )?first,? "
    r"(?:asks?|obtains?|gets?)(?: for)? the (?:user|customer|guest|member|client) (?:id|number)\b[^,;]*$",
    re.IGNORECASE,
)
IDENTITY: Final = frozenset({stem("identity")})
_IDENTIFIED: Final = (IDENTITY, *(frozenset({name}) for name in sorted(stem_set("authenticate identify"))))
_LONGEST: Final = 5


def identity_need(item: Item) -> Need | None:
    """Return the need of every flow that an item states: that the agent finds out who the user is."""
    named = [frozenset({word.stem}) for word in item.words if word.stem in lexicon.IDENTIFYING]
    first = bool(named) and any(pattern.search(item.text) for pattern in (_BEFORE_RECORDS, _ASKS_FIRST))
    if not first and (item.kind == "fact" or not _identifies(item)):
        return None
    options = tuple(dict.fromkeys([*(named or [frozenset({"id"})]), *_IDENTIFIED]))
    return Need(item.id, "the user's identity", options, _discussed(item))


def _identifies(item: Item) -> bool:
    match = _IDENTIFIES.search(item.text)
    whom = words(match[0]) if match is not None else []
    return any(word.stem in lexicon.USERS for word in whom) or _FINDS_WHO.search(item.text) is not None


def _discussed(item: Item) -> Stems:
    """Return what an item speaks of as there already: "before you discuss a booking"; nothing for one that is made."""
    before = [clause for clause in item.prose.clauses if clause.link == "before"]
    if any(clause.head < 0 or clause.verb in _MAKING or family(clause.verb) in lexicon.MAKES for clause in before):
        return frozenset()
    return frozenset().union(*(content(clause.object_words) for clause in before))


def needs_of(item: Item, speech: Speech) -> Iterator[Need]:
    """Yield what an item makes the agent obtain or check, whatever the circumstances."""
    label = act_named(item.label, speech) if item.label else None
    objects: Stems = label[1] if label is not None else frozenset()
    for clause in item.prose.clauses:
        if clause.link != "main" or clause.negated or clause.head < 0 or _is_conditional(item, clause):
            continue
        if clause.modal not in _BINDING_WORDS and (item.kind != "obligation" or clause.modal in ("can", "may")):
            continue
        if _collects(clause):
            for phrase, stems in _pieces(item.text, clause):
                yield Need(item.id, phrase, (stems,), objects)
        elif clause.subject == "agent" and item.kind != "fact" and _checks(clause):
            yield Need(item.id, "", (), objects)


def act_before(item: Item) -> tuple[str, Stems, str] | None:
    """Return the act before which an item wants something: its family, its objects and the policy's words.

    "Before a plan change", "to book a visit", "when somebody books a room".
    """
    for clause in item.prose.clauses:
        if clause.link == "before" and clause.head < 0:
            named = next((word for word in clause.words if is_act_noun(word)), None)
            objects = content(word for word in clause.words if word is not named) - {stem("before")}
            if named is not None and objects:
                return family(named.stem), objects, item.text[clause.words[1].start : clause.end]
        if clause.link == "before" or _opens_with_act(item, clause):
            objects = content(clause.object_words)
            if clause.head >= 0 and clause.verb not in lexicon.TALK and objects:
                return family(clause.verb), objects, item.text[clause.words[clause.head].start : clause.end]
    return None


def _opens_with_act(item: Item, clause: Clause) -> bool:
    """Say whether an item begins with the act for which it is: "To book a visit, ...", "When a guest books a table"."""
    if clause.start != item.prose.clauses[0].start or clause.negated or clause.modal or clause.passive:
        return False
    opens = clause.link == "condition" and clause.words[0].lower in ("when", "whenever")
    return clause.link == "infinitive" or (opens and clause.subject in ("user", "agent", "other"))


def _is_conditional(item: Item, clause: Clause) -> bool:
    beside = item.prose.beside(clause)
    opens = beside[0].link == "condition" and not (_opens_with_act(item, beside[0]) and act_before(item) is not None)
    return opens or any(other.link == "condition" and other.parent is clause for other in beside)


def _collects(clause: Clause) -> bool:
    if clause.subject == "agent":
        return clause.verb in _COLLECTS
    return clause.subject == "user" and clause.verb in _USER_GIVES


def _checks(clause: Clause) -> bool:
    if clause.verb == stem("make"):
        return any(word.lower == "sure" for word in clause.object_words)
    if clause.verb not in _CHECKS:
        return False
    return not any(word.stem in lexicon.IDENTIFYING or word.lower == "identity" for word in clause.object_words)


def _pieces(text: str, clause: Clause) -> Iterator[tuple[str, Stems]]:
    """Yield each piece of information that a clause asks for: its phrase and stems."""
    for group in _groups(clause.object_words):
        kept = _noun_phrase(group)
        stems = frozenset(
            word.stem
            for word in kept
            if word.kind == "word"
            and word.lower not in lexicon.DETERMINER_WORDS
            and not word.lower.endswith("'s")
            and word.lower not in ("of", "for", "first", "or")
        )
        if not stems & lexicon.IDENTIFYING or len(stems) > _LONGEST or any(word.lower == "or" for word in kept):
            continue
        yield re.sub(r"\s*\([^)]*\)", "", text[kept[0].start : kept[-1].end]), stems


def _groups(found: list[Word]) -> Iterator[list[Word]]:
    """Part words at commas and "and", without what stands in parentheses."""
    depth = 0
    group: list[Word] = []
    for word in found:
        depth += {"(": 1, ")": -1}.get(word.lower, 0)
        if depth > 0 or word.lower == ")":
            continue
        if word.lower in (",", "and", "then"):
            yield group
            group = []
        else:
            group.append(word)
    yield group


def _noun_phrase(group: list[Word]) -> list[Word]:
    """Return what is asked for, without what comes around it; nothing for a number of something."""
    while group and (group[0].lower == "for" or group[0].lower in _FILLERS or lexicon.is_adverb(group[0].lower)):
        group = group[1:]
    kept: list[Word] = []
    for index, word in enumerate(group):
        following = group[index + 1].lower if index + 1 < len(group) else ""
        if word.lower == "number" and following == "of":
            return []
        ends = word.lower in lexicon.PREPOSITION_WORDS or word.lower in ("that", "which", "who", "so", "if", "when")
        if ends and not (word.lower in ("of", "for") and kept and kept[-1].stem in _KEEPS):
            break
        kept.append(word)
    while kept and (kept[-1].lower in _FILLERS or kept[-1].kind == "mark"):
        kept.pop()
    return kept

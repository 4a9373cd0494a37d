"""What a sentence of a policy does: oblige, forbid, permit, set an amount, or tell a fact."""

from __future__ import annotations

import re
from typing import Literal

from benchlint.benchmark.sentences import words

Kind = Literal["obligation", "prohibition", "permission", "amount", "fact"]

_NUMBER = r"(?:\d[\d,.]*\b|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b|twelve\b)"

_LABEL = re.compile(
    r"(?P<strong>\*\*|__)[^\n]{1,80}?(?::(?P=strong)|(?P=strong)\s?:|(?P=strong)\s+[-–—])\s+(?=\S)"
    r"|(?P<words>[^\s.:;,!?*_][^.:;,!?\n]{0,50}):\s+(?=\S)"
)
_CONDITION = re.compile(
    r"\b(?:if and only if|even if|if|when|whenever|unless|until|once|as long as|in case|whether|because|although)\b"
    r"[^,;.!?]*",
    re.IGNORECASE,
)
_PROHIBITION = re.compile(
    r"\b(?:can|must|should|shall|may|would)\s?(?:not|n[’']t)\b|\bcan[’']t\b|\bmay never\b|\bnever\b"
    r"|\b(?:not|n[’']t) (?:be |been )?(?:acceptable|allowed|authori[sz]ed|eligible|permitted|possible"
    r"|refundable|supported|transferable|valid)\b"
    r"|\b(?:agent|assistant|you)\b[^,;.]{0,20}\bnot (?:be )?able to\b"
    r"|\bnon-?refundable\b"
    r"|\b(?:is|are|be) (?:strictly )?(?:disallowed|forbidden|prohibited)\b"
    r"|(?:^|[,;:.]\s*(?:and |or |but |so |then |please )?|\band |\bplease )(?:do not|don[’']t|avoid)\b"
    r"|^no (?:cancellations?|changes?|compensations?|exceptions?|exchanges?|modifications?|refunds?|returns?)\b"
    r"|\b(?:can|may|must|should|shall)\b[^,;.]{0,60}\bonly\b"
    r"|^only\b|,\s*only\b"
    r"|\b(?:can|may)\b[^,;.]{0,40}\bbut not\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"[$€£¥]\s?\d|\d\s?(?:%|[$€£¥])"
    r"|\b\d[\d,.]*[\s-](?:dollars?|usd|eur|euros?|gbp|pounds?|cents?|percent|points?|miles|gb|mb|kg|lbs?)\b"
    r"|\b\d+(?:gb|mb|kg)\b"
    r"|\b(?:at most|at least|up to|no more than|no less than|no fewer than|not more than|maximum of|minimum of"
    r"|more than|less than|fewer than)\s+(?:an?\s+)?"
    + _NUMBER
    + r"|\b(?:maximum|minimum|limit)\b[^.;]{0,80}\b"
    + _NUMBER
    + r""
    r"|\b" + _NUMBER + r"\s+(?:\w+\s+)?free\b",
    re.IGNORECASE,
)
_DURATION = re.compile(
    r"\b(?:within|in|after|before|for|under|over|last|next|than)\s+(?:the\s+(?:last|next|first)\s+)?\d+"
    r"(?:\s*(?:-|–|to|or)\s*\d+)?[\s-]*(?:\w+\s+)?(?:h|hrs?|hours?|mins?|minutes?|days?|weeks?|months?|years?)\b",
    re.IGNORECASE,
)
_OBLIGATION = re.compile(
    r"\b(?:must|shall|should|ought to|(?:has|have) to|mandatory|(?:is|are|be) (?:required|needed|necessary|obliged)"
    r"|requires? (?:the|an?|that|explicit|prior|confirmation|approval)|required to)\b"
    r"|(?<!\bno )(?<!\bnot )\bneeds? (?:to|confirmation|approval|explicit)\b"
    r"|^always\b|\b(?:agent|assistant|you|they|we) always\b",
    re.IGNORECASE,
)
_PERMISSION = re.compile(
    r"(?:(?P<subject>\w+),? )?\b(?P<modal>(?:can|may)(?: also| still| always| either| then)?) (?P<verb>\S)"
    r"|\b(?:is|are|be) (?:allowed|entitled|permitted|eligible|free|welcome)\b|\bhas the right\b",
    re.IGNORECASE,
)
_PAST = re.compile(r" have \w+(?:ed|en|wn|ne|ght|de)\b|have been\b", re.IGNORECASE)
_PASSIVE = re.compile(r" (?:be|go|apply)\b", re.IGNORECASE)
_STATE = re.compile(r" be(?: (?:a|an|the|available|due)\b| ?[:\"“'*])", re.IGNORECASE)
_QUANTIFIED = re.compile(r"(?:^|, )(?:all|any|each|every|other)\b", re.IGNORECASE)
_ACTORS = words(
    """
    agent agents anyone assistant customer customers employee guest member members passenger passengers they
    user users we you
    """
)
_OPTIONS = re.compile(r"\b(?:options|choices|alternatives)\b", re.IGNORECASE)
_ANNOUNCED = re.compile(r"\b(?:below|following|steps|these)\b", re.IGNORECASE)
_MODAL = re.compile(r"\b(?:can|cannot|do not|don[’']t|may|must|needs?|never|should|shall)\b", re.IGNORECASE)
_VERBAL = re.compile(
    r"\b(?:am|are|be|can|do|does|has|have|include|includes|is|may|must|never|shall|should|was|were|will)\b",
    re.IGNORECASE,
)
_VERBS = "|".join(
    sorted(
        words(
            """
            add apply ask assist authenticate call calculate cancel charge check collect communicate compensate
            confirm contact create deny describe determine direct document encourage ensure escalate exchange
            explain find follow gather get give guide help identify inform investigate issue keep list locate log
            look mention modify notify obtain offer perform present proceed process provide record refer refund
            reject remember remind repeat report request resolve respond return search select send set stop submit
            suggest summarize tell transfer treat try update use verify wait waive warn
            """
        )
    )
)
_IMPERATIVE = re.compile(
    r"(?:please |always |first,? |then |next,? |finally,? |otherwise,? |in particular,? )?"
    r"(?:be (?:sure|careful|certain)|make sure|double-check|" + _VERBS + r")\b(?=\s)",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"^(?:after|before|finally|first|for|if|in|instead|next|once|otherwise|then|to|unless|when|whenever)\b[^.;]*?,"
    r"\s*(?:then |please |first,? |and then |and )?(?:immediately |always |also )?(?:make sure|" + _VERBS + r")\b"
    r"(?!\w*\s+(?:is|are|was|will|can|may|has|have)\b)",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"(?:^|,\s*)(?P<verb>[A-Za-z]+)"
    r" (?:the|a|an|them|him|her|it|their|his|your|this|that|these|those|any|all|each|if|to)\b"
)
_NO_COMMAND = words(
    """
    a about above after all also although among an and another any are as at because before below between
    both but by can could did do does during each either even every few following for from had has have he
    here how however if in instead into is it its like many may might more most must neither no none nor not
    note of off on once one only or other otherwise our out over per rather regardless same shall she should
    since so some such than that the their there these they this those though through to under unlike until
    up upon was we were what when where whether which while who will with within without would you your
    """
)
_THIRD_PERSON = re.compile(r"(?<!s)s$|(?:ed|ing)$", re.IGNORECASE)


def kind_of(text: str) -> Kind:
    """Say what a sentence does.

    A prohibition says what may not be done, or only in some case. An amount
    sets a price, a number or a limit. Conditions do not count: "transfer the
    user if you cannot help" obliges.
    """
    main = _CONDITION.sub("", text).strip(" ,;")
    if _PROHIBITION.search(main):
        return "prohibition"
    if _AMOUNT.search(main) or _AMOUNT.search(text):
        return "amount"
    if _OBLIGATION.search(main) or _commands(main, text):
        return "obligation"
    if _permits(main):
        return "permission"
    return "fact"


def governs(text: str) -> Kind:
    """Say what a sentence that opens a list makes of its entries."""
    if _OPTIONS.search(text):
        return "permission"
    return kind_of(text) if len(text.split()) > 3 or _VERBAL.search(text) else "fact"


def announces(text: str) -> bool:
    """Say whether a sentence without a full stop only opens what follows it."""
    return _ANNOUNCED.search(text) is not None or kind_of(text) == "fact"


def has_modal(text: str) -> bool:
    """Say whether a text has a verb that makes it a rule, and no mere title."""
    return _MODAL.search(text) is not None


def is_statement(text: str) -> bool:
    """Say whether a sentence tells what will come, and so orders nothing."""
    return re.search(r"\bwill\b", text) is not None


def has_duration(text: str) -> bool:
    """Say whether a sentence sets a time: "within 5 to 7 business days"."""
    return _DURATION.search(text) is not None


def is_conditional(text: str) -> bool:
    """Say whether a sentence begins with its condition."""
    return re.match(r"(?:if|when|whenever|unless|once|otherwise|for|in case)\b", text, re.IGNORECASE) is not None


def label_end(source: str) -> int:
    """Return where the label before a sentence ends; 0 without one.

    `source` is Markdown: "Passengers: ...", "**Airplane mode is on**: ...".
    """
    match = _LABEL.match(source)
    if match is None or (match["words"] and (len(match["words"].split()) > 5 or _VERBAL.search(match["words"]))):
        return 0
    return match.end()


def _permits(main: str) -> bool:
    quantified = _QUANTIFIED.search(main) is not None
    for match in _PERMISSION.finditer(main):
        if match["verb"] is None:
            return True
        if (match["subject"] or "").lower() in _ACTORS:
            if not _PAST.match(main, match.end("modal")):
                return True
        elif _PASSIVE.match(main, match.end("modal")):
            if not _STATE.match(main, match.end("modal")):
                return True
        elif quantified:
            return True
    return False


def _commands(main: str, text: str) -> bool:
    """Say whether a sentence is an order: "Ask the user", "If so, tell them"."""
    if (main[:1].isupper() and _IMPERATIVE.match(main)) or _THEN.match(text):
        return True
    for match in _COMMAND.finditer(text):
        verb = match["verb"].lower()
        starts = match.start() == 0
        if verb in _NO_COMMAND or _THIRD_PERSON.search(verb) or match["verb"][0].isupper() != starts:
            continue
        if starts or is_conditional(text):
            return True
    return False

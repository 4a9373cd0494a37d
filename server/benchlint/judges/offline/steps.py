"""Services that agents are said to do, whether or not a domain has them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from benchlint.judges.offline.words import stem_set


@dataclass(frozen=True, slots=True)
class Step:
    """A service: how it is worded, and the stems of which a policy or its tools have one if they know it."""

    name: str
    wording: re.Pattern[str]
    known_by: frozenset[str]


def _step(name: str, wording: str, known_by: str) -> Step:
    return Step(name, re.compile(wording, re.IGNORECASE), stem_set(known_by))


_TO_SOMEBODY: Final = r"(?:\s+[\w'-]+){0,5}?\s+"

STEPS: Final = (
    _step(
        "a message",
        r"\b(?:send|e-?mail)s?\b" + _TO_SOMEBODY + r"(?:e-?mails?|text messages?|sms|messages?|letters?|links?)\b"
        r"|\be-?mails?\s+(?:the|him|her|them)\b|\b(?:follow-?up|confirmation|summary) e-?mails?\b",
        "send message sms link",
    ),
    _step(
        "a code",
        r"\b(?:send|text)s?\b" + _TO_SOMEBODY + r"(?:codes?|passcodes?|one-time passwords?)\b",
        "code passcode one-time",
    ),
    _step(
        "a call back",
        r"\b(?:call|phone|ring)s?\s+(?:\w+\s+){0,3}?back\b|\bcall-?backs?\b"
        r"|\b(?:schedule|arrange)s?\s+(?:a|an)\s+(?:\w+\s+)?(?:call|appointment|meeting|visit)\b",
        "callback phone ring schedule appointment",
    ),
    _step(
        "a later notice",
        r"\bnotif(?:y|ies)\b[^.]*\b(?:when|once|later|as soon as)\b"
        r"|\bset\s+(?:up\s+)?(?:a|an)\s+(?:alert|reminder)\b|\bfollows? up\b",
        "notify notification alert reminder follow-up",
    ),
    _step(
        "a waiting list", r"\bwait(?:ing)?[- ]?lists?\b|\bstandby list\b", "waitlist waiting-list standby waiting queue"
    ),
    _step(
        "a discount",
        r"\b(?:discounts?|coupons?|promo(?:tional)? codes?|price reductions?|loyalty points|bonus points)\b",
        "discount coupon promo reduction loyalty bonus",
    ),
    _step("a voucher", r"\bvouchers?\b", "voucher"),
    _step("a free extra", r"\b(?:complimentary|free upgrade|gift basket|free gift)\b", "complimentary gift courtesy"),
    _step(
        "a filed case",
        r"\b(?:fil|submit|open|log|rais|creat|lodg|register)\w*\s+"
        r"(?:(?:a|an|the|their|his|her|formal|new|support|official|internal)\s+){0,3}"
        r"(?:complaints?|tickets?|cases?|incidents?|grievances?|bug reports?)\b",
        "ticket case incident grievance file",
    ),
    _step(
        "an escalation",
        r"\bescalat\w+\b"
        r"|\b(?:ask|contact|consult|alert|inform|notify|notifie)s?\s+(?:(?:the|an?|its|their|his|her)\s+)?(?:\w+\s+)?"
        r"(?:supervisors?|managers?|departments?|back office|colleagues?|team)\b",
        "escalate supervisor department team colleague",
    ),
    _step(
        "a document",
        r"\b(?:upload|photo(?:graph)?s?|screenshots?|scans?|proof of|certified cop(?:y|ies)|written statement"
        r"|death certificate|medical certificate|doctor's note)\b",
        "upload photo screenshot scan proof document evidence certificate statement",
    ),
    _step(
        "a signature",
        r"\b(?:e-?sign(?:s|ed|atures?)?|signatures?|notari[sz]ed?|signed (?:copy|copies|form|letter|contract|agreement)"
        r"|sign(?:s|ed)? (?:a|an|the) \w+|to be signed)\b",
        "sign signed signature e-sign notarise notarize notarised notarized form",
    ),
    _step("a fax", r"\bfax(?:es)?\b", "fax letter mail"),
    _step(
        "a check of the person", r"\b(?:credit|background|criminal record|fraud) checks?\b", "background criminal fraud"
    ),
    _step(
        "a temporary hold",
        r"\b(?:put|place|keep|hold)s?\s+(?:\w+\s+){1,4}?on hold\b|\btemporary hold\b"
        r"|\bholds?\s+(?:the|a)\s+(?:\w+\s+)?(?:seat|price|fare|rate)s?\b",
        "hold",
    ),
    _step("a survey", r"\b(?:satisfaction )?surveys?\b|\bleave (?:a )?(?:review|feedback)\b", "survey feedback review"),
)

"""Values that nobody can guess."""

from __future__ import annotations

import re
from typing import Any, Literal

from benchlint.checks.arguments import words
from benchlint.checks.mentions import days

Kind = Literal["date", "amount", "name", "address", "phone", "code"]

_PROSE_WORDS = """
answer body caption comment comments content description detail details explanation expression feedback file filename
instructions justification keyword keywords label link memo message note notes path prompt purpose query question
reason remark remarks response subject summary tags text title topic url
"""
_PROSE = frozenset(_PROSE_WORDS.split())
_SECRET = frozenset({"hash", "nonce", "otp", "password", "pin", "secret", "session", "signature", "timestamp", "token"})
_PERSON_WORDS = """
beneficiary cardholder contact customer family first full given guest holder last middle passenger patient recipient
traveler traveller
"""
_PERSON = frozenset(_PERSON_WORDS.split())
_NOBODY = frozenset({"anonymous", "guest", "none", "null", "self", "unknown"})
_ADDRESS = frozenset({"address", "addr", "city", "street", "town"})
_MONEY_WORDS = """
amount balance budget charge charged compensation cost credit deposit discount fare fee payment payout premium price
refund salary tip total
"""
_MONEY = frozenset(_MONEY_WORDS.split())
_PHONES = frozenset({"fax", "mobile", "phone", "telephone"})
_IDENTITY = _PHONES | {"id", "ids", "postal", "postcode", "zip", "zipcode"}
_NUMBER = frozenset({"no", "nr", "num", "number"})
"""The last word of an argument for the number of something: "bill_no"."""

_MOST_WORDS = 6
"""A value of more words is prose."""

_COUNT = 20
"""Amounts up to this one are small enough to be counted, or a rate for each of something."""

LARGEST = 10**15
"""Numbers from this one on are not known to the cent."""

_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d.*)?", re.ASCII)
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_QUANTITY = re.compile(
    r"[$€£]?[-+]?\d[\d,]*(?:\.\d+)?\s?[A-Za-z%]{0,4}|\d+[xX×]\d+|\d\d(?:\d\d)?[-/]\d\d(?:\d\d)?|.*(?:://|\d:\d\d).*"
)
_PHONE = re.compile(r"\+?[\d\s().-]{7,}", re.ASCII)
_LETTERS = re.compile(r"[^\W\d_]+(?:[ .'\u2019-]+[^\W\d_]+)*\.?")
_FORMULA = re.compile(r"[][{}()=*<>|+]")


def kind_of(argument: str, value: Any) -> Kind | None:
    """Return what a value is, if it is something that nobody can guess.

    Words, small numbers, measures, times, prose, and codes of a few characters
    are not: an agent may know, convert or choose them.
    """
    parts = words(argument)
    named = frozenset(parts)
    identity = bool(named & _IDENTITY) or (len(parts) > 1 and parts[-1] in _NUMBER)
    if isinstance(value, bool) or named & _SECRET:
        return None
    if isinstance(value, (int, float)):
        if not abs(value) < LARGEST:
            return None
        if identity:
            return "code" if abs(value) >= 1000 else None
        return "amount" if named & _MONEY and abs(value) > _COUNT and round(value, 2) == value else None
    if not isinstance(value, str) or named & _PROSE or not value.strip() or len(value.split()) > _MOST_WORDS:
        return None
    if _DAY.fullmatch(value):
        return "date"
    if _EMAIL.fullmatch(value):
        return "code"
    if named & _ADDRESS:
        return "address"
    if _LETTERS.fullmatch(value):
        return "name" if "name" in named and named & _PERSON and value.casefold() not in _NOBODY else None
    digits = sum(map(str.isdigit, value))
    if digits >= 7 and _PHONE.fullmatch(value) and (named & _PHONES or not value.isdigit()):
        return "phone"
    return "code" if _is_code(value, identity=identity) else None


def _is_code(value: str, *, identity: bool) -> bool:
    """Say whether a value that is no plain word is one that only a record or a person can tell."""
    if any(map(str.isspace, value)) or days(value) or _FORMULA.search(value):
        return False
    if not identity and _QUANTITY.fullmatch(value):
        return False
    return re.search(r"\d{4}", value) is not None or (
        identity and len(value) >= 5 and re.search(r"\d", value) is not None
    )

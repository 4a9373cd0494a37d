"""What is not sent: the values of some fields, and what some patterns match."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

REDACTED: Final = "[redacted]"

_DECODER: Final = json.JSONDecoder()


def redaction(fields: Sequence[str], patterns: Sequence[str]) -> Callable[[str], str]:
    """Return what takes out of a text the values of fields, and what regular expressions match.

    Field names may hold * and ?; case does not matter. Their values are
    found where they are written as JSON after the name: `"email": "a@b"` in
    records, `email="a@b"` in calls.
    """
    named = re.compile(_names(fields), re.IGNORECASE) if fields else None
    matched = [re.compile(pattern) for pattern in patterns]

    def redact(text: str) -> str:
        if named is not None:
            text = _without_values(text, named)
        for pattern in matched:
            text = pattern.sub(lambda found: REDACTED if found[0] else "", text)
        return text

    return redact


def _names(fields: Sequence[str]) -> str:
    globs = ("".join({"*": r"[\w.-]*", "?": r"[\w.-]"}.get(sign, re.escape(sign)) for sign in name) for name in fields)
    names = "|".join(globs)
    return rf'"(?:{names})"\s*:\s*|(?<![\w.-])(?:{names})='


def _without_values(text: str, named: re.Pattern[str]) -> str:
    """Replace the JSON value after each name; one that is cut, up to the end of its line."""
    parts: list[str] = []
    at = 0
    while (found := named.search(text, at)) is not None:
        parts.append(text[at : found.end()])
        try:
            _, at = _DECODER.raw_decode(text, found.end())
        except ValueError:
            at = min((end for end in [text.find("\n", found.end())] if end >= 0), default=len(text))
        parts.append(json.dumps(REDACTED))
    return "".join([*parts, text[at:]])

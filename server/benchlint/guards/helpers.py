"""The functions that guards have besides those of CEL."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_DATE = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?(?: [A-Z]{3,4})?")
_AMOUNT = re.compile(r"-?[$€£]?\s*(-?\d[\d,]*(?:\.\d+)?)\s*(?:dollars?|euros?|pounds?|[A-Z]{3})?")


def time(value: Any) -> datetime:
    """Return a date, or a date with a time, as a timestamp; without a zone, UTC stands for local time."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    match = _DATE.fullmatch(str(value).strip())
    if match is None:
        raise ValueError(f'"{value}" is no date')
    found = datetime.fromisoformat(f"{match[1]}T{match[2] or '00:00:00'}{match[3] or ''}")
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def money(value: Any) -> float:
    """Return an amount as a number with decimals, rounded to cents: `250`, `"$1,250.00"`."""
    if isinstance(value, str):
        match = _AMOUNT.fullmatch(value.strip())
        if match is None:
            raise ValueError(f'"{value}" is no amount')
        value = match[1].replace(",", "")
    return round(float(value), 2)


def total(values: Any) -> float:
    """Return the sum of amounts."""
    return round(sum(map(money, values)), 2)


def count(values: Any, wanted: Any) -> int:
    """Return how many entries of a list equal a value."""
    return sum(value == wanted for value in values)


def pairs(first: Any, second: Any) -> list[list[Any]]:
    """Return the entries of two lists of one length, two and two: the first of each, the second of each, ..."""
    return [list(pair) for pair in zip(first, second, strict=True)]


def unique(values: Any) -> bool:
    """Say whether no entry of a list stands in it twice."""
    seen = [str(value) for value in values]
    return len(seen) == len(set(seen))


def lower(text: Any) -> str:
    """Return a text in lower case."""
    return str(text).lower()


def shown(value: Any) -> str:
    """Write a value for a message."""
    if isinstance(value, float):
        return f"{value:.2f}".removesuffix(".00")
    if isinstance(value, list):
        return ", ".join(map(shown, value))
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    return str(value)


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "time": time,
    "money": money,
    "total": total,
    "count": count,
    "pairs": pairs,
    "unique": unique,
    "lower": lower,
}
HELPERS: Final = frozenset((*FUNCTIONS, "known"))

"""Where a whole file has the same trait, one finding tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEAST = 10
_SHARE = 0.9
_NAMED = 10


def is_trait(hits: int, of: int) -> bool:
    """Say whether so many of all have something in common that it is the file's own."""
    return hits >= _LEAST and hits >= _SHARE * of


def listed(names: Sequence[str], limit: int = _NAMED) -> str:
    """Write names in quotation marks; of many, the first and how many more."""
    shown = ", ".join(f'"{name}"' for name in names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit} more"


def joined(words: Sequence[str], last: str = "and") -> str:
    """Write words as a list in a sentence: `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"

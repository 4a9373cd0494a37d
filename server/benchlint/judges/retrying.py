"""How long to wait before a call is tried again."""

from __future__ import annotations

import math
import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """Return the seconds that a `Retry-After` header asks for: a number of them, or a date.

    None where there is no such header or it cannot be read.
    """
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = parsedate_to_datetime(value)
        except ValueError:
            return None
        date = date if date.tzinfo else date.replace(tzinfo=UTC)
        seconds = (date - (now or datetime.now(UTC))).total_seconds()
    return max(seconds, 0.0) if math.isfinite(seconds) else None


def delay(
    attempt: int,
    asked: float | None,
    first: float,
    longest: float,
    chance: Callable[[], float] = random.random,
) -> float:
    """Return how many seconds to wait after a failed attempt; attempts count from 0.

    What the endpoint asked for is honoured, with some jitter on top, up to
    `longest`. Without it the wait is random up to a limit that doubles from
    `first`.
    """
    backoff = chance() * min(longest, first * 2.0**attempt)
    if asked is None:
        return backoff
    return min(asked + min(backoff, first), longest)

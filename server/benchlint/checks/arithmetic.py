"""Whether an amount can come from other numbers."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

MOST = 12
"""From more numbers than these almost every amount can be made."""

_TERMS = 4
_TIMES = range(1, 13)


def is_derivable(value: float, numbers: Collection[float]) -> bool:
    """Say whether a value may be calculated from some numbers.

    That is a sum or difference of few of them, a multiple or an even part of
    one (a price for each of several persons, a yearly price by the month),
    or a percentage. Where there are more than `MOST` numbers, it may.
    """
    known = {_cents(number) for number in numbers} - {0}
    if len(known) > MOST:
        return True
    target = abs(_cents(value))
    sums = {0} | {sum(chosen) for count in range(1, _TERMS + 1) for chosen in combinations(sorted(known), count)}
    multiples = {times * item for item in sums for times in _TIMES}
    if any(target + item in multiples or item - target in sums for item in multiples):
        return True
    if any(target * times - rest in sums for times in _TIMES for rest in range(times)):
        return True
    rates = [number / 100 for number in numbers if 0 < number <= 100]
    shares = {part for rate in rates for part in (rate, 1 - rate, 1 + rate)}
    return any(abs(item * share - target) <= 1 for item in multiples for share in shares)


def _cents(number: float) -> int:
    return round(number * 100)

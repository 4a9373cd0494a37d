"""How numbers are written."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.audit.stats.estimate import Estimate

ABSENT: Final = "-"


def number(count: int, noun: str, plural: str | None = None) -> str:
    """Write a count with its noun."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def listed(words: list[str], most: int = 8) -> str:
    """Write words as a list in a sentence."""
    if len(words) > most:
        return f"{', '.join(words[:most])} and {len(words) - most} more"
    return " and ".join(words) if len(words) < 3 else f"{', '.join(words[:-1])} and {words[-1]}"


def fixed(digits: int) -> Callable[[Estimate], str]:
    """Return how to write a figure with so many decimals."""
    return lambda figure: f"{figure.value:.{digits}f}"


def correlation(figure: Estimate) -> str:
    """Write a correlation."""
    return f"{figure.value:.4f}"


def share(figure: Estimate) -> str:
    """Write a share as a fraction and in per cent."""
    return f"{round((figure.value or 0.0) * figure.count):,}/{figure.count:,} = {percent(figure)}"


def percent(figure: Estimate) -> str:
    """Write a share in per cent, halves rounded up: 23 of 80 is 28.8 %."""
    exact = Decimal(str(round(100 * (figure.value or 0.0), 9)))
    return f"{exact.quantize(Decimal('0.1'), ROUND_HALF_UP)} %"


def interval(figure: Estimate, digits: int = 2) -> str:
    """Write the interval of a figure."""
    if figure.low is None or figure.high is None:
        return ABSENT
    return f"{figure.low:.{digits}f} to {figure.high:.{digits}f}"


def percent_interval(figure: Estimate) -> str:
    """Write the interval of a share in per cent."""
    if figure.low is None or figure.high is None:
        return ABSENT
    return f"{100 * figure.low:.1f} to {100 * figure.high:.1f} %"


def probability(figure: Estimate) -> str:
    """Write a p with three digits: 0.0127, or 2.03e-7."""
    value = figure.value or 0.0
    if value == 0.0:
        return "< 1e-300"
    if value >= 1e-3:
        return f"{value:.3g}"
    mantissa, exponent = f"{value:.2e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def signed(figure: Estimate) -> str:
    """Write a difference with its sign."""
    return f"{round(figure.value or 0.0, 2) + 0.0:+.2f}"


def dollars(figure: Estimate) -> str:
    """Write a price."""
    return f"${figure.value:.2f}"


def plain(value: float | None, digits: int = 2) -> str:
    """Write a number that may be missing."""
    return ABSENT if value is None else f"{value:.{digits}f}"


def short(value: float) -> str:
    """Write a threshold or an end of a scale without needless zeros."""
    return f"{value:g}"

"""What judges took, in words: a price that is not known is never nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchlint.judges.protocol import Usage


def spent(usage: Usage) -> str:
    """Write calls and money: "12 calls, $0.0123"."""
    calls = f"{usage.calls:,} call{'' if usage.calls == 1 else 's'}"
    if not usage.calls:
        return calls
    return f"{calls}, price unknown" if usage.usd is None else f"{calls}, ${usage.usd:,.4f}"


def price(usd: float | None) -> str:
    """Write an expected price: "about $0.12"."""
    if usd is None:
        return "price unknown"
    return f"about ${usd:,.2f}" if usd >= 0.01 else "under $0.01"


def verdicts(count: int) -> str:
    """Count verdicts in words."""
    return f"{count:,} verdict{'' if count == 1 else 's'}"

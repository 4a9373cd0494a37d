"""What a run will take, before it is paid for.

Tokens are counted by characters: a tokenizer would have to be downloaded,
and the answer's length is not known in any case. So everything is a range.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from benchlint.judges.prices import Price
    from benchlint.judges.prompt import Asked
    from benchlint.judges.protocol import Metric, NoVerdict, Request, Usage, Verdict
    from benchlint.judges.spending import Purse

CHARACTERS: Final = (5.0, 4.0, 3.0)
"""How many characters a token has at most, as a rule, and at least."""

ANSWERS: Final[Mapping[Metric, tuple[int, int, int]]] = {
    "description_alignment": (60, 250, 1200),
    "policy_alignment": (60, 300, 1500),
    "violations": (40, 250, 1000),
    "ambiguity": (150, 900, 3000),
    "contradictions": (40, 400, 2000),
    "items": (400, 1200, 3000),
    "guards": (60, 400, 1500),
    "tasks": (200, 500, 1500),
}
"""How many tokens an answer has at least, as a rule, and at most; what a model thinks before it is not in it."""


class Range(NamedTuple):
    """A quantity that is not known exactly."""

    low: float
    likely: float
    high: float


class Priced(Protocol):
    """A session, as far as an estimate needs it."""

    name: str
    purse: Purse

    def key(self, asked: Asked) -> str:
        """Return the key of a request's answer."""

    def known(self, asked: Asked) -> Verdict | NoVerdict | None:
        """Return what is known without asking."""

    @property
    def price(self) -> Price | None:
        """What tokens cost, where it is known."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run will take. `usd` is None where the price is not known.

    `known` requests need no call; `unasked` calls are beyond `max_calls`.
    """

    model: str
    requests: int
    known: int
    calls: int
    tokens_in: Range
    tokens_out: Range
    usd: Range | None
    max_usd: float | None = None
    unasked: int = 0

    @property
    def text(self) -> str:
        """The estimate in a few lines, as `--dry-run` prints it."""
        lines = [f"{self.requests:,} requests: {self.known:,} known already, {self.calls:,} calls of {self.model}"]
        if self.calls:
            lines.append(f"tokens: {_tokens(self.tokens_in)} in, {_tokens(self.tokens_out)} out")
            lines.append(f"price: {_dollars(self.usd)}")
        if self.unasked:
            lines.append(f"max-calls: {self.unasked:,} calls more than that are not made")
        if self.max_usd is not None and self.calls:
            lines.append(f"max-usd: {_limit(self.usd, self.max_usd)}")
        return "\n".join(lines)


def estimate(session: Priced, asked: Iterable[Asked], planned: int = 0) -> Estimate:
    """Return what a run of a session over some requests will take. Nothing is asked.

    `planned` calls of other sessions come out of the same purse before.
    """
    requests = known = 0
    misses: dict[str, Request] = {}
    for item in asked:
        requests += 1
        key = session.key(item)
        if key in misses or session.known(item) is not None:
            known += 1
        else:
            misses[key] = item.request
    purse = session.purse
    left = len(misses) if purse.max_calls is None else max(0, purse.max_calls - purse.spent.calls - planned)
    calls = list(misses.values())[:left]
    read = [tokens_in(request) for request in calls]
    written = [Range(*ANSWERS[request.metric]) for request in calls]
    total_in, total_out = _sum(read), _sum(written)
    price = session.price
    usd = None
    if price is not None:
        prefixes = {request.prefix for request in calls}
        repeated = sum(len(request.prefix) for request in calls) - sum(map(len, prefixes))
        usd = Range(
            price.of(round(total_in.low), round(total_out.low), round(repeated / CHARACTERS[0])),
            price.of(round(total_in.likely), round(total_out.likely)),
            price.of(round(total_in.high), round(total_out.high)),
        )
    unasked = len(misses) - len(calls)
    return Estimate(session.name, requests, known, len(calls), total_in, total_out, usd, session.purse.max_usd, unasked)


def estimates(sessions: Sequence[Priced], asked: Sequence[Asked]) -> list[str]:
    """Return what a run of sessions that share a purse will take: lines for each, and for all together."""
    found: list[Estimate] = []
    for session in sessions:
        found.append(estimate(session, asked, sum(item.calls for item in found)))
    if len(found) < 2:
        return [line for item in found for line in item.text.splitlines()]
    lines = [line for item in found for line in replace(item, max_usd=None).text.splitlines()]
    calls = sum(item.calls for item in found)
    prices = [item.usd for item in found if item.calls]
    known = [usd for usd in prices if usd is not None]
    usd = _sum(known) if len(known) == len(prices) else None
    lines.append(f"together: {calls:,} calls" + (f", price: {_dollars(usd)}" if calls else ""))
    if found[0].max_usd is not None and calls:
        lines.append(f"max-usd: {_limit(usd, found[0].max_usd)}")
    return lines


def spent(name: str, usage: Usage, known: int) -> str:
    """Say what a run took, and how many answers were known already."""
    calls, dollars = usage.calls, usage.usd
    price = "" if not calls else ", price unknown" if dollars is None else f", ${dollars:,.4f}"
    counted = usage.tokens_in or usage.tokens_out
    tokens = f", {usage.tokens_in:,} tokens in and {usage.tokens_out:,} out" if counted else ", tokens unknown"
    tokens = tokens if calls else ""
    made = f"{calls:,} call{'' if calls == 1 else 's'}"
    return f"{name}: {made}{tokens}{price}; {known:,} verdict{'' if known == 1 else 's'} known already"


def tokens_in(request: Request) -> Range:
    """Return how many tokens a request has."""
    size = len(request.prefix) + len(request.body)
    return Range(*(size / characters for characters in CHARACTERS))


def expected_usd(price: Price, request: Request) -> float:
    """Return what a request is likely to cost."""
    return price.of(round(tokens_in(request).likely), ANSWERS[request.metric][1])


def _sum(ranges: Iterable[Range]) -> Range:
    columns = list(zip(*ranges, strict=True))
    return Range(*map(sum, columns)) if columns else Range(0, 0, 0)


def _tokens(amount: Range) -> str:
    low, likely, high = (f"{_rounded(value):,}" for value in amount)
    return f"about {likely} ({low} to {high})"


def _rounded(value: float) -> int:
    """Return a number with two figures that count."""
    digits = max(0, len(str(round(value))) - 2)
    return int(round(value, -digits))


def _dollars(usd: Range | None) -> str:
    if usd is None:
        return "unknown (no price is known for this model at this endpoint)"
    return f"${usd.low:,.2f} to ${usd.high:,.2f}, likely ${usd.likely:,.2f}"


def _limit(usd: Range | None, limit: float) -> str:
    if usd is None:
        return f"${limit:g} cannot be kept without a price, so nothing is asked"
    if usd.likely > limit:
        return f"the run will stop at ${limit:g}"
    return f"the run may stop at ${limit:g}" if usd.high > limit else f"${limit:g} is enough"

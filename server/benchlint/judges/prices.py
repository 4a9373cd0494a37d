"""What tokens cost, from the price list that litellm brings along. litellm itself is not imported."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchlint.judges.endpoints import provider_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_LIST: Final = "model_prices_and_context_window_backup.json"


class Price(NamedTuple):
    """US dollars for a token: read, written, and read from the provider's cache where it has one."""

    tokens_in: float
    tokens_out: float
    cached_in: float | None = None

    def of(self, tokens_in: int, tokens_out: int, cached: int = 0) -> float:
        """Return the price of a number of tokens; `cached` of those read come from the cache."""
        cached_in = self.tokens_in if self.cached_in is None else self.cached_in
        return (tokens_in - cached) * self.tokens_in + cached * cached_in + tokens_out * self.tokens_out


def price_of(model: str) -> Price | None:
    """Return the price of a model; None where it is not known. A price of zero is taken for unknown."""
    prices = _prices()
    entry = prices.get(model)
    if entry is None:
        provider = provider_of(model)
        entry = prices.get(model.partition("/")[2]) if "/" in model else None
        if entry is None or not str(entry.get("litellm_provider", "")).startswith(provider):
            return None
    tokens_in, tokens_out = _number(entry, "input_cost_per_token"), _number(entry, "output_cost_per_token")
    if not tokens_in or not tokens_out:
        return None
    return Price(tokens_in, tokens_out, _number(entry, "cache_read_input_token_cost"))


@cache
def _prices() -> Mapping[str, Any]:
    spec = find_spec("litellm")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        try:
            found = json.loads((Path(folder) / _LIST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        return {name: entry for name, entry in found.items() if isinstance(entry, dict)}
    return {}


def _number(entry: Mapping[str, Any], key: str) -> float | None:
    value = entry.get(key)
    return float(value) if isinstance(value, (int, float)) and value > 0 else None

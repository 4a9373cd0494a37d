"""Which name was probably meant by one that does not exist."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_CUTOFF = 75
"""How similar, from 0 to 100, a name must be to be worth a suggestion."""


def suggestion(name: str, candidates: Iterable[str]) -> tuple[str, bool] | None:
    """Return the candidate most like a name, and whether it is surely meant.

    It is where the name is a slip of this candidate and of no other. None
    where no candidate is like the name.
    """
    from rapidfuzz import fuzz, process

    names = list(candidates)
    slips = [candidate for candidate in names if is_slip(name, candidate)]
    if slips:
        return slips[0], len(slips) == 1
    found = process.extractOne(name, names, scorer=fuzz.ratio, score_cutoff=_CUTOFF)
    return (found[0], False) if found else None


def is_slip(name: str, candidate: str) -> bool:
    """Say whether a name is another one with a single slip of the keys.

    That is one letter too many, missing, wrong or swapped with its
    neighbour, or another style of writing (`orderId`, `order_id`). Names
    with other digits are other names.
    """
    plain, other = _letters(name), _letters(candidate)
    if plain == other:
        return True
    if min(len(plain), len(other)) < 4 or re.sub(r"\D", "", plain) != re.sub(r"\D", "", other):
        return False
    from rapidfuzz.distance import OSA

    return OSA.distance(plain, other, score_cutoff=1) <= 1


def _letters(name: str) -> str:
    return re.sub(r"[^0-9a-z]", "", name.casefold())

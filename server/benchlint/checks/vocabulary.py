"""The words by which a domain is known."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from benchlint.benchmark.model import Task

_WORD = re.compile(r"[^\W\d_]{4,}")
_CODE = re.compile(r"(?<![\w.#-])[\w.#-]*[\d@][\w.@#-]*")
"""An id, an address or a number with all that hangs on it: no words of a domain."""

_OTHER: Final = frozenset(
    """
    about after again agent also asks because been before being call chatbot contacts customer details does doesn doing
    else email ever first from give given going have help here information into issue just know known last like make
    more most must name need never number only other over persona please provide reason request same service should
    some such sure task tell than that their them then there they this time told user using very want wants were what
    when where which will with without would your yourself
    """.split()  # noqa: SIM905
)


@lru_cache(16_384)
def stem(word: str) -> str:
    """Return what the forms of a word share, roughly."""
    word = re.sub(r"ies$", "y", word)
    if len(word) > 4:
        word = re.sub(r"(?:ations?|ings?|ed|es|s|ion)$", "", word)
    return word[:6]


@lru_cache(512)
def telling_words(text: str) -> tuple[tuple[str, str], ...]:
    """Return the telling words of a text: the stem in lower case, and as it is written."""
    found = ((word.lower(), word) for word in _WORD.findall(_CODE.sub(" ", text)))
    return tuple((stem(lower), word) for lower, word in found if lower not in _OTHER)


def task_text(task: Task) -> str:
    """Return what a task says, tools by their names."""
    told = (*task.scenario, *task.behaviour, *task.nl_assertions)
    return " ".join([*(item.text for item in told), *(call.name.replace("_", " ") for call in task.actions)])

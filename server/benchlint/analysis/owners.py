"""Whose expected behaviour it is: the task whose description shares its telling words."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from math import log
from typing import TYPE_CHECKING, Final

from benchlint.judges.parts import description, expectation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.judges.parts import Part

_LEAD: Final = 1.5
"""How much better than all others a description must fit."""

_WORD = re.compile(r"#?\w[\w.@-]*\w")


class Owners:
    """Finds the task to which an expectation belongs. Nothing is read before it is asked."""

    def __init__(self, benchmark: Benchmark) -> None:
        self._benchmark = benchmark

    def of(self, task: Task) -> Task | None:
        """Return another task whose description an expectation clearly fits better than all others."""
        words = _words(expectation(task))
        best: Task | None = None
        most = second = 0.0
        for index, other in enumerate(self._benchmark.tasks):
            score = sum(self._weights[word] for word in words & self._told[index])
            if score > most:
                best, most, second = other, score, most
            else:
                second = max(second, score)
        return best if best is not task and most > _LEAD * second else None

    @cached_property
    def _told(self) -> list[frozenset[str]]:
        return [_words(description(task)) for task in self._benchmark.tasks]

    @cached_property
    def _weights(self) -> dict[str, float]:
        """How telling each word is: the fewer descriptions have it, the more."""
        counts = Counter(word for words in self._told for word in words)
        return {word: log((1 + len(self._told)) / count) for word, count in counts.items()}


def _words(parts: Iterable[Part]) -> frozenset[str]:
    return frozenset(word.casefold() for part in parts for word in _WORD.findall(part.text))

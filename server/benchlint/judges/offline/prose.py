"""Prose as sentences and clauses, over one field or several."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Final

from benchlint.benchmark.sentences import sentences
from benchlint.judges.offline.clause import Speech
from benchlint.judges.offline.clauses import clauses_of
from benchlint.judges.offline.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.benchmark.model import Field
    from benchlint.judges.offline.clause import Clause, Subject
    from benchlint.text.tree import Pointer

_BLOCK_END: Final = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*•#]|\d{1,2}[.)])\s)")
_NUMBERING: Final = re.compile(r"\s*(?:[-*•]|#+|\d{1,2}[.)])\s+")
_HEADING: Final = re.compile(r"\s*#+\s[^\n]*(?:\n|$)")
_GAP: Final = "\n\n"
_MOST: Final = 300
"""Sentences that are read; no task has more."""
_LONGEST: Final = 400
"""Words of a sentence that are read; no instruction is longer."""


@dataclass(frozen=True)
class Prose:
    """A text as clauses, and the range of each of its sentences in characters."""

    text: str
    sentences: tuple[tuple[int, int], ...]
    clauses: tuple[Clause, ...]

    @cached_property
    def by_sentence(self) -> tuple[tuple[Clause, ...], ...]:
        """The clauses of each sentence."""
        found: list[list[Clause]] = [[] for _ in self.sentences]
        for clause in self.clauses:
            found[clause.sentence].append(clause)
        return tuple(map(tuple, found))

    def beside(self, clause: Clause) -> tuple[Clause, ...]:
        """Return the clauses of a clause's sentence."""
        return self.by_sentence[clause.sentence]

    def said(self, clause: Clause) -> str:
        """Return the text of a clause."""
        return self.text[clause.start : clause.end]

    def sentence_of(self, clause: Clause) -> tuple[int, int]:
        """Return the range of a clause's sentence."""
        return self.sentences[clause.sentence]


@dataclass(frozen=True)
class Passage(Prose):
    """The prose of several fields, one after another; no sentence crosses from one to the next."""

    fields: tuple[Field, ...] = ()
    starts: tuple[int, ...] = ()

    def place(self, span: tuple[int, int]) -> tuple[Pointer, tuple[int, int]]:
        """Return the field in which a range stands, and the range in the field's text."""
        index = bisect_right(self.starts, span[0]) - 1
        start = self.starts[index]
        return self.fields[index].pointer, (span[0] - start, span[1] - start)


def read_prose(text: str, you: Subject = "agent", speech: Speech | None = None) -> Prose:
    """Read a text. `you` is whom it addresses."""
    return Prose(text, *_read(text, you, speech or Speech()))


def read_passage(fields: Sequence[Field], you: Subject, speech: Speech) -> Passage:
    """Read fields as one text."""
    text = _GAP.join(field.text for field in fields)
    starts = tuple(accumulate((len(field.text) + len(_GAP) for field in fields[:-1]), initial=0)) if fields else ()
    return Passage(text, *_read(text, you, speech), tuple(fields), starts)


def _read(text: str, you: Subject, speech: Speech) -> tuple[tuple[tuple[int, int], ...], tuple[Clause, ...]]:
    ranges: list[tuple[int, int]] = []
    clauses: list[Clause] = []
    for start, end in islice(_sentences(text), _MOST):
        clauses += clauses_of(words(text, start, end)[:_LONGEST], len(ranges), you, speech)
        ranges.append((start, end))
    return tuple(ranges), tuple(clauses)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the range of each sentence; headings are none."""
    position = 0
    for end, following in [*(match.span() for match in _BLOCK_END.finditer(text)), (len(text), len(text))]:
        heading = _HEADING.match(text, position, end)
        begin = heading.end() if heading else position
        numbering = _NUMBERING.match(text, begin, end)
        begin = min(numbering.end() if numbering else begin, end)
        for first, last in sentences(text[begin:end]):
            yield begin + first, begin + last
        position = following

"""What all written forms of an audit show: sections of sentences and grids of texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchlint.audit.report.numbers import ABSENT

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.audit.stats.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: titles, rows of texts, and which columns hold words (all others hold numbers)."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    words: tuple[int, ...] = (0,)


@dataclass(slots=True)
class Section:
    """A group of figures for reading. `key` is its name in an `Audit`; `lacks` says why it is missing."""

    key: str
    title: str
    sentences: list[str] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)
    lacks: str | None = None

    def grid(self, title: str, columns: list[str], rows: list[list[str]], words: tuple[int, ...] = (0,)) -> None:
        """Add a table, unless it has no rows."""
        if rows:
            self.grids.append(Grid(title, columns, rows, words))

    def cell(self, figure: Estimate | None, shown: Callable[[Estimate], str]) -> str:
        """Write a figure; one that is missing, or has no interval, leaves its reason as a footnote."""
        if figure is None:
            return ABSENT
        if figure.reason is not None and figure.reason not in self.footnotes:
            self.footnotes.append(figure.reason)
        return shown(figure) if figure.value is not None else ABSENT

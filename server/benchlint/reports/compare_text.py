"""A comparison of two reports for reading at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchlint.reports import text
from benchlint.reports.columns import Column, cut, table
from benchlint.reports.compare import parts, summary
from benchlint.reports.visible import visible

if TYPE_CHECKING:
    from benchlint.reports.compare import Comparison, Part
    from benchlint.reports.formats import Options
    from benchlint.reports.text import Paint

_HEAD: Final = "bold"
_CELLS: Final = 40
"""The most that a column takes; the last one takes what is left."""


def render(comparison: Comparison, options: Options) -> str:
    """Write what has changed in one line, then a table or a list for each part."""
    paint = text.painter(options.color)
    written = [_part(part, options.width, paint) for part in parts(comparison)]
    return "\n\n".join([f"{summary(comparison)}.", *written]) + "\n"


def _part(part: Part, width: int, paint: Paint) -> str:
    title = paint(_HEAD, cut(visible(part.title), width))
    if part.level == 1:
        return title
    rows = [[*(cut(visible(cell), _CELLS) for cell in row[:-1]), visible(row[-1])] for row in part.rows]
    if part.titles:
        lines = list(table([Column(name) for name in part.titles], rows, paint, width))
    else:
        lines = [cut(f"- {row[0]}", width) for row in rows]
    return "\n".join([title, *lines])

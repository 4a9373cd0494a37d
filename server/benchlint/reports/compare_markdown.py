"""A comparison of two reports for a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchlint.reports.compare import parts, summary
from benchlint.reports.markdown import clipped, escape, folded, more, table

if TYPE_CHECKING:
    from benchlint.reports.compare import Comparison, Part
    from benchlint.reports.formats import Options

_MOST: Final = 60
_OPEN: Final = 10
"""Parts of at most so many rows are not folded."""


def render(comparison: Comparison, options: Options) -> str:
    """Write a heading with what has changed, then a table or a list for each part."""
    return "\n".join([f"## benchlint: {summary(comparison)}\n", *map(_part, parts(comparison))])


def _part(part: Part) -> str:
    if part.level == 1:
        return f"### {escape(part.title)}\n"
    rows = part.rows[:_MOST]
    if part.titles:
        cells = [[clipped(cell, 240) for cell in row] for row in rows]
        for index in part.emphasis & set(range(len(cells))):
            cells[index] = [f"**{cell}**" if cell else "" for cell in cells[index]]
        body = table(list(part.titles), cells)
    else:
        body = "".join(f"- {clipped(row[0], 240)}\n" for row in rows)
    body += more(len(part.rows), _MOST, "row")
    return f"**{part.title}**\n\n{body}" if len(part.rows) <= _OPEN else folded(part.title, body)

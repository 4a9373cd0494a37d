"""An audit for a pull request or a wiki: the answer first, the tables folded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchlint.audit.report.sections import sections
from benchlint.audit.report.summary import summary
from benchlint.reports.markdown import escape, folded, more

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.audit.audit import Audit
    from benchlint.audit.report.outline import Grid, Section

_MOST: Final = 60


def render(audit: Audit, *, color: bool = False) -> str:
    """Write the answer, then a part for each group of figures, then what the table did not allow."""
    found = sections(audit)
    parts = [f"## Audit of {escape(audit.overview.source or 'a table')}\n"]
    answer = [f"- {escape(sentence)}\n" for sentence in summary(audit)]
    parts += ["".join(answer)] if answer else []
    parts += [_section(section) for section in found if section.lacks is None]
    lacking = [section for section in found if section.lacks is not None]
    if lacking:
        lines = "".join(f"- {escape(section.title)}: {escape(section.lacks or '')}\n" for section in lacking)
        parts.append(folded("Not told", lines))
    return "\n".join(parts)


def _section(section: Section) -> str:
    parts = [f"{escape(sentence)}\n" for sentence in section.sentences]
    parts += ["".join(_grid(grid)) for grid in section.grids]
    if section.footnotes:
        parts.append("".join(f"- {escape(note)}\n" for note in section.footnotes))
    return folded(escape(section.title), "\n".join(parts))


def _grid(grid: Grid) -> Iterator[str]:
    yield f"**{escape(grid.title)}**\n\n"
    marks = [":--" if index in grid.words else "--:" for index in range(len(grid.columns))]
    lines = [[escape(title) for title in grid.columns], marks]
    lines += [[escape(cell) for cell in row] for row in grid.rows[:_MOST]]
    yield from (f"| {' | '.join(cells)} |\n" for cells in lines)
    yield more(len(grid.rows), _MOST, "row")

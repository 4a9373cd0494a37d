"""An audit for reading at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchlint.audit.report.sections import sections
from benchlint.audit.report.summary import summary
from benchlint.reports.columns import Column, table
from benchlint.reports.text import painter
from benchlint.reports.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.audit.audit import Audit
    from benchlint.audit.report.outline import Grid, Section
    from benchlint.reports.text import Paint

_MOST: Final = 40
"""Longer tables are cut: the other forms have all of it."""
_HEAD: Final = "bold"
_DIM: Final = "dim"


def render(audit: Audit, *, color: bool = False) -> str:
    """Write the answer, then a part for each group of figures, then what the table did not allow."""
    paint = painter(color)
    found = sections(audit)
    answer = "".join(f"- {visible(sentence)}\n" for sentence in summary(audit))
    parts = [f"{paint(_HEAD, 'How far can it be trusted?')}\n{answer}"] if answer else []
    parts += ["".join(f"{line}\n" for line in _section(section, paint)) for section in found if section.lacks is None]
    lacking = [section for section in found if section.lacks is not None]
    if lacking:
        lines = [f"- {section.title} {visible(section.lacks or '')}.\n" for section in _with_stops(lacking)]
        parts.append(f"{paint(_HEAD, 'Not told')}\n{''.join(lines)}")
    return "\n".join(parts)


def _with_stops(lacking: list[Section]) -> Iterator[Section]:
    for section in lacking:
        section.title = section.title if section.title.endswith("?") else f"{section.title}:"
        yield section


def _section(section: Section, paint: Paint) -> Iterator[str]:
    yield paint(_HEAD, section.title)
    for sentence in section.sentences:
        yield visible(sentence)
    for grid in section.grids:
        yield ""
        yield from _grid(grid, paint)
    if section.footnotes:
        yield ""
        for note in section.footnotes:
            yield paint(_DIM, f"({visible(note).removesuffix('.')})")


def _grid(grid: Grid, paint: Paint) -> Iterator[str]:
    yield paint("italic", visible(grid.title))
    columns = [Column(visible(title), "<" if index in grid.words else ">") for index, title in enumerate(grid.columns)]
    columns.append(Column(""))
    rows = [[*(visible(cell) for cell in row), ""] for row in grid.rows[:_MOST]]
    for line in table(columns, rows, paint):
        yield f"  {line}"
    if len(grid.rows) > _MOST:
        yield f"  and {len(grid.rows) - _MOST} more"

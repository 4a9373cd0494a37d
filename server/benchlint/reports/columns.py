"""Tables in aligned columns, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from benchlint.reports.visible import cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.reports.text import Paint

_GAP: Final = "  "
_LEAST: Final = 16
"""The fewest cells that are left to the last column."""
_TITLES: Final = "dim"


class Column(NamedTuple):
    """The title of a column and the side at which its cells stand."""

    title: str
    align: Literal["<", ">"] = "<"


def table(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], paint: Paint, width: int | None = None
) -> Iterator[str]:
    """Align visible texts under their titles; where `width` is given the last column is cut to it."""
    sizes = [
        max([cells(column.title), *(cells(row[index]) for row in rows)]) for index, column in enumerate(columns[:-1])
    ]
    room = max(_LEAST, width - sum(sizes) - len(_GAP) * len(sizes)) if width is not None else None

    def line(row: Sequence[str]) -> str:
        aligned = []
        for value, column, size in zip(row, columns, sizes, strict=False):
            space = " " * (size - cells(value))
            aligned.append(f"{space}{value}" if column.align == ">" else f"{value}{space}")
        return _GAP.join([*aligned, row[-1] if room is None else cut(row[-1], room)]).rstrip()

    yield paint(_TITLES, line([column.title for column in columns]))
    for row in rows:
        yield line(row)


def cut(value: str, room: int) -> str:
    """Cut a visible text to a number of cells."""
    if cells(value) <= room:
        return value
    used = 0
    for index, character in enumerate(value):
        used += cells(character)
        if used > room - 1:
            return f"{value[:index].rstrip()}…"
    return value

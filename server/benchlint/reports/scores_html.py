"""The numbers of benchmarks as one page: no network, no script, nothing outside of the file.

The template escapes every text; what does not show (control characters,
marks that turn the direction of writing) stands as escapes before that.
"""

from __future__ import annotations

from itertools import groupby
from math import ceil
from typing import TYPE_CHECKING, Final, NamedTuple

from benchlint import __version__
from benchlint.reports import scores as view
from benchlint.reports.page import template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.judges.metrics import BenchmarkScores, ItemRow, Measure
    from benchlint.reports.formats import Options
    from benchlint.reports.scores import Chart, Kind, ScoreReport

_TEMPLATE: Final = "scores.html.jinja"
_WIDTH, _HEIGHT, _TOP, _FOOT = 320, 132, 16, 18
"""The drawing of a distribution: its size, and the room above and below the bars."""


def render(report: ScoreReport, options: Options) -> str:
    """Write the page. `quiet` leaves out notes and problems."""
    return template("benchlint.reports", _TEMPLATE).render(
        report=report, quiet=options.quiet, version=__version__, view=view, draw=_draw, tiles=_tiles, grouped=_grouped
    )


class _Tile(NamedTuple):
    """One of the four numbers, by the judges and by the offline reader, on a scale from `least` to `most`."""

    kind: Kind
    least: float
    most: float
    judged: Measure
    offline: Measure | None

    def at(self, value: float) -> float:
        """Return where a value stands on the scale, from 0 to 100."""
        return round(100 * (value - self.least) / (self.most - self.least), 2)


class _Bar(NamedTuple):
    value: int
    tasks: int
    x: float
    y: float
    width: float
    height: float


class _Drawing(NamedTuple):
    """A distribution as bars, and in words for those who do not see them."""

    words: str
    width: int
    height: int
    base: int
    bars: tuple[_Bar, ...]


def _tiles(benchmark: BenchmarkScores) -> Iterator[_Tile]:
    for kind in view.KINDS:
        judged = view.measure(benchmark.judged, kind)
        offline = view.measure(benchmark.offline, kind) if benchmark.offline is not None else None
        if kind.field in view.ALIGNMENTS:
            least, most = 1.0, 10.0
        elif kind.field == "coverage":
            least, most = 0.0, 1.0
        else:
            highest = [found.high or found.value or 0 for found in (judged, offline) if found is not None]
            least, most = 0.0, float(max(1, ceil(max(highest))))
        yield _Tile(kind, least, most, judged, offline)


def _draw(chart: Chart) -> _Drawing:
    step = _WIDTH / max(len(chart.counts), 6)
    room = _HEIGHT - _TOP - _FOOT
    most = max(chart.counts)
    bars = tuple(
        _Bar(
            chart.first + index,
            count,
            x=round(index * step + step * 0.14, 2),
            y=round(_TOP + room * (1 - count / most), 2),
            width=round(step * 0.72, 2),
            height=round(room * count / most, 2),
        )
        for index, count in enumerate(chart.counts)
    )
    listed = ", ".join(f"{view.number(bar.tasks, 'task')} at {bar.value}" for bar in bars if bar.tasks)
    title = f"{chart.title}{', offline reader' if chart.offline else ''}"
    return _Drawing(f"{title}: {listed}", _WIDTH, _HEIGHT, _HEIGHT - _FOOT, bars)


def _grouped(benchmark: BenchmarkScores) -> list[tuple[str, list[tuple[int, ItemRow]]]]:
    """Return the policy items, each with its number in the page, under their headings."""
    numbered = enumerate(benchmark.items)
    return [
        (" › ".join(headings), list(items)) for headings, items in groupby(numbered, key=lambda pair: pair[1].headings)
    ]

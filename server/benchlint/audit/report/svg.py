"""Charts as SVG: axes, marks and labels, coloured by classes that the page's style knows."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Final

from benchlint.reports.visible import cells, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

SHAPES: Final = ("circle", "square", "triangle", "diamond", "ring")
_LETTER: Final = 6.2
"""The width of a letter of a label, about."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis: its ends, the values that are marked and how they are called, and its title."""

    low: float
    high: float
    ticks: Sequence[tuple[float, str]]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart for the page: title, the series with their classes and shapes, the SVG, and all of it in words."""

    title: str
    caption: str
    legend: Sequence[tuple[str, int]]
    svg: str


@dataclass(slots=True)
class Canvas:
    """A rectangle with two axes, to which marks are added; sizes are in units of the view box."""

    x: Axis
    y: Axis
    words: str
    width: float = 520
    height: float = 320
    left: float = 66
    right: float = 24
    top: float = 12
    bottom: float = 44
    parts: list[str] = field(default_factory=list)
    taken: list[tuple[float, float, float, float]] = field(default_factory=list)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the chart stands on the canvas."""
        inner_width = self.width - self.left - self.right
        inner_height = self.height - self.top - self.bottom
        across = (x - self.x.low) / ((self.x.high - self.x.low) or 1.0)
        up = (y - self.y.low) / ((self.y.high - self.y.low) or 1.0)
        return round(self.left + across * inner_width, 2), round(self.height - self.bottom - up * inner_height, 2)

    def grid(self, *, vertical: bool = True) -> None:
        """Draw the axes with their ticks and titles."""
        left, base = self.at(self.x.low, self.y.low)
        right, top = self.at(self.x.high, self.y.high)
        for value, label in self.y.ticks:
            _, y = self.at(self.x.low, value)
            self.parts.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>')
            self.text(left - 7, y + 4, label, "tick end")
        for value, label in self.x.ticks:
            x, _ = self.at(value, self.y.low)
            if vertical:
                self.parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{top}" y2="{base}"/>')
            self.text(x, base + 16, label, "tick middle")
        self.parts.append(f'<line class="axis" x1="{left}" x2="{right}" y1="{base}" y2="{base}"/>')
        if self.x.title:
            self.text((left + right) / 2, self.height - 6, self.x.title, "title middle")
        if self.y.title:
            middle = (top + base) / 2
            self.parts.append(
                f'<text class="title middle" transform="translate(13 {middle:.1f}) rotate(-90)">'
                f"{_escaped(self.y.title)}</text>"
            )

    def text(self, x: float, y: float, text: str, kind: str) -> None:
        """Write a text; `kind` are classes: where it stands, what it is."""
        self.parts.append(f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{_escaped(text)}</text>')

    def dot(self, x: float, y: float, series: int, title: str = "") -> None:
        """Draw the mark of a series; `title` shows under the pointer."""
        across, down = self.at(x, y)
        self.parts.append(mark(across, down, series, title))
        self.taken.append((across - 5, down - 5, across + 5, down + 5))

    def line(self, points: Sequence[tuple[float, float]], series: int) -> None:
        """Draw the line of a series."""
        shown = " ".join(f"{across},{down}" for across, down in (self.at(*point) for point in points))
        self.parts.append(f'<polyline class="line s{series}" points="{shown}"/>')

    def rule(self, start: tuple[float, float], end: tuple[float, float], kind: str) -> None:
        """Draw a straight line of a kind: `reach` of an interval, `link` of two marks, `guide` for the eye."""
        (x1, y1), (x2, y2) = self.at(*start), self.at(*end)
        self.parts.append(f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>')

    def label(self, x: float, y: float, text: str) -> bool:
        """Write a label beside a mark where there is room for it; say whether there was."""
        across, down = self.at(x, y)
        wide = cells(visible(text)) * _LETTER
        for dx, dy, kind in (
            (8, 4, ""),
            (-8, 4, "end"),
            (0, -9, "middle"),
            (0, 18, "middle"),
            (8, -7, ""),
            (8, 15, ""),
        ):
            start = across + dx - {"": 0.0, "end": wide, "middle": wide / 2}[kind]
            box = (start, down + dy - 9, start + wide, down + dy + 3)
            inside = self.left < box[0] and box[2] < self.width - 2 and self.top < box[1] + 8
            if inside and box[3] < self.height - self.bottom and not any(_overlap(box, other) for other in self.taken):
                self.taken.append(box)
                self.text(across + dx, down + dy, text, f"name {kind}".strip())
                return True
        return False

    def svg(self) -> str:
        """Return the chart as one element."""
        return (
            f'<svg viewBox="0 0 {self.width:g} {self.height:g}" role="img" aria-label="{_escaped(self.words)}">'
            f"{''.join(self.parts)}</svg>"
        )


def mark(x: float, y: float, series: int, title: str = "") -> str:
    """Return the mark of a series: colour and shape both tell it."""
    shape = SHAPES[series % len(SHAPES)]
    inner = f"<title>{_escaped(title)}</title>" if title else ""
    if shape in ("circle", "ring"):
        return f'<circle class="dot {shape} s{series}" cx="{x}" cy="{y}" r="4.5">{inner}</circle>'
    corners = {
        "square": ((-4, -4), (4, -4), (4, 4), (-4, 4)),
        "triangle": ((0, -5.5), (5, 4), (-5, 4)),
        "diamond": ((0, -6), (5.5, 0), (0, 6), (-5.5, 0)),
    }[shape]
    points = " ".join(f"{x + dx:.2f},{y + dy:.2f}" for dx, dy in corners)
    return f'<polygon class="dot s{series}" points="{points}">{inner}</polygon>'


def shares(title: str, step: float = 0.2) -> Axis:
    """Return an axis of shares from 0 to 1, marked in per cent."""
    count = round(1 / step)
    return Axis(0.0, 1.0, [(at / count, f"{100 * at / count:.0f} %") for at in range(count + 1)], title)


def _overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _escaped(text: str) -> str:
    return escape(visible(text))

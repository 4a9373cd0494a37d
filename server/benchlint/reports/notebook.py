"""A report as a notebook shows it: one table, every text escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from benchlint.reports.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchlint.reports.report import Report

_MOST: Final = 500
"""So many findings are shown."""

_TITLES: Final = ("place", "severity", "rule", "task", "message")


def table(report: Report) -> str:
    """Return the findings, and what could not be read or checked, as HTML without scripts."""
    lines = []
    if report.rows:
        rows = (
            (
                f"{row.place.path}:{row.place.start_line}:{row.place.start_column}",
                row.finding.severity.label,
                row.finding.rule,
                row.finding.task or "",
                row.finding.message,
            )
            for row in report.rows[:_MOST]
        )
        lines += ["<table>", _row(_TITLES, "th"), *(_row(row, "td") for row in rows), "</table>"]
    more = len(report.rows) - _MOST
    said = [f"{more} more findings"] if more > 0 else [] if report.rows else ["Nothing found"]
    lines += [f"<p>{_safe(line)}</p>" for line in (*said, *report.notes, *report.problems)]
    return "\n".join(lines)


def _row(cells: Iterable[str], tag: str) -> str:
    # Notebooks align tables of numbers, to the right; these are words.
    start = f'<{tag} style="text-align: left">'
    return f"<tr>{''.join(f'{start}{_safe(cell)}</{tag}>' for cell in cells)}</tr>"


def _safe(text: str) -> str:
    return escape(visible(text))

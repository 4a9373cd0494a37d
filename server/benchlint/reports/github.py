"""Findings as commands that GitHub Actions turns into annotations.

A log shows only a command's message, and only the first ten of a step become
annotations: that is why the message repeats the place and the rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchlint.catalogue.finding import Severity
from benchlint.reports.visible import visible, whole

if TYPE_CHECKING:
    from benchlint.reports.formats import Options
    from benchlint.reports.report import Report, Row

_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}


def render(report: Report, options: Options) -> str:
    """Write one command a finding; with `quiet` off, also one a problem and one a note."""
    lines = [_annotation(row) for row in report.rows]
    if not options.quiet:
        lines += [f"::error title=benchlint::{_data(visible(problem))}" for problem in report.problems]
        lines += [f"::notice title=benchlint::{_data(visible(note))}" for note in report.notes]
    return "".join(f"{line}\n" for line in lines)


def _annotation(row: Row) -> str:
    finding, place = row.finding, row.place
    properties = {"file": whole(place.path), "line": str(place.start_line)}
    if place.start_line == place.end_line:  # GitHub refuses columns of a range of several lines
        properties |= {
            "col": str(place.start_column),
            "endLine": str(place.end_line),
            "endColumn": str(place.end_column),
        }
    else:
        properties["endLine"] = str(place.end_line)
    properties["title"] = finding.rule
    position = f"{place.path}:{place.start_line}:{place.start_column}"
    message = visible(f"{position} {finding.rule}: {finding.message}")
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {listed}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

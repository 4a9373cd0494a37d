"""A report as JSON lines: an object a finding, shaped as in `json`, and a last line of the run's summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchlint import __version__
from benchlint.reports.json_report import dump, finding_object, run_object

if TYPE_CHECKING:
    from benchlint.reports.formats import Options
    from benchlint.reports.report import Report


def render(report: Report, options: Options) -> str:
    """Write one line a finding, then `summary`, `notes`, `problems` and `version`."""
    lines = [dump(finding_object(row)) for row in report.rows]
    lines.append(dump({**run_object(report), "version": __version__}))
    return "".join(f"{line}\n" for line in lines)

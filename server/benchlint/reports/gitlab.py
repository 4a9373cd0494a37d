"""Findings as a Code Quality report of GitLab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchlint.catalogue.finding import Severity
from benchlint.catalogue.fingerprint import fingerprint, numbered
from benchlint.reports.json_report import dump

if TYPE_CHECKING:
    from benchlint.reports.formats import Options
    from benchlint.reports.report import Report

_SEVERITIES = {
    Severity.ERROR: "critical",
    Severity.WARNING: "major",
    Severity.INFORMATION: "minor",
    Severity.HINT: "info",
}


def render(report: Report, options: Options) -> str:
    """Write a list with one entry a finding, each with a fingerprint of its own."""
    prints = numbered(fingerprint(row.finding, row.place.path) for row in report.rows)
    entries = [
        {
            "description": row.finding.message,
            "check_name": row.finding.rule,
            "fingerprint": unique,
            "severity": _SEVERITIES[row.finding.severity],
            "location": {
                "path": row.place.path,
                "lines": {"begin": row.place.start_line, "end": row.place.end_line},
            },
        }
        for row, unique in zip(report.rows, prints, strict=True)
    ]
    return f"{dump(entries, indent=2)}\n"

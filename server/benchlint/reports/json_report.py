"""A report as one JSON object; `report.schema.json` beside this module describes it.

The text is ASCII: what else a file holds stands in escapes, so that neither
the encoding of a terminal nor a control character in it can do harm.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from benchlint import __version__
from benchlint.reports.visible import whole

if TYPE_CHECKING:
    from benchlint.reports.formats import Options
    from benchlint.reports.report import Place, Report, Row


def render(report: Report, options: Options) -> str:
    """Write the whole report as one object."""
    findings = [finding_object(row) for row in report.rows]
    return f"{dump({'version': __version__, 'findings': findings, **run_object(report)}, indent=2)}\n"


def finding_object(row: Row) -> dict[str, Any]:
    """Return what is told of one finding."""
    finding = row.finding
    fix = None
    if finding.fixes:
        first = finding.fixes[0]
        edits = [{**_place(place), "text": text} for place, text in row.edits]
        fix = {"title": first.title, "safe": first.safe, "edits": edits}
    return {
        "rule": finding.rule,
        "severity": finding.severity.label,
        "message": finding.message,
        **_place(row.place),
        "pointer": finding.pointer,
        "task": finding.task,
        "benchmark": finding.benchmark,
        "found_by": finding.found_by,
        "quote": finding.quote,
        "related": [{"message": message, **_place(place)} for message, place in row.related],
        "policy_items": list(finding.policy_items),
        "fix": fix,
    }


def run_object(report: Report) -> dict[str, Any]:
    """Return what is told of the run as a whole."""
    counts = report.summary
    return {
        "summary": {
            "files": counts.files,
            "tasks": counts.tasks,
            "benchmarks": counts.benchmarks,
            "by_severity": {level.label: number for level, number in sorted(counts.by_severity.items(), reverse=True)},
            "by_rule": dict(sorted(counts.by_rule.items())),
            "suppressed": counts.suppressed,
            "baselined": counts.baselined,
            "fixed": counts.fixed,
            "fixable": counts.fixable,
            "missing_verdicts": counts.missing_verdicts,
        },
        "notes": list(report.notes),
        "problems": list(report.problems),
    }


def dump(value: Any, indent: int | None = None) -> str:
    r"""Write JSON in ASCII; a lone surrogate, which JSON cannot hold, becomes the six characters `\ud800`."""
    return json.dumps(_whole(value), indent=indent)


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, dict):
        return {whole(key): _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return value


def _place(place: Place) -> dict[str, Any]:
    return {
        "path": place.path,
        "range": {
            "start": {"line": place.start_line, "column": place.start_column},
            "end": {"line": place.end_line, "column": place.end_column},
        },
    }

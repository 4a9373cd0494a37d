"""A report as a log of SARIF 2.1.0, the form that code scanning services read."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from benchlint import __version__
from benchlint.catalogue.finding import Severity
from benchlint.catalogue.fingerprint import fingerprint, numbered
from benchlint.reports.json_report import dump

if TYPE_CHECKING:
    from benchlint.reports.formats import Options, RuleInfo
    from benchlint.reports.report import Place, Report, Row

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_BASE = "%SRCROOT%"
_FINGERPRINT = "benchlint/v1"
_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}
_DRIVE = re.compile(r"[A-Za-z]:/")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")


def render(report: Report, options: Options) -> str:
    """Write one run; its driver names the rules that were found."""
    names = sorted({row.finding.rule for row in report.rows})
    indices = {name: index for index, name in enumerate(names)}
    prints = numbered(fingerprint(row.finding, row.place.path) for row in report.rows)
    run = {
        "tool": {
            "driver": {
                "name": "benchlint",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(name, options.rules.get(name)) for name in names],
            }
        },
        "invocations": [
            {
                "executionSuccessful": not report.problems,
                "toolExecutionNotifications": [
                    *(_notification("error", problem) for problem in report.problems),
                    *(_notification("note", note) for note in report.notes),
                ],
            }
        ],
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(row, indices[row.finding.rule], unique) for row, unique in zip(report.rows, prints, strict=True)
        ],
    }
    return f"{dump({'$schema': _SCHEMA, 'version': '2.1.0', 'runs': [run]}, indent=2)}\n"


def _rule(name: str, rule: RuleInfo | None) -> dict[str, Any]:
    if rule is None:
        return {"id": name}
    summary = " ".join(rule.summary.split())
    return {
        "id": name,
        "shortDescription": {"text": _SENTENCE_END.split(summary, maxsplit=1)[0]},
        "fullDescription": {"text": summary},
        "help": {"text": rule.page, "markdown": rule.page},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _notification(level: str, text: str) -> dict[str, Any]:
    return {"level": level, "message": {"text": text}}


def _result(row: Row, rule_index: int, unique: str) -> dict[str, Any]:
    finding = row.finding
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": _location(row.place, _snippet(row))}],
        "partialFingerprints": {_FINGERPRINT: unique},
        "properties": {
            "severity": finding.severity.label,
            "benchmark": finding.benchmark,
            "task": finding.task,
            "pointer": finding.pointer,
            "foundBy": finding.found_by,
            "policyItems": list(finding.policy_items),
        },
    }
    if row.related:
        result["relatedLocations"] = [
            {"id": index, "message": {"text": message}, "physicalLocation": _location(place)}
            for index, (message, place) in enumerate(row.related)
        ]
    if row.edits:
        result["fixes"] = [
            {"description": {"text": finding.fixes[0].title}, "artifactChanges": _changes(row.edits)},
        ]
    return result


def _changes(edits: tuple[tuple[Place, str], ...]) -> list[dict[str, Any]]:
    """Group edits by file."""
    replacements: dict[str, list[dict[str, Any]]] = {}
    for place, text in edits:
        change = {"deletedRegion": _region(place), "insertedContent": {"text": text}}
        replacements.setdefault(place.path, []).append(change)
    return [{"artifactLocation": _artifact(path), "replacements": items} for path, items in replacements.items()]


def _location(place: Place, snippet: str = "") -> dict[str, Any]:
    region = _region(place)
    if snippet:
        region["snippet"] = {"text": snippet}
    return {"artifactLocation": _artifact(place.path), "region": region}


def _region(place: Place) -> dict[str, Any]:
    return {
        "startLine": place.start_line,
        "startColumn": place.start_column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def _artifact(path: str) -> dict[str, str]:
    encoded = quote(os.fsencode(path))
    if path.startswith("/"):
        return {"uri": f"file://{encoded}"}
    if _DRIVE.match(path):
        return {"uri": f"file:///{path[:2]}{quote(os.fsencode(path[2:]))}"}
    return {"uri": encoded, "uriBaseId": _BASE}


def _snippet(row: Row) -> str:
    """Return the text of the region, or "" where the excerpt does not hold all of it."""
    place, lines = row.place, row.excerpt
    if len(lines) != place.end_line - place.start_line + 1:
        return ""
    start = place.start_column - row.excerpt_column
    if len(lines) > 1:
        return "\n".join([lines[0][start:], *lines[1:-1], lines[-1][: place.end_column - 1]])
    end = place.end_column - row.excerpt_column
    return lines[0][start:end] if end <= len(lines[0]) else ""

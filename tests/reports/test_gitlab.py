import json

from benchlint.catalogue.finding import Severity
from benchlint.catalogue.fingerprint import fingerprint
from benchlint.reports.formats import Options
from benchlint.reports.gitlab import render
from benchlint.reports.report import Report


def test_a_finding(found) -> None:
    report = found("a\n[\n1]", "[\n1]", path="é/tasks.json")
    assert json.loads(render(report, Options())) == [
        {
            "description": "there is no such tool",
            "check_name": "unknown-tool",
            "fingerprint": f"{fingerprint(report.rows[0].finding)}:1",
            "severity": "critical",
            "location": {"path": "é/tasks.json", "lines": {"begin": 2, "end": 3}},
        }
    ]


def test_severities(found) -> None:
    levels = {
        severity: json.loads(render(found("x", "x", severity=severity), Options()))[0]["severity"]
        for severity in Severity
    }
    assert levels == {
        Severity.HINT: "info",
        Severity.INFORMATION: "minor",
        Severity.WARNING: "major",
        Severity.ERROR: "critical",
    }


def test_fingerprints_are_unique(full) -> None:
    text = render(full, Options())
    assert text.isascii()
    prints = [entry["fingerprint"] for entry in json.loads(text)]
    assert len(set(prints)) == len(full.rows)


def test_nothing_found() -> None:
    assert render(Report(), Options()) == "[]\n"

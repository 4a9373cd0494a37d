import xml.etree.ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchlint.catalogue.finding import Severity
from benchlint.reports.formats import Options
from benchlint.reports.junit import render
from benchlint.reports.report import Report, Summary


def written(report: Report, **options) -> ET.Element:
    text = render(report, Options(**options))
    assert text.isascii()
    return ET.fromstring(text)


def counts(element: ET.Element) -> tuple[int, int, int]:
    return tuple(int(element.get(name)) for name in ("tests", "failures", "errors"))


def test_suites_are_files(full, rules) -> None:
    root = written(full, rules=rules)
    assert [(suite.get("name"), counts(suite)) for suite in root] == [
        ("täsks/a b.json", (3, 3, 0)),
        ("täsks/b.json", (1, 0, 0)),
        ("benchlint", (2, 0, 1)),
    ]
    assert counts(root) == (6, 3, 1)


def test_missing_verdicts_are_no_pass() -> None:
    root = written(Report(summary=Summary(1, 1, 1, missing_verdicts=4)))
    (case,) = root[0]
    assert (case.get("name"), case[0].tag, case[0].get("message")) == ("wanted verdicts", "skipped", "4 are missing")
    assert root.get("skipped") == "1"


def test_a_failure(full, rules) -> None:
    case = written(full, rules=rules)[0][0]
    assert case.attrib == {
        "name": 'unknown-tool: task "[x]|\\udc80" /näme',
        "classname": "täsks/a b.json",
        "file": "täsks/a b.json",
        "line": "1",
    }
    (failure,) = case
    message = r"no tool \x1b[31m\u202e \ud800 100%: a, b\n::error::forged"
    assert failure.attrib == {"type": "error", "message": message}
    assert failure.text == (
        f"täsks/a b.json:1:11 error unknown-tool: {message}\n"
        "An action calls a tool that the domain lacks. It never passes."
    )


@pytest.mark.parametrize("severity", Severity)
@pytest.mark.parametrize("fail_on", Severity)
def test_what_fails(found, severity: Severity, fail_on: Severity) -> None:
    case = written(found("x", "x", severity=severity), fail_on=fail_on)[0][0]
    assert [child.tag for child in case] == ["failure" if severity >= fail_on else "system-out"]
    assert "there is no such tool" in case[0].text


def test_nothing_found_is_one_case_that_passes() -> None:
    root = written(Report())
    assert counts(root) == (1, 0, 0)


def test_unreadable_input_is_an_error() -> None:
    root = written(Report(problems=("a: empty",)))
    assert counts(root) == (1, 0, 1)
    assert root.find(".//error").get("message") == "a: empty"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=[])))
def test_any_text_gives_xml(found, text: str) -> None:
    written(found("x", "x", message=text, task=text, pointer=text, rule=text, path=f"a{text}", notes=(text,)))

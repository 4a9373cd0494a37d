import pytest

from benchlint.catalogue.finding import Severity
from benchlint.reports.formats import Options
from benchlint.reports.github import render


def test_a_finding(found) -> None:
    report = found('{"a": "🚀 wrong"}', "wrong", path="a/tasks.json")
    assert render(report, Options()) == (
        "::error file=a/tasks.json,line=1,col=10,endLine=1,endColumn=15,title=unknown-tool"
        "::a/tasks.json:1:10 unknown-tool: there is no such tool\n"
    )


def test_escapes(found) -> None:
    report = found("x", "x", path="a,b:c%\r\n.json", message="50%: a,\r\n::error::b\x1b[0m", rule="my:rule")
    assert render(report, Options()) == (
        "::error file=a%2Cb%3Ac%25%0D%0A.json,line=1,col=1,endLine=1,endColumn=2,title=my%3Arule"
        r"::a,b:c%25\r\n.json:1:1 my:rule: 50%25: a,\r\n::error::b\x1b[0m"
        "\n"
    )


def test_a_range_of_several_lines_has_no_columns(found) -> None:
    report = found("[\n1]", "[\n1]")
    assert render(report, Options()).startswith("::error file=tasks.json,line=1,endLine=2,title=unknown-tool::")


@pytest.mark.parametrize(
    ("severity", "command"),
    [
        (Severity.ERROR, "error"),
        (Severity.WARNING, "warning"),
        (Severity.INFORMATION, "notice"),
        (Severity.HINT, "notice"),
    ],
)
def test_commands(found, severity: Severity, command: str) -> None:
    assert render(found("x", "x", severity=severity), Options()).startswith(f"::{command} ")


def test_problems_and_notes(found) -> None:
    report = found("", notes=("no policy\n",), problems=("a: 5%",))
    assert render(report, Options()) == "::error title=benchlint::a: 5%25\n::notice title=benchlint::no policy\\n\n"
    assert render(report, Options(quiet=True)) == ""


def test_one_line_each(full) -> None:
    text = render(full, Options())
    text.encode()
    lines = text.split("\n")
    assert len(lines) == len(full.rows) + 2 + 1
    assert all(line.startswith("::") for line in lines[:-1])

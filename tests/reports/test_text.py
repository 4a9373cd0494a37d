import re
import subprocess
import sys

import pytest
from msgspec.structs import replace

from benchlint.catalogue.finding import Anchor, Edit, Fix, Related, Severity
from benchlint.reports.formats import Options
from benchlint.reports.report import Report, Summary, count
from benchlint.reports.text import findings, notes, problems, render, run, summary

ANSI = re.compile(r"\x1b\[[0-9;]*m")
TEXT = '[\n  {\n    "id": "12",\n    "name": "get_ordr"\n  }\n]\n'


def test_a_finding_in_full(found) -> None:
    anchor = Anchor("tasks.json", 30, 38)
    report = found(
        TEXT,
        "get_ordr",
        task="12",
        pointer="/name",
        related=(Related("the tools", Anchor("tasks.json", 0, 1)),),
        policy_items=("a-1", "b-2"),
        fixes=(Fix("Use get_order", (Edit(anchor, "get_order"),), safe=True), Fix("Use get", ())),
    )
    assert render(report, Options()) == (
        "tasks.json:4:14 error unknown-tool: there is no such tool\n"
        '  | task "12" /name\n'
        '4 |     "name": "get_ordr"\n'
        "  |              ^^^^^^^^\n"
        "  = related: tasks.json:1:1 the tools\n"
        "  = policy: a-1, b-2\n"
        "  = fix: Use get_order\n"
        "\n"
        "Found 1 error in 1 file (3 tasks).\n"
        "1 fixable with --fix.\n"
    )


def test_an_unsafe_fix_says_so(found) -> None:
    report = found(TEXT, "get_ordr", fixes=(Fix("Use get", ()),))
    assert "  = unsafe fix: Use get (--unsafe-fixes)\n" in findings(report, Options())
    assert "1 fixable with --unsafe-fixes.\n" in summary(report, Options())


def test_concise(found) -> None:
    fix = Fix("Use get_order", (), safe=True)
    report = found(TEXT, "get_ordr", "id", task="12", fixes=(fix,), notes=("no policy",))
    assert render(report, Options(concise=True)) == (
        'tasks.json:4:14 error unknown-tool [*]: there is no such tool (task "12")\n'
        'tasks.json:3:6 error unknown-tool [*]: there is no such tool (task "12")\n'
        "note: no policy\n"
        "Found 2 errors in 1 file (3 tasks).\n"
        "2 fixable with --fix.\n"
    )


def test_quiet_is_findings_alone(found) -> None:
    report = found(TEXT, "get_ordr", notes=("n",), problems=("p",))
    assert render(report, Options(quiet=True)) == findings(report, Options())
    assert render(Report(notes=("n",), problems=("p",)), Options(quiet=True)) == ""


def test_a_range_of_several_lines(found) -> None:
    report = found(TEXT, '{\n    "id": "12",\n    "name": "get_ordr"\n  }')
    assert findings(report, Options()) == (
        "tasks.json:2:3 error unknown-tool: there is no such tool\n"
        "    |\n"
        "  2 |   {\n"
        "    |   ^\n"
        "... | 3 more lines, to line 5\n"
    )


def test_crlf_and_bom(found) -> None:
    report = found(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode(), "get_ordr")
    assert findings(report, Options()) == (
        "tasks.json:4:14 error unknown-tool: there is no such tool\n"
        "  |\n"
        '4 |     "name": "get_ordr"\n'
        "  |              ^^^^^^^^\n"
    )


def test_wide_characters_and_tabs(found) -> None:
    report = found('\t"名前": "🚀 get_ordr"', "get_ordr")
    assert findings(report, Options()).splitlines()[2:] == [
        '1 |     "名前": "🚀 get_ordr"',
        "  |                 ^^^^^^^^",
    ]


def test_a_minified_file_of_megabytes(found) -> None:
    text = '[{"é": "' + "x" * 3_000_000 + 'wrong"}]'
    report = found(text, "wrong")
    lines = findings(report, Options(width=80)).splitlines()
    assert lines[0].startswith("tasks.json:1:3000009 ")
    assert lines[2] == "1 | …" + "x" * 66 + 'wrong"}]'
    assert lines[3].strip(" |") == "^^^^^"
    assert lines[2][lines[3].index("^") :].startswith("wrong")


def test_hostile_text_is_shown_and_not_obeyed(full) -> None:
    for options in (Options(), Options(concise=True)):
        text = render(full, options)
        text.encode()
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)
        assert "\n::error" not in text
        assert r"\x1b[31m\u202e \ud800 100%" in text


def test_colour_changes_nothing_but_colour(full) -> None:
    colored = render(full, Options(color=True))
    assert "\x1b[1;31merror\x1b[0m" in colored
    assert [line.rstrip() for line in ANSI.sub("", colored).splitlines()] == render(full, Options()).splitlines()


@pytest.mark.parametrize(
    ("counts", "line"),
    [
        (Summary(5, 283, 2), "All clean: 5 files (283 tasks)."),
        (Summary(1, 1, 1), "All clean: 1 file (1 task)."),
        (
            Summary(1, 1, 1, missing_verdicts=1),
            "Nothing found in 1 file (1 task).\n"
            "1 wanted verdict is missing: what judges would find there is not known.",
        ),
        (Summary(), "Nothing to check: no benchmark was found."),
        (
            Summary(1, 1, 1, suppressed=2, baselined=3),
            "All clean: 1 file (1 task).\n2 suppressed, 3 in the baseline.",
        ),
        (Summary(1, 1, 1, fixed=1), "Fixed 1 finding.\nAll clean: 1 file (1 task)."),
    ],
)
def test_nothing_found(counts: Summary, line: str) -> None:
    assert render(Report(summary=counts), Options()) == f"{line}\n"


def test_unreadable_input_is_not_clean() -> None:
    report = Report(summary=Summary(1, 4, 1), problems=("a: no",))
    assert render(report, Options()) == (
        "problem: a: no\n\nNothing found in 1 file (4 tasks); 1 input could not be read.\n"
    )


def test_problems_may_be_printed_elsewhere(found) -> None:
    report = found(TEXT, "get_ordr", notes=("no policy",), problems=("a\x1b.json: empty",))
    assert problems(report, Options()) == "problem: a\\x1b.json: empty\n"
    assert notes(report, Options()) == "note: no policy\n"
    assert "problem:" in run(report, Options())
    assert "problem:" not in run(report, Options(problems=False))


def test_summary_of_all_severities(found) -> None:
    one = found(TEXT, "get_ordr").rows[0]
    fixes = (Fix("a", (), safe=True),), (Fix("b", ()),), (), ()
    rows = [
        replace(one, finding=replace(one.finding, severity=severity, fixes=fix))
        for severity, fix in zip(reversed(Severity), fixes, strict=True)
    ]
    report = Report(tuple(rows * 2), count(rows * 2, files=5, tasks=283, benchmarks=2))
    assert summary(report, Options()) == (
        "Found 2 errors, 2 warnings, 2 informational findings, 2 hints in 5 files (283 tasks).\n"
        "2 fixable with --fix, 2 more with --unsafe-fixes.\n"
    )


def test_plain_latin_needs_no_rich() -> None:
    program = (
        "import sys; from benchlint.reports.formats import *; from benchlint.reports.report import *;"
        "from benchlint.catalogue.finding import *; from benchlint.text.document import Document;"
        "finding = Finding('r', Severity.ERROR, 'm', Anchor('a', 0, 2));"
        "rows = (row(finding, {'a': Document('a', 'é'.encode() * 500)}, {}, str),);"
        "print(render(Report(rows), 'text', Options()));"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in {'rich', 'json', 'xml'}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"

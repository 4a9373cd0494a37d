from benchlint.catalogue.finding import Fix, Severity
from benchlint.reports.formats import Options
from benchlint.reports.report import Report, count
from benchlint.reports.statistics import render

SAFE = (Fix("Safe", (), safe=True),)


def several(found, *parts: tuple[int, dict]) -> Report:
    rows = [row for number, details in parts for row in found("x", *["x"] * number, **details).rows]
    return Report(tuple(rows), count(rows, files=1, tasks=3, benchmarks=1))


def test_the_most_frequent_first(found) -> None:
    report = several(
        found,
        (1, {"rule": "b-rule"}),
        (1, {"rule": "a-rule"}),
        (1, {"rule": "c-rule", "severity": Severity.WARNING, "fixes": SAFE}),
        (10, {"rule": "long-rule-name", "severity": Severity.HINT, "fixes": SAFE}),
        (2, {"rule": "d-rule", "fixes": SAFE}),
        (1, {"rule": "d-rule", "fixes": (Fix("Unsafe", ()),)}),
    )
    assert render(report, Options()) == (
        "10  [*] long-rule-name  hint\n"
        " 3  [-] d-rule          error\n"
        " 1      a-rule          error\n"
        " 1      b-rule          error\n"
        " 1  [*] c-rule          warning\n"
        "\n"
        "Found 5 errors, 1 warning, 10 hints in 1 file (3 tasks).\n"
        "13 fixable with --fix, 1 more with --unsafe-fixes.\n"
    )


def test_without_fixes_there_is_no_column_for_them(found) -> None:
    report = several(found, (2, {"rule": "a-rule"}))
    assert render(report, Options(quiet=True)) == "2  a-rule  error\n"


def test_one_rule_with_two_severities_has_two_lines(found) -> None:
    report = several(found, (1, {"severity": Severity.HINT}), (2, {}))
    assert render(report, Options(quiet=True)) == "2  unknown-tool  error\n1  unknown-tool  hint\n"


def test_nothing_found() -> None:
    assert render(Report(), Options(quiet=True)) == ""
    assert render(Report(), Options()) == "Nothing to check: no benchmark was found.\n"

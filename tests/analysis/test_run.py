"""A run: what is looked for, what it weighs, in which order it is told."""

from __future__ import annotations

import json

import pytest
from tests.analysis.conftest import task, told

from benchlint.analysis import run as running
from benchlint.analysis.kept import Kept
from benchlint.analysis.run import Options, run
from benchlint.analysis.snapshot import Snapshot
from benchlint.catalogue.finding import Anchor, Finding, Severity
from benchlint.checks.registry import Check
from benchlint.config import ConfigLookup
from benchlint.text.document import Document


def check(found) -> Check:
    return Check(rules=("unknown-tool", "invalid-task", "duplicate-task"), run=found, scope="benchmark")


@pytest.fixture
def found(monkeypatch):
    """Let the only check report these findings."""
    from benchlint.analysis import engine

    findings: list[Finding] = []
    monkeypatch.setattr(engine, "all_checks", lambda: (check(lambda view: list(findings)),))
    return findings


def at(
    rule: str, start: int, severity: Severity = Severity.ERROR, message: str = "", path: str = "tasks.json"
) -> Finding:
    return Finding(rule, severity, message, Anchor(path, start, start + 1))


def test_findings_are_sorted_by_path_place_and_rule(folder, lint, found):
    (folder / "tasks.json").write_text(json.dumps([task(1)]))
    found += [
        at("unknown-tool", 9),
        at("unknown-tool", 10),
        at("invalid-task", 9),
        at("unknown-tool", 0, path="tools.json"),
        at("unknown-tool", 2, message="b"),
        at("unknown-tool", 2, message="a"),
    ]
    order = [(item.anchor.path, item.anchor.start, item.rule, item.message) for item in lint().findings]
    assert order == sorted(order)
    assert len(order) == 6


def test_what_two_benchmarks_say_of_a_file_that_they_share_is_told_once(folder, lint, found):
    for name in ("tasks.json", "tasks_small.json"):
        (folder / name).write_text(json.dumps([task(1)]))
    found += [at("unknown-tool", 3, path="tools.json"), at("unknown-tool", 3, message="other", path="tools.json")]
    assert len(lint().findings) == 2


@pytest.mark.parametrize(
    ("wanted", "own", "reported", "expected"),
    [
        ("warning", "unknown-tool", Severity.ERROR, Severity.WARNING),
        ("error", "duplicate-task", Severity.INFORMATION, Severity.ERROR),
        ("warning", "unknown-tool", Severity.HINT, Severity.HINT),
        ("hint", "unknown-tool", Severity.WARNING, Severity.HINT),
        ("error", "unknown-tool", Severity.WARNING, Severity.WARNING),
        ("hint", "duplicate-task", Severity.ERROR, Severity.HINT),
    ],
)
def test_the_configured_severity_lowers_and_raises_but_a_lesser_finding_is_never_raised(
    folder, lint, found, wanted, own, reported, expected
):
    (folder / "tasks.json").write_text(json.dumps([task(1)]))
    (folder / "benchlint.toml").write_text(f'[severity]\n{own} = "{wanted}"\n')
    found.append(at(own, 0, reported))
    assert [finding.severity for finding in lint().findings] == [expected]


def test_failing_counts_what_is_shown_and_heavy_enough(folder, lint, found):
    (folder / "tasks.json").write_text(json.dumps([task(1)]))
    found += [at("unknown-tool", 0), at("unknown-tool", 1, Severity.WARNING), at("invalid-task", 2, Severity.HINT)]
    assert lint().failing == 1
    assert lint(fail_on="warning").failing == 2
    assert lint(fail_on="hint").failing == 3
    assert lint(fail_on="hint", min_severity=Severity.WARNING).failing == 2
    assert lint(fail_on="never").failing == 0
    assert lint(fail_on="never").fail_on is None
    assert lint(fail_on="error", select=("invalid-task",)).failing == 0


def test_a_thorough_run_keeps_what_is_not_shown(folder, lint, found):
    (folder / "tasks.json").write_text(json.dumps([task(1)]))
    found += [at("unknown-tool", 0), at("invalid-task", 1)]
    result = lint(select=("unknown-tool",), thorough=True)
    assert [item.rule for item in result.findings] == ["unknown-tool"]
    assert {item.rule for item in result.everything} == {"unknown-tool", "invalid-task"}


def test_unsaved_texts_are_linted_in_place_of_the_files(folder):
    (folder / "tasks.json").write_text(json.dumps([task(1)]))
    unsaved = Document("tasks.json", json.dumps([task(1, "bok_visit")]).encode(), version=3)
    result = run(["."], Snapshot([unsaved]), ConfigLookup())
    assert told(result) == ["unknown-tool tasks.json:1"]
    assert result.documents["tasks.json"] is unsaved
    assert told(run(["."], Snapshot(), ConfigLookup())) == []


def test_a_run_gives_the_same_with_what_an_earlier_one_found(folder):
    (folder / "tasks.json").write_text(json.dumps([task(1, "bok_visit"), task(2), task(3, "bok")], indent=1))
    kept = Kept()
    run(["."], Snapshot(), ConfigLookup(), kept=kept)
    (folder / "tasks.json").write_text(json.dumps([task(9), task(3, "bok"), task(1, "bok_visit")], indent=1))
    again = run(["."], Snapshot(), ConfigLookup(), kept=kept)
    assert again.findings == run(["."], Snapshot(), ConfigLookup()).findings
    assert len(again.findings) == 2


def test_progress_is_told(folder):
    for name in ("tasks.json", "tasks_small.json"):
        (folder / name).write_text(json.dumps([task(1)]))
    ticks = []
    run(["."], Snapshot(), ConfigLookup(), tick=lambda *tick: ticks.append(tick))
    assert set(ticks) == {(0, 2, "tasks.json"), (1, 2, "tasks_small.json")}
    assert ticks == sorted(ticks)


def test_a_rule_that_crashes_is_one_finding_and_the_others_run(folder, lint, monkeypatch):
    from benchlint.analysis import engine

    def crash(view: object) -> None:
        raise ZeroDivisionError("boom")

    other = at("duplicate-task", 0, Severity.WARNING)
    checks = (
        Check(rules=("unknown-tool",), run=crash),
        Check(rules=("duplicate-task",), run=lambda view: [other], scope="benchmark"),
    )
    monkeypatch.setattr(engine, "all_checks", lambda: checks)
    (folder / "tasks.json").write_text(json.dumps([task(1)]))
    (folder / "benchlint.toml").write_text('[severity]\ninternal-error = "hint"\n')
    assert len(lint().findings) == 2
    result = lint(select=("tools", "syntax"), min_severity=Severity.ERROR)
    (finding,) = result.findings
    assert (finding.rule, finding.severity, finding.task) == ("internal-error", Severity.ERROR, "1")
    assert finding.message == 'unknown-tool crashed on task "1": ZeroDivisionError: boom'


def test_one_unreadable_file_of_many_is_a_problem(folder, lint):
    (folder / "tasks.json").write_text(json.dumps([task(1)]))
    (folder / "tasks_large.json").write_text(json.dumps([task(number) for number in range(1, 28)]))
    (folder / "benchlint.toml").write_text("max-file-size = 3000\n")
    result = lint("tasks.json", "tasks_large.json")
    assert len(result.problems) == 1
    assert "max-file-size is 3,000" in result.problems[0]
    assert [benchmark.name for benchmark in result.benchmarks] == ["tasks.json"]


def test_every_rule_has_a_meaning_for_select(folder, lint):
    (folder / "tasks.json").write_text(json.dumps([task(1)]))
    for name in (*running.load_rules(), "tools", "syntax", "scoring", "suppression"):
        assert lint(select=(name,)).findings == ()
    assert Options().select == ()


NATIVE = """\
benchlint: 1
database: {database}
tasks:
  - id: a
    description: You say hello.
    expected: {{behaviour: The agent says hello.}}
"""


def test_a_file_of_tasks_cannot_lead_to_files_that_are_none_of_its_business(folder, lint, monkeypatch):
    (folder / "secret.json").write_text('{"password": "hunter2" no json')
    work = folder / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    for database in ("../secret.json", str(folder / "secret.json"), "x/../../secret.json"):
        (work / "bench.yaml").write_text(NATIVE.format(database=database))
        result = lint()
        assert result.findings == ()
        assert any("it lies outside of what is linted" in note for note in result.notes)
        assert all(not path.endswith("secret.json") for path in result.documents)
    (work / "benchlint.toml").write_text('[[benchmark]]\ntasks = "bench.yaml"\ndatabase = "../secret.json"\n')
    assert [finding.rule for finding in lint().findings] == ["invalid-syntax"]
    (work / "benchlint.toml").unlink()
    monkeypatch.chdir(folder)
    assert [finding.rule for finding in lint("work").findings] == ["invalid-syntax"]


def test_a_number_with_too_many_digits_in_the_tools_is_a_finding_there(folder, lint):
    tools = json.loads((folder / "tools.json").read_text())
    text = json.dumps(tools, indent=1).replace('"effect": "read"', f'"effect": {"9" * 5000}')
    (folder / "tools.json").write_text(text)
    (folder / "tasks.json").write_text(json.dumps([task(1)]))
    assert {(item.rule, item.anchor.path) for item in lint().findings} == {("invalid-syntax", "tools.json")}

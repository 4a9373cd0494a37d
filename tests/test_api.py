"""`benchlint.lint`: what the command line does, as a function."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import benchlint
from benchlint.analysis.baseline import BaselineError
from benchlint.catalogue.finding import Severity
from benchlint.catalogue.selection import UnknownRule
from benchlint.config import ConfigError

CLINIC = Path(__file__).parent / "cli" / "clinic"


@pytest.fixture
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(CLINIC, tmp_path, dirs_exist_ok=True)
    tasks = tmp_path / "tasks.json"
    text = tasks.read_text().replace('"2_0", "name": "book_visit"', '"2_0", "name": "bok_visit"')
    tasks.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_report_is_a_sequence_of_rows(clinic):
    report = benchlint.lint()
    assert isinstance(report, benchlint.Report)
    assert len(report) == 1
    (row,) = report
    assert row.finding.rule == "unknown-tool"
    assert row.finding.severity is Severity.ERROR
    assert (row.place.path, row.place.start_line, row.place.start_column) == ("tasks.json", 21, 39)
    assert report.summary.tasks == 2
    assert report.summary.fixable == 1
    assert (report.notes, report.problems) == ((), ())


@pytest.mark.parametrize(
    "convert", [str, Path, lambda path: [path], lambda path: (str(path),), lambda path: iter([path])]
)
def test_paths_of_every_kind(clinic, convert):
    report = benchlint.lint(convert(clinic / "tasks.json"))
    assert [row.place.path for row in report] == ["tasks.json"], "shown relative to the working folder"


def test_paths_outside_of_the_working_folder_are_shown_in_full(clinic, tmp_path_factory, monkeypatch):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert [row.place.path for row in benchlint.lint(clinic)] == [f"{clinic.as_posix()}/tasks.json"]


def test_options(clinic):
    assert len(benchlint.lint(select=["syntax"])) == 0
    assert len(benchlint.lint(ignore=["tools"])) == 0
    assert len(benchlint.lint(select=["tools"], min_severity="error")) == 1
    Path("other.toml").write_text('[severity]\nunknown-tool = "hint"\n')
    assert len(benchlint.lint(config="other.toml", min_severity="warning")) == 0


def test_a_baseline(clinic):
    from benchlint import api

    outcome = api.perform(api.Request(paths=(".",), write_baseline="base.json"))
    assert (outcome.known, outcome.exit_code, len(outcome.report)) == (1, 0, 0)
    report = benchlint.lint(baseline="base.json")
    assert (len(report), report.summary.baselined) == (0, 1)


def test_fixes_are_written(clinic):
    report = benchlint.lint(fix=True)
    assert (len(report), report.summary.fixed) == (0, 1)
    assert Path("tasks.json").read_text() == (CLINIC / "tasks.json").read_text()


def test_fixes_that_cannot_be_written_are_problems(clinic, monkeypatch):
    from benchlint.analysis import writing

    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(writing, "_replace", fail)
    assert benchlint.lint(fix=True).problems == ("tasks.json: its fixes cannot be written: permission denied",)


def test_what_cannot_be_read_is_a_problem_and_the_rest_is_linted(clinic):
    report = benchlint.lint(["nowhere", "tasks.json"])
    assert report.problems == ("nowhere: there is no such file or folder",)
    assert len(report) == 1


def test_wrong_use_is_an_exception(clinic):
    with pytest.raises(UnknownRule, match="did you mean tools"):
        benchlint.lint(select=["tols"])
    with pytest.raises(ConfigError, match=r"^none\.toml:1:1: "):
        benchlint.lint(config="none.toml")
    with pytest.raises(BaselineError, match=r"^none\.json: "):
        benchlint.lint(baseline="none.json")
    with pytest.raises(ValueError, match="is no severity"):
        benchlint.lint(min_severity="warn")


def test_the_package_alone_imports_nothing():
    script = "import sys, json, benchlint; print(json.dumps([m for m in sys.modules if m.startswith('benchlint')]))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=os.environ)
    assert json.loads(run.stdout) == ["benchlint"]
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = benchlint.nothing

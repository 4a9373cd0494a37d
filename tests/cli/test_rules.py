"""`benchlint rules` and `benchlint explain`: the catalogue's rules, and a team's own."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner, Result

from benchlint.cli.app import app

if TYPE_CHECKING:
    from pathlib import Path

PAGE = """\
---
name: rude-agent
severity: warning
found-by: judge
metric: description_alignment
---
{heading}## What it finds

An expected behaviour that is rude é 🎈.

## Rubric

Report what a polite person would not say.
"""


def benchlint_(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, arguments, env={"NO_COLOR": "1", "COLUMNS": "100"}, prog_name="benchlint")
    assert result.exit_code == code, result.output
    return result


@pytest.fixture(params=["\n# rude-agent\n\n", "\n"], ids=["heading", "none"])
def team(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose configuration names a page of its own; the working folder is one below."""
    (tmp_path / "pages" / "manners").mkdir(parents=True)
    page = PAGE.format(heading=request.param)
    (tmp_path / "pages" / "manners" / "rude-agent.md").write_text(page, encoding="utf-8")
    (tmp_path / "benchlint.toml").write_text('rules = ["pages"]\n')
    (tmp_path / "tasks").mkdir()
    monkeypatch.chdir(tmp_path / "tasks")
    return tmp_path


def test_a_rule_of_ones_own_is_listed(team):
    shown = benchlint_("rules").stdout
    assert "manners\n" in shown
    assert "rude-agent                      warning      judge                     An expected behaviour" in shown
    (found,) = [
        item for item in json.loads(benchlint_("rules", "--format", "json").stdout) if item["group"] == "manners"
    ]
    assert (found["name"], found["found_by"], found["severity"]) == ("rude-agent", ["judge"], "warning")


def test_a_rule_of_ones_own_is_explained(team):
    shown = benchlint_("explain", "rude-agent").stdout
    assert shown.startswith(
        "# rude-agent\n\n*severity: warning · found by: judge · fix: none · group: manners · rubric: bd997e94*\n\n## "
    )
    assert shown.count("# rude-agent") == 1
    assert "Report what a polite person would not say." in shown
    assert "- `rude-agent` (warning): An expected" in benchlint_("explain", "manners").stdout
    assert (
        'there is no rule or group "rude-agnt": did you mean rude-agent?'
        in benchlint_("explain", "rude-agnt", code=2).stderr
    )


def test_a_configuration_can_be_named(team, tmp_path, monkeypatch):
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "benchlint.toml").write_text("")
    monkeypatch.chdir(other)
    assert "rude-agent" not in benchlint_("rules").stdout
    benchlint_("explain", "rude-agent", code=2)
    assert "polite" in benchlint_("explain", "rude-agent", "--config", str(team / "benchlint.toml")).stdout
    assert "rude-agent" in benchlint_("rules", "--config", str(team / "benchlint.toml")).stdout


def test_a_rule_of_the_catalogue_needs_no_configuration(team):
    (team / "benchlint.toml").write_text("nonsense = 1\n")
    assert benchlint_("explain", "unknown-tool").stdout.startswith("# unknown-tool\n")
    assert "benchlint.toml:1:1" in benchlint_("explain", "rude-agent", code=2).stderr
    assert "benchlint.toml:1:1" in benchlint_("rules", code=2).stderr


def test_explaining_a_rule_of_the_catalogue_imports_no_configuration(team):
    script = (
        "import sys\nfrom benchlint.cli.app import app\n"
        "try:\n    app(['explain', 'unknown-tool'], prog_name='benchlint')\nexcept SystemExit:\n    pass\n"
        "heavy = ('benchlint.config', 'benchlint.analysis', 'pydantic')\n"
        "print(sorted(name for name in sys.modules if name.startswith(heavy)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"

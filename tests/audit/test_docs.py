"""`docs/audit.md`: each command in it prints what stands under it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchlint.audit.figures.cheap import CheapSignals
from benchlint.cli.app import app

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
BLOCKS = [
    (command, shown)
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    if shown
]


def test_the_page_has_commands_with_output() -> None:
    assert len(BLOCKS) == 4


@pytest.mark.parametrize(("command", "shown"), BLOCKS, ids=[command for command, _ in BLOCKS])
def test_a_command_prints_what_the_page_says(
    command: str, shown: str, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shared.is_dir()
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(app, shlex.split(command)[1:], env={"NO_COLOR": "1"})
    assert result.exit_code == 0
    pattern = "".join(
        "(?s:.*?)" if line.strip() == "[...]" else re.escape(line) for line in shown.splitlines(keepends=True)
    )
    assert re.fullmatch(pattern, result.stdout), result.stdout


def test_the_page_names_every_group() -> None:
    from benchlint.audit import run

    groups = set(run([{"agent": "a", "reward": 1}], resamples=100).as_dict()) - {"overview"}
    assert {name for name in groups if f"| `{name}` |" in PAGE} == groups
    assert "completion bit" in (CheapSignals.__doc__ or "")

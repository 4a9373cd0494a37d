"""Real Neovims, scripted: an old one that Debian has, and a newer one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.editors.install import Missing, neovim_of_debian, neovim_of_pypi
from tests.lsp.conftest import broken, inline, task, written

SCRIPT = Path(__file__).with_name("session.lua")
SERVER = Path(sys.executable).parent / "benchlint"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("install", "version", "encoding"),
    [(neovim_of_debian, "0.7", "utf-16"), (neovim_of_pypi, "0.11", "utf-8")],
    ids=["debian", "pypi"],
)
def test_findings_come_once_and_fixes_are_right(folder, tmp_path_factory, install, version, encoding):
    try:
        neovim = install()
    except Missing as reason:
        pytest.skip(str(reason))
    path = folder / "tasks.json"
    text = inline(written(broken(1), task(2), broken(3)))
    path.write_text(text, encoding="utf-8")
    home = tmp_path_factory.mktemp("home")
    report = home / "report.json"
    start = f"lua arg_server, arg_file, arg_report = {_lua(SERVER)}, {_lua(path)}, {_lua(report)}"
    command = [neovim, "--headless", "--clean", "-n", "-c", start, "-c", f"luafile {SCRIPT}"]
    environment = {**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home), "XDG_DATA_HOME": str(home)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    seen = json.loads(report.read_text()) if report.exists() else {}
    assert done.returncode == 0, (seen.get("failure"), done.stdout, done.stderr)
    assert seen["version"] == version
    assert seen["encoding"] == encoding
    assert seen["pulls"] is False
    assert seen["counts"] == [2, 1, 0]
    assert "book_visit" in seen["title"]
    fixed = text.replace("bok_visit", "book_visit").replace("[\n", "[\n\n\n", 1)
    assert path.read_text(encoding="utf-8") == fixed


def _lua(path: Path) -> str:
    return json.dumps(str(path))

"""Real Neovims, scripted: an old one that Debian has, and a newer one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.editors.install import Missing, neovim_of_debian, neovim_of_pypi
from tests.lsp.conftest import broken, inline, task, written
from tests.lsp.test_polling import ITEMS, POLICY

if TYPE_CHECKING:
    from collections.abc import Callable

SCRIPTS = Path(__file__).parent
SERVER = Path(sys.executable).parent / "benchlint"


NEOVIMS = {"debian": (neovim_of_debian, "0.7", "utf-16"), "pypi": (neovim_of_pypi, "0.11", "utf-8")}


def scripted(install: Callable[[], str], script: str, path: Path, home: Path) -> dict[str, Any]:
    """Run a script in a Neovim with a file; return what it has seen."""
    try:
        neovim = install()
    except Missing as reason:
        pytest.skip(str(reason))
    report = home / "report.json"
    start = f"lua arg_server, arg_file, arg_report = {_lua(SERVER)}, {_lua(path)}, {_lua(report)}"
    command = [neovim, "--headless", "--clean", "-n", "-c", start, "-c", f"luafile {SCRIPTS / script}"]
    environment = {**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home), "XDG_DATA_HOME": str(home)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    seen = json.loads(report.read_text()) if report.exists() else {}
    assert done.returncode == 0, (seen.get("failure"), done.stdout, done.stderr)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize(("install", "version", "encoding"), NEOVIMS.values(), ids=NEOVIMS)
def test_findings_come_once_and_fixes_are_right(folder, tmp_path_factory, install, version, encoding):
    path = folder / "tasks.json"
    text = inline(written(broken(1), task(2), broken(3)))
    path.write_text(text, encoding="utf-8")
    seen = scripted(install, "session.lua", path, tmp_path_factory.mktemp("home"))
    assert seen["version"] == version
    assert seen["encoding"] == encoding
    assert seen["pulls"] is False
    assert seen["counts"] == [2, 1, 0]
    assert "book_visit" in seen["title"]
    fixed = text.replace("bok_visit", "book_visit").replace("[\n", "[\n\n\n", 1)
    assert path.read_text(encoding="utf-8") == fixed


@pytest.mark.slow
@pytest.mark.parametrize("install", [install for install, _, _ in NEOVIMS.values()], ids=NEOVIMS)
def test_a_policy_that_is_edited_on_the_disk(folder, tmp_path_factory, install):
    (folder / "policy.md").write_text(POLICY)
    (folder / "policy.items.yaml").write_text(ITEMS)
    (folder / "tasks.json").write_text(written(task(1)))
    seen = scripted(install, "policy.lua", folder / "tasks.json", tmp_path_factory.mktemp("home"))
    assert seen["codes"] == ["forbidden-action", "none", "forbidden-action"]


def _lua(path: Path) -> str:
    return json.dumps(str(path))

"""The hook, as `pre-commit try-repo` runs it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
CLINIC = Path(__file__).parent / "clinic"
HOOK = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))[0]
OFFLINE = ("ConnectionError", "NewConnectionError", "Could not find a version", "Temporary failure", "No matching dist")


@pytest.mark.parametrize(
    ("path", "linted"),
    [
        ("tasks.json", True),
        ("data/retail/tasks.json", True),
        ("data/telecom/tasks_small.json", True),
        ("data/retail/tasks/task_001.json", True),
        ("tasks.jsonl", True),
        ("tasks.yaml", True),
        ("envs/retail/tasks_test.py", True),
        ("app/tasks.py", False),
        ("roles/web/tasks/main.yml", False),
        (".vscode/tasks.json", False),
        ("split_tasks.json", False),
        ("db.json", False),
    ],
)
def test_the_hook_is_for_files_of_tasks(path: str, linted: bool) -> None:
    chosen = re.search(HOOK["files"], path) is not None and re.search(HOOK["exclude"], path) is None
    assert chosen is linted


def repository(folder: Path) -> None:
    """Commit what is in a folder."""
    author = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
    for command in (["init", "-q"], ["add", "-A"], [*author, "commit", "-q", "-m", "test"]):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_try_repo(tmp_path: Path) -> None:
    project, user = tmp_path / "benchlint", tmp_path / "user"
    project.mkdir()
    for name in ("pyproject.toml", ".pre-commit-hooks.yaml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, project)
    for name in ("server", "rules"):
        shutil.copytree(ROOT / name, project / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(CLINIC, user)
    repository(project)
    repository(user)

    def hook() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pre_commit", "try-repo", str(project), "benchlint", "--all-files"]
        return subprocess.run(
            command,
            cwd=user,
            env=os.environ | {"PRE_COMMIT_HOME": str(tmp_path / "home"), "PRE_COMMIT_COLOR": "never"},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    run = hook()
    if run.returncode and any(sign in run.stdout + run.stderr for sign in OFFLINE):
        pytest.skip("the package index cannot be reached")
    assert run.returncode == 0, run.stdout + run.stderr
    assert re.search(r"benchlint\.+Passed", run.stdout)
    text = (user / "tasks.json").read_text()
    (user / "tasks.json").write_text(text.replace('"2_0", "name": "book_visit"', '"2_0", "name": "bok_visit"'))
    run = hook()
    assert run.returncode == 1
    assert 'tasks.json:21:39 error unknown-tool: the agent has no tool "bok_visit"' in run.stdout

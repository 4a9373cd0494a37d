"""The contract of the command line: files, command, output, exit code, as data.

A scenario is a YAML file in `scenarios/`. It starts from the benchmark in
`clinic/` (unless `base: none`), adds its `files`, and goes through `steps`:

    files: {name: text, name: {bytes: !!binary ...}, name: {copy: clinic/tasks.json, replace: {old: new}}}
    steps:
      - run: lint tasks.json
        stdin: text, or {file: name}
        env: {NAME: value}
        exit: 1
        stdout: exact text; a line [...] stands for any lines, [...] in a line for any characters
        stderr: the same
        contains: [texts that stand in stdout]
        json: {findings/0/rule: unknown-tool}
        files: {name: exact text afterwards, or null for none}
        same: [files that are as they were before the step]

What is left out of a step is not compared; `stderr` is empty where it is left out.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from benchlint.cli.app import app
from benchlint.cli.reference import commands

HERE = Path(__file__).parent
CLINIC = HERE / "clinic"
SCENARIOS = sorted((HERE / "scenarios").glob("*.yaml"))


def make(folder: Path, name: str, content: object) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8", newline="")
        return
    assert isinstance(content, dict), f"{name}: {content!r}"
    if "bytes" in content:
        path.write_bytes(content["bytes"])
    elif "copy" in content:
        text = (HERE / content["copy"]).read_text(encoding="utf-8")
        for old, new in content.get("replace", {}).items():
            assert old in text, f"{name}: nothing to replace: {old}"
            text = text.replace(old, new)
        if "encoding" in content:
            path.write_bytes(text.encode(content["encoding"]))
        else:
            path.write_text(text, encoding="utf-8", newline=content.get("newline", ""))
    elif "repeat" in content:
        path.write_text(content["repeat"] * content["times"], encoding="utf-8", newline="")
    elif "symlink" in content:
        path.symlink_to(content["symlink"])
    elif content.get("kind") == "folder":
        path.mkdir()
    elif content.get("kind") == "fifo":
        if not hasattr(os, "mkfifo"):
            pytest.skip("this system has no FIFOs")
        os.mkfifo(path)
    elif content.get("kind") == "missing":
        path.unlink()
    else:
        raise AssertionError(f"{name}: {content!r}")


def compare(expected: str, actual: str, what: str) -> None:
    pattern = "".join(
        "(?s:.*?)" if line.strip() == "[...]" else ".*?".join(map(re.escape, line.split("[...]")))
        for line in expected.splitlines(keepends=True)
    )
    if not re.fullmatch(pattern, actual):
        assert actual == expected, what


def step(folder: Path, step: dict, runner: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"run", "stdin", "env", "exit", "stdout", "stderr", "contains", "lacks", "json", "files", "same"}
    assert set(step) <= known, set(step) - known
    before = {name: (folder / name).read_bytes() for name in step.get("same", ())}
    stdin = step.get("stdin")
    if isinstance(stdin, dict):
        stdin = (folder / stdin["file"]).read_bytes()
    env = {"NO_COLOR": "", "FORCE_COLOR": "", "COLUMNS": "100", "BENCHLINT_DEBUG": "", **step.get("env", {})}
    result = runner.invoke(app, shlex.split(step["run"]), input=stdin, env=env, prog_name="benchlint")
    shown = f"$ benchlint {step['run']}\n{result.stdout}{result.stderr}"
    assert "Traceback" not in shown
    assert result.exit_code == step["exit"], shown
    if "stdout" in step:
        compare(step["stdout"], result.stdout, shown)
    compare(step.get("stderr", ""), result.stderr, shown)
    for text in step.get("contains", ()):
        assert text in result.stdout, shown
    for text in step.get("lacks", ()):
        assert text not in result.stdout, shown
    for path, expected in step.get("json", {}).items():
        value = json.loads(result.stdout)
        for part in path.split("/"):
            value = value[int(part)] if isinstance(value, list) else value[part]
        assert value == expected, shown
    for name, expected in step.get("files", {}).items():
        if expected is None:
            assert not (folder / name).exists()
        else:
            compare(expected, (folder / name).read_bytes().decode(), name)
    for name, content in before.items():
        assert (folder / name).read_bytes() == content, f"{name} was changed"


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert set(scenario) <= {"base", "files", "steps", "about"}
    if scenario.get("base") != "none":
        shutil.copytree(CLINIC, tmp_path, dirs_exist_ok=True)
    for name, content in scenario.get("files", {}).items():
        make(tmp_path, name, content)
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    for item in scenario["steps"]:
        step(tmp_path, item, runner, monkeypatch)


def test_every_option_is_in_a_scenario() -> None:
    import typer.main

    runs = " ".join(path.read_text(encoding="utf-8") for path in SCENARIOS)
    for name, command in commands(typer.main.get_command(app)):
        assert f"run: {name}" in runs, name
        for option in command.params:
            for spelling in option.opts:
                if spelling.startswith("--"):
                    assert f" {spelling}" in runs, f"{name} {spelling}"

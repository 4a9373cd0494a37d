"""Folders that are not trusted: nothing that they bring along is used, and trust can come later."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
from tests.judges.endpoint import Endpoint
from tests.lsp.conftest import actions, codes
from tests.lsp.wire import PULL, PUSH
from typer.testing import CliRunner

from benchlint.cli.app import app

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CONFIG = """\
rules = ["pages"]

[lint]
ignore = ["vague-promise"]

[severity]
vague-promise = "hint"

[replay]
environment = "shop"
python = "./canary"

[judge]
models = "openai/judge"
base-url = "{url}"
share = ["task", "policy", "records"]
"""
PAGE = """\
---
name: vague-promise
severity: warning
found-by: judge
metric: policy_alignment
---

## What it finds

A promise that is vague.

## Rubric

Look for it.
"""
ITEMS = """\
items:
- id: visits
  text: No visit can be booked on a holiday.
  guard:
    tools: [book_visit]
    argument: day
    violated: action.arguments.day == "2031-03-01"
    message: a visit is booked on a holiday
- id: broken
  text: No visit can be booked on a holiday.
  guard: {tools: [book_visit], violated: 1 +, message: broken}
"""
TASK = {
    "id": "1",
    "user_scenario": {"instructions": "You want a visit on 2031-03-01."},
    "evaluation_criteria": {
        "actions": [{"action_id": "1_0", "name": "book_visit", "arguments": {"day": "2031-03-01"}}]
    },
}


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    with Endpoint() as server:
        yield server


@pytest.fixture
def hostile(folder: Path, endpoint: Endpoint) -> Path:
    """A benchmark whose configuration names a Python that leaves a trace, and an endpoint that counts."""
    (folder / "benchlint.toml").write_text(CONFIG.format(url=endpoint.url))
    (folder / "policy.md").write_text("# Policy\n\n- No visit can be booked on a holiday.\n")
    (folder / "policy.items.yaml").write_text(ITEMS)
    (folder / "pages").mkdir()
    (folder / "pages" / "vague-promise.md").write_text(PAGE)
    (folder / "shop").mkdir()
    canary = folder / "canary"
    canary.write_text(f"#!{sys.executable}\nfrom pathlib import Path\nPath({str(folder / 'trace')!r}).touch()\n")
    canary.chmod(0o755)
    (folder / "tasks.json").write_text(json.dumps([TASK], indent=2))
    return folder


def messages(server) -> list[str]:
    return [item["params"]["message"] for item in server.notifications if item["method"] == "window/logMessage"]


@pytest.mark.skipif(sys.platform == "win32", reason="the canary is a script")
def test_what_the_folder_brings_is_not_used_until_it_is_trusted(client, hostile, endpoint):
    server = client()
    server.settings = {"trusted": True}
    capabilities = server.initialize(hostile, options={"trusted": False})
    text = (hostile / "tasks.json").read_text()
    uri = server.open(hostile / "tasks.json", text)
    items = server.open(hostile / "policy.items.yaml", ITEMS)
    config = server.open(hostile / "benchlint.toml", (hostile / "benchlint.toml").read_text())
    assert server.pull(uri)["items"] == []
    assert server.pull(items)["items"] == []
    assert server.pull(config)["items"] == [], "the names of the folder's own rules are known"
    server.notify("workspace/didChangeConfiguration", {"settings": {"benchlint": {"trusted": True}}})
    server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    for command in capabilities["executeCommandProvider"]["commands"]:
        for arguments in ([], [uri], [uri, "1"], [{"uri": uri, "task": "1"}]):
            server.answer(server.send("workspace/executeCommand", {"command": command, "arguments": arguments}))
    assert server.pull(uri)["items"] == []
    assert not (hostile / "trace").exists()
    assert endpoint.calls == []
    (said,) = [item for item in messages(server) if "trusted" in item]
    assert "guards" in said
    server.notify("benchlint/trust", {"trusted": True})
    assert codes(server.pull(uri)["items"]) == ["forbidden-action"]
    assert codes(server.pull(items)["items"]) == ["invalid-guard"]
    assert not (hostile / "trace").exists(), "replay runs where it is asked for, not because a file is open"
    server.notify("benchlint/trust", {})
    assert server.pull(uri)["items"] == []
    assert len([item for item in messages(server) if "not trusted" in item]) == 2


@pytest.mark.parametrize("trusted", [False, True])
def test_fix_all_asks_no_guards_without_trust(client, hostile, trusted):
    text = json.dumps([TASK], indent=2).replace("book_visit", "bok_visit")
    server = client()
    server.initialize(hostile, options={"trusted": trusted})
    uri = server.open(hostile / "tasks.json", text)
    (found,) = [item for item in server.pull(uri)["items"] if item["code"] == "unknown-tool"]
    (action,) = actions(server, uri, found, only=["source.fixAll"])
    edit = server.request("codeAction/resolve", action)["edit"]
    made = bool(edit.get("documentChanges"))
    assert made is not trusted, "a fix after which a guard finds an error is taken back, where guards are asked"


@pytest.mark.skipif(sys.platform == "win32", reason="the canary is a script")
def test_the_canaries_sing_where_the_command_line_asks_them_to(hostile, endpoint, monkeypatch):
    monkeypatch.chdir(hostile)
    CliRunner().invoke(app, ["lint", "--replay", "--judge", "none", "--no-cache"])
    assert (hostile / "trace").exists()
    CliRunner().invoke(app, ["lint", "--no-cache"])
    assert endpoint.calls
    found = CliRunner().invoke(app, ["lint", "--judge", "none", "--format", "concise"])
    assert "forbidden-action" in found.stdout


@pytest.mark.parametrize("trusted", [None, True, "no", 0])
def test_trust_is_there_unless_the_client_says_otherwise(client, hostile, trusted):
    server = client()
    server.initialize(hostile, capabilities=PULL, options=None if trusted is None else {"trusted": trusted})
    uri = server.open(hostile / "tasks.json", (hostile / "tasks.json").read_text())
    expected = ["forbidden-action"] if trusted in (None, True) else []
    assert codes(server.pull(uri)["items"]) == expected


def test_a_client_that_is_pushed_to_is_told_of_trust_as_well(client, hostile):
    server = client()
    server.initialize(hostile, capabilities=PUSH, options={"trusted": False})
    uri = server.open(hostile / "tasks.json", (hostile / "tasks.json").read_text())
    assert server.published(uri, 1) == []
    server.notify("benchlint/trust", {"trusted": True})
    assert codes(server.published(uri, 1)) == ["forbidden-action"]

"""A folder that is not trusted: nothing that it brings along is run, asked or believed, until it is trusted."""

from __future__ import annotations

import json

import pytest
from tests.editors.conftest import SERVER
from tests.lsp.test_trust import hostile

__all__ = ["hostile"]

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]


def test_what_a_folder_brings_along_waits_for_trust(careful, page, hostile, endpoint):
    trace = hostile / "trace"
    server = hostile / "server"
    server.write_text(f'#!/bin/sh\ntouch "{trace}"\nexec "{SERVER}" "$@"\n')
    server.chmod(0o755)
    settings = {
        "benchlint.path": [str(server)],
        "benchlint.interpreter": [str(hostile / "canary")],
        "benchlint.judge.models": ["openai/judge"],
        "benchlint.judge.when": "onType",
    }
    (hostile / ".vscode").mkdir()
    (hostile / ".vscode" / "settings.json").write_text(json.dumps(settings))
    window = careful.open(page, hostile, "tasks.json")
    window.count(0)
    page.get_by_role("button", name="Restricted Mode").first.wait_for()
    window.find("book_visit")
    page.keyboard.insert_text("x")
    window.wait_underlined("xbook_visit")
    page.keyboard.press("Backspace")
    window.count(0)
    window.save()
    assert window.lens("judge").count() == 0
    assert not window.has_command("benchlint: Judge File")
    assert not window.has_command("benchlint: Replay")
    window.command("benchlint: Show Report")
    page.locator("iframe.webview").first.wait_for()
    assert not trace.exists()
    assert endpoint.calls == []
    window.command("Workspaces: Manage Workspace Trust")
    page.get_by_role("button", name="Trust", exact=True).first.click()
    window.count(2)
    assert trace.exists(), "with trust, the folder's own server is used"
    window.problems().filter(has_text="forbidden-action").wait_for()
    window.open("tasks.json")
    assert window.has_command("benchlint: Judge File")
    assert window.has_command("benchlint: Replay")
    window.focus()
    window.lens("judge").first.click()
    window.lens("judge again").wait_for()
    assert endpoint.calls, "with trust, the folder's own endpoint is asked"

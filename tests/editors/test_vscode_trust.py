"""A folder that is not trusted: nothing that it brings along is run, asked or believed, until it is trusted."""

from __future__ import annotations

import json

import pytest
from tests.editors.conftest import counting_server, starts
from tests.lsp.test_trust import hostile

__all__ = ["hostile"]

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]


def test_what_a_folder_brings_along_waits_for_trust(careful, page, hostile, endpoint):
    trace = hostile / "trace"
    server = counting_server(hostile / "server")
    write_settings(
        hostile,
        {
            "benchlint.path": [str(server)],
            "benchlint.interpreter": [str(hostile / "canary")],
            "benchlint.judge.models": ["openai/judge"],
            "benchlint.judge.when": "onType",
        },
    )
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
    assert starts(server) == 0
    assert endpoint.calls == []
    window.trust()
    window.count(2)
    assert starts(server) == 1, "with trust, the folder's own server is used"
    window.problems().filter(has_text="forbidden-action").wait_for()
    window.open("tasks.json")
    assert window.has_command("benchlint: Judge File")
    assert window.has_command("benchlint: Replay")
    window.focus()
    window.lens("judge").first.click()
    window.lens("judge again").wait_for()
    assert endpoint.calls, "with trust, the folder's own endpoint is asked"
    assert starts(server) == 1, "trust, and the settings that come with it, are one reason to start it"


def test_a_server_that_stays_the_same_is_told_of_trust(careful, page, hostile, endpoint):
    write_settings(hostile, {"benchlint.judge.models": ["openai/judge"], "benchlint.judge.when": "manual"})
    server = careful.home / "server"
    before = starts(server)
    window = careful.open(page, hostile, "tasks.json")
    window.count(0)
    assert window.lens("judge").count() == 0
    window.trust()
    window.count(2)
    window.open("tasks.json")
    window.lens("judge").first.click()
    window.lens("judge again").wait_for()
    assert {call.body["model"] for call in endpoint.calls} == {"judge"}
    assert starts(server) == before + 1


def write_settings(folder, settings):
    (folder / ".vscode").mkdir()
    (folder / ".vscode" / "settings.json").write_text(json.dumps(settings))

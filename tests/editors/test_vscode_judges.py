"""Judges in VS Code: code lenses, progress that can be cancelled, verdicts, rewrites; the model is behind loopback."""

from __future__ import annotations

import re

import pytest
from tests.cli.conftest import task
from tests.editors.conftest import give_server
from tests.judges.conftest import write_benchmark
from tests.judges.endpoint import Call, Reply, answer
from tests.lsp.test_judging import METRICS, configure, text_of, unmet

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]


@pytest.fixture
def library(tmp_path, endpoint):
    folder = tmp_path / "library"
    write_benchmark(folder, [task(number) for number in range(1, 5)])
    configure(folder, endpoint)
    give_server(folder, {"judge.when": "manual"})
    return folder


def test_a_task_is_judged_by_its_lens_and_its_rewrite_is_seen_before_it_is_made(trusting, page, library, endpoint):
    endpoint.script = unmet
    window = trusting.open(page, library, "tasks.json")
    window.lens("judge 4 tasks").wait_for()
    assert endpoint.calls == []
    window.lens("judge").nth(1).click()
    window.lens("description 3").wait_for()
    assert len(endpoint.calls) == len(METRICS)
    assert all("book b1" in call.user for call in endpoint.calls)
    window.find("want to borrow the book b1")
    window.wait_underlined("want to borrow the book")
    assert "nobody lends it" in window.hover("nobody lends it")
    page.keyboard.press("Escape")
    before = text_of(library)
    window.fixes()
    window.choose("would like to borrow the book")
    page.locator(".monaco-diff-editor .char-insert").first.wait_for()
    assert text_of(library) == before
    endpoint.script = answer
    window.notice("would like to borrow the book").get_by_role("button", name="Apply").click()
    page.locator(".monaco-diff-editor").wait_for(state="detached")
    window.save()
    assert text_of(library) == before.replace("want to borrow the book b1", "would like to borrow the book b1")


@pytest.mark.parametrize("way", ["notification", "menu"])
def test_judging_is_cancelled(trusting, page, library, endpoint, way):
    def hang_but_once(call: Call) -> Reply | str:
        return answer(call) if call.metric == METRICS[0] else Reply(hang=True)

    endpoint.script = hang_but_once
    window = trusting.open(page, library, "tasks.json")
    window.lens("judge 4 tasks").wait_for()
    window.find("lend_book")
    window.command("benchlint: Judge Task")
    window.command("Notifications: Show Notifications")
    notice = window.notice("Judging task t1")
    notice.filter(has_text="1 of 4").wait_for()
    if way == "notification":
        notice.get_by_role("button", name="Cancel").click()
    else:
        window.status().click()
        page.locator(".quick-input-list .monaco-list-row", has_text="Stop Judging or Replaying").click()
    notice.wait_for(state="detached")
    assert endpoint.gone.wait(60)
    page.get_by_role("button", name=re.compile(r"benchlint \d+ · \$0\.00")).wait_for()
    window.focus()
    window.go_to(1)
    window.lens("judge again").wait_for()
    window.command("benchlint: Stop Judging or Replaying")
    window.notice("nothing is being judged or replayed").wait_for()

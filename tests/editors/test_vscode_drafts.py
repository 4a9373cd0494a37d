"""A task that a model drafts in VS Code: offered in the policy with its price, shown before it is added."""

from __future__ import annotations

import json

import pytest
from tests.cli.conftest import task
from tests.editors.conftest import give_server
from tests.judges.conftest import POLICY, write_benchmark
from tests.lsp.test_judging import configure, text_of
from tests.lsp.test_task_drafts import LINE, draft

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]


def test_a_drafted_task_is_seen_before_it_is_added(trusting, page, tmp_path, endpoint):
    folder = tmp_path / "library"
    write_benchmark(folder, [task(number) for number in range(1, 5)])
    configure(folder, endpoint)
    give_server(folder, {"judge.when": "manual"})
    endpoint.script = draft
    window = trusting.open(page, folder, "tasks.json")
    window.lens("judge 4 tasks").wait_for()
    window.open("policy.md")
    page.locator(".codelens-decoration", has_text="no task is seen to challenge it").first.wait_for()
    window.go_to(LINE + 1, POLICY.split("\n")[LINE].index("three") + 1)
    offered = window.fixes()
    assert any("Have openai/judge draft a task" in title and "(under $0.01)" in title for title in offered)
    assert endpoint.calls == []
    before = json.loads(text_of(folder))
    window.choose("Have openai/judge draft a task")
    page.locator(".monaco-diff-editor .char-insert, .monaco-diff-editor .line-insert").first.wait_for()
    assert json.loads(text_of(folder)) == before
    window.notice("drafted by openai/judge").get_by_role("button", name="Apply").click()
    page.locator(".monaco-diff-editor").wait_for(state="detached")
    window.save()
    after = json.loads(text_of(folder))
    assert after[:-1] == before
    assert after[-1]["user_scenario"]["instructions"].startswith("You are Zoë 🎈, member m7.")
    assert len(endpoint.calls) == 1

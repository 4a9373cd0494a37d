"""What an author sees and does in VS Code."""

from __future__ import annotations

import json

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]


def test_a_finding_is_seen_read_and_fixed(trusting, page, workspace):
    folder = workspace("library")
    tasks = folder / "tasks.json"
    text = tasks.read_text(encoding="utf-8")
    window = trusting.open(page, folder, "tasks.json")
    window.count(12)
    window.find('week"')
    window.wait_underlined("week")
    assert window.underlined() == [("error", "week")]
    row = window.problems().filter(has_text="week")
    assert row.inner_text() == 'renew_loan has no argument "week"\nbenchlint\nunknown-argument\n[Ln 52, Col 14]'
    row.click(position={"x": 80, "y": 10})
    window.focus()
    hovered = window.hover('renew_loan has no argument "week"')
    assert "benchlintunknown-argument" in hovered.replace("(", "").replace(")", "")
    titles = window.fixes()
    assert titles[0] == 'Rename the argument to "weeks"'
    assert all(title.startswith("Suppress unknown-argument") for title in titles[1:])
    window.choose(titles[0])
    window.wait_underlined("week", there=False)
    window.count(11)
    window.save()
    assert tasks.read_text(encoding="utf-8") == text.replace('"week":', '"weeks":')


def test_an_unsafe_fix_is_shown_before_it_is_made(trusting, page, workspace):
    folder = workspace("library")
    tasks = folder / "tasks.json"
    text = tasks.read_text(encoding="utf-8")
    window = trusting.open(page, folder, "tasks.json")
    window.count(12)
    window.find("renew_lone")
    window.wait_underlined("renew_lone")
    window.fixes()
    window.choose('Change the name to "renew_loan"')
    window.confirm()
    window.count(11)
    window.save()
    assert tasks.read_text(encoding="utf-8") == text.replace("renew_lone", "renew_loan")


def test_all_safe_fixes_of_a_file_are_made_together(trusting, page, workspace):
    folder = workspace("library")
    window = trusting.open(page, folder, "tasks.json")
    window.count(12)
    window.focus()
    window.command("benchlint: Make All Safe Fixes in File")
    window.count(9)
    window.save()
    text = (folder / "tasks.json").read_text(encoding="utf-8")
    assert '"weeks": 2' in text
    assert '"branch": "river"' in text
    assert "unknwon_info" not in text
    assert "renew_lone" in text, "unsafe fixes are not made"


def test_a_finding_is_suppressed_with_a_reason(trusting, page, workspace):
    folder = workspace("library")
    window = trusting.open(page, folder, "tasks.json")
    window.count(12)
    window.find("renew_lone")
    window.wait_underlined("renew_lone")
    window.fixes()
    window.choose('Suppress unknown-tool for task "5"')
    window.count(11)
    window.save()
    task = next(item for item in json.loads((folder / "tasks.json").read_text(encoding="utf-8")) if item["id"] == "5")
    assert task["annotations"] == {"benchlint": {"ignore": {"unknown-tool": "say why"}}}


def test_a_change_of_the_policy_changes_what_its_tasks_are_said_to_do(trusting, page, workspace):
    folder = workspace("hotel-planted")
    window = trusting.open(page, folder, "tasks.yaml")
    window.find("offer a credit of 25 euros per guest")
    window.wait_underlined("offer a credit of 25 euros per guest")
    window.open("policy.md")
    window.replace("15 euros per guest", "25 euros per guest")
    window.open("tasks.yaml")
    window.wait_underlined("offer a credit of 25 euros per guest", there=False)
    assert (folder / "policy.md").read_text(encoding="utf-8").count("25 euros per guest") == 0, "nothing was saved"


def test_the_walkthrough_s_step_of_the_server_is_done_where_one_runs(trusting, page, workspace):
    window = trusting.open(page, workspace("library"), "tasks.json")
    window.count(12)
    window.walkthrough()
    window.step("Give it a server", done=True).wait_for()
    window.step("Fix, or say why not", done=False).wait_for()

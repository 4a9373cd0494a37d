"""Drafts of guards: real litellm, real HTTP, a loopback endpoint; compiled, tested, tried, and never active."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, get_args

import pytest
from tests.cli.conftest import benchlint_
from tests.guards.test_guards import DATABASE
from tests.judges.endpoint import Call, Endpoint, Reply

from benchlint.benchmark.items import ItemsFile
from benchlint.checks.guarded import GUARDED
from benchlint.judges.drafts import GuardDraft
from benchlint.text.document import Document

if TYPE_CHECKING:
    from pathlib import Path

POLICY = """\
# Shop

## Cancel

- Orders that are not pending cannot be cancelled.
- You must be polite to the café's guests.
"""
CONFIG = '[judge]\nbase-url = "{url}"\nshare = ["task", "policy", "records"]\n'
TOOLS = [
    {"name": name, "description": f"{name} an order.", "effect": "write", "parameters": {
        "type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}}
    for name in ("cancel", "ship")
]  # fmt: skip
PENDING = 'db.orders[action.arguments.order_id].status != "pending"'
RECORDS = {"orders": {"O1": {"status": "pending"}, "O2": {"status": "sent"}}}
GOOD = {
    "rule": "forbidden-action",
    "tools": ["cancel"],
    "argument": "order_id",
    "violated": PENDING,
    "message": "order {action.arguments.order_id} is {db.orders[action.arguments.order_id].status}, and cancelled",
    "compliance": [{"action": "cancel", "arguments": '{"order_id": "O1"}', "records": json.dumps(RECORDS)}],
    "violation": [{"action": "cancel", "arguments": '{"order_id": "O2"}', "records": json.dumps(RECORDS)}],
}


def drafting(*guards: dict, reason: str = ""):
    """Return a script that drafts for the first item, and for no other."""

    def script(call: Call) -> str:
        item = int(re.search(r"Write guards for item (\d+)", call.user)[1])
        found = list(guards) if item == 1 else []
        said = reason if item == 1 else "It needs to know what was said."
        return json.dumps({"items_read": call.items, "item": item, "guards": found, "reason": said})

    return script


@pytest.fixture
def shop(tmp_path: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Path:
    tasks(tmp_path, "O1", "O2", "O1")
    (tmp_path / "policy.md").write_text(POLICY, encoding="utf-8")
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS))
    (tmp_path / "db.json").write_text(json.dumps(DATABASE))
    (tmp_path / "benchlint.toml").write_text(CONFIG.format(url=endpoint.url))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tasks(folder: Path, *orders: str) -> None:
    """Write a task for each order: it is cancelled."""
    found = [
        {
            "id": str(number),
            "user_scenario": {"instructions": f"You are ann. You want to cancel order {order}."},
            "evaluation_criteria": {
                "actions": [{"action_id": f"{number}_0", "name": "cancel", "arguments": {"order_id": order}}]
            },
        }
        for number, order in enumerate(orders)
    ]
    (folder / "tasks.json").write_text(json.dumps(found))


def written(folder: Path) -> ItemsFile:
    file = ItemsFile(Document("policy.items.yaml", (folder / "policy.items.yaml").read_bytes()))
    assert not file.faults
    return file


def findings() -> list[str]:
    rows = json.loads(benchlint_("lint --format json --judge none", None).stdout)["findings"]
    return [row["rule"] for row in rows if row["rule"] in (*GUARDED, "invalid-guard")]


def test_a_draft_is_shown_and_nothing_is_written(shop, endpoint):
    endpoint.script = drafting(GOOD)
    result = benchlint_("policy guards policy.md --judge openai/judge")
    assert "+    draft: true\n" in result.stdout or "+  - rule: forbidden-action\n" in result.stdout
    assert not (shop / "policy.items.yaml").exists()
    assert (
        "drafted forbidden-action on cancel: it looks at 3 expected actions and rejects 1, in task 1" in result.stderr
    )
    assert "no guard: It needs to know what was said" in result.stderr
    assert "openai/judge: 2 calls" in result.stderr
    assert "nothing was written" in result.stderr
    system = endpoint.calls[0].body["messages"][0]["content"]
    assert "db.orders[ID].status: string" in system
    assert "gold" not in system


def test_a_draft_is_never_active_until_it_is_accepted(shop, endpoint):
    endpoint.script = drafting(GOOD)
    benchlint_("policy guards policy.md --judge openai/judge --write")
    (guard,) = written(shop).entries[0].guards
    assert guard.draft
    assert (guard.violated, guard.argument, len(guard.examples)) == (PENDING, "order_id", 2)
    assert findings() == []
    assert "1 guard is a draft and was not used" in benchlint_("lint -v --judge none", None).stderr
    assert "2 examples of 1 guards in 1 files; 0 failed" in benchlint_("policy test").stderr
    path = shop / "policy.items.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("    draft: true\n", ""), encoding="utf-8")
    assert findings() == ["forbidden-action"]


def test_a_draft_outlives_a_new_extraction_and_is_not_drafted_again(shop, endpoint):
    endpoint.script = drafting(GOOD)
    benchlint_("policy guards policy.md --judge openai/judge --write")
    before = (shop / "policy.items.yaml").read_bytes()
    benchlint_("policy items policy.md --check")
    endpoint.calls.clear()
    result = benchlint_("policy guards policy.md --judge openai/judge --write --no-cache")
    assert len(endpoint.calls) == 1
    assert "there is nothing to accept" in result.stderr
    assert (shop / "policy.items.yaml").read_bytes() == before
    first = written(shop).entries[0].id
    message = benchlint_(f"policy guards policy.md --judge openai/judge --item {first}", code=2).stderr
    assert "every item that could have a guard has one" in message
    assert "there is no item x" in benchlint_("policy guards policy.md --judge openai/judge --item x", code=2).stderr


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_stands_in_the_file_stays_as_it_is_written(shop, endpoint, end):
    endpoint.script = drafting(GOOD)
    benchlint_("policy items policy.md")
    path = shop / "policy.items.yaml"
    text = path.read_text(encoding="utf-8").replace("  kind:", "  note: é \U0001f600\n  kind:", 1)
    text = text.replace("- id: must", "\n# The next one.\n- id: must").replace("\n", end)
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    before = path.read_bytes()
    benchlint_("policy guards policy.md --judge openai/judge --write")
    after = path.read_bytes()
    lines = after.split(b"\n")
    assert [line for line in lines if line in before.split(b"\n")] == before.split(b"\n")
    assert written(shop).entries[0].guards[0].draft
    assert len(written(shop).entries) == 2
    assert (b"\r\n" in after) == (end == "\r\n")
    assert after.replace(b"\r\n", b"").count(b"\n") == (0 if end == "\r\n" else after.count(b"\n"))


def changed(**changes: object) -> dict:
    return {**GOOD, **changes}


HANG = "[1,2].all(a, [1,2].all(b, [1,2].all(c, true)))"
BAD = {
    "no CEL": (changed(violated="size(action"), "the bracket is not closed"),
    "nested too deep": (changed(violated=HANG), "a comprehension may stand inside one other"),
    "a function that is not there": (changed(violated='open("x") == ""'), 'there is no function "open"'),
    "a field that no record has": (
        changed(violated='db.orders[action.arguments.order_id].stat == "x"'),
        'no record of orders has a field "stat"',
    ),
    "an argument that no tool has": (changed(violated="action.arguments.order > 1"), 'cancel has no argument "order"'),
    "no truth": (changed(violated="1 + 1"), "its own example fails: the guard cannot be evaluated"),
    "always": (changed(violated="true"), "its own example fails: the guard finds a violation here"),
    "never": (changed(violated="false"), "its own example fails: the guard does not find this violation"),
    "no compliance": (changed(compliance=[]), "its own example fails: the guard has no compliance example"),
    "no JSON": (
        changed(violation=[{"action": "cancel", "arguments": "{order_id: O2}", "records": "{}"}]),
        "its violation example cannot be read: the arguments are no JSON",
    ),
    "no object": (
        changed(violation=[{"action": "cancel", "arguments": "{}", "records": "[]"}]),
        "the records are no JSON object",
    ),
    "NaN": (
        changed(violation=[{"action": "cancel", "arguments": '{"order_id": NaN}', "records": "{}"}]),
        "the arguments are no JSON",
    ),
    "too deep": (
        changed(violation=[{"action": "cancel", "arguments": "{}", "records": '{"a": ' * 500 + "{}" + "}" * 500}]),
        "the records nest too deep",
    ),
    "a tool that is not there": (changed(tools=["explode"]), "there is no tool explode"),
    "no tool": (changed(tools=[]), "it looks at no tool"),
    "another action in the example": (changed(tools=["ship"]), "the guard looks at ship, not at cancel"),
}


@pytest.mark.parametrize(("draft", "why"), BAD.values(), ids=BAD)
def test_a_draft_that_fails_is_dropped_with_the_reason(shop, endpoint, draft, why):
    endpoint.script = drafting(draft)
    result = benchlint_("policy guards policy.md --judge openai/judge --write")
    assert re.search(r"orders-\S+: a draft was dropped: ", result.stderr)
    assert why in result.stderr
    assert "there is nothing to accept" in result.stderr
    assert not (shop / "policy.items.yaml").exists()


def test_a_draft_that_most_tasks_break_is_dropped(shop, endpoint):
    tasks(shop, *["O2"] * 4)
    endpoint.script = drafting(GOOD)
    result = benchlint_("policy guards policy.md --judge openai/judge")
    assert "it rejects 4 of 4 expected actions, in tasks 0, 1, 2, 3: too many to be right" in result.stderr
    assert not result.stdout


def test_a_draft_that_can_say_nothing_about_any_task_is_dropped(shop, endpoint):
    tasks(shop, "O8", "O9")
    endpoint.script = drafting(GOOD)
    result = benchlint_("policy guards policy.md --judge openai/judge")
    assert 'it says nothing about any of 2 expected actions: there is no "O' in result.stderr


def test_a_draft_that_fails_on_a_task_is_dropped(shop, endpoint):
    endpoint.script = drafting(changed(violated=f'{PENDING} || 1 / (action.arguments.order_id == "O1" ? 1 : 0) > 1'))
    tasks(shop, "O1", "O7")
    draft = changed(violated=f'(action.arguments.order_id == "O7" ? 1 / 0 > 1 : {PENDING})')
    endpoint.script = drafting(draft)
    result = benchlint_("policy guards policy.md --judge openai/judge")
    assert "it fails on an expected action: " in result.stderr


def test_of_several_drafts_the_good_ones_stay(shop, endpoint):
    endpoint.script = drafting(GOOD, BAD["always"][0], changed(message="no {{values}}"))
    benchlint_("policy guards policy.md --judge openai/judge --write")
    assert [guard.message for guard in written(shop).entries[0].guards] == [GOOD["message"], "no {{values}}"]


def test_without_tasks_the_examples_alone_are_run(shop, endpoint):
    (shop / "tasks.json").unlink()
    endpoint.script = drafting(GOOD)
    result = benchlint_("policy guards policy.md --judge openai/judge")
    assert "no expected action was there to try it on" in result.stderr


USELESS = {
    "prose": "No.",
    "another item": json.dumps({"items_read": 2, "item": 7, "guards": [GOOD], "reason": ""}),
    "another count": json.dumps({"items_read": 1, "item": 1, "guards": [GOOD], "reason": ""}),
    "too much": json.dumps(
        {
            "items_read": 2,
            "item": 1,
            "guards": [changed(violation=[{"action": "cancel", "arguments": "[" * 30_000, "records": "{}"}])],
        }
    ),
    "a rule that guards cannot have": json.dumps({"items_read": 2, "item": 1, "guards": [changed(rule="x")]}),
    "down": Reply(status=401, error="no"),
}


@pytest.mark.parametrize("reply", USELESS.values(), ids=USELESS)
def test_an_answer_that_is_none_is_told(shop, endpoint, reply):
    endpoint.script = lambda _: reply
    result = benchlint_("policy guards policy.md --judge openai/judge", code=3)
    assert "no answer: " in result.stderr
    assert not result.stdout


def test_a_message_of_the_model_cannot_write_other_keys_or_control_the_terminal(shop, endpoint):
    draft = changed(message="bad\n  violated: true\n- id: new\x1b[2J\u2028 # 'x' \"y\"")
    endpoint.script = drafting(draft)
    shown = benchlint_("policy guards policy.md --judge openai/judge")
    assert "\x1b" not in shown.stdout
    benchlint_("policy guards policy.md --judge openai/judge --write")
    (guard,) = written(shop).entries[0].guards
    assert guard.violated == PENDING
    assert len(written(shop).entries) == 2


def test_what_is_shared_is_sent_and_no_more(shop, endpoint):
    (shop / "benchlint.toml").write_text(CONFIG.format(url=endpoint.url).replace(', "records"', ""))
    endpoint.script = drafting(GOOD)
    result = benchlint_("policy guards policy.md --judge openai/judge")
    assert "db.orders[ID].status" not in endpoint.calls[0].body["messages"][0]["content"]
    assert '"records" is not in share' in result.stderr
    dry = benchlint_("policy guards policy.md --judge openai/other --dry-run")
    assert "2 requests: 0 known already, 2 calls of openai/other" in dry.stdout
    assert "drafts are written by a model" in benchlint_("policy guards policy.md --judge offline", code=2).stderr
    assert "drafts are written by a model" in benchlint_("policy guards policy.md", code=2).stderr


def test_answers_are_cached(shop, endpoint):
    endpoint.script = drafting(GOOD)
    benchlint_("policy guards policy.md --judge openai/judge")
    endpoint.calls.clear()
    result = benchlint_("policy guards policy.md --judge openai/judge")
    assert not endpoint.calls
    assert "0 calls; 2 verdicts known already" in result.stderr


def test_the_form_names_the_rules_that_guards_may_have():
    assert get_args(GuardDraft.model_fields["rule"].annotation) == GUARDED

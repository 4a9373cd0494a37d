"""Policy items in the editor: their coverage in lenses and hovers, and tasks drafted for them."""

from __future__ import annotations

import copy
import json

import pytest
from tests.cli.conftest import task
from tests.judges.conftest import POLICY, write_benchmark
from tests.lsp.conftest import applied
from tests.lsp.test_judging import at_line, endpoint, lens_titles, library, text_of  # noqa: F401
from tests.lsp.wire import PULL, PUSH

CAPABILITIES = copy.deepcopy(PULL)
CAPABILITIES["workspace"]["codeLens"] = {"refreshSupport": True}
GUARDS = """\
items:
- id: at-most-three-loans
  text: A member may have at most three loans.
  guard:
    tools: [lend_book]
    violated: action.arguments.member_id == "m2"
    message: it is one too many
"""


def opened(server, folder):
    server.initialize(folder, capabilities=CAPABILITIES)
    policy = server.open(folder / "policy.md", (folder / "policy.md").read_text(encoding="utf-8"))
    server.open(folder / "tasks.json", text_of(folder))
    return policy


def wait_for_lenses(server, uri):
    while not lens_titles(server, uri):
        server.wait_asked("workspace/codeLens/refresh")
    return lens_titles(server, uri)


@pytest.fixture
def folder(tmp_path):
    write_benchmark(tmp_path, [task(number) for number in range(1, 5)])
    return tmp_path


def line_of(text, words):
    return next(number for number, line in enumerate(text.split("\n")) if words in line)


def test_each_rule_of_a_policy_shows_who_challenges_it(client, library, endpoint):  # noqa: F811
    from tests.judges.endpoint import answer

    def loans(call):
        if call.metric != "violations":
            return answer(call)
        found = {"policy_item": 2, "part": 1, "quote": "borrow the book", "reason": "too many", "confidence": 0.9}
        return answer(call, violations=[found])

    endpoint.script = loans
    server = client()
    policy = opened(server, library)
    assert "no task is seen to challenge it" in wait_for_lenses(server, policy)
    uri = (library / "tasks.json").as_uri()
    arguments = [{"uri": uri}]
    server.request("workspace/executeCommand", {"command": "benchlint.judgeFile", "arguments": arguments})
    while "challenged by 4 tasks (judged)" not in lens_titles(server, policy):
        server.wait_asked("workspace/codeLens/refresh")
    assert "challenged by 0 tasks (judged)" in lens_titles(server, policy)
    line = line_of(POLICY, "at most three loans")
    at = {"textDocument": {"uri": policy}, "position": {"line": line, "character": 8}}
    assert "challenged by 4 tasks (judged)" in server.request("textDocument/hover", at)["contents"]["value"]


@pytest.mark.parametrize("capabilities", [PULL, PUSH], ids=["lazy", "at once"])
def test_a_task_is_drafted_for_a_policy_item(client, folder, capabilities):
    server = client()
    server.initialize(folder, capabilities=capabilities)
    policy = server.open(folder / "policy.md", POLICY)
    uri = server.open(folder / "tasks.json", text_of(folder))
    text = text_of(folder).replace('"id": "t4"', '"id": "é 🎈"', 1)
    server.change(uri, 2, {"text": text})
    offered = [item for item in at_line(server, policy, line_of(POLICY, "three loans")) if "Draft" in item["title"]]
    (action,) = offered
    if capabilities is PULL:
        assert "edit" not in action
        action = server.request("codeAction/resolve", action)
        (change,) = action["edit"]["documentChanges"]
        assert change["textDocument"] == {"uri": uri, "version": 2}
        edits = change["edits"]
    else:
        edits = action["edit"]["changes"][uri]
    new = json.loads(applied(text, edits))
    assert new[:-1] == json.loads(text)
    assert "A member may have at most three loans." in new[-1]["user_scenario"]["instructions"]
    assert not any("Draft" in item["title"] for item in at_line(server, policy, 0))


def test_no_lens_and_no_judge_where_no_model_is_named(client, folder):
    server = client()
    opened(server, folder)
    uri = (folder / "tasks.json").as_uri()
    assert lens_titles(server, uri) == []
    done = server.request("workspace/executeCommand", {"command": "benchlint.judgeFile", "arguments": [{"uri": uri}]})
    assert "name some under [judge]" in done["message"]
    assert not any("Judge" in item["title"] for item in at_line(server, uri, 3))


def test_guards_are_counted_beside_the_others(client, folder):
    (folder / "policy.items.yaml").write_text(GUARDS)
    server = client()
    policy = opened(server, folder)
    assert "challenged by 1 task (guards)" in wait_for_lenses(server, policy)
    assert sum("guards" in title for title in lens_titles(server, policy)) == 1
    server.notify("benchlint/trust", {"trusted": False})
    while "challenged by 1 task (guards)" in lens_titles(server, policy):
        server.wait_asked("workspace/codeLens/refresh")

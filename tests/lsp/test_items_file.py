"""An items file in the editor: faults in guards as they are typed, what is offered, and what is shown."""

from __future__ import annotations

import json

import pytest
from tests.guards.test_guards import DATABASE, POLICY
from tests.lsp.conftest import applied, codes
from tests.lsp.wire import PULL

TOOLS = [
    {
        "name": name,
        "effect": effect,
        "parameters": {"type": "object", "properties": {key: {"type": "string"} for key in keys}},
    }
    for name, effect, keys in (("cancel", "write", ("order_id", "reason")), ("get_order", "read", ("order_id",)))
]
ITEMS = """\
# é 🎈
items:
- id: cancelling
  text: Orders that are not pending cannot be cancelled.
  guard:
    rule: forbidden-action
    tools: [cancel]
    argument: order_id
    violated: >-
      'é 🎈' != '' &&
      db.orders[action.arguments.order_id].status != 'pending'
    message: 'order {action.arguments.order_id} {{🎈}} is cancelled'
- id: paying
  text: Café orders are paid with €.
  guards:
  - tools: [cancel]
    violated: action.arguments.order_id == 'O1'
    message: O1 is cancelled
  - tools: [cancel]
    violated: action.arguments.order_id == 'O9'
    message: O9 is cancelled
"""


def task(number: int, order: str) -> dict:
    actions = [{"action_id": f"{number}_0", "name": "cancel", "arguments": {"order_id": order}}]
    return {
        "id": str(number),
        "user_scenario": {"instructions": f"You are ann and want to cancel order {order}."},
        "evaluation_criteria": {"actions": actions},
    }


@pytest.fixture
def shop(tmp_path):
    (tmp_path / "tasks.json").write_text(json.dumps([task(1, "O1"), task(2, "O2")]))
    (tmp_path / "policy.md").write_text(POLICY, encoding="utf-8")
    (tmp_path / "db.json").write_text(json.dumps(DATABASE))
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS))
    (tmp_path / "policy.items.yaml").write_text(ITEMS, encoding="utf-8")
    return tmp_path


@pytest.fixture
def editor(client, shop):
    """A client that has the items file open."""
    server = client()
    server.initialize(shop)
    server.text = ITEMS
    server.uri = server.open(shop / "policy.items.yaml", ITEMS)
    server.version = 1
    return server


def position(text: str, marker: str, unit: str = "utf-16-le") -> dict:
    """Return the place after some text."""
    before = text[: text.index(marker) + len(marker)]
    line = before.rpartition("\n")[2]
    return {"line": before.count("\n"), "character": len(line.encode(unit)) // 2}


def typed(server, old: str, new: str) -> dict:
    """Type something in place of something else; return the place after it."""
    start, end = position(server.text, server.text.partition(old)[0]), position(server.text, old)
    server.version += 1
    server.change(server.uri, server.version, {"range": {"start": start, "end": end}, "text": new})
    before = server.text.partition(old)[0] + new
    server.text = server.text.replace(old, new, 1)
    return position(before, before)


def offered(server, at: dict) -> list[str]:
    answer = server.request("textDocument/completion", {"textDocument": {"uri": server.uri}, "position": at})
    return [item["label"] for item in answer["items"]] if answer else []


def shown(server, uri: str, at: dict) -> str:
    answer = server.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": at})
    return answer["contents"]["value"] if answer else ""


def test_a_fault_is_told_at_its_column_as_it_is_typed_and_the_unsaved_file_counts(editor, shop):
    tasks = editor.open(shop / "tasks.json", (shop / "tasks.json").read_text())
    assert editor.pull(editor.uri)["items"] == []
    found = {item["message"] for item in editor.pull(tasks)["items"]}
    assert found == {"order O2 {🎈} is cancelled", "O1 is cancelled"}
    typed(editor, ".status", ".state")
    (broken,) = editor.pull(editor.uri)["items"]
    assert broken["code"] == "invalid-guard"
    assert broken["message"] == 'no record of orders has a field "state": did you mean "status"?'
    end = position(editor.text, "'é 🎈' != '' &&\n      db.orders[action.arguments.order_id].state")
    assert broken["range"] == {"start": {**end, "character": end["character"] - 5}, "end": end}
    assert {item["message"] for item in editor.pull(tasks)["items"]} == {"O1 is cancelled"}
    typed(editor, ".state != 'pending'", ".status != 'sent'")
    assert editor.pull(editor.uri)["items"] == []
    assert "order O1 {🎈} is cancelled" in {item["message"] for item in editor.pull(tasks)["items"]}
    assert codes(editor.pull(tasks)["items"]) == ["forbidden-action"] * 2


def test_what_can_stand_in_an_expression_is_offered_as_it_is_typed(editor):
    editor.pull(editor.uri)
    at = typed(editor, "db.orders[action.arguments.order_id].status != 'pending'", "d")
    assert "db" in offered(editor, at)
    assert {"cancel", "before", "known("}.isdisjoint(offered(editor, at)), "what does not fit is not offered"
    for text, wanted in (
        ("db.", ["orders", "users"]),
        ("db.orders[action.arguments.", ["order_id", "reason"]),
        ("db.orders[action.arguments.order_id].", ["order_id", "user_id", "status"]),
        ("db.orders[x].status == '", ["pending", "sent"]),
        ("db.users[x].le", ["level"]),
        ("known('or", ["orders"]),
        ("action.name == 'c", ["cancel"]),
    ):
        line = editor.text.partition("&&\n")[2].partition("\n")[0]
        assert offered(editor, typed(editor, line, f"      {text}")) == wanted, text


def test_what_is_chosen_takes_the_place_of_the_word(editor):
    editor.pull(editor.uri)
    at = position(ITEMS, "db.orders[action.arguments.order_id].st")
    answer = editor.request("textDocument/completion", {"textDocument": {"uri": editor.uri}, "position": at})
    (item,) = answer["items"]
    assert applied(ITEMS, [item["textEdit"]]) == ITEMS
    assert item["detail"] == "text"


@pytest.mark.parametrize(
    ("marker", "wanted"),
    [
        ("{action.", ["name", "arguments", "requestor"]),
        ("rule: ", ["forbidden-action", "wrong-compensation", "missing-information-collection"]),
        ("    tools: [", ["cancel", "get_order"]),
        ("argument: ", ["order_id", "reason"]),
        ("message: 'or", []),
        ("text: Or", []),
    ],
)
def test_other_places_of_an_items_file(editor, marker, wanted):
    editor.pull(editor.uri)
    assert offered(editor, position(ITEMS, marker)) == wanted


@pytest.mark.parametrize("quote", ["", '"', "'"])
def test_an_expression_in_a_file_that_does_not_parse(editor, quote):
    editor.pull(editor.uri)
    line = f"    violated: {quote or '[ '}action.arguments."
    at = typed(editor, "    violated: action.arguments.order_id == 'O1'", line)
    assert codes(editor.pull(editor.uri)["items"])
    assert {"order_id", "reason"} <= set(offered(editor, at))


def test_a_guard_tells_its_item_and_the_tasks_that_it_rejects(editor, shop):
    editor.pull(editor.uri)
    guard = shown(editor, editor.uri, position(ITEMS, "db.orders[action"))
    assert "> Orders that are not pending cannot be cancelled." in guard
    assert "**forbidden-action** on `cancel`" in guard
    assert "Rejects expected actions of 1 task: 2." in guard
    first = shown(editor, editor.uri, position(ITEMS, "order_id == 'O1"))
    assert "1 task: 1." in first
    assert "Rejects no expected action." in shown(editor, editor.uri, position(ITEMS, "order_id == 'O9"))
    both = shown(editor, editor.uri, position(ITEMS, "Café or"))
    assert both.count("**forbidden-action**") == 2
    policy = editor.open(shop / "policy.md", POLICY)
    editor.pull(policy)
    item = shown(editor, policy, position(POLICY, "Orders that are"))
    assert "**prohibition**" in item
    assert "A guard in `policy.items.yaml`: **forbidden-action** on `cancel`" in item
    assert "1 task: 2." in item


def test_a_guard_that_is_not_used_says_why(editor, shop):
    editor.pull(editor.uri)
    typed(editor, "Orders that are not pending cannot", "Orders that are not new cannot")
    editor.pull(editor.uri)
    at = position(editor.text, "db.orders[action")
    assert "Not used: the policy has no such sentence." in shown(editor, editor.uri, at)
    typed(editor, "Orders that are not new cannot", "Orders that are not pending cannot")
    typed(editor, "].status !=", "].state !=")
    editor.pull(editor.uri)
    assert "Not used: it cannot be evaluated." in shown(editor, editor.uri, position(editor.text, "db.orders[action"))


def test_nothing_of_guards_is_shown_where_the_folder_is_not_trusted(client, shop):
    server = client()
    server.initialize(shop, capabilities=PULL, options={"trusted": False})
    uri = server.open(shop / "policy.items.yaml", ITEMS)
    assert server.pull(uri)["items"] == []
    assert shown(server, uri, position(ITEMS, "db.orders[action")) == ""

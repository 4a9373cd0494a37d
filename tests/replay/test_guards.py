"""Guards over the state that replay found before each action."""

from __future__ import annotations

import json

import pytest
from tests.replay.conftest import ORDERS, call

from benchlint.analysis.run import Options, run
from benchlint.analysis.snapshot import Snapshot
from benchlint.config import ConfigLookup

ITEMS = """\
items:
- id: setting
  text: An order that is closed is not changed.
  guard:
    rule: forbidden-action
    tools: [set_status]
    argument: order_id
    violated: db.orders[action.arguments.order_id].status == "closed"
    message: "order {action.arguments.order_id} is closed"
"""


def rejected(result) -> list[str]:
    return [item.pointer for item in result.findings if item.rule == "forbidden-action"]


@pytest.mark.parametrize(("first", "found"), [("closed", True), ("open", False)])
def test_a_guard_sees_what_an_earlier_write_has_changed(shop, first, found):
    shop.write([call("set_status", order_id="#W2", status=status) for status in (first, "sent")])
    (shop.folder / "db.json").write_text(json.dumps({"orders": ORDERS}))
    (shop.folder / "policy.md").write_text("- An order that is closed is not changed.\n")
    (shop.folder / "policy.items.yaml").write_text(ITEMS)
    pointer = "/evaluation_criteria/actions/1/arguments/order_id"
    assert rejected(shop.lint()) == ([pointer] if found else [])
    assert rejected(run([str(shop.folder)], Snapshot(), ConfigLookup(), Options())) == []

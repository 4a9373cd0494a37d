"""Guards over the state that replay found before each action."""

from __future__ import annotations

import json

import pytest
from tests.replay.conftest import ORDERS, call
from typer.testing import CliRunner

from benchlint.analysis.kept import Kept
from benchlint.analysis.options import ReplayOptions
from benchlint.analysis.run import Options, run
from benchlint.analysis.snapshot import Snapshot
from benchlint.cli.app import app
from benchlint.config import ConfigLookup
from benchlint.guards.challenges import challenges
from benchlint.text.document import Document

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


CLOSED = """\
items:
- id: setting
  text: A closed order cannot be dropped.
  guard:
    tools: [drop_order]
    violated: db.orders[action.arguments.order_id].status == "closed" && before.exists(b, b.name == "get_order")
    message: a closed order is dropped
"""


@pytest.mark.parametrize(("first", "ids"), [("closed", ["0"]), ("open", [])])
def test_a_refused_request_is_about_the_record_as_it_was_looked_up(shop, first, ids, monkeypatch):
    actions = [call("set_status", order_id="#W2", status=first), call("get_order", order_id="#W2")]
    shop.write(actions, scenario="You want to drop order #W2.", tools={"drop_order": ("order_id", "pass")})
    (shop.folder / "db.json").write_text(json.dumps({"orders": ORDERS}))
    (shop.folder / "policy.md").write_text("- A closed order cannot be dropped.\n")
    (shop.folder / "policy.items.yaml").write_text(CLOSED)
    (replayed,) = shop.lint().benchmarks
    assert [list(tasks) for tasks in challenges(replayed).values()] == [ids]
    (plain,) = run([str(shop.folder)], Snapshot(), ConfigLookup(), Options()).benchmarks
    assert [list(tasks) for tasks in challenges(plain).values()] == [[]]
    monkeypatch.chdir(shop.folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(shop.folder / "cache"))
    for options, counted in ((["--replay"], ids), ([], [])):
        result = CliRunner().invoke(app, ["coverage", "--judge", "none", "--format", "json", *options])
        assert result.exit_code == 0, result.output
        assert json.loads(result.stdout)[0]["items"][0]["guards"] == counted


def test_guards_that_are_kept_see_the_replay_of_now(shop):
    shop.write([call("set_status", order_id="#W2", status=status) for status in ("closed", "sent")])
    (shop.folder / "db.json").write_text(json.dumps({"orders": ORDERS}))
    (shop.folder / "policy.md").write_text("- An order that is closed is not changed.\n")
    (shop.folder / "policy.items.yaml").write_text(ITEMS)
    (shop.folder / "benchlint.toml").write_text('[replay]\nenvironment = "shop"\n')
    kept, config, disk = Kept(), ConfigLookup(), Snapshot()
    tasks = (shop.folder / "tasks.json").read_bytes()
    wanted = Options(replay=ReplayOptions(cache=False))

    def found(text: bytes, options: Options) -> int:
        snapshot = disk.with_documents([Document(str(shop.folder / "tasks.json"), text)])
        return len(rejected(run([str(shop.folder)], snapshot, config, options, kept=kept)))

    assert found(tasks, wanted) == 1
    assert found(tasks.replace(b"closed", b"opened"), wanted) == 0
    assert found(tasks + b" ", wanted) == 1

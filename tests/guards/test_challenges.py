"""Which tasks run into items, and what coverage says of it."""

from __future__ import annotations

import json

from tests.guards.test_guards import GUARD, PENDING, benchmark, write
from typer.testing import CliRunner

from benchlint.cli.app import app
from benchlint.guards.challenges import challenges


def told(folder, said, *calls):
    write(folder, GUARD.format(violated=PENDING), *calls)
    tasks = json.loads((folder / "tasks.json").read_text())
    tasks[0]["user_scenario"]["instructions"] = said
    (folder / "tasks.json").write_text(json.dumps(tasks))
    return list(challenges(benchmark(folder)).values())


def test_a_refused_request_challenges_the_item(tmp_path):
    lookup = ("get_order", {"order_id": "O2"})
    assert told(tmp_path, "You are ann. You want to cancel order O2.", lookup) == [("1",)]
    assert told(tmp_path, "You are ann. You want to see order O2.", lookup) == [()]
    assert told(tmp_path, "You want to cancel order O1.", ("get_order", {"order_id": "O1"})) == [()]
    assert told(tmp_path, "Cancel O1.", lookup, ("cancel", {"order_id": "O1"})) == [()]
    assert told(tmp_path, "Cancel O2.", ("cancel", {"order_id": "O2"})) == [("1",)]


def test_coverage_names_untouched_items_and_tasks_to_write(tmp_path, monkeypatch):
    told(tmp_path, "You are ann. You want to cancel order O2.", ("get_order", {"order_id": "O2"}))
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["coverage", "--format", "json", "--judge", "none"])
    assert result.exit_code == 0, result.output
    (found,) = json.loads(result.stdout)
    challenged = {item["text"]: item["guards"] for item in found["items"]}
    assert challenged["Orders that are not pending cannot be cancelled."] == ["1"]
    assert all(item["judged"] is None for item in found["items"])
    assert len(found["untouched"]) == len(found["items"]) - 1
    text = CliRunner().invoke(app, ["coverage", "--judge", "none"]).stdout
    assert "no task is seen to challenge" in text

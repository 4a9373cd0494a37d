"""What replay says of expected actions, with a small environment folder of tau-bench."""

from __future__ import annotations

import json
import sys

import pytest
from tests.replay.conftest import ORDERS, call

from benchlint.catalogue.finding import Severity
from benchlint.replay.cache import ResultCache
from benchlint.replay.results import Change, Failure


def found(result, rule):
    return [(item.task, item.pointer, item.severity, item.found_by) for item in result.findings if item.rule == rule]


def test_a_refusal_is_a_failure_and_the_next_actions_go_on(shop):
    steps = [
        call("get_order", order_id="#W9"),
        call("set_status", order_id="#W9", status="x"),
        call("get_order", order_id="#W1"),
    ]
    (task,), whole = shop.write(steps).replay()
    assert whole.problem is None
    assert [step.failure for step in task.steps] == [
        Failure("raised", "no"),
        Failure("raised", "KeyError: '#W9'"),
        None,
    ]
    assert task.unchanged is True
    assert task.problem is None


def test_changes_are_the_records_that_differ_and_every_task_starts_afresh(shop):
    write = call("set_status", order_id="#W2", status="cancelled")
    same = call("set_status", order_id="#W1", status="delivered")
    (first, second), _ = shop.write([write, same, write], [same]).replay()
    change = Change(("orders", "#W2"), {"status": "cancelled"})
    assert [step.changes for step in first.steps] == [(change,), (), ()]
    assert first.unchanged is False
    assert [step.changed for step in second.steps] == [False]
    assert second.unchanged is True


def test_what_is_undone_leaves_the_database_unchanged(shop):
    there, back = (call("set_status", order_id="#W2", status=status) for status in ("cancelled", "pending"))
    (task,), _ = shop.write([there, back]).replay()
    assert [step.changed for step in task.steps] == [True, True]
    assert task.unchanged is True


def test_a_tool_that_is_said_to_read_and_writes_is_found_out_at_the_end(shop):
    tools = {"get_order": ("order_id", "data['orders'][order_id]['status'] = 'seen'")}
    (task,), _ = shop.write([call("get_order", order_id="#W1")], tools=tools).replay()
    assert task.unchanged is False


def test_one_and_one_point_zero_are_not_the_same_and_the_order_of_keys_is_nothing(shop):
    tools = {
        "number": ("value", "data['orders']['#W1']['n'] = value"),
        "turn": ("", "data['orders']['#W1'] = dict(reversed(list(data['orders']['#W1'].items())))"),
    }
    (task,), _ = shop.write([call("number", value=1), call("number", value=1.0), call("turn")], tools=tools).replay()
    assert [step.changed for step in task.steps] == [True, True, False]


def test_the_state_before_an_action(shop):
    write = [call("set_status", order_id="#W2", status=status) for status in ("a", "b")]
    gone = {"drop": ("order_id", "del data['orders'][order_id]")}
    (task,), whole = shop.write([*write, call("drop", order_id="#W1")], tools=gone).replay()
    fresh = {"orders": ORDERS}
    states = [task.state_before(index, fresh) for index in range(4)]
    assert [state["orders"].get("#W2") for state in states] == [{"status": text} for text in ("pending", "a", "b", "b")]
    assert ["#W1" in state["orders"] for state in states] == [True, True, True, False]
    assert fresh == {"orders": ORDERS}
    assert task.state_before(5, fresh) is None
    (shop.folder / "db.json").write_text(json.dumps(fresh))
    benchmark = shop.load()
    records = whole.records_before(benchmark.tasks[0], 2, benchmark.database)
    assert records.record("orders", "#W2") == {"status": "b"}
    assert records.record("orders", "#W1") == {"status": "delivered"}
    assert records.record("orders", "#W8") is None
    assert records.data["orders"]["#W2"] == {"status": "b"}


def test_rules_say_what_was_run(shop):
    cancel = call("set_status", order_id="#W2", status="cancelled")
    same = call("set_status", order_id="#W1", status="delivered")
    refused = call("set_status", order_id="#W8", status="cancelled")
    result = shop.write([cancel, cancel], [same], [refused], [cancel, same]).lint()
    at = "/evaluation_criteria/actions"
    assert not result.problems
    assert found(result, "failing-action") == [("2", f"{at}/0/name", Severity.ERROR, "replay")]
    assert found(result, "redundant-action") == [
        ("0", f"{at}/1/name", Severity.INFORMATION, "replay"),
        ("1", f"{at}/0/name", Severity.INFORMATION, "replay"),
        ("3", f"{at}/1/name", Severity.INFORMATION, "replay"),
    ]
    assert found(result, "inaction-passes") == [(task, at, Severity.WARNING, "replay") for task in ("1", "2")]


def test_a_repeated_write_that_changes_something_is_left_alone_where_it_was_run(shop):
    tools = {"set_more": ("order_id", "o = data['orders'][order_id]; o['n'] = o.get('n', 0) + 1")}
    twice = [call("set_more", order_id="#W1")] * 2
    shop.write(twice, tools=tools)
    assert found(shop.lint(), "redundant-action") == []


@pytest.mark.parametrize(
    ("scenario", "later", "severity"),
    [
        ("My order is W9.", "#W8", Severity.HINT),
        ("My order is lost.", "#W1", Severity.HINT),
        ("My order is lost.", "#W8", Severity.ERROR),
    ],
)
def test_a_lookup_that_is_meant_to_fail_is_a_hint(shop, scenario, later, severity):
    steps = [call("get_order", order_id="#W9"), call("get_order", order_id=later)]
    result = shop.write(steps, scenario=scenario).lint()
    assert found(result, "failing-action")[0] == ("0", "/evaluation_criteria/actions/0/name", severity, "replay")


def test_a_write_that_fails_is_an_error_whatever_the_scenario_says(shop):
    steps = [call("set_status", order_id="#W9", status="open"), call("set_status", order_id="#W1", status="open")]
    result = shop.write(steps, scenario="Set W9 to open.").lint()
    assert [item[2] for item in found(result, "failing-action")] == [Severity.ERROR]


def test_nothing_runs_unless_it_is_asked_for(shop, tmp_path):
    from benchlint.analysis.run import Options, run
    from benchlint.analysis.snapshot import Snapshot
    from benchlint.config import ConfigLookup

    mark = tmp_path / "ran"
    shop.write([call("get_order", order_id="#W9")], tools={"mark": ("", f"open({str(mark)!r}, 'w')")})
    path = shop.folder / "shop" / "data" / "__init__.py"
    path.write_text(f"open({str(mark)!r}, 'w')\n{path.read_text()}")
    (shop.folder / "benchlint.toml").write_text('[replay]\nenvironment = "shop"\n')
    result = run([str(shop.folder)], Snapshot(), ConfigLookup(), Options())
    assert not mark.exists()
    assert found(result, "failing-action") == []
    assert not any("replay" in note for note in result.notes)
    shop.lint()
    assert mark.exists()


def test_without_an_environment_replay_is_a_problem(shop):
    (shop.folder / "benchlint.toml").write_text("")
    result = shop.write([call("get_order", order_id="#W1")]).lint()
    assert len(result.problems) == 1
    assert "nothing says how to replay it" in result.problems[0]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"environment": "nowhere"}, "there is no folder"),
        ({"environment": "tau2:retail"}, "there is no package tau2 in this Python"),
        ({"environment": "tau2:../x"}, "is no name of a domain"),
        ({"environment": "shop", "python": "/no/such/python"}, "cannot be started: no such file"),
        ({"environment": None, "command": "cat"}, "does not say what it is"),
        ({"environment": None, "command": "true"}, "ended with exit code 0"),
        ({"environment": None, "command": [sys.executable, "-c", "print('x')"]}, "is no message: x"),
    ],
)
def test_an_environment_that_cannot_be_run_is_a_problem(shop, setting, message):
    lines = [f"{key} = {json.dumps(value)}" for key, value in setting.items() if value is not None]
    (shop.folder / "benchlint.toml").write_text("[replay]\n" + "\n".join(lines) + "\n")
    result = shop.write([call("get_order", order_id="#W9")]).lint()
    assert len(result.problems) == 1
    assert message in result.problems[0]
    assert found(result, "failing-action") == []


def test_an_environment_that_does_not_load_is_a_problem_with_its_own_words(shop):
    shop.write([call("get_order", order_id="#W1")])
    (shop.folder / "shop" / "data" / "__init__.py").write_text("raise OSError('the disk is gone')")
    (problem,) = shop.lint().problems
    assert problem.endswith("shop cannot be loaded: OSError: the disk is gone")


def test_tasks_that_are_no_plain_calls_are_not_replayed_and_that_is_said(shop):
    shop.write([call("get_order", order_id="#W1")], [{"action_id": "y", "name": "get_order", "arguments": "#W1"}])
    result = shop.lint()
    assert any("1 task was not replayed" in note for note in result.notes)


def test_results_are_kept_by_the_content_of_task_and_environment(shop, tmp_path):
    cache = tmp_path / "kept"
    steps = [call("set_status", order_id="#W9", status="x")]
    first, whole = shop.write(steps, [call("get_order", order_id="#W1")]).replay(cache=cache)
    assert whole.cached == 0
    again, whole = shop.replay(cache=cache)
    assert whole.cached == 2
    assert again == first
    shop.write(steps, [call("get_order", order_id="#W2")])
    assert shop.replay(cache=cache)[1].cached == 1
    tools = shop.folder / "shop" / "tools" / "__init__.py"
    tools.write_text(tools.read_text() + "# other\n")
    assert shop.replay(cache=cache)[1].cached == 0
    assert all(path.suffix == ".json" for path in cache.iterdir())
    assert cache.stat().st_mode & 0o777 == 0o700


def test_a_planted_or_broken_cache_is_run_anew(shop, tmp_path):
    cache = tmp_path / "kept"
    shop.write([call("set_status", order_id="#W9", status="x")])
    first, _ = shop.replay(cache=cache)
    (path,) = cache.iterdir()
    stored = json.loads(path.read_text())
    (key,) = stored
    for text in ("{", "[]", json.dumps({key: [7]}), json.dumps({key: "x"}), json.dumps({key: []}), "\x80"):
        path.write_text(text, encoding="latin-1")
        again, whole = shop.replay(cache=cache)
        assert (again, whole.cached) == (first, 0)
    assert ResultCache("x", tmp_path / "tasks.json").get("k") is None


def test_arguments_in_any_letters_reach_the_tool(shop):
    tools = {"echo": ("text", "return 'Error: ' + text")}
    text = "é😀\u2028\nx"
    (task,), _ = shop.write([call("echo", text=text)], tools=tools).replay()
    assert task.steps[0].failure == Failure("raised", text)


def test_a_folder_inside_packages_does_not_run_them(shop):
    shop.write([call("get_order", order_id="#W1")])
    outer = shop.folder / "outer"
    outer.mkdir()
    (outer / "__init__.py").write_text("raise ImportError('a client of models')")
    (outer / "tool.py").write_text("class Tool: pass")
    (shop.folder / "shop").rename(outer / "shop")
    tools = outer / "shop" / "tools" / "__init__.py"
    tools.write_text("from outer.tool import Tool\n" + tools.read_text())
    (outer / "shop" / "__init__.py").write_text("raise ImportError('another')")
    (task,), whole = shop.replay(environment=str(outer / "shop"))
    assert whole.problem is None
    assert task.unchanged

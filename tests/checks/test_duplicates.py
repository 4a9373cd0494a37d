from __future__ import annotations

import copy

import pytest

RULES = ("duplicate-task-id", "duplicate-task", "conflicting-definition")


def task(identity, told="You want to cancel order #W1.", **more):
    return {"id": identity, "user_scenario": {"instructions": told}, **more}


def test_every_later_task_is_related_to_the_first(lint):
    found = lint({"tasks.json": [task("7", "a"), task("8", "b"), task("7", "c"), task(7, "d")]}, *RULES)
    assert [(item.rule, item.text, item.related) for item in found] == [
        ("duplicate-task-id", "7", ("7",)),
        ("duplicate-task-id", "7", ("7",)),
    ]


def test_a_copy_with_its_id_is_one_finding(lint):
    found = lint({"tasks.json": [task("7"), task("7")]}, *RULES)
    assert [item.rule for item in found] == ["duplicate-task-id"]


def test_a_group_is_one_finding_at_its_second_task(lint):
    tasks = [task("a"), task("b", "other"), task("c"), task("d", "YOU want\nto cancel  order #w1. ")]
    (found,) = lint({"tasks.json": tasks}, *RULES)
    assert (found.text, found.severity, found.related) == ("c", "information", ("a", "d"))
    assert found.message == 'tasks "a", "c", "d" have the same scenario and the same expectation'


def test_case_and_space_fold_in_all_scripts(lint):
    tasks = [task("a", "ÉCOLE\u00a0straße"), task("b", "école STRASSE"), task("c", "ecole strasse")]
    (found,) = lint({"tasks.json": tasks}, *RULES)
    assert (found.text, found.related) == ("b", ("a",))


WHOLE = task(
    "a",
    initial_state={
        "initialization_data": {"agent_data": {"orders": {"#W1": {"status": "open"}}}},
        "initialization_actions": [{"env_type": "user", "func_name": "turn_off", "arguments": {"now": True}}],
    },
    evaluation_criteria={
        "actions": [{"action_id": "0", "name": "cancel", "arguments": {"order": "#W1"}}],
        "env_assertions": [{"env_type": "user", "func_name": "is_on", "arguments": {}, "assert_value": True}],
        "communicate_info": ["10"],
        "nl_assertions": ["The agent asks."],
        "reward_basis": ["DB"],
    },
    user_tools=["cancel"],
    ticket="help",
)


def changed(path, value):
    other = copy.deepcopy(WHOLE)
    other["id"] = "b"
    inner = other
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return other


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("user_scenario", "persona"), "hasty"),
        (("ticket",), "help!"),
        (("user_tools",), []),
        (("initial_state", "initialization_data", "agent_data"), {}),
        (("initial_state", "initialization_actions", 0, "arguments"), {"now": False}),
        (("evaluation_criteria", "actions", 0, "arguments"), {"order": "#W2"}),
        (("evaluation_criteria", "actions", 0, "requestor"), "user"),
        (("evaluation_criteria", "env_assertions", 0, "assert_value"), False),
        (("evaluation_criteria", "communicate_info"), ["11"]),
        (("evaluation_criteria", "nl_assertions"), []),
        (("evaluation_criteria", "reward_basis"), ["DB", "COMMUNICATE"]),
    ],
)
def test_tasks_that_differ_in_one_thing_are_not_the_same(lint, path, value):
    assert not lint({"tasks.json": [WHOLE, changed(path, value)]}, *RULES)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("id",), "b"),
        (("description",), {"purpose": "another"}),
        (("annotations",), {"author": "me"}),
        (("evaluation_criteria", "actions", 0, "action_id"), "1"),
    ],
)
def test_ids_and_remarks_do_not_count(lint, path, value):
    (found,) = lint({"tasks.json": [WHOLE, changed(path, value)]}, *RULES)
    assert found.rule == "duplicate-task"


def test_tasks_without_a_word_are_not_compared(lint):
    empty = {"user_scenario": {"instructions": ""}}
    assert not lint({"tasks.json": [{"id": "1", **empty}, {"id": "2", **empty}]}, *RULES)


def test_the_same_definition_in_both_places_is_no_conflict(lint):
    assert not lint({"tasks.json": [task("7")], "tasks/task_7.json": task("7")}, *RULES)


def test_a_conflict_names_the_fields(lint):
    (found,) = lint({"tasks.json": [task("7", "a")], "tasks/task_7.json": task("7", "b", ticket="t")}, *RULES)
    assert (found.rule, found.file, found.text, found.related) == ("conflicting-definition", "task_7.json", "7", ("7",))
    assert found.message == 'task "7" is another one in tasks.json: "user_scenario" and "ticket" differ'


def test_a_variant_is_no_conflict(lint):
    assert not lint({"tasks.json": [task("7", "a")], "tasks_small.json": [task("7", "b")]}, *RULES)


def test_one_id_in_two_files_of_a_folder(lint):
    found = lint({"tasks/a.json": task("7", "a"), "tasks/b.json": task("7", "b")}, *RULES)
    assert [(item.rule, item.file) for item in found] == [("duplicate-task-id", "b.json")]


def test_python_tasks_have_no_ids_and_show_at_their_instruction(lint):
    one = 'Task(user_id="u", instruction="You want it.", actions=[], outputs=[])'
    (found,) = lint({"tasks_test.py": f"TASKS = [{one}, {one}]\n", "wiki.md": "# Rules\n"}, *RULES)
    assert (found.rule, found.text, found.related) == ("duplicate-task", "instruction", ("instruction",))


def test_real_tasks_are_all_different(real):
    assert not real("tau2", *RULES)
    assert not real("intellagent", *RULES)

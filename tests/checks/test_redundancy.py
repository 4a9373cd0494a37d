from __future__ import annotations

import json

import pytest

RULE = "redundant-action"


def tool(name, effect, requestor="assistant"):
    return {
        "name": name,
        "effect": effect,
        "requestor": requestor,
        "parameters": {"type": "object", "properties": {}, "additionalProperties": True},
    }


TOOLS = [
    tool("set_address", "write"),
    tool("update_order", "write"),
    tool("send_certificate", "write"),
    tool("make_payment", "write", "user"),
    tool("toggle_data", "write", "user"),
    tool("swap_items", "write"),
    tool("get_user", "read"),
    tool("calculate", "generic"),
    tool("mystery", "unknown"),
]
ADDRESS = {"user_id": "mia_li_1", "street": "Rue de l'Été 3", "zip": "75001"}


def task(*calls, **more):
    actions = [
        {"action_id": str(at), "name": name, "arguments": arguments, "requestor": side}
        for at, (name, arguments, *rest) in enumerate(calls)
        for side in [rest[0] if rest else "assistant"]
    ]
    return {
        "id": "1",
        "user_scenario": {"instructions": "Say."},
        "evaluation_criteria": {"actions": actions},
        **more,
    }


@pytest.fixture
def found(lint):
    def make(*calls, database=None, **more):
        files = {"tasks.json": [task(*calls, **more)], "tools.json": TOOLS}
        if database is not None:
            files["db.json"] = database
        return lint(files, RULE)

    return make


def test_a_setting_repeated_with_nothing_in_between(found, fixed):
    (item,) = found(
        ("set_address", ADDRESS),
        ("update_order", {"order_id": "#W1", "gift": True}),
        ("set_address", ADDRESS),
    )
    assert (item.text, item.severity, item.pointer) == (
        "set_address",
        "information",
        "/evaluation_criteria/actions/2/name",
    )
    assert item.message == "set_address repeats expected action 1 with the same arguments and changes nothing more"
    assert len(json.loads(fixed("tasks.json", RULE))[0]["evaluation_criteria"]["actions"]) == 2


@pytest.mark.parametrize(
    "between",
    [
        ("set_address", {**ADDRESS, "zip": "75002"}),
        ("update_order", {"owner": "mia_li_1"}),
        ("toggle_data", {}, "user"),
    ],
)
def test_a_setting_that_may_have_been_undone_is_left_alone(found, between):
    assert not found(("set_address", ADDRESS), between, ("set_address", ADDRESS))


@pytest.mark.parametrize(
    "call",
    [
        ("send_certificate", {"user_id": "mia_li_1", "amount": 100}),
        ("make_payment", {}, "user"),
        ("toggle_data", {}, "user"),
        ("mystery", {"x": "long enough"}),
        ("not_a_tool", {"x": "long enough"}),
    ],
)
def test_what_does_something_each_time_is_left_alone(found, call):
    assert not found(call, call)


def test_a_lookup_repeated_is_a_hint(found):
    look = ("get_user", {"user_id": "mia_li_1"})
    (item,) = found(look, ("calculate", {"expression": "1 + 1"}), look)
    assert (item.text, item.severity) == ("get_user", "hint")
    assert item.message == "get_user repeats expected action 1, and nothing in between changes its result"


@pytest.mark.parametrize("between", [("send_certificate", {"amount": 1}), ("mystery", {}), ("not_a_tool", {})])
def test_a_lookup_after_a_change_is_left_alone(found, between):
    look = ("get_user", {"user_id": "mia_li_1"})
    assert not found(look, between, look)
    assert len(found(look, between, look, look)) == 1


def test_things_exchanged_for_themselves(found):
    items = found(
        ("swap_items", {"item_ids": ["1", "é", "3"], "new_item_ids": ["2", "é", "3"], "plan": "a", "new_plan": "a"})
    )
    assert [(item.text, item.related) for item in items] == [("é", ("é",)), ("3", ("3",)), ("a", ("a",))]
    assert (
        items[0].message == 'swap_items replaces "é" by itself: item_ids and new_item_ids have it at the same position'
    )
    assert items[2].message == 'swap_items replaces "a" by itself: it is both plan and new_plan'


def test_lists_of_other_lengths_are_not_compared(found):
    assert not found(("swap_items", {"item_ids": ["1"], "new_item_ids": ["1", "2"], "new_note": "x"}))


@pytest.mark.parametrize("value", ["250", " $1,250.00 ", "(3)", -4, "-4.5"])
def test_a_calculation_of_one_number(found, value):
    (item,) = found(("calculate", {"expression": value}))
    assert item.text == str(value)


@pytest.mark.parametrize("value", ["250 + 1", "2*3", "-(4 - 1)", "sqrt(4)", ""])
def test_a_calculation(found, value):
    assert not found(("calculate", {"expression": value}))


DATABASE = {
    "users": {
        "mia_li_1": {"user_id": "mia_li_1", "address": {"street": "Rue de l'Été 3", "zip": "75001"}, "age": 3},
        "noah_ito_2": {"user_id": "noah_ito_2", "address": {"street": "B", "zip": "2"}, "age": 4},
    },
    "orders": {
        "#W1": {"order_id": "#W1", "status": "open", "user_id": "mia_li_1"},
        "#W2": {"order_id": "#W2", "status": "open", "user_id": "mia_li_1"},
    },
}


def test_what_the_database_holds_already(found):
    (item,) = found(("set_address", ADDRESS), database=DATABASE)
    assert (item.text, item.severity) == ("set_address", "information")
    assert item.message == (
        'set_address changes nothing: mia_li_1 in users already has street "Rue de l\'Été 3" and zip "75001"'
    )
    (item,) = found(("update_order", {"order_id": "#W1", "new_status": "open"}), database=DATABASE)
    assert item.message == 'update_order changes nothing: #W1 in orders already has new_status "open"'


@pytest.mark.parametrize(
    "calls",
    [
        [("set_address", {**ADDRESS, "zip": "75002"})],
        [("set_address", {**ADDRESS, "note": "x"})],
        [("set_address", {"user_id": "mia_li_1"})],
        [("set_address", {"user_id": "mia_li_1", "age": "3"})],
        [("set_address", {"user_id": "nobody", "street": "B"})],
        [("send_certificate", {"user_id": "mia_li_1", "age": 3})],
        [("update_order", {"order_id": "#W1", "user_id": "mia_li_1"})],
        [("mystery", {"user_id": "mia_li_1"}), ("set_address", ADDRESS)],
        [("set_address", {**ADDRESS, "zip": "75002"}), ("set_address", ADDRESS)],
    ],
)
def test_what_cannot_be_sure_is_left_alone(found, calls):
    assert not found(*calls, database=DATABASE)


def test_the_initial_state_may_have_changed_the_database(found):
    state = {"initialization_data": {"agent_data": {"users": {}}}}
    assert not found(("set_address", ADDRESS), database=DATABASE, initial_state=state)
    calls = {"initialization_actions": [{"env_type": "assistant", "func_name": "mystery", "arguments": {}}]}
    assert not found(("set_address", ADDRESS), database=DATABASE, initial_state=calls)


def test_real_tasks(real):
    found = [item for item in real("tau2", RULE) if item.severity == "information"]
    assert [(item.task, item.text) for item in found] == [
        ("18", "8069050545"),
        ("59", "164.28"),
        ("91", "9494281769"),
        ("107", "1615379700"),
        ("110", "modify_user_address"),
    ]

from __future__ import annotations

import json

import pytest

RULES = ("unknown-tool", "unknown-argument", "missing-argument", "invalid-argument")
STRING = {"type": "string"}


def tool(name, requestor="assistant", required=(), **properties):
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return {"name": name, "requestor": requestor, "parameters": parameters}


TOOLS = [
    tool("cancel_order", required=["order_id", "reason"], order_id=STRING, reason=STRING),
    tool("get_order", required=["order_id"], order_id=STRING),
    tool("toggle_data", "user"),
    tool("set_mode", "user", required=["mode"], mode={"enum": ["4g", "5g"]}),
]


def action(name, arguments=None, **more):
    return {"action_id": "0", "name": name, "arguments": arguments or {}, **more}


def task(*actions, **more):
    criteria = {"actions": list(actions), **more.pop("criteria", {})}
    return {
        "id": "1",
        "user_scenario": {"instructions": "You want to cancel order #W1."},
        "evaluation_criteria": criteria,
        **more,
    }


def linted(lint, *tasks, tools=TOOLS):
    return lint({"tasks.json": [{**item, "id": str(at)} for at, item in enumerate(tasks)], "tools.json": tools}, *RULES)


def test_right_calls_are_silent(lint):
    assert not linted(
        lint,
        task(
            action("cancel_order", {"order_id": "#W1", "reason": "é"}, compare_args=["order_id"]),
            action("toggle_data", requestor="user"),
            action("set_mode", {"mode": "5g"}, requestor="user"),
        ),
    )


def test_a_similar_name_is_offered(lint):
    (found,) = linted(lint, task(action("cancel_an_order", {"order_id": "#W1"})))
    assert (found.rule, found.text, found.task) == ("unknown-tool", "cancel_an_order", "0")
    assert found.message == 'the agent has no tool "cancel_an_order"'
    assert [(fix.title, fix.safe) for fix in found.fixes] == [('Change the name to "cancel_order"', False)]


def test_a_name_like_no_other_has_no_fix(lint):
    (found,) = linted(lint, task(action("wave")))
    assert not found.fixes


def test_a_tool_of_the_user_in_the_agents_hands(lint, fixed):
    (found,) = linted(lint, task(action("toggle_data")))
    assert found.message == 'the agent has no tool "toggle_data": it is a tool of the user'
    after = json.loads(fixed("tasks.json", *RULES))
    assert after[0]["evaluation_criteria"]["actions"][0]["requestor"] == "user"


def test_a_tool_of_the_agent_in_the_users_hands(lint, fixed):
    (found,) = linted(lint, task(action("get_order", {"order_id": "#W1"}, requestor="user")))
    assert found.message == 'the user has no tool "get_order": it is a tool of the agent'
    after = json.loads(fixed("tasks.json", *RULES))
    assert after[0]["evaluation_criteria"]["actions"][0]["requestor"] == "assistant"


def test_a_domain_without_tools_for_the_user(lint):
    (found,) = linted(lint, task(action("toggle_data", requestor="user")), tools=TOOLS[:2])
    assert found.message == 'the user has no tools in tools.json, and so no "toggle_data"'


def test_tools_of_another_domain_are_one_finding(lint):
    tasks = [task(action(f"other_{number}"), action("get_order", {"order_id": "1"})) for number in range(5)]
    assert len(linted(lint, *tasks)) == 5
    foreign = [task(action(f"other_{number}"), action("another")) for number in range(20)]
    (found,) = linted(lint, *foreign)
    assert (found.text, found.task) == ("other_0", None)
    assert found.message == (
        '40 of 40 expected actions call tools that tools.json does not have: "other_0", "another", "other_1"'
        " and 18 more"
    )


def test_nothing_is_unknown_where_the_tools_may_be_more(lint):
    assert not linted(lint, task(action("wave")), tools=[*TOOLS, {"parameters": {}}])


FUNCTIONS = {
    "initial_state": {"initialization_actions": [{"env_type": "user", "func_name": "turn_data_of", "arguments": {}}]},
    "criteria": {"env_assertions": [{"env_type": "user", "func_name": "assert_data", "arguments": {"expected": True}}]},
}


def test_functions_may_be_more_than_the_tools(lint):
    assert not linted(lint, task(**FUNCTIONS))


def test_functions_are_unknown_where_the_source_shows_all(lint, fixed):
    source = """
class UserTools(ToolKitBase):
    def turn_data_off(self):
        self.db.data = False

    def assert_data(self, expected: bool) -> bool:
        return self.db.data == expected

    @is_tool(ToolType.READ)
    def check_status(self) -> str:
        return self.db.status
"""
    (found,) = lint({"tasks.json": [task(**FUNCTIONS)], "user_tools.py": source}, *RULES)
    assert (found.rule, found.text) == ("unknown-tool", "turn_data_of")
    assert found.message == 'neither a tool nor another function of the environment is called "turn_data_of"'
    assert '"turn_data_off"' in fixed("tasks.json", *RULES, unsafe=False)


def test_arguments_of_initializations_are_checked(lint):
    calls = [{"env_type": "user", "func_name": "set_mode", "arguments": {"mode": "6g"}}]
    (found,) = linted(lint, task(initial_state={"initialization_actions": calls}))
    assert (found.rule, found.text) == ("invalid-argument", "6g")


def test_user_tools_of_a_task(lint):
    lent = task(action("toggle_data", requestor="user"), user_tools=["set_mode"])
    unknown = task(user_tools=["toggle_dta", "get_order"])
    found = linted(lint, lent, unknown, task(action("toggle_data", requestor="user"), user_tools=[]))
    assert [(item.text, item.message) for item in found] == [
        ("toggle_data", 'the user cannot call "toggle_data" in this task: user_tools has "set_mode"'),
        ("toggle_dta", 'the user has no tool "toggle_dta"'),
        ("get_order", 'the user has no tool "get_order": it is a tool of the agent'),
    ]


def test_an_argument_that_stands_for_a_missing_one_is_one_finding(lint, fixed):
    (found,) = linted(lint, task(action("cancel_order", {"order": "#W1", "reason": "x"})))
    assert (found.rule, found.text) == ("unknown-argument", "order")
    assert found.message == 'cancel_order has no argument "order"'
    assert '"order_id": "#W1"' in fixed("tasks.json", *RULES)


def test_all_missing_arguments_are_one_finding(lint, fixed):
    (found,) = linted(lint, task(action("cancel_order")))
    assert (found.rule, found.text) == ("missing-argument", "arguments")
    assert found.message == 'cancel_order needs "order_id" and "reason", which the call does not give'
    after = json.loads(fixed("tasks.json", *RULES))
    arguments = after[0]["evaluation_criteria"]["actions"][0]["arguments"]
    assert arguments == {"order_id": "<order_id>", "reason": "<reason>"}


def test_compared_arguments_must_be_the_tools(lint):
    call = action("get_order", {"order_id": "#W1"}, compare_args=["order_id", "ordr_id", "wave"])
    found = linted(lint, task(call))
    assert [(item.rule, item.text, len(item.fixes)) for item in found] == [
        ("unknown-argument", "ordr_id", 1),
        ("unknown-argument", "wave", 0),
    ]


def test_a_schema_may_list_several_types(lint):
    tools = [tool("create", note={"type": ["string", "null"]})]
    (found,) = linted(lint, task(action("create", {"note": "x"}), action("create", {"note": 3})), tools=tools)
    assert found.message == 'create: "note" must be a string or null, not the number 3'


def test_an_open_tool_takes_any_argument(lint):
    tools = [tool("search", query=STRING)]
    tools[0]["parameters"]["additionalProperties"] = True
    assert not linted(lint, task(action("search", {"query": "x", "limit": 3})), tools=tools)


def test_null_stands_for_an_argument_that_is_optional(lint):
    tools = [tool("create", required=["title"], title=STRING, note=STRING)]
    (found,) = linted(lint, task(action("create", {"title": None, "note": None})), tools=tools)
    assert found.message == 'create: "title" must be a string, not null'


def test_the_innermost_value_is_at_fault(lint, fixed):
    rows = {"type": "array", "items": {"type": "object", "properties": {"bags": {"type": "integer"}}}}
    tools = [tool("book", required=["rows"], rows=rows)]
    (found,) = linted(lint, task(action("book", {"rows": [{"bags": 1}, {"bags": "2"}]})), tools=tools)
    assert (found.text, found.pointer) == ("2", "/evaluation_criteria/actions/0/arguments/rows/1/bags")
    assert json.loads(fixed("tasks.json", *RULES, unsafe=False))[0]["evaluation_criteria"]["actions"][0][
        "arguments"
    ] == {"rows": [{"bags": 1}, {"bags": 2}]}


def test_a_list_in_a_strings_place_is_shown_at_its_bracket(lint):
    (found,) = linted(lint, task(action("get_order", {"order_id": ["#W1", "#W2"]})))
    assert found.text == "["


def test_native_yaml(lint, fixed):
    tasks = """\
benchlint: 1
tools: tools.json
tasks:
  - id: a
    description: "You want to cancel order #W1, « für heute »."
    expected:
      actions:
        - name: cancel_order
          arguments:
            order_id: "#W1"
        - name: get_order
"""
    found = lint({"tasks.yaml": tasks, "tools.json": TOOLS}, *RULES)
    assert [(item.rule, item.text) for item in found] == [
        ("missing-argument", "arguments"),
        ("missing-argument", "get_order"),
    ]
    assert '            reason: "<reason>"\n            order_id: "#W1"\n' in fixed("tasks.yaml", *RULES)


def test_python_tasks(lint, fixed):
    tasks = """\
from tau_bench.types import Action, Task

TASKS_TEST = [
    Task(
        annotator="0",
        user_id="mia_li_1",
        instruction="You want to cancel order #W1, ça ira.",
        actions=[
            Action(name="cancel_order", kwargs={"order_id": "#W1", "reasons": "late"}),
            Action(name="get_ordr", kwargs={"order_id": "#W1"}),
            Action(name=NAME, kwargs={"order_id": "#W1"}),
            Action(name="get_order", kwargs={"order_id": ORDER}),
            Action(name="get_order", kwargs=ARGUMENTS),
        ],
        outputs=[],
    ),
]
"""
    found = lint({"tasks_test.py": tasks, "tools.json": TOOLS}, *RULES)
    assert [(item.rule, item.text) for item in found] == [("unknown-argument", "reasons"), ("unknown-tool", "get_ordr")]
    after = fixed("tasks_test.py", *RULES, unsafe=False)
    assert '"reason": "late"' in after
    assert 'name="get_order", kwargs={"order_id": "#W1"}' in after


@pytest.mark.parametrize("file", ["airline", "retail", "telecom", "mock", "banking_knowledge"])
def test_real_calls_are_right(real, file):
    assert not real(f"tau2/{file}", *RULES)


def test_a_misspelt_user_tool_is_one_fault(lint):
    found = linted(lint, task(action("toggle_data", requestor="user"), user_tools=["toggle_dta"]))
    assert [(item.text, item.message) for item in found] == [("toggle_dta", 'the user has no tool "toggle_dta"')]

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.checks.communication import describes
from benchlint.checks.expression import evaluate

RULE = "unreachable-communication"
TOOLS = [
    {"name": "get_order", "effect": "read", "parameters": {"properties": {"order_id": {"type": "string"}}}},
    {"name": "cancel_order", "effect": "write", "parameters": {"properties": {"order_id": {"type": "string"}}}},
    {"name": "book_parcel", "effect": "write", "parameters": {"properties": {"order_id": {"type": "string"}}}},
    {"name": "calculate", "effect": "generic", "parameters": {"properties": {"expression": {"type": "string"}}}},
]
RECORDS = {
    "orders": {
        "#W1": {"order_id": "#W1", "tracking": "746342064230", "total": 481.5, "street": "943 Mühlgasse"},
        "#W2": {"order_id": "#W2", "tracking": "840887978435", "total": 135.24, "street": "Suite 356"},
    }
}
GET = {"action_id": "g", "name": "get_order", "arguments": {"order_id": "#W1"}}
BOOK = {"action_id": "b", "name": "book_parcel", "arguments": {"order_id": "#W1"}}


def calculate(expression):
    return {"action_id": "c", "name": "calculate", "arguments": {"expression": expression}}


def task(identity, *texts, actions=(GET,), **criteria):
    return {
        "id": identity,
        "user_scenario": {"instructions": "Zoë 😀: tell me about #W1; my code is 998877, and I paid 12.25."},
        "evaluation_criteria": {"actions": list(actions), "communicate_info": list(texts), **criteria},
    }


def files(*tasks, records=RECORDS, tools=TOOLS, policy="A parcel takes 5 days. Fees are 7.75, code AB1234C."):
    found = {"tasks.json": list(tasks), "policy.md": policy}
    return found | {name: value for name, value in (("db.json", records), ("tools.json", tools)) if value is not None}


def texts(found):
    return [item.text for item in found]


@pytest.mark.parametrize(
    "text",
    ["1628", "1628.50", "$1628", "pending", "Chicago", "IL", "é 😀", "", " ", "4", "The agent will call you back"],
)
def test_what_an_agent_may_say(lint, text):
    assert lint(files(task("1", "😀", text)), RULE) == []


def test_a_comma_is_never_found(lint, fixed):
    found = lint(files(task("1", "é 😀", "$1,628.50"), task("2", "Chicago, IL")), RULE)
    assert texts(found) == ["$1,628.50", "Chicago, IL"]
    assert found[0].fixes[0].safe
    new = fixed("tasks.json", RULE, unsafe=False)
    assert '"$1628.50"' in new
    assert '"Chicago IL"' in new
    assert lint({"tasks.json": new}, RULE) == []


def test_what_is_not_scored_is_left_alone(lint):
    bases = ([], ["DB"], ["COMMUNICATE"])
    tasks = [task(str(index), "1,628", reward_basis=basis) for index, basis in enumerate(bases)]
    assert [item.task for item in lint(files(*tasks), RULE)] == ["2"]


def test_a_sentence_about_the_agent_is_never_said(lint):
    first, second = "The agent confirmed that é 😀 was sent", "The user is told that it was sent"
    (found,) = lint(files(task("1", "sent", first, second), task("2", "sent")), RULE)
    assert (found.text, found.related) == (first, (second,))


def test_a_file_full_of_such_sentences_has_one_finding(lint):
    tasks = [task(str(index), f"The agent confirms number {index}") for index in range(12)]
    (found,) = lint(files(*tasks), RULE)
    assert found.text == "The agent confirms number 0"
    assert "12 of 12 tasks" in found.message
    assert len(found.related) == 9


@pytest.mark.parametrize(
    ("text", "is_about"),
    [
        ("The agent confirmed the order was sent", True),
        ("Agent should tell the user the price", True),
        ("the assistant does not offer a refund", True),
        ("Agent acknowledges the delay", True),
        ("The customer has been informed of the fee", True),
        ("The user should be clearly told the fee", True),
        ("The agent will call you back", False),
        ("An agent can help you", False),
        ("agent", False),
        ("Agents confirm this", False),
        ("Travel agent fees apply", False),
        ("The user id is mia_li_1", False),
        ("Your order was confirmed", False),
    ],
)
def test_sentences_about_the_agent(text, is_about):
    assert describes(text) is is_about


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("746342064239", "746342064230"),
        ("746342064203", "746342064230"),
        ("74634206423", None),
        ("949 Mühlgasse", "943 Mühlgasse"),
        ("746342064230", None),
        ("943 Mühlgasse", None),
        ("943 mühlgasse", None),
        ("998877", None),
        ("AB1234C", None),
        ("#W1", None),
        ("24 hours", None),
        ("64GB", None),
    ],
)
def test_a_slip_in_what_a_record_has(lint, text, meant):
    found = lint(files(task("1", "😀", text)), RULE)
    assert texts(found) == ([text] if meant else [])
    if meant:
        assert found[0].message.endswith(f"; the database has {meant}")
        assert not found[0].fixes[0].safe


def test_a_code_that_nobody_has(lint):
    assert texts(lint(files(task("1", "😀", "ZX90817")), RULE)) == ["ZX90817"]


def test_a_code_that_a_tool_may_have_made(lint):
    tools = [*TOOLS, {"name": "search_docs", "effect": "read", "parameters": {}}]
    assert lint(files(task("1", "ZX90817", actions=(BOOK,))), RULE) == []
    assert lint(files(task("1", "ZX90817"), tools=tools), RULE) == []
    assert lint(files(task("1", "ZX90817"), tools=None), RULE) == []


def test_a_code_without_a_database_is_left_alone(lint):
    assert lint(files(task("1", "ZX90817", "999.99"), records=None), RULE) == []


@pytest.mark.parametrize(
    ("text", "expression", "meant"),
    [
        ("616.74", "135.24 + 481.50", None),
        ("616.47", "135.24 + 481.50", "616.74"),
        ("$61.74", "135.24 + 481.50", "616.74"),
        ("16.74", "135.24 + 481.50", None),
        ("17.98", "135.24 - 153.23", "17.99"),
        ("12.25", "12.26 + 0", None),
        ("481.5", "481.4 + 0", None),
        ("700", "135.24 + 481.50", None),
        ("616.47", "135.24 + x", None),
    ],
)
def test_a_slip_in_what_a_calculation_gives(lint, text, expression, meant):
    records = RECORDS | {"numbers": {str(index): {"price": index + 0.11} for index in range(20)}}
    found = lint(files(task("1", "é", text, actions=(calculate(expression),)), records=records), RULE)
    assert texts(found) == ([text] if meant else [])
    if meant:
        assert found[0].related == (expression,)
        assert meant in found[0].fixes[0].title


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("616.74", False),
        ("346.26", False),
        ("963", False),
        ("19.5", False),
        ("12.25", False),
        ("7.75", False),
        ("4711.13", True),
        ("2024", False),
        ("42", False),
    ],
)
def test_a_number_that_no_number_of_a_small_domain_gives(lint, text, is_found):
    assert texts(lint(files(task("1", text)), RULE)) == ([text] if is_found else [])


def test_tau_bench_takes_commas_out_too(lint):
    text = 'tasks = [Task(annotator="é 😀", user_id="u", instruction="Hi", actions=[], outputs=["1,628", "7"])]\n'
    assert texts(lint({"tasks_test.py": text}, RULE)) == ["1,628"]


def test_real_benchmarks(real):
    found = real("tau2/mock", RULE)
    assert [item.task for item in found] == [
        "create_task_1",
        "update_task_1",
        "update_task_with_message_history",
        "update_task_with_initialization_data",
        "update_task_with_initialization_actions",
    ]
    assert all(item.text.startswith("The agent ") for item in found)


@pytest.mark.parametrize(
    "path",
    [
        "tau2/airline/tasks.json",
        "tau2/airline/tasks.corrected.json",
        "tau2/retail/tasks.json",
        "tau2/retail/tasks.corrected.json",
        "tau2/telecom/tasks.json",
        "tau2/banking_knowledge",
    ],
)
def test_real_benchmarks_that_can_be_said(real, path):
    assert real(path, RULE) == []


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2 * ((350 - 122) + (499 - 127))", 1200),
        ("-3 + +4", 1),
        ("$1.50*2", 3),
        (".5 / 2.", 0.25),
        ("2 - 3 - 4", -5),
        ("8 / 4 / 2", 1),
        ("1 / 0", None),
        ("1 +", None),
        ("(1", None),
        ("1)", None),
        ("", None),
        ("2 ** 9", None),
        ("__import__('os')", None),
        ("1 2", None),
        ("9" * 500, None),
        ("(" * 100 + "1" + ")" * 100, None),
    ],
)
def test_expressions(expression, value):
    assert evaluate(expression) == value


NUMBERS = st.integers(0, 999).map(str) | st.decimals(0, 999, places=2).map(str)
EXPRESSIONS = st.recursive(
    NUMBERS,
    lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map("({0[0]} {0[1]} {0[2]})".format),
    max_leaves=8,
)


@given(EXPRESSIONS)
def test_expressions_come_to_what_python_says(expression):
    assert math.isclose(evaluate(expression), eval(expression), rel_tol=1e-9, abs_tol=1e-9)


@given(st.text("0123456789.+-*/() $x", max_size=30))
def test_any_expression_is_read_or_not(expression):
    assert evaluate(expression) is None or isinstance(evaluate(expression), float)

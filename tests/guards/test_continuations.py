"""What is offered while an expression is typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.benchmark.model import Parameter, Tool
from benchlint.guards.continuations import About, continuations

DATA = {
    "orders": {
        f"#W{n}": {
            "status": status,
            "items": [{"sku": "S", "price": 2.5, "colour": {"name": "é"}}],
            "payments": {f"card_{n}": {"source": "card", "balance": n}},
            "tags": ["new"],
        }
        for n, status in enumerate(["pending", "sent", "lost", "sent", "sent"])
    },
    "users": [{"id": "ann", "name": {"first": "Ann"}}, {"id": "tom", "email": "t@x"}],
}
CANCEL = Tool(
    "cancel",
    {
        "order_id": Parameter("order_id", {"type": "string"}, True),
        "reason": Parameter("reason", {"type": "string", "enum": ["late", "by mistake"]}, False),
        "items": Parameter(
            "items",
            {"type": "array", "items": {"type": "object", "properties": {"sku": {}, "count": {"type": "integer"}}}},
            False,
        ),
    },
)
FIND = Tool("find_user", {"email": Parameter("email", {"type": "string"}, True)}, effect="read")
ABOUT = About(own=[CANCEL], tools=[CANCEL, FIND], data=DATA)

CASES = {
    "action.": {"name", "arguments", "requestor"},
    "action.na": {"name", "arguments", "requestor"},
    "1 == 1 && action.arguments.": {"order_id", "reason", "items"},
    "action.arguments.items.": {"all(", "exists(", "exists_one(", "filter(", "map("},
    "action.arguments.items[0].": {"sku", "count"},
    "action.arguments.reason == '": {"late", "by mistake"},
    'action.name in ["cancel", "': {"cancel"},
    "before.exists(b, b.name == '": {"cancel", "find_user"},
    "before.exists(b, b.arguments.": {"order_id", "reason", "items", "email"},
    "before[0].arguments.": {"order_id", "reason", "items", "email"},
    "task.": {"id", "scenario", "actions"},
    "task.actions.filter(a, a.": {"name", "arguments", "requestor"},
    "db.": {"orders", "users"},
    'known("': {"orders", "users"},
    "db.orders[action.arguments.order_id].": {"status", "items", "payments", "tags"},
    "db.orders[action.arguments.order_id].payments[x].": {"source", "balance"},
    "db.orders[x].payments.": set(),
    "db.orders['#W0'].payments['card_0'].": {"source", "balance"},
    "db.orders[x].status != '": {"pending", "sent", "lost"},
    "db.orders[x].status.": {"contains(", "startsWith(", "endsWith(", "matches("},
    "db.orders[x].items.all(i, i.": {"sku", "price", "colour"},
    "db.orders[x].items.filter(i, i.price > 2.0)[0].colour.": {"name"},
    "db.orders[x].items.all(i, i.colour.name == '": {"é"},
    "db.orders[x].items.all(i, db.users[i.sku].": {"id", "name", "email"},
    "db.users[x].name.": {"first"},
    "db.orders['": set(DATA["orders"]),
    "db.orders[x].tags.exists(t, t == '": {"new"},
    "now.": {"getFullYear()", "getMonth()", "getDate()", "getDayOfWeek()", "getHours()", "getMinutes()"},
    "size(action.arguments.": {"order_id", "reason", "items"},
    "(db.users[x].": {"id", "name", "email"},
    "x.now.": set(),
    "odd.": set(),
    "'a text that is not closed": set(),
    "db.orders[x] ": set(),
    "5": set(),
    "db.orders[x].items.map(i, i.price).": set(),
    "[1, 2].": set(),
    "{'a': 1}.": set(),
    "db..": set(),
    "§ db.": set(),
}


@pytest.mark.parametrize("typed", CASES)
def test_what_can_follow(typed):
    found = {item.text for item in continuations(typed, ABOUT)}
    assert found == CASES[typed]


@pytest.mark.parametrize("typed", ["", "a", "1 + ", "size(", "x ? ", "[1, ", "!", "'a' in "])
def test_an_operand_may_be_anything(typed):
    found = {item.text: item for item in continuations(typed, ABOUT)}
    assert found.keys() >= {"action", "task", "db", "before", "now", "known(", "money(", "time(", "size(", "true"}
    assert found["money("].detail.startswith("Return an amount as a number")


def test_the_variable_of_a_comprehension_is_offered_inside_it_alone():
    inside = [item.text for item in continuations("before.exists(b, before.all(c, ", ABOUT)]
    assert inside[:2] == ["c", "b"]
    assert "b" not in [item.text for item in continuations("before.exists(b, true) && ", ABOUT)]
    assert "b" not in [item.text for item in continuations("before.exists(b", ABOUT)]


@given(st.text("abi.()[]{},'\"\\ é&|=0é🎈", max_size=60) | st.text(max_size=30))
def test_nothing_that_is_typed_is_too_odd(typed):
    for item in continuations(typed, ABOUT):
        assert item.text


@pytest.mark.parametrize("typed", ["before.all(b, " * 280 + "b.", "(" * 4000 + "a.", "a[" * 2000 + "db.", "a." * 2040])
def test_a_long_expression_is_no_burden(typed):
    assert continuations(typed, ABOUT) is not None
    assert continuations(typed * 20, ABOUT) == []

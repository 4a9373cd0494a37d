from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchlint.checks.arithmetic import is_derivable
from benchlint.checks.kinds import kind_of
from benchlint.checks.spelling import figures, fold, squeeze

RULE = "undisclosed-argument"
OTHER = "unknown-entity"
TOLD = "You are Zoë Müller, member M-1001 😀."
RECORDS = {
    "members": {
        "M-1001": {"member_id": "M-1001", "name": "Zoë Müller", "born": "1990-02-03", "street": "7 Mühlgasse"},
        "M-1002": {"member_id": "M-1002", "name": "Ana Sá", "born": "1985-11-20", "phone": "(555) 014-2002"},
    },
    "books": {
        "B-2001": {"book_id": "B-2001", "price": 37.5, "copies": {"north": 2, "south": 3}},
        "B-2002": {"book_id": "B-2002", "price": 81, "copies": {"north": 1, "south": 1}},
    },
}


def tool(name, effect, requestor="assistant", **properties):
    return {
        "name": name,
        "effect": effect,
        "requestor": requestor,
        "description": "Such as 'X-777777'.",
        "parameters": {"type": "object", "properties": properties},
    }


TOOLS = [
    tool("get_member", "read"),
    tool("set_member", "write", level={"enum": ["level-4242"]}),
    tool("update_member", "write"),
    tool("create_loan", "write"),
    tool("show_card", "write", "user"),
]
POLICY = "# Rules\n\nToday is 2024-05-15. A lost card costs 64 dollars.\n"


def call(arguments, name="update_member", requestor="assistant"):
    return {"action_id": "a", "name": name, "requestor": requestor, "arguments": arguments}


def task(told, *arguments, identity="1", **fields):
    actions = [item if "action_id" in item else call(item) for item in arguments]
    return {
        "id": identity,
        "user_scenario": {"instructions": f"{TOLD} {told}"},
        "evaluation_criteria": {"actions": actions},
        **fields,
    }


@pytest.fixture
def found(lint):
    def make(*tasks, tools=TOOLS, database=RECORDS, policy=POLICY, rules=(RULE,)):
        files = {"tasks.json": list(tasks), "tools.json": tools, "policy.md": policy}
        if database is not None:
            files["db.json"] = database
        return lint(files, *rules)

    return make


def test_value_that_stands_nowhere_is_found_at_its_characters(found):
    (finding,) = found(task("You move to Köln.", {"zip": "50667"}))
    assert (finding.task, finding.text, finding.severity) == ("1", "50667", "warning")
    assert finding.message == (
        "nothing tells the agent the zip 50667: "
        "it stands neither in the scenario nor in the database, the policy or the tools"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        {"zip": "50667"},
        {"phone": "+49 221 5550142"},
        {"email": "zoe.new@example.org"},
        {"first_name": "Xanthippe"},
        {"passengers": [{"full_name": "Zoë Möller"}]},
        {"dob": "1991-02-03"},
        {"dob": "1991-02-30"},
        {"since_date": "2011-03-14"},
        {"address": "8 Mühlgasse"},
        {"card_id": "credit_card_9513926"},
        {"account_number": 77123456},
        {"serial_number": "Z9-QX"},
        {"bill_no": "B99-X"},
        {"fee_amount": 1234.56},
    ],
    ids=str,
)
def test_values_that_nobody_can_guess(found, arguments):
    assert [item.rule for item in found(task("Please change it.", arguments))] == [RULE]


@pytest.mark.parametrize(
    ("told", "arguments"),
    [
        ("Your zip is 50667.", {"zip": "50667"}),
        ("Your zip is five oh... no, 5 0 6 6 7.", {"zip": "50667"}),
        ("Call 0221 / 555-01-42.", {"phone": "+49 (221) 5550142"}),
        ("My mail is zoe dot new.", {"email": "zoe.new@example.org"}),
        ("Ask for ana.", {"first_name": "Ana"}),
        ("It is for Xanthippé.", {"first_name": "Xanthippe"}),
        ("It is for Möller, Zoë.", {"full_name": "Zoë Möller"}),
        ("他叫王小明。", {"full_name": "Wang Xiaoming"}),
        ("It is for Xavier.", {"full_name": "X. Müller"}),
        ("You were born on February 3rd, 1991.", {"dob": "1991-02-03"}),
        ("You were born on the third of February.", {"dob": "1991-02-03"}),
        ("You were born on 3.2.91.", {"dob": "1991-02-03"}),
        ("You were born on 02/03/1991.", {"dob": "1991-02-03"}),
        ("Du bist am 3. Februar 1991 geboren.", {"dob": "1991-02-03"}),
        ("Next Friday is fine.", {"day": "2024-05-24"}),
        ("In a year.", {"day": "2025-05-15T10:00:00"}),
        ("For ever.", {"day": "9999-12-31"}),
        ("You joined thirteen years ago.", {"since_date": "2011-03-14"}),
        ("You live at 12 Fifth Avenue, apartment four B.", {"address": "12 5th Ave Apt 4B"}),
        ("You live in house number twenty-four.", {"street": "24 Mühlgasse"}),
        ("Use the card ending in 9513926.", {"card_id": "credit_card_9513926"}),
        ("The order is w-81 23.", {"order_id": "#W8123"}),
        ("Pay $1,234.56.", {"fee_amount": 1234.56}),
        ("Pay twelve hundred and thirty dollars.", {"fee_amount": 1230}),
        ("Pay 2k.", {"fee_amount": 2000}),
        ("Use X-777777 as the tool says.", {"card_id": "X-777777"}),
        ("As before.", {"phone": "555-014-2002"}),
        ("As before.", {"born": "1985-11-20"}),
        ("It was lost.", {"fee_amount": 64}),
    ],
    ids=str,
)
def test_values_that_are_told_in_other_words(found, told, arguments):
    assert found(task(told, arguments)) == []


@pytest.mark.parametrize(
    "arguments",
    [
        {"city": "Köln", "state": "NW", "country": "DEU"},
        {"level": "level-4242"},
        {"mode": "4g_5g_preferred"},
        {"summary": "Card 9513926 is lost"},
        {"notes": "Ask 9513926"},
        {"reason": "no longer needed"},
        {"at": "14:30:00"},
        {"capacity": "5000mAh", "size": "1920x1080", "year": "2023", "expires": "05/2027"},
        {"number_of_points": 5000},
        {"amount": 17, "rate_amount": 0.3333},
        {"latitude": 50.9413},
        {"amount": 10**400, "account_number": 10**20},
        {"active": True, "nothing": None, "empty": ""},
        {"pin": "4711", "session_token": "a1b2c3d4"},
        {"expression": "4711 * 815"},
        {"filter": '{"id": "4711815"}'},
        {"homepage": "https://example.org/4711815"},
    ],
    ids=str,
)
def test_values_that_are_left_alone(found, arguments):
    assert found(task("Please change it.", call(arguments, "set_member"))) == []


def test_day_of_another_year_tells_nothing(found):
    for told in ("1970-02-03", "3.2.1970", "03/02/1970", "February 3rd, 1970"):
        assert len(found(task(f"You were born on {told}.", {"dob": "1991-02-03"}))) == 1, told


def test_amounts_that_known_numbers_give(found):
    book = {"book_id": "B-2001", "branch": "north"}
    for amount in (75, 37.5 + 81, 81 - 37.5, 3 * 37.5 - 64, 3750, 18.75 * 3, 81 * 0.9):
        told = "You want B-2001 and B-2002, with 10% off."
        assert found(task(told, {**book, "other": "B-2002", "fee_amount": amount})) == [], amount
    assert found(task("You want a discount.", {**book, "fee_amount": 1234.56}))


def test_amounts_are_left_alone_where_many_numbers_are_known(found):
    many = " ".join(str(number * 97) for number in range(3, 20))
    assert found(task(f"You know {many}.", {"fee_amount": 1234.56})) == []


def test_amounts_are_left_alone_where_a_tool_computes_some(found):
    tools = [*TOOLS, tool("quote_price", "read")]
    assert found(task("Pay it.", {"fee_amount": 1234.56}), tools=tools) == []


@pytest.mark.parametrize(
    "state",
    [
        {"initialization_data": {"agent_data": {"cards": [{"n": 9513926}]}}},
        {"initialization_actions": [{"env_type": "user", "func_name": "f", "arguments": {"x": "9513926"}}]},
        {"message_history": [{"role": "assistant", "content": "Your card is 9513926."}]},
    ],
)
def test_initial_state_tells_values(found, state):
    arguments = {"card_id": "credit_card_9513926"}
    assert found(task("Go on.", arguments, initial_state=state)) == []
    assert len(found(task("Go on.", arguments))) == 1


def test_ticket_tells_values(found):
    assert found(task("Go on.", {"zip": "50667"}, ticket="zip 50667")) == []


def test_only_writes_are_looked_at(found):
    arguments = {"zip": "50667"}
    assert found(task("Go on.", call(arguments, "get_member"))) == []
    assert found(task("Go on.", call(arguments, "no_such_tool"))) == []
    unknown = [tool("update_member", "write")]
    del unknown[0]["effect"]
    assert found(task("Go on.", arguments), tools=unknown) == []


def test_write_of_the_user_speaks_of_the_user(found):
    (finding,) = found(task("Go on.", call({"card_number": "9513926"}, "show_card", "user")))
    assert finding.message.startswith("nothing tells the user the card_number 9513926: ")


def test_ids_that_an_earlier_call_may_create_are_left_alone(found):
    creating, using = call({"member": "M-1001"}, "create_loan"), call({"loan_id": "L-30301"})
    assert found(task("Go on.", creating, using)) == []
    (finding,) = found(task("Go on.", using, creating))
    assert finding.text == "L-30301"


def test_value_in_several_places_is_one_finding(found):
    (finding,) = found(task("Go on.", {"zip": "50667"}, {"zip": "50667"}))
    assert finding.related == ("50667",)


def test_argument_that_is_often_untold_is_left_alone(found):
    tasks = [task("Go on.", {"zip": f"5066{number}"}, identity=str(number)) for number in range(3)]
    assert found(*tasks) == []
    assert len(found(*tasks[:2])) == 2
    told = [task(f"Zip 4066{number}.", {"zip": f"4066{number}"}, identity=f"told {number}") for number in range(8)]
    assert len(found(*tasks, *told)) == 3


def test_database_of_something_else_is_noticed(found):
    arguments = [{f"{letter}_id": f"{letter}-98765"} for letter in "abcdefghijkl"]
    assert found(*(task("Go on.", item, identity=str(item)) for item in arguments)) == []


def test_tasks_with_documents_and_tools_that_read_them_are_left_alone(found):
    assert found(task("Go on.", {"zip": "50667"}, required_documents=["doc_1"])) == []
    tools = [*TOOLS, tool("search_documents", "read")]
    assert found(task("Go on.", {"zip": "50667"}), tools=tools) == []


def test_without_database_nothing_is_said(found):
    assert found(task("Go on.", {"zip": "50667"}), database=None) == []


def test_unknown_entity_speaks_alone(found):
    ids = [f"{letter}-1{letter}" for letter in "ABCDEFGHI"]
    database = {"cards": {item: {"card_id": item} for item in ids}}
    known = task("All of them.", *({"card_id": item} for item in ids), identity="known")
    (finding,) = found(known, task("Go on.", {"card_id": "Z-98765"}), database=database, rules=(RULE, OTHER))
    assert finding.rule == OTHER


def test_record_of_the_same_person_is_offered(found, fixed):
    wrong = {"member_id": "M-1001", "reader": {"name": "Zoë Müller", "born": "1990-03-02"}}
    (finding,) = found(task("It is for yourself.", wrong))
    assert finding.text == "1990-03-02"
    assert finding.message.endswith("; member M-1001 has 1990-02-03")
    assert finding.fixes[0].title == "Replace 1990-03-02 by 1990-02-03"
    assert not finding.fixes[0].safe
    assert '"born": "1990-02-03"' in fixed("tasks.json", RULE)


def test_record_of_another_person_is_not_offered(found):
    (finding,) = found(task("It is for Kim.", {"member_id": "M-1001", "reader": {"name": "Kim", "born": "1990-03-02"}}))
    assert not finding.fixes


def test_slip_of_the_scenario_is_offered(found, fixed):
    (finding,) = found(task("It is for Évelyn 😀 Õtt.", {"first_name": "Évelin"}))
    assert finding.message.endswith("; the scenario has Évelyn")
    assert '"first_name": "Évelyn"' in fixed("tasks.json", RULE)


def test_misspelled_word_of_an_address_is_found_where_the_database_has_the_right_one(found):
    told = "You move to 7 Mühlgasse."
    (finding,) = found(task(told, {"street": "7 Mühlgase"}))
    assert finding.text == "7 Mühlgase"
    assert found(task("You move to 7 Mülgasse.", {"street": "7 Mühlgasse"})) == []


def test_odd_arguments_and_scenarios_are_nothing_to_it(found):
    odd = [{"a": {"b": [[{"zip": []}], {}]}, "": {"": ""}}, {"zip": {"zip": None}}]
    assert found(task("", *odd)) == []
    assert found({"id": "1", "evaluation_criteria": {"actions": [call({"zip": "50667"})]}}) == []


NAMES = st.sampled_from(["dob", "amount", "zip", "phone", "first_name", "address", "email", "card_id", "day"])
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="utf-8")),
    st.dates().map(str),
    st.from_regex(r"[1-9][0-9]{3,12}", fullmatch=True),
)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3))


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(arguments=st.lists(st.dictionaries(NAMES, VALUES, max_size=4), max_size=3), told=st.text(max_size=30))
def test_no_argument_is_too_odd(found, arguments, told):
    told = told.encode("utf-8", "ignore").decode()
    rules = {item.rule for item in found(task(told, *arguments), rules=(RULE, OTHER, "internal-error"))}
    assert rules <= {RULE}


def test_range_is_right_among_accents_emoji_and_line_ends(lint):
    text = (
        '﻿[\r\n{"id": "é😀", "user_scenario": {"instructions": "a\u2028b 😀"},\r\n "evaluation_criteria": '
        '{"actions": [{"action_id": "😀", "name": "update_member", "arguments": {"zip": "50\\u0036é\\u00e967"}}]}}]'
    )
    (finding,) = lint({"tasks.json": text.encode(), "tools.json": TOOLS, "db.json": RECORDS}, RULE)
    assert finding.text == "50\\u0036é\\u00e967"


@pytest.mark.parametrize(
    "path", ["retail", "telecom/tasks.json", "telecom/tasks_small.json", "mock", "banking_knowledge"]
)
def test_real_domains_that_tell_every_value(real, path):
    assert real(f"tau2/{path}", RULE) == []


def test_real_airline(real):
    (finding,) = real("tau2/airline", RULE)
    assert (finding.task, finding.text) == ("35", "1985-04-04")
    assert finding.message.endswith("; user aarav_ahmed_6699 has 1981-05-26")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Two hundred and fifty dollars", "250 dollars"),
        ("twenty-five and a half thousand", "25 and a half 1000"),
        ("the twenty-first of May", "the 21 of May"),
        ("five five five, one", "5 5 5, 1"),
        ("three million two hundred thousand and one", "3200001"),
        ("1,500 and 12,34", "1500 and 12,34"),
        ("the 22nd, at 4th street", "the 22, at 4 street"),
        ("nineteen eighty five", "19 85"),
        ("someone often phones", "someone often phones"),
    ],
)
def test_numbers_in_figures(text, expected):
    assert figures(text) == expected


@given(st.text())
def test_forms_of_any_text_are_stable(text):
    assert fold(fold(text)) == fold(text)
    assert squeeze(squeeze(text)) == squeeze(text)
    assert figures(figures(text)) == figures(text)


@given(st.lists(st.integers(10, 5000), min_size=2, max_size=4, unique=True), st.data())
def test_sums_differences_and_multiples_are_derivable(numbers, data):
    first, second = data.draw(st.permutations(numbers))[:2]
    times = data.draw(st.integers(1, 12))
    for value in (sum(numbers), abs(first - second), times * first, times * (first + second), times * first - second):
        assert is_derivable(value, numbers)


def test_other_numbers_are_not_derivable():
    assert not is_derivable(1234.56, [100, 200])
    assert not is_derivable(17, [])
    assert is_derivable(17, range(100, 120))


@given(st.text(), st.one_of(st.text(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.none()))
def test_any_value_has_a_kind_or_none(argument, value):
    assert kind_of(argument, value) in (None, "date", "amount", "name", "address", "phone", "code")

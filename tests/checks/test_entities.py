from __future__ import annotations

import pytest

RULE = "unknown-entity"
BOOKS = ("Q7Ā-01", "B2-77", "K9-13", "M4-08", "Z1-55", "R6-21", "T3-90", "V8-34", "X5-62")
BASIS = ["DB"]


def parameters(*names):
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}}


def tool(name, effect, *names):
    return {"name": name, "effect": effect, "parameters": parameters(*names)}


TOOLS = [
    tool("get_book", "read", "book_id"),
    tool("lend_book", "write", "book_id"),
    tool("lend_books", "write"),
    tool("add_book", "write", "title"),
    tool("close_day", "write"),
]
DATABASE = {"books": {book: {"book_id": book, "title": f"Über {book} 📚"} for book in BOOKS}}


def calls(*named):
    return [
        {"action_id": f"a{index}", "name": name, "arguments": arguments}
        for index, (name, arguments) in enumerate(named)
    ]


def lending(*books, name="lend_book"):
    return [(name, {"book_id": book}) for book in books]


def task(identity, actions, told="Du möchtest Bücher ausleihen 📖.", **fields):
    criteria = {"actions": calls(*actions), "reward_basis": fields.pop("basis", BASIS)}
    return {
        "id": identity,
        "user_scenario": {"instructions": told},
        "evaluation_criteria": criteria,
        **fields,
    }


KNOWN = task("known", lending(*BOOKS))


@pytest.fixture
def found(lint):
    def make(*tasks, tools=TOOLS, database=DATABASE):
        files = {"tasks.json": [KNOWN, *tasks], "tools.json": tools, "db.json": database}
        return lint(files, RULE)

    return make


def test_id_that_no_record_has_is_found_at_its_characters(found):
    (finding,) = found(task("1", lending("B2-78")))
    assert (finding.task, finding.text, finding.severity) == ("1", "B2-78", "error")
    assert finding.pointer == "/evaluation_criteria/actions/0/arguments/book_id"
    assert finding.message == "book B2-78 is not in the database; book_id is one of its books in 9 of 10 calls"


@pytest.mark.parametrize(
    ("name", "basis", "severity"),
    [
        ("get_book", ["DB"], "warning"),
        ("get_book", ["DB", "ACTION"], "error"),
        ("lend_book", ["DB"], "error"),
    ],
)
def test_severity_is_what_depends_on_the_id(found, name, basis, severity):
    (finding,) = found(task("1", lending("NO-99", name=name), basis=basis))
    assert finding.severity == severity


@pytest.mark.parametrize("told", ["Frag nach Buch no-99!", "Try #NO-99 first."])
def test_id_that_the_scenario_names_is_a_hint_without_a_fix(found, told):
    (finding,) = found(task("1", lending("#NO-99"), told))
    assert finding.severity == "hint"
    assert finding.message.endswith("; the scenario names it")
    assert not finding.fixes


def test_id_inside_a_longer_word_of_the_scenario_is_no_mention(found):
    (finding,) = found(task("1", lending("NO-99"), "Frag nach XNO-99 und NO-999."))
    assert finding.severity == "error"


def test_id_in_the_ticket_is_a_hint(found):
    (finding,) = found(task("1", lending("NO-99"), ticket="Wants NO-99"))
    assert finding.severity == "hint"


def test_one_id_in_several_places_is_one_finding(found):
    (finding,) = found(task("1", [*lending("NO-99", name="get_book"), *lending("NO-99")]))
    assert finding.text == "NO-99"
    assert finding.related == ("NO-99",)
    assert finding.severity == "error"


def test_ids_in_lists_and_nested_objects_are_learned_together(found):
    known = [("lend_books", {"wishes": [{"book_id": book} for book in BOOKS], "ids": list(BOOKS)})]
    wrong = [("lend_books", {"wishes": [{"book_id": "NO-1"}], "ids": ["B2-77", "NO-2"]})]
    first, second = found(task("known too", known), task("1", wrong))
    assert first.pointer.endswith("/arguments/wishes/0/book_id")
    assert first.text == "NO-1"
    assert second.text == "NO-2"
    assert second.message.endswith("ids is one of its books in 10 of 11 values")


def test_fewer_than_eight_different_ids_tell_nothing(lint):
    few = task("known", lending(*BOOKS[:6], *BOOKS[:6]))
    files = {"tasks.json": [few, task("1", lending("NO-99"))], "tools.json": TOOLS, "db.json": DATABASE}
    assert lint(files, RULE) == []


def test_argument_whose_values_are_often_no_ids_tells_nothing(found):
    assert found(task("1", lending("NO-1", "NO-2"))) == []


def test_repeating_a_wrong_id_does_not_unlearn_the_argument(found):
    tasks = [task(str(number), lending("NO-99")) for number in range(5)]
    assert [item.task for item in found(*tasks)] == ["0", "1", "2", "3", "4"]


def test_tool_that_is_given_new_ids_is_left_alone(found):
    defining = [("register", {"book_id": "NEW-1"}), ("register", {"book_id": "NEW-2"})]
    known = {f"N-{number}": {"book_id": f"N-{number}"} for number in range(20)}
    database = {"books": {**DATABASE["books"], **known}}
    more = task("known too", lending(*known))
    tools = [*TOOLS, tool("register", "write", "book_id")]
    assert found(more, task("1", defining), tools=tools, database=database) == []


def test_id_of_another_kind_is_told_so(found):
    database = {**DATABASE, "members": {"Mé-1": {"member_id": "Mé-1"}, "Mé-2": {"member_id": "Mé-2"}}}
    (finding,) = found(task("1", lending("Mé-1")), database=database)
    assert "book Mé-1 is not in the database (a member has this id); " in finding.message


def test_id_that_the_initial_state_brings_exists(found):
    state = {"initialization_data": {"agent_data": {"books": {"NO-99": {"book_id": "NO-99"}}}}}
    call = {"env_type": "assistant", "func_name": "prepare", "arguments": {"wanted": ["NO-98"]}}
    tasks = (
        task("1", lending("NO-99"), initial_state=state),
        task("2", lending("NO-98"), initial_state={"initialization_actions": [call]}),
        task(
            "3", lending("NO-97"), initial_state={"message_history": [{"role": "tool", "content": '{"id": "NO-97"}'}]}
        ),
    )
    database = {"books": {**DATABASE["books"], **{f"N-{n}": {"book_id": f"N-{n}"} for n in range(20)}}}
    assert found(task("more", lending(*database["books"])), *tasks, database=database) == []


def test_ids_that_the_initial_state_brings_unlearn_nothing(found):
    brought = {f"N-{at}": {"book_id": f"N-{at}"} for at in range(5)}
    data = {"agent_data": {"books": brought}, "user_data": None}
    task_of_its_own = task("0", lending(*brought), initial_state={"initialization_data": data})
    (finding,) = found(task_of_its_own, task("1", lending("B2-78")))
    assert (finding.task, finding.text) == ("1", "B2-78")


def test_id_without_its_sign_is_a_slip_whatever_the_scenario_says(lint):
    books = {f"#{book}": {"book_id": f"#{book}"} for book in BOOKS}
    known = task("known", lending(*books))
    files = {"tasks.json": [known, task("1", lending("B2-77"), "Book B2-77, please.")], "db.json": {"books": books}}
    (finding,) = lint({**files, "tools.json": TOOLS}, RULE)
    assert (finding.text, finding.severity, [fix.title for fix in finding.fixes]) == (
        "B2-77",
        "error",
        ["Replace B2-77 by #B2-77"],
    )
    assert finding.message.startswith("book B2-77 is not in the database, which has #B2-77;")


def test_id_that_an_earlier_call_may_create_exists(found):
    creating = ("add_book", {"title": "Ö"})
    assert found(task("1", [creating, *lending("NO-99")])) == []
    (finding,) = found(task("1", [*lending("NO-99"), creating]))
    assert finding.text == "NO-99"
    (finding,) = found(task("1", [("close_day", {}), *lending("NO-99")]))
    assert finding.text == "NO-99"


def test_values_that_the_schema_lists_are_no_ids(found):
    listed = {"name": "lend_book", "effect": "write", "parameters": parameters()}
    listed["parameters"]["properties"] = {"book_id": {"enum": [*BOOKS, "NO-99"]}}
    assert found(task("1", lending("NO-99")), tools=[TOOLS[0], listed]) == []


def test_dates_numbers_and_words_are_no_ids(found):
    values = {"2024-05-01": {}, "12:30": {}, "two words": {}}
    tasks = [task(str(index), lending(value)) for index, value in enumerate((*values, 7, None, True, ""))]
    assert found(*tasks) == []


def test_without_tools_an_id_is_a_warning(lint):
    (finding,) = lint({"tasks.json": [KNOWN, task("1", lending("NO-99"))], "db.json": DATABASE}, RULE)
    assert finding.severity == "warning"


def test_fix_writes_the_id_of_which_it_is_a_slip_in_every_place(found, fixed):
    (finding,) = found(task("1", [*lending("Q7Ā-10", name="get_book"), *lending("Q7Ā-10")]))
    assert finding.fixes[0].title == "Replace Q7Ā-10 by Q7Ā-01"
    assert not finding.fixes[0].safe
    text = fixed("tasks.json", RULE)
    assert "Q7Ā-10" not in text
    assert text.count("Q7Ā-01") == 3


def test_slip_of_two_ids_has_no_fix(found):
    books = {**DATABASE["books"], "B2-71": {"book_id": "B2-71"}}
    (finding,) = found(task("1", lending("B2-78")), database={"books": books})
    assert not finding.fixes


def test_range_is_right_among_accents_emoji_and_line_ends(lint):
    text = (
        '﻿[\r\n{"id": "é😀", "user_scenario": {"instructions": "a\u2028b 😀"}, "evaluation_criteria": {"actions": [\r\n'
    )
    books = [*BOOKS, "Ñ😀-99"]
    lines = [
        f'{{"action_id": "{index}", "name": "lend_book", "arguments": {{"book_id": "{book}"}}}}'
        for index, book in enumerate(books)
    ]
    text += ",\r\n".join(lines) + "]}}]"
    (finding,) = lint({"tasks.json": text.encode(), "tools.json": TOOLS, "db.json": DATABASE}, RULE)
    assert finding.text == "Ñ😀-99"


def test_wrong_shapes_of_arguments_are_nothing_to_it(found):
    odd = [("lend_book", {"book_id": {"book_id": [["B2-77"], {}]}}), ("lend_book", {"": []})]
    assert found(task("1", odd)) == []


def test_real_retail(real):
    found = [(item.task, item.text, item.severity) for item in real("tau2/retail/tasks.json", RULE)]
    assert found == [
        ("2", "6086499569", "warning"),
        ("3", "6086499569", "warning"),
        ("4", "6086499569", "warning"),
        ("21", "4107812777", "hint"),
        ("21", "1421289881", "hint"),
        ("46", "#9502126", "hint"),
        ("46", "#9502127", "hint"),
        ("47", "#9502126", "hint"),
        ("47", "#9502127", "hint"),
    ]


def test_real_message_carries_the_values(real):
    message = real("tau2/retail/tasks.json", RULE)[0].message
    assert message == "product 6086499569 is not in the database; product_id is one of its products in 51 of 57 calls"


@pytest.mark.parametrize(
    "path", ["airline", "telecom/tasks.json", "telecom/tasks_small.json", "mock", "banking_knowledge"]
)
def test_real_domains_without_a_wrong_id(real, path):
    assert real(f"tau2/{path}", RULE) == []

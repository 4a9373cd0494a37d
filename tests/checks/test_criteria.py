from __future__ import annotations

import json

import pytest

RULES = ("unscored-criterion", "vacuous-criterion", "inaction-passes")
NOTHING = {"type": "object", "properties": {}}
TOOLS = [
    {"name": "get_order", "effect": "read", "parameters": NOTHING},
    {"name": "cancel_order", "effect": "write", "parameters": NOTHING},
    {"name": "transfer_to_human_agents", "effect": "generic", "parameters": NOTHING},
    {"name": "transfer_money_to_agent", "effect": "write", "parameters": NOTHING},
    {"name": "mystery", "parameters": NOTHING},
    {"name": "pay", "effect": "write", "requestor": "user", "parameters": NOTHING},
]


def task(*names, identity="1", basis=None, **criteria):
    actions = [{"action_id": str(at), "name": name, "arguments": {}} for at, name in enumerate(names)]
    if basis is not None:
        criteria["reward_basis"] = basis
    return {
        "id": identity,
        "user_scenario": {"instructions": "Say."},
        "evaluation_criteria": {"actions": actions, **criteria},
    }


def linted(lint, *tasks, rule=None, tools=TOOLS):
    files = {"tasks.json": [{**item, "id": str(at)} for at, item in enumerate(tasks)]}
    if tools is not None:
        files["tools.json"] = tools
    return lint(files, *([rule] if rule else RULES))


ASSERTION = [{"env_type": "user", "func_name": "is_on", "arguments": {}}]


@pytest.mark.parametrize(
    ("criteria", "text", "message"),
    [
        (
            {"nl_assertions": ["é"]},
            "nl_assertions",
            '"nl_assertions" is never scored: without a reward_basis only DB and COMMUNICATE count',
        ),
        (
            {"communicate_info": ["é"], "basis": ["DB"]},
            "communicate_info",
            '"communicate_info" is never scored: reward_basis counts only DB',
        ),
        (
            {"env_assertions": ASSERTION, "basis": ["DB", "ACTION"]},
            "env_assertions",
            '"env_assertions" is never scored: reward_basis counts only DB and ACTION',
        ),
        (
            {"communicate_info": ["é"], "basis": []},
            "communicate_info",
            '"communicate_info" is never scored: reward_basis is empty',
        ),
    ],
)
def test_criteria_that_nothing_counts(lint, fixed, criteria, text, message):
    (found,) = linted(lint, task("cancel_order", **criteria), rule="unscored-criterion")
    assert (found.text, found.message, found.task) == (text, message, "0")
    assert found.related == ("evaluation_criteria" if "basis" not in criteria else "reward_basis",)
    assert not lint({"tasks.json": fixed("tasks.json", "unscored-criterion")}, "unscored-criterion")


def test_the_default_stays_when_an_entry_is_added(lint, fixed):
    linted(lint, task("cancel_order", nl_assertions=["é"]))
    after = json.loads(fixed("tasks.json", "unscored-criterion"))
    assert after[0]["evaluation_criteria"]["reward_basis"] == ["DB", "COMMUNICATE", "NL_ASSERTION"]


@pytest.mark.parametrize(
    "criteria",
    [
        {"communicate_info": ["é"]},
        {"nl_assertions": []},
        {"nl_assertions": None},
        {"nl_assertions": ["é"], "basis": ["NL_ASSERTION"]},
        {"env_assertions": ASSERTION, "basis": ["ENV_ASSERTION"]},
        {"basis": ["COMMUNICATE"]},
        {"nl_assertions": ["é"], "basis": ["DB", "NL_ASSERTIONS"]},
    ],
)
def test_criteria_that_count(lint, criteria):
    assert not linted(lint, task("cancel_order", "get_order", **criteria), rule="unscored-criterion")


def test_a_trait_of_the_file_is_one_finding(lint):
    tasks = [task("cancel_order", nl_assertions=["é"]) for _ in range(19)]
    scored = task("cancel_order", nl_assertions=["é"], basis=["DB", "NL_ASSERTION"])
    (found,) = linted(lint, *tasks, scored, task("cancel_order"), rule="unscored-criterion")
    assert (found.text, found.task) == ("nl_assertions", None)
    assert found.message == (
        '"nl_assertions" is never scored in 19 of 21 tasks: without a reward_basis only DB and COMMUNICATE count'
    )
    assert len(linted(lint, *tasks[:9], rule="unscored-criterion")) == 9
    assert len(linted(lint, *tasks, *[scored] * 3, rule="unscored-criterion")) == 19


def test_reasons_that_differ_are_not_told_as_one(lint):
    tasks = [task("cancel_order", communicate_info=["é"], basis=["DB"]) for _ in range(10)]
    other = task("cancel_order", communicate_info=["é"], basis=["DB", "ACTION"])
    (found,) = linted(lint, *tasks, other, rule="unscored-criterion")
    assert found.message == (
        '"communicate_info" is never scored in 11 of 11 tasks: what their reward_basis counts is something else'
    )


def test_a_handoff(lint):
    (found,) = linted(lint, task("cancel_order", "transfer_to_human_agents"), rule="unscored-criterion")
    assert (found.text, found.task) == ("transfer_to_human_agents", "0")
    assert found.message == (
        "the handoff transfer_to_human_agents is never scored: it leaves no trace in the database,"
        " and ACTION does not count"
    )


@pytest.mark.parametrize(
    "criteria",
    [
        {"basis": ["DB", "ACTION"]},
        {"communicate_info": ["You are being transferred."]},
        {"nl_assertions": ["The agent hands the user over."], "basis": ["DB", "NL_ASSERTION"]},
        {"env_assertions": [{**ASSERTION[0], "func_name": "was_transferred"}], "basis": ["DB", "ENV_ASSERTION"]},
    ],
)
def test_a_handoff_that_something_counts(lint, criteria):
    assert not linted(lint, task("cancel_order", "transfer_to_human_agents", **criteria), rule="unscored-criterion")


def test_other_tools_are_no_handoffs(lint):
    names = ("transfer_money_to_agent", "mystery", "get_order", "transfer_to_humans")
    assert not linted(lint, task("cancel_order", *names), rule="unscored-criterion")


def test_handoffs_of_a_whole_file_are_one_finding(lint):
    tasks = [task("cancel_order", "transfer_to_human_agents") for _ in range(10)]
    (found,) = linted(lint, *tasks, rule="unscored-criterion")
    assert found.message.startswith("10 of 10 expected handoffs are never scored (transfer_to_human_agents): ")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("NL_ASSERTION", "NL_ASSERTION always passes: nothing is asserted in words"),
        ("ENV_ASSERTION", "ENV_ASSERTION always passes: the environment is not asserted"),
        ("COMMUNICATE", "COMMUNICATE always passes: nothing is to be communicated"),
    ],
)
def test_an_entry_with_nothing_to_look_at(lint, fixed, entry, message):
    (found,) = linted(lint, task("cancel_order", basis=["DB", entry]), rule="vacuous-criterion")
    assert (found.text, found.message) == (entry, message)
    after = json.loads(fixed("tasks.json", "vacuous-criterion"))
    assert after[0]["evaluation_criteria"]["reward_basis"] == ["DB"]


def test_the_only_entry_is_not_removed(lint):
    (found,) = linted(lint, task(basis=["ACTION"]), rule="vacuous-criterion")
    assert found.message == "ACTION always passes: no action is expected"
    assert found.related == ("actions",)
    assert not found.fixes


def test_the_default_and_the_database_promise_nothing(lint):
    assert not linted(lint, task(), task(basis=["DB"]), rule="vacuous-criterion")


def test_many_entries_with_nothing_to_look_at_are_one_finding(lint):
    empty = [task("cancel_order", basis=["DB", "COMMUNICATE"]) for _ in range(4)]
    full = [task("cancel_order", basis=["DB", "COMMUNICATE"], communicate_info=["é"]) for _ in range(5)]
    (found,) = linted(lint, *empty, *full[:4], rule="vacuous-criterion")
    assert (found.text, found.task) == ("COMMUNICATE", None)
    assert found.message == (
        'COMMUNICATE always passes in 4 of 8 tasks, where nothing is to be communicated: "0", "1", "2", "3"'
    )
    assert len(linted(lint, *empty, *full, rule="vacuous-criterion")) == 4
    assert len(linted(lint, *empty[:3], rule="vacuous-criterion")) == 3


@pytest.mark.parametrize(
    ("item", "text", "message"),
    [
        (task(), "actions", "no action is expected and nothing is to be communicated"),
        (
            task("get_order", communicate_info=[]),
            "actions",
            'its one expected action does not change the database and "communicate_info" is empty',
        ),
        (
            task("get_order", "transfer_to_human_agents", basis=["DB"]),
            "actions",
            "none of its 2 expected actions changes the database",
        ),
        (
            task("get_order", nl_assertions=[], basis=["NL_ASSERTION"]),
            "actions",
            '"nl_assertions" is empty',
        ),
        (task("cancel_order", basis=[]), "actions", "reward_basis is empty"),
        (
            {"id": "1", "user_scenario": {"instructions": "Say."}},
            "0",
            "no action is expected and nothing is to be communicated",
        ),
        (
            {"id": "1", "user_scenario": {"instructions": "Say."}, "evaluation_criteria": {"reward_basis": ["DB"]}},
            "reward_basis",
            "no action is expected",
        ),
    ],
)
def test_doing_nothing_passes(lint, item, text, message):
    (found,) = linted(lint, item, rule="inaction-passes")
    assert found.text == text
    assert found.message == f"an agent that does nothing passes the task: {message}"


@pytest.mark.parametrize(
    "item",
    [
        task("get_order", "cancel_order"),
        task("get_order", "mystery"),
        task("get_order", "not_a_tool"),
        task("get_order", communicate_info=["é"]),
        task("get_order", basis=["DB", "ACTION"]),
        task("get_order", basis=["DB", "NL_ASSERTION"], nl_assertions=["é"]),
        task("get_order", basis=["ENV_ASSERTION"], env_assertions=ASSERTION),
        task("get_order", basis=["DB", "WAVE"]),
        {**task(), "evaluation_criteria": {"actions": [{"name": "pay", "arguments": {}, "requestor": "user"}]}},
        {**task(), "evaluation_criteria": {"actions": [{"name": 3}]}},
        {**task(), "evaluation_criteria": {"actions": "none"}},
    ],
)
def test_doing_nothing_fails_or_may_fail(lint, item):
    assert not linted(lint, item, rule="inaction-passes")


def test_a_benchmark_of_questions_is_one_finding(lint):
    (found,) = linted(lint, *[task("get_order") for _ in range(10)], rule="inaction-passes")
    assert (found.text, found.task) == ("actions", None)
    assert found.message == (
        "an agent that does nothing passes 10 of 10 tasks; in the first, its one expected action does not change"
        " the database and nothing is to be communicated"
    )


def test_without_tools_nobody_knows_what_writes(lint):
    assert not linted(lint, task("get_order"), rule="inaction-passes", tools=None)


def test_formats_that_score_nothing_themselves(lint):
    item = {"id": "a", "description": "Say.", "expected": {"assertions": ["é"], "say": ["x"]}}
    text = "\n".join(json.dumps(line) for line in (item, {**item, "id": "b"}))
    assert not lint({"tasks.jsonl": text, "tools.json": TOOLS}, *RULES)
    scored = {**item, "expected": {**item["expected"], "reward_basis": ["NL_ASSERTION"]}}
    (found,) = lint({"tasks.jsonl": json.dumps(scored)}, *RULES)
    assert (found.rule, found.text) == ("unscored-criterion", "say")
    assert found.message == '"say" is never scored: reward_basis counts only NL_ASSERTION'


def test_python_tasks(lint):
    tasks = """\
TASKS = [
    Task(user_id="u", instruction="Tout ça", actions=[Action(name="get_order", kwargs={})], outputs=[]),
    Task(user_id="u", instruction="It", actions=[Action(name="respond", kwargs={"content": "é"})], outputs=[]),
    Task(user_id="u", instruction="It all", actions=[Action(name="get_order", kwargs={})], outputs=["10"]),
    Task(user_id="u", instruction="All", actions=[Action(name=NAME, kwargs={})], outputs=[]),
    Task(user_id="u", instruction="All of it", actions=ACTIONS, outputs=[]),
]
"""
    found = lint({"tasks_test.py": tasks, "tools.json": TOOLS}, *RULES)
    assert [(item.rule, item.task, item.text) for item in found] == [
        ("inaction-passes", "0", "actions"),
        ("inaction-passes", "1", "actions"),
    ]


def named(found, rule):
    return [item.task for item in found if item.rule == rule]


def test_real_airline(real):
    found = real("tau2/airline/tasks.json", *RULES)
    (trait, handoff) = [item for item in found if item.rule == "unscored-criterion"]
    assert trait.message.startswith('"nl_assertions" is never scored in 50 of 50 tasks: ')
    assert (handoff.task, handoff.text) == ("13", "transfer_to_human_agents")
    unchanged = [0, 1, 4, 5, 6, 10, 13, 26, 28, 31, 34, 36, 41, 43, 45, 46, 47, 48, 49]
    assert named(found, "inaction-passes") == [*map(str, unchanged)]
    assert len(found) == 21


def test_real_retail(real):
    found = real("tau2/retail/tasks.json", *RULES)
    assertions = [item.task for item in found if item.text == "nl_assertions"]
    assert assertions == ["105", "106", "107", "108", "109", "110", "111", "113"]
    assert [item.task for item in found if item.text.startswith("transfer")] == ["10", "12", "26", "50"]
    assert named(found, "inaction-passes") == ["10", "25", "50", "57", "65"]
    assert len(found) == 17


def test_real_corrections(real):
    retail = real("tau2/retail/tasks.corrected.json", *RULES)
    assert named(retail, "unscored-criterion") == ["2", "4", "12", "28", "54", "62", "76"]
    assert named(retail, "vacuous-criterion") == [None]
    assert named(retail, "inaction-passes") == ["12"]
    airline = real("tau2/airline/tasks.corrected.json", *RULES)
    assert [(item.rule, item.task) for item in airline if item.task is None] == [
        ("unscored-criterion", None),
        ("vacuous-criterion", None),
    ]
    assert named(airline, "inaction-passes") == ["2", "34", "36", "38"]


def test_real_telecom_and_banking_are_silent(real):
    assert not real("tau2/telecom", *RULES)
    assert not real("tau2/banking_knowledge", *RULES)
    assert not real("intellagent", *RULES)


def test_real_mock(real):
    found = real("tau2/mock", *RULES)
    assert [(item.rule, item.task, item.text) for item in found] == [
        ("unscored-criterion", "create_task_1_with_env_assertions", "communicate_info"),
        ("inaction-passes", "create_task_1_nl_eval", "create_task_1_nl_eval"),
        ("unscored-criterion", "create_task_1_nl_eval", "nl_assertions"),
        ("unscored-criterion", "update_task_with_history_and_env_assertions", "communicate_info"),
    ]

from __future__ import annotations

import json

RULES = ("invalid-syntax", "invalid-task")
TASK = {"id": "1", "user_scenario": {"instructions": "Say « bonjour » 😀."}}


def test_a_fault_belongs_to_its_task_and_moves_with_it(lint):
    text = json.dumps([TASK, {**TASK, "id": "2"}], ensure_ascii=False, indent=1)
    text = text.replace('"id": "2"', '"id": "2", "id": "2"')
    (found,) = lint({"tasks.json": "\ufeff" + text.replace("\n", "\r\n")}, *RULES)
    assert (found.rule, found.task, found.text) == ("invalid-syntax", "2", '"id"')
    assert found.message == 'the key "id" appears twice in this object; only the last value counts'


def test_what_does_not_parse_belongs_to_no_task(lint):
    (found,) = lint({"tasks.json": json.dumps([TASK])[:-1], "policy.md": "# Rules\n"}, *RULES)
    assert (found.rule, found.task, found.file) == ("invalid-syntax", None, "tasks.json")


def test_files_beside_the_tasks(lint):
    files = {
        "tasks.json": [TASK],
        "tools.json": '[{"name": "a"},\n {"name": "a"}]',
        "db.json": '{"users": {"é": 1}',
        "split_tasks.json": '{"test": ["1",]}',
    }
    found = lint(files, *RULES)
    assert {(item.rule, item.file) for item in found} == {
        ("invalid-syntax", "tools.json"),
        ("invalid-syntax", "db.json"),
        ("invalid-syntax", "split_tasks.json"),
    }
    assert [item.text for item in found if item.file == "tools.json"] == ["a"]


def test_a_slip_is_corrected_safely_and_a_guess_is_not(lint, fixed):
    task = {"id": "1", "user_scenario": {"instruction": "é"}, "annotation": {}, "user_scenarios": 1}
    task["evaluation_criteria"] = {"reward_basis": ["DB", "NL_ASSERTIONS", "ENV"]}
    found = lint({"tasks.json": [task]}, *RULES)
    fixes = {item.text: [(fix.title, fix.safe) for fix in item.fixes] for item in found}
    assert fixes["instruction"] == [('Rename the field to "instructions"', True)]
    assert fixes["annotation"] == [('Rename the field to "annotations"', True)]
    assert fixes["NL_ASSERTIONS"] == [('Change the value to "NL_ASSERTION"', True)]
    assert fixes["user_scenarios"] == []
    assert fixes["ENV"] == []
    after = json.loads(fixed("tasks.json", *RULES, unsafe=False))[0]
    assert after["user_scenario"] == {"instructions": "é"}
    assert after["evaluation_criteria"]["reward_basis"] == ["DB", "NL_ASSERTION", "ENV"]


def test_a_task_that_is_none(lint):
    (found,) = lint({"tasks.yaml": "- id: a\n  user_scenario: {instructions: Say.}\n- é\n"}, *RULES)
    assert (found.rule, found.task, found.text) == ("invalid-task", None, "é")
    assert found.message == "a task must be an object, not a string"


def test_what_stands_beside_the_tasks_is_checked(lint):
    text = 'benchlint: 2\nwave: 1\ntasks:\n  - id: a\n    description: "Say it."\n    expected: {}\n'
    found = lint({"tasks.yaml": text}, *RULES)
    assert [(item.rule, item.text, item.pointer) for item in found] == [
        ("invalid-task", "2", "/benchlint"),
        ("invalid-task", "wave", "/wave"),
    ]


def test_long_faults_are_not_quoted_in_full(lint, tmp_path):
    from benchlint.analysis.run import Options, run
    from benchlint.analysis.snapshot import Snapshot
    from benchlint.config import ConfigLookup

    lint({"tasks.json": [TASK], "tools.json": {"wave": "x" * 5000}}, *RULES)
    result = run([str(tmp_path)], Snapshot(), ConfigLookup(), Options(select=RULES))
    assert [len(item.quote) for item in result.findings] == [500]


def test_fields_that_the_framework_drops_in_a_real_file(real):
    found = real("tau2/banking_knowledge", *RULES)
    assert [(item.rule, item.task, item.text) for item in found] == [
        ("invalid-task", "task_058", "users"),
        ("invalid-task", "task_058", "accounts"),
        ("invalid-task", "task_059", "users"),
        ("invalid-task", "task_059", "accounts"),
        ("invalid-task", "task_091", "persoca"),
    ]


def test_the_other_real_files_are_as_their_formats_say(real):
    for name in ("airline", "retail", "telecom", "mock"):
        assert not real(f"tau2/{name}", *RULES)
    assert not real("intellagent", *RULES)

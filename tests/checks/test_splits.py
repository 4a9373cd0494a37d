from __future__ import annotations

import json

RULE = "unknown-split-task"


def tasks(*ids):
    return [{"id": item, "user_scenario": {"instructions": f"Say {item}."}} for item in ids]


def test_each_unknown_id_is_shown_in_the_split(lint, fixed):
    files = {"tasks.json": tasks("é", 2), "split_tasks.json": {"train": ["é", "x"], "test": ["2", "y", 3]}}
    found = lint(files, RULE)
    assert [(item.text, item.file, item.severity) for item in found] == [
        ("x", "split_tasks.json", "error"),
        ("y", "split_tasks.json", "error"),
        ("3", "split_tasks.json", "error"),
    ]
    assert found[0].message == 'split "train" names task "x", which tasks.json does not have'
    assert json.loads(fixed("split_tasks.json", RULE)) == {"train": ["é"], "test": ["2"]}


def test_many_unknown_ids_are_one_finding(lint):
    (found,) = lint({"tasks.json": tasks("1"), "split_tasks.json": {"all": ["1", *"abcdefghijklm"]}}, RULE)
    assert found.text == "all"
    assert found.message.startswith('13 of 14 entries of split "all" name tasks that tasks.json does not have: "a", ')
    assert found.message.endswith(' "j" and 3 more')


def test_tasks_without_a_split_are_hints(lint):
    found = lint({"tasks.json": tasks("1", "2", "3"), "split_tasks.json": {"a": ["1"], "b": ["1"]}}, RULE)
    assert [(item.text, item.task, item.severity) for item in found] == [("2", "2", "hint"), ("3", "3", "hint")]
    assert found[0].message == 'task "2" is in no split of split_tasks.json'


def test_many_tasks_without_a_split_are_one_hint(lint):
    (found,) = lint({"tasks.json": tasks(*"abcde"), "split_tasks.json": {"a": ["a"]}}, RULE)
    assert (found.text, found.severity, found.task) == ("b", "hint", None)
    assert found.message == '4 of 5 tasks are in no split of split_tasks.json: "b", "c", "d", "e"'


def test_a_variant_has_no_part_in_the_splits(lint):
    files = {"tasks.json": tasks("1", "2"), "tasks_small.json": tasks("1"), "split_tasks.json": {"a": ["1", "2"]}}
    assert not lint(files, RULE)


def test_a_task_that_does_not_parse_may_be_the_one_that_is_named(lint):
    text = '[\n  {"id": "1", "user_scenario": {"instructions": "Say."}},\n  {"id": "2" "user_scenario": {}}\n]\n'
    assert not lint({"tasks.json": text, "split_tasks.json": {"a": ["1", "2"]}}, RULE)


def test_a_file_that_holds_no_splits_is_a_fault_of_its_own(lint):
    found = lint({"tasks.json": tasks("1"), "split_tasks.json": {"a": "1"}}, RULE, "invalid-syntax")
    assert [(item.rule, item.text) for item in found if item.rule == "invalid-syntax"] == [("invalid-syntax", '"a"')]


def test_one_file_of_several_is_not_held_against_the_splits_of_all(lint, tmp_path):
    from benchlint.analysis.run import Options, run
    from benchlint.analysis.snapshot import Snapshot
    from benchlint.config import ConfigLookup

    config = '[[benchmark]]\ntasks = ["a.json", "b.json"]\ntogether = true\nsplits = "splits.json"\n'
    files = {"a.json": tasks("1"), "b.json": tasks("2"), "splits.json": {"all": ["1", "2", "3"]}}
    found = lint({"benchlint.toml": config, **files}, RULE)
    assert [item.text for item in found] == ["3"]
    assert not run([str(tmp_path / "a.json")], Snapshot(), ConfigLookup(), Options(select=(RULE,))).findings

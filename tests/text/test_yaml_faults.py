"""YAML that is broken, hostile or too deep: one fault where a task does not parse, and all other tasks."""

import sys
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.yaml_cases import TASKS, Core, NoAliases, cut, faults, values

from benchlint.text import yaml_events
from benchlint.text.document import BOM
from benchlint.text.locate import locate
from benchlint.text.slices import MAX_DEPTH, UNKNOWN, UNPARSED


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("- a: 1\n- b: 'x\n- c: 3\n", "'x", "the string that starts here does not end"),
        ('- a: 1\n- b: "x\n- c: "3"\n', '"x', "the string that starts here does not end"),
        ("- a: 1\n- b: [1, 2\n- c: 3\n", "[", "the bracket that opens here does not close"),
        ("- a: 1\n- b: [1, 2}\n- c: 3\n", "}", "expected ',' or ']'"),
        ("- a: 1\n- b: {x: 1\n- c: 3\n", "{", "the bracket that opens here does not close"),
        (
            "- a: 1\n- b: x: y\n- c: 3\n",
            ":",
            "':' cannot stand here: the line is indented too far, or the text needs quotation marks",
        ),
        ("- a: 1\n- b: x\n  bare\n- c: 3\n", "bare", "expected ':' after the key"),
        ("- a: 1\n- b: x\n\tc: y\n- c: 3\n", "\t", "a tab cannot indent; YAML wants spaces"),
        ("- a: 1\n- b: @x\n- c: 3\n", "@x", "'@' cannot start a value; the text needs quotation marks"),
        ("- a: 1\n- b: `x`\n- c: 3\n", "`x`", "'`' cannot start a value; the text needs quotation marks"),
        ('- a: 1\n- b: "\\q"\n- c: 3\n', "\\q", "a backslash in a string starts no known escape"),
        ('- a: 1\n- b: "\\ud83d"\n- c: 3\n', "\\ud83d", "an escape names half of a character: a lone surrogate"),
        (
            "- a: 1\n- b:\n    x: 1\n   y: 2\n- c: 3\n",
            "y:",
            "expected a key: the line does not fit the object around it",
        ),
        ("- a: 1\n- b: &x &y z\n- c: 3\n", "&y", None),
    ],
)
@pytest.mark.skipif(not yaml.__with_libyaml__, reason="the messages are those of libyaml")
@pytest.mark.parametrize("key", [False, True])
def test_one_fault_and_all_other_tasks(agree: Any, text: str, where: str, message: str | None, key: bool) -> None:
    if key:
        text = "policy: é\ntasks:\n" + text + "splits:\n- x\nmore: 1\n"
    sliced = cut(text)
    agree(sliced)
    assert values(sliced) == [{"a": 1}, UNPARSED, {"c": "3" if '"3"' in text else 3}]
    assert len(sliced.faults) == 1
    found, said = faults(sliced)[0]
    assert found == where
    assert message in (None, said)
    assert sliced.slices[1].data.startswith(b"b:")
    assert sliced.tree(1).root.kind == "unknown"
    assert sliced.header == ({"policy": "é", "splits": ["x"], "more": 1} if key else {})


@pytest.mark.parametrize("wrap", ["\n", "\r\n", "\r"])
def test_a_broken_file_may_start_with_a_byte_order_mark(wrap: str) -> None:
    sliced = cut("\ufeff- a: 1\n- b: é: '\n- c: 3\n".replace("\n", wrap))
    assert values(sliced) == [{"a": 1}, UNPARSED, {"c": 3}]
    sliced = cut("\ufefftasks:\n- a: 1\n- b: é: '\n- c: 3\n".replace("\n", wrap))
    assert values(sliced) == [{"a": 1}, UNPARSED, {"c": 3}]


def test_a_stray_line_between_tasks_is_of_the_task_before() -> None:
    sliced = cut("tasks:\n- a: 1\nstray: 1\n- b: 2\n- c: 3\npolicy: x\n")
    assert values(sliced) == [UNPARSED, {"b": 2}, {"c": 3}]
    assert len(sliced.faults) == 1
    assert sliced.header == {"policy": "x"}


def test_a_fault_in_the_header_leaves_the_tasks() -> None:
    sliced = cut("policy: 'x\ntasks:\n- a: 1\n- b: 2\n")
    assert values(sliced) == [{"a": 1}, {"b": 2}]
    assert faults(sliced) == [("'x", "the string that starts here does not end")]


def test_a_fault_in_a_document_leaves_the_others() -> None:
    sliced = cut("a: 1\n---\nb: '\n---\n- c\n- d: [\n- e\n")
    assert values(sliced) == [{"a": 1}, UNPARSED, "c", UNPARSED, "e"]
    assert [where for where, _ in faults(sliced)] == ["'", "["]


def test_a_flow_list_is_recovered_by_its_lines() -> None:
    sliced = cut(
        '{\n  "tasks": [\n    {"a": 1},\n    {"b": ]},\n    {"c": 3}\n  ],\n  "more": [\n    {"d": 1}\n  ]\n}\n'
    )
    assert values(sliced) == [{"a": 1}, UNPARSED, {"c": 3}]
    assert [where for where, _ in faults(sliced)] == ["]}"[:1]]
    assert sliced.header == {"more": [{"d": 1}]}


def test_duplicate_keys_are_faults_and_the_last_counts() -> None:
    sliced = cut("- a: 1\n  b: {c: 1, c: 2}\n  a: 3\n- a: 1\n")
    assert values(sliced) == [{"a": 3, "b": {"c": 2}}, {"a": 1}]
    assert faults(sliced) == [
        ("c", 'the key "c" appears twice in this object; only the last value counts'),
        ("a", 'the key "a" appears twice in this object; only the last value counts'),
    ]
    tree = sliced.tree(0)
    assert tree.data[slice(*locate(tree, ("a",)))] == b"3"


def test_a_cycle_is_a_fault(agree: Any) -> None:
    sliced = cut("- a: &a [x, *a]\n  b: 1\n- c: 2\n")
    agree(sliced)
    assert values(sliced) == [{"a": ["x", UNKNOWN], "b": 1}, {"c": 2}]
    assert faults(sliced) == [("*a", "the alias *a stands inside its own anchor: its value would never end")]


def test_an_alias_without_an_anchor_is_a_fault() -> None:
    sliced = cut("- a: *nothing\n- b: 1\n")
    assert values(sliced) == [{"a": UNKNOWN}, {"b": 1}]
    assert faults(sliced) == [("*nothing", "the alias *nothing names no anchor that stands before it")]


def test_an_alias_bomb_is_refused(agree: Any) -> None:
    lines = ["- &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"- &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 40)]
    sliced = cut("\n".join(lines))
    assert [message for _, message in faults(sliced)] == [
        "the aliases of this file stand for more than 1,000,000 values"
    ]
    assert len(sliced.slices) == 40
    for index in (0, 1, 5, 39):
        assert sliced.tree(index).root.kind in ("array", "unknown")


def test_a_merge_bomb_stays_small() -> None:
    lines = ["- &a0 {x: 1}"]
    lines += [f"- &a{level} {{<<: [*a{level - 1}, *a{level - 1}]}}" for level in range(1, 60)]
    sliced = cut("\n".join(lines))
    assert len(sliced.faults) == 1
    assert len(sliced.tree(10).root.entries) == 1


def test_deep_text_is_a_fault_and_no_crash(agree: Any) -> None:
    for deep in ("[" * 50_000, "{a: " * 50_000, "- " * 50_000, "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)):
        sliced = cut(f"- a: 1\n- {deep}\n- c: 3\n")
        assert values(sliced) == [{"a": 1}, UNPARSED, {"c": 3}]
        assert [message for _, message in faults(sliced)] == [f"the text nests more than {MAX_DEPTH} levels deep"]
    fits = "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1)
    sliced = cut(f"- {fits}\n")
    assert sliced.faults == []
    agree(sliced)


def test_depth_counts_through_aliases() -> None:
    half = MAX_DEPTH // 2
    nested = "[" * half + "x" + "]" * half
    sliced = cut(f"- &a {nested}\n- &b {nested.replace('x', '*a')}\n- {nested.replace('x', '*b')}\n")
    messages = [message for _, message in faults(sliced)]
    assert messages == [f"with its aliases the text nests more than {MAX_DEPTH} levels deep"] * 2


def test_a_number_too_long_is_a_fault() -> None:
    digits = "9" * (sys.get_int_max_str_digits() + 1)
    sliced = cut(f"- a: {digits}\n- b: 1\n")
    assert values(sliced) == [{"a": UNKNOWN}, {"b": 1}]
    assert faults(sliced) == [(digits, f"a number of {len(digits)} digits is too long")]
    assert sliced.tree(0).root.child("a").kind == "unknown"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (b"# only a comment\n", "the file is empty"),
        (BOM, "the file is empty"),
        (b"---\n---\n", "the file is empty"),
        ("- a: é\n".encode("utf-16"), "the file is UTF-16; save it as UTF-8"),
        (b"- a\0b\n", "the file is binary: it contains a NUL byte"),
    ],
)
def test_what_is_no_yaml(agree: Any, data: bytes, message: str) -> None:
    sliced = cut(data)
    agree(sliced)
    assert sliced.slices == []
    assert [fault.message for fault in sliced.faults] == [message]


def test_wrong_bytes_leave_the_tasks() -> None:
    sliced = cut(b"- a: caf\xe9\n- b: 1\n- c: x\x07y\n")
    assert values(sliced) == [{"a": "caf?"}, {"b": 1}, {"c": "x?y"}]
    assert [(fault.start, fault.end) for fault in sliced.faults] == [(8, 9), (23, 24)]


def test_every_control_character_is_told() -> None:
    for code in [*range(1, 32), *range(127, 160), 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF, 0xE000]:
        text = f"- a: 'x{chr(code)}y'\n"
        try:
            list(yaml.parse(text, Loader=Core))
            parses = True
        except yaml.YAMLError:
            parses = False
        assert (cut(text).faults == []) is parses


@settings(max_examples=30)
@given(TASKS, st.data())
def test_a_broken_task_leaves_the_others(tasks: list, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(tasks) - 1))
    parts = [yaml.dump([task], Dumper=NoAliases, sort_keys=False, allow_unicode=True) for task in tasks]
    parts[index] = "- broken: [1,\n"
    sliced = cut("tasks:\n" + "".join(parts) + "after: 1\n")
    expected = [yaml.load(part, Loader=Core)[0] if at != index else UNPARSED for at, part in enumerate(parts)]
    assert values(sliced) == expected
    assert [message for _, message in faults(sliced)] == ["the bracket that opens here does not close"]


def test_bounds_are_what_the_messages_say() -> None:
    assert yaml_events.MAX_EXPANDED == 1_000_000

"""YAML slices: every task that parses, ranges that cut out what is meant."""

import math
import re
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from tests.text.yaml_cases import TASK_FILE, TASKS, Core, NoAliases, cut, faults, values

from benchlint.text.document import Document
from benchlint.text.locate import locate
from benchlint.text.slices import UNKNOWN, UNPARSED
from benchlint.text.yaml_text import parse_yaml

STYLES = st.fixed_dictionaries(
    {
        "default_flow_style": st.sampled_from([None, False, True]),
        "default_style": st.sampled_from([None, '"', "'", "|"]),
        "indent": st.sampled_from([2, 4, 7]),
        "width": st.sampled_from([5, 20, 200]),
        "allow_unicode": st.booleans(),
        "explicit_start": st.booleans(),
    }
)
WRAPS = st.sampled_from(["", "\r\n", "\r", "bom", "comment"])


def write(value: Any, style: dict, wrap: str) -> str:
    text = yaml.dump(value, Dumper=NoAliases, sort_keys=False, **style)
    if wrap == "comment":
        return "# é 😀\n\n" + text + "\n# the end\n"
    return "\ufeff" + text if wrap == "bom" else text.replace("\n", wrap or "\n")


@given(TASKS, STYLES, WRAPS, st.sampled_from([None, "tasks", "simulations"]))
def test_slices_are_the_tasks(agree: Any, tasks: list, style: dict, wrap: str, key: str | None) -> None:
    text = write({"policy": "p.md", key: tasks, "more": [1]} if key else tasks, style, wrap)
    expected = yaml.load(text, Loader=Core)
    sliced = cut(text)
    assert sliced.faults == []
    assert values(sliced) == (expected[key] if key else expected)
    assert sliced.header == ({"policy": "p.md", "more": [1]} if key else {})
    assert [piece.pointer for piece in sliced.slices] == [((key, at) if key else (at,)) for at in range(len(tasks))]
    agree(sliced)
    header = sliced.header_tree()
    array = header.find((key,) if key else ())
    assert array is not None
    assert (array.kind, array.items) == ("array", [])
    if key:
        assert header.decode(header.find(("policy",))).text == "p.md"


@pytest.mark.parametrize("wrap", ["", "\r\n", "bom"])
def test_a_file_with_everything(agree: Any, wrap: str) -> None:
    text = "\ufeff" + TASK_FILE if wrap == "bom" else TASK_FILE.replace("\n", wrap or "\n")
    sliced = cut(text)
    agree(sliced)
    assert sliced.faults == []
    assert values(sliced) == yaml.load(text.replace("! 5", "'5'"), Loader=Core)["tasks"]
    assert sliced.slices[1].value["id"] == 7
    assert sliced.slices[1].value["when"] == "12:30"
    assert sliced.slices[1].value["off"] == "no"
    assert sliced.header == {"policy": "policy.md", "splits": ["a", "b"]}
    tree = sliced.tree(0)
    start, end = locate(tree, ("text",), span=(10, 14))
    assert tree.data[start:end] == b"loan"
    start, end = locate(tree, ("flow", "a", 3))
    assert tree.data[start:end] == b"-2.5e3"
    start, end = locate(tree, ("it's",), "key")
    assert tree.data[start:end] == b"it''s"


@pytest.mark.parametrize("wrap", ["", "\r\n", "bom"])
def test_every_prefix_keeps_the_tasks_before_its_end(agree: Any, wrap: str) -> None:
    text = "\ufeff" + TASK_FILE if wrap == "bom" else TASK_FILE.replace("\n", wrap or "\n")
    data = text.encode()
    whole = values(cut(data))
    body = data.find(b"  - id")
    for length in range(0, len(data), 1 if wrap == "" else 3):
        sliced = cut(data[:length])
        agree(sliced)
        assert len(sliced.faults) <= 2
        if length > body + 3:
            found = values(sliced)
            assert found[:-1] == whole[: len(found) - 1]
            assert len(found) == len(re.findall(rb"\n  -[ \r\n]", data[:length] + b"\n"))


@given(
    st.integers(0, len(TASK_FILE)),
    st.integers(0, 12),
    st.sampled_from(["", '"', "'", "[", "}", "\t", ": ", "\n", "- ", "&a ", "*a", "\x01", "---\n"]),
)
def test_an_edit_anywhere_is_survived(agree: Any, at: int, removed: int, typed: str) -> None:
    sliced = cut(TASK_FILE[:at] + typed + TASK_FILE[at + removed :])
    agree(sliced)


@given(st.text(st.sampled_from("-: \n\t[]{}'\"|>&*!#%?,ab1é\u2028\ufeff"), max_size=30))
@example("- ? [a]\n  : b")
@example("&a [*a]")
@example("--- |\n a\n--- b")
def test_any_text_is_survived(agree: Any, text: str) -> None:
    agree(cut(text))


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("12:30", "12:30"),
        ("190:20:30", "190:20:30"),
        ("1_000", "1_000"),
        ("2024-05-15", "2024-05-15"),
        ("2024-05-15T10:00:00Z", "2024-05-15T10:00:00Z"),
        ("007", 7),
        ("0o17", 15),
        ("017", 17),
        ("0x1F", 31),
        ("0b1", "0b1"),
        ("+1", 1),
        ("1.", 1.0),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("1.5e+3", 1500.0),
        ("-.inf", -math.inf),
        ("true", True),
        ("False", False),
        ("tRUE", "tRUE"),
        ("~", None),
        ("", None),
        ("NULL", None),
        ("'1'", "1"),
        ('"true"', "true"),
        ("!!str 1", "1"),
        ("! 1", "1"),
        ("!!int '3'", 3),
        ("!!float 3", 3),
        ("!!null ''", None),
        ("!!int x", UNKNOWN),
        ("!env HOME", UNKNOWN),
        ("!!binary aGk=", UNKNOWN),
        ("!!timestamp 2024-05-15", UNKNOWN),
        ("-", "-"),
        ("=", "="),
        ("<<", "<<"),
        (".", "."),
        ("1.2.3", "1.2.3"),
    ],
)
def test_scalars_have_the_core_schema(source: str, value: Any) -> None:
    if source == "-":
        source = "'-'"
    found = cut(f"- k: {source}\n").slices[0].value["k"]
    assert found == value
    assert type(found) is type(value)


def test_a_key_is_its_text() -> None:
    sliced = cut("- 1: a\n  007: b\n  true: c\n  ~: d\n  1.50: e\n  'q': f\n  !!str x: g\n")
    assert sliced.slices[0].value == {"1": "a", "007": "b", "true": "c", "~": "d", "1.50": "e", "q": "f", "x": "g"}
    tree = sliced.tree(0)
    assert tree.data[slice(*locate(tree, ("007",), "key"))] == b"007"


def test_a_collection_is_no_key() -> None:
    sliced = cut("- {{name}}: a\n")
    assert faults(sliced) == [
        ("{{name}}", "an object or a list cannot be a key; text with brackets needs quotation marks"),
    ]


@pytest.mark.parametrize(
    ("text", "pointers", "found", "header"),
    [
        ("- a\n- b: 1\n", [(0,), (1,)], ["a", {"b": 1}], {}),
        ("tasks:\n- a: 1\nx: 2\n", [("tasks", 0)], [{"a": 1}], {"x": 2}),
        ("x: 1\nsimulations: [{a: 1}]\n", [("simulations", 0)], [{"a": 1}], {"x": 1}),
        ("tasks: 1\nsimulations: [{a: 1}]\n", [("simulations", 0)], [{"a": 1}], {"tasks": 1}),
        ("id: 1\ntext: a\n", [()], [{"id": 1, "text": "a"}], {}),
        ("id: 1\nactions:\n- name: a\n", [()], [{"id": 1, "actions": [{"name": "a"}]}], {}),
        ("tasks:\nx: 2\n", [], [], {"x": 2}),
        ("tasks: []\n", [], [], {}),
        ("[]\n", [], [], {}),
        ("just text\n", [()], ["just text"], {}),
        ("--- {a: 1}\n--- {a: 2}\n", [(), ()], [{"a": 1}, {"a": 2}], {}),
        (
            "a: 1\n---\n- b\n- c\n...\n---\n---\ntasks:\n- d\n",
            [(), (0,), (1,), ("tasks", 0)],
            [{"a": 1}, "b", "c", "d"],
            {},
        ),
    ],
)
def test_where_tasks_stand(text: str, pointers: list, found: list, header: dict) -> None:
    sliced = cut(text)
    assert sliced.faults == []
    assert [piece.pointer for piece in sliced.slices] == pointers
    assert values(sliced) == found
    assert sliced.header == header


def test_another_place_can_be_named() -> None:
    text = "data:\n  cases:\n  - a: 1\n  - a: 2\ntasks:\n- b\n"
    sliced = cut(text, ("data", "cases"))
    assert [piece.pointer for piece in sliced.slices] == [("data", "cases", 0), ("data", "cases", 1)]
    assert cut(text, ("data", "nothing")).slices == []
    broken = cut(text.replace("a: 1", "a: '"), ("data", "cases"))
    assert values(broken) == [UNPARSED, {"a": 2}]


def test_a_text_without_a_list_is_one_slice() -> None:
    sliced = cut("id: 1\ntext: 'x\n")
    assert values(sliced) == [UNPARSED]
    assert sliced.slices[0].data == b"id: 1\ntext: 'x"
    assert len(sliced.faults) == 1


ANCHORS = """\
base: &base
  basis: [DB]
  note: "é"
tasks:
- id: 1
  <<: *base
  note: own
- id: &two "2"
  list: [*two, &x {a: 1}, *x]
- <<: [{a: 1, b: 1}, {b: 2, c: 2}]
  c: 3
"""


def test_anchors_across_tasks_make_the_file_one_slice(agree: Any) -> None:
    sliced = cut(ANCHORS)
    agree(sliced)
    assert sliced.faults == []
    assert values(sliced) == [
        {"basis": ["DB"], "note": "own", "id": 1},
        {"id": "2", "list": ["2", {"a": 1}, {"a": 1}]},
        {"a": 1, "b": 1, "c": 3},
    ]
    assert {(piece.start, piece.end) for piece in sliced.slices} == {(0, len(sliced.document.data))}
    assert [piece.pointer for piece in sliced.slices] == [("tasks", 0), ("tasks", 1), ("tasks", 2)]
    assert len({piece.hash for piece in sliced.slices}) == 3
    tree = sliced.tree(0)
    assert tree.data[slice(*locate(tree, ("basis", 0)))] == b"DB"
    assert tree.data[slice(*locate(tree, ("note",)))] == b"own"
    assert tree.data[slice(*locate(sliced.tree(2), ("b",)))] == b"1"
    assert sliced.header == {"base": {"basis": ["DB"], "note": "é"}}


def test_anchors_within_a_task_leave_it_a_slice(agree: Any) -> None:
    sliced = cut("- a: &x {k: v}\n  b: *x\n- a: &x 1\n  b: *x\n")
    agree(sliced)
    assert values(sliced) == [{"a": {"k": "v"}, "b": {"k": "v"}}, {"a": 1, "b": 1}]
    assert sliced.slices[0].data == b"a: &x {k: v}\n  b: *x"
    assert sliced.slices[0].hash != cut("- a: &x {k: w}\n  b: *x\n").slices[0].hash


def test_an_alias_to_a_later_redefined_anchor_crosses() -> None:
    sliced = cut("- &a x\n- *a\n- &a y\n- *a\n")
    assert values(sliced) == ["x", "x", "y", "y"]
    assert sliced.slices[0].end == len(sliced.document.data)


def test_an_element_ends_where_its_text_ends() -> None:
    sliced = cut("- a: 1   # one\n\n# two\n- |\n  x\n\n\n- |+\n  y\n\n- >-\n  z\n\n-\n- {a: 1} # c\n- 'q'\n")
    assert [piece.data for piece in sliced.slices] == [
        b"a: 1",
        b"|\n  x\n",
        b"|+\n  y\n\n",
        b">-\n  z",
        b"",
        b"{a: 1}",
        b"'q'",
    ]


def test_tag_directives_keep_the_file_together(agree: Any) -> None:
    sliced = cut("%TAG !e! tag:yaml.org,2002:\n---\n- a: !e!str 1\n- b: 2\n")
    agree(sliced)
    assert values(sliced) == [{"a": "1"}, {"b": 2}]


def test_parse_yaml_gives_the_whole_value() -> None:
    value, found = parse_yaml(Document("db.yaml", b"users:\n  u1: {name: no}\n"))
    assert (value, found) == ({"users": {"u1": {"name": "no"}}}, [])
    value, found = parse_yaml(Document("db.yaml", b"users: ["))
    assert value is UNPARSED
    assert len(found) == 1
    assert parse_yaml(Document("db.yaml", b""))[1][0].message == "the file is empty"


def test_the_pure_parser_does_as_well(agree: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    sliced = cut(TASK_FILE)
    agree(sliced)
    assert sliced.faults == []
    assert values(sliced) == yaml.load(TASK_FILE.replace("! 5", "'5'"), Loader=Core)["tasks"]
    for text in ("- a: 1\n- b: 'x\n- c: 3\n", "- a: 1\n- b: [1, 2\n- c: 3\n", "- a: 1\n- b: x: y\n- c: 3\n"):
        sliced = cut(text)
        agree(sliced)
        assert values(sliced) == [{"a": 1}, UNPARSED, {"c": 3}]
        assert len(sliced.faults) == 1
    sliced = cut('- a: "\\ud83d"\n')
    assert sliced.slices[0].value == {"a": "\ufffd"}
    assert len(sliced.faults) == 1

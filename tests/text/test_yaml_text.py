"""YAML slices: every task that parses, one fault where one does not, ranges that cut out what is meant."""

import math
import re
import sys
from typing import Any, ClassVar

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchlint.text import yaml_events
from benchlint.text.document import BOM, Document
from benchlint.text.locate import locate
from benchlint.text.slices import MAX_DEPTH, UNKNOWN, UNPARSED
from benchlint.text.yaml_text import YamlText, parse_yaml, slice_yaml


def cut(text: str | bytes, at: tuple[str, ...] | None = None) -> YamlText:
    return slice_yaml(Document("tasks.yaml", text if isinstance(text, bytes) else text.encode()), at)


def values(sliced: YamlText) -> list[Any]:
    return [piece.value for piece in sliced.slices]


def faults(sliced: YamlText) -> list[tuple[str, str]]:
    data = sliced.document.data
    return [(data[fault.start : fault.end].decode(), fault.message) for fault in sliced.faults]


class Core(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """PyYAML with the core schema of YAML 1.2: what `resolve` is held against."""

    yaml_implicit_resolvers: ClassVar[dict] = {}


for tag, pattern in {
    "null": r"null|Null|NULL|~|",
    "bool": r"true|True|TRUE|false|False|FALSE",
    "int": r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+",
    "float": r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
}.items():
    Core.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(rf"(?:{pattern})\Z"), None)


def _int(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> int:
    return int(node.value, 0 if node.value[:2] in ("0o", "0x") else 10)


Core.add_constructor("tag:yaml.org,2002:int", _int)
Core.add_constructor(
    "tag:yaml.org,2002:float", lambda loader, node: float(node.value.replace(".inf", "inf").replace(".nan", "nan"))
)

LETTERS = "ab \"'é世😀\u2028\u2029\x85\xa0:#-,[]{}\n\t|>&*!%@?~1"
STRINGS = st.text(st.sampled_from(LETTERS), max_size=8) | st.sampled_from(
    ["no", "12:30", "1_000", "2024-05-15", "on", "007", "<<"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | STRINGS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS, inner, max_size=3),
    max_leaves=10,
)
TASKS = st.lists(st.dictionaries(STRINGS, VALUES, min_size=1, max_size=4), min_size=1, max_size=4)
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


class NoAliases(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


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


TASK_FILE = """\
# Tasks of the library, é 😀
policy: policy.md
tasks:
  - id: "lo\\u00e4n_1"   # a comment
    text: Renew the loan — "L-1" é 😀
      and go on

      with a second paragraph.
    folded: >-
      one 😀
      two

        kept
      three
    literal: |+
      a: b
      - c

    'it''s': 'one
      two \u2028 three'
    flow: {a: [1, 0x1F, 0o17, -2.5e3, .inf], "b": null, c: , d: ~}
    "\\x41\\U0001F600": "a \\
      b\\n\u2029 c"
  - id: 007
    when: 12:30
    big: 1_000
    off: no
    day: 2024-05-15
    actions:
    - name: renew
      arguments: {loan: 'L-1', note: "x\u2028y"}
    - name: é
      arguments:
        ? long
        : |2
            indented
           less
  -
    id: third
    empty:
    list:
    - - a
      - b
    -
  - &four
    id: !!str 4
    more: ! 5
splits: [a, b]
"""


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


def test_a_text_without_a_list_is_one_slice() -> None:
    sliced = cut("id: 1\ntext: 'x\n")
    assert values(sliced) == [UNPARSED]
    assert sliced.slices[0].data == b"id: 1\ntext: 'x"
    assert len(sliced.faults) == 1


def test_duplicate_keys_are_faults_and_the_last_counts() -> None:
    sliced = cut("- a: 1\n  b: {c: 1, c: 2}\n  a: 3\n- a: 1\n")
    assert values(sliced) == [{"a": 3, "b": {"c": 2}}, {"a": 1}]
    assert faults(sliced) == [
        ("c", 'the key "c" appears twice in this object; only the last value counts'),
        ("a", 'the key "a" appears twice in this object; only the last value counts'),
    ]
    tree = sliced.tree(0)
    assert tree.data[slice(*locate(tree, ("a",)))] == b"3"


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

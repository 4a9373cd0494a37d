"""JSON slices: every task that parses, one fault where one does not."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchlint.text.document import BOM, Document
from benchlint.text.json_text import parse_json, slice_json, slice_jsonl
from benchlint.text.locate import locate
from benchlint.text.slices import UNPARSED

TELECOM = Path("../shared/data/tau2/telecom/tasks_full.json")

LETTERS = 'ab"\\/\u00e9\u4e16\U0001f600\u2028\u2029\u0085\x0c{}[]:,\n\t'
STRINGS = st.text(st.sampled_from(LETTERS), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | STRINGS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS, inner, max_size=3),
    max_leaves=12,
)
TASKS = st.lists(st.dictionaries(STRINGS, VALUES, max_size=4), max_size=5)
LAYOUTS = st.fixed_dictionaries({"indent": st.sampled_from([None, 0, 2, 4]), "ensure_ascii": st.booleans()})
WRAPS = st.sampled_from(["", "\r\n", "bom"])


def write(value: object, layout: dict, wrap: str) -> Document:
    text = json.dumps(value, **layout)
    if wrap == "\r\n":
        text = text.replace("\n", "\r\n")
    return Document("tasks.json", (BOM if wrap == "bom" else b"") + text.encode())


def leaves(value: object, pointer: tuple = ()):
    yield pointer, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*pointer, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*pointer, index))


@given(TASKS, LAYOUTS, WRAPS, st.booleans())
def test_slices_are_the_tasks(tasks: list, layout: dict, wrap: str, wrapped: bool) -> None:
    value = {"policy": "p.md", "tasks": tasks, "more": [1]} if wrapped else tasks
    sliced = slice_json(write(value, layout, wrap))
    assert [piece.value for piece in sliced.slices] == tasks
    assert sliced.faults == []
    assert sliced.header == ({"policy": "p.md", "more": [1]} if wrapped else {})
    for piece, task in zip(sliced.slices, tasks, strict=True):
        assert json.loads(piece.data) == task


@given(TASKS, LAYOUTS, WRAPS)
def test_every_pointer_cuts_out_its_value(tasks: list, layout: dict, wrap: str) -> None:
    sliced = slice_json(write(tasks, layout, wrap))
    for piece in sliced.slices:
        tree = sliced.tree(piece.index)
        for pointer, value in leaves(piece.value):
            node = tree.find(pointer)
            assert node is not None
            assert json.loads(piece.data[node.start : node.end]) == value
            if pointer and isinstance(pointer[-1], str):
                key = tree.find_key(pointer)
                assert key is not None
                assert json.loads(piece.data[key.start : key.end]) == pointer[-1]
            if isinstance(value, str):
                decoded = tree.decode(node)
                assert decoded.text == value
                for index, character in enumerate(value):
                    start, end = decoded.span(index, index + 1)
                    assert json.loads(b'"' + piece.data[start:end] + b'"') == character


@settings(max_examples=40)
@given(TASKS.filter(bool), LAYOUTS, WRAPS, st.data())
def test_every_prefix_keeps_the_tasks_before_it(tasks: list, layout: dict, wrap: str, data: st.DataObject) -> None:
    whole = write(tasks, layout, wrap)
    ends = [piece.end for piece in slice_json(whole).slices]
    cut = data.draw(st.integers(0, len(whole.data) - 1))
    prefix = slice_json(Document("tasks.json", whole.data[:cut]))
    complete = sum(end <= cut for end in ends)
    assert [piece.value for piece in prefix.slices[:complete]] == tasks[:complete]
    assert prefix.faults
    for piece in prefix.slices:
        assert whole.data[piece.start : piece.end] == piece.data
        prefix.tree(piece.index)
    for fault in prefix.faults:
        assert 0 <= fault.start <= fault.end <= cut


@given(TASKS.filter(lambda tasks: len(tasks) > 2), st.sampled_from([2, 4]), st.data())
def test_a_stray_quote_breaks_one_task_only(tasks: list, indent: int, data: st.DataObject) -> None:
    whole = write(tasks, {"indent": indent, "ensure_ascii": True}, "")
    pieces = slice_json(whole).slices
    broken = data.draw(st.integers(0, len(pieces) - 1))
    piece = pieces[broken]
    at = data.draw(st.integers(piece.start + 1, piece.end - 1))
    damaged = slice_json(Document("x", whole.data[:at] + b'"' + whole.data[at:]))
    values = [item.value for item in damaged.slices]
    assert len(values) == len(tasks)
    assert values[:broken] == tasks[:broken]
    assert values[broken + 1 :] == tasks[broken + 1 :]


@given(st.binary(max_size=60))
def test_no_bytes_crash(data: bytes) -> None:
    for cut in (slice_json, slice_jsonl):
        sliced = cut(Document("x", data))
        for piece in sliced.slices:
            assert 0 <= piece.start <= piece.end <= len(data)
            locate(sliced.tree(piece.index), ("a", 0))
        sliced.header_tree()


@given(TASKS, WRAPS)
def test_json_lines(tasks: list, wrap: str) -> None:
    end = "\r\n" if wrap == "\r\n" else "\n"
    text = end.join(json.dumps(task, ensure_ascii=False) for task in tasks) + end + " " + end
    sliced = slice_jsonl(Document("x", (BOM if wrap == "bom" else b"") + text.encode()))
    assert [piece.value for piece in sliced.slices] == tasks
    assert sliced.faults == []


def faults(text: str | bytes) -> list[tuple[str, str]]:
    data = text if isinstance(text, bytes) else text.encode()
    document = Document("x", data)
    return [
        (fault.message, data[fault.start : fault.end].decode("utf-8", "replace"))
        for fault in slice_json(document).faults
    ]


@pytest.mark.parametrize(
    ("text", "message", "quote"),
    [
        ("", "the file is empty", ""),
        ("[{]", "expected a key in double quotes", "]"),
        ('[{"a":1},]', "a comma stands before the closing bracket", ","),
        ('[{"a":1,}]', "a comma stands before the closing bracket", ","),
        ('[{"a" 1}]', "expected ':' after the key", "1"),
        ('[{"a": "b"c"}]', "expected ',' or a closing bracket", "c"),
        ('[{"a": 1}{"a": 2}]', "',' is missing between two elements", "}"),
        ('[{"a": 1}', "the list that starts in this file does not end: ']' is missing", "}"),
        ('[{"a": 1}] x', "text follows the end of the list", "x"),
        ('[{"a": {"b": 1}}, "c": 2}]', "this bracket closes the element too early", "}"),
        ('[{"a": NaN}]', "NaN is not a JSON number", "NaN"),
        ('[{"a": -Infinity}]', "-Infinity is not a JSON number", "-Infinity"),
        (
            '[{"\u00e9": 1, "\u00e9": 2}]',
            'the key "\u00e9" appears twice in this object; only the last value counts',
            '"\u00e9"',
        ),
        ('[{"\u00e9": "\\ud83d"}]', "\\ud83d is half of a character: a lone surrogate", "\\ud83d"),
        (f'[{{"a": {"1" * 4400}}}]', "a number of 4400 digits is too long", "1" * 4400),
        (f'[{{"a": {"[" * 300}{"]" * 300}}}]', "objects and lists nest more than 200 deep", "["),
        ("[" * 100_000, "objects and lists nest more than 200 deep", "["),
        ('[{"a": "b\n"}]', "the string that starts here does not end on its line", '"b'),
        (b"\xff\xfe[\x00]\x00", "the file is UTF-16; save it as UTF-8", "\ufffd\ufffd"),
        (b'[{"a": "\xe9"}]', "this byte is not UTF-8; save the file as UTF-8", "\ufffd"),
        (b"\x89PNG\x00\x01", "the file is binary: it contains a NUL byte", "\x00"),
    ],
)
def test_a_fault_stands_at_the_words_at_fault(text: str | bytes, message: str, quote: str) -> None:
    assert faults(text) == [(message, quote)]


def test_surrogate_pairs_are_characters() -> None:
    assert faults('[{"a": "\\ud83d\\ude00 \\\\ud800"}]') == []


def test_a_lone_surrogate_is_replaced_in_the_value() -> None:
    (piece,) = slice_json(Document("x", b'[{"a": "x\\ud800y"}]')).slices
    assert piece.value == {"a": "x\ufffdy"}


def test_a_broken_header_keeps_the_tasks() -> None:
    sliced = slice_json(Document("x", b'{"tasks": [{"id": 1}], "policy": }'))
    assert [piece.value for piece in sliced.slices] == [{"id": 1}]
    assert len(sliced.faults) == 1


def test_tasks_under_a_named_place() -> None:
    document = Document("x", b'{"meta": {"n": 1}, "data": {"skip": [0], "examples": [{"id": 1}]}}')
    assert [piece.value for piece in slice_json(document, ("data", "examples")).slices] == [{"id": 1}]


def test_a_whole_value() -> None:
    assert parse_json(Document("x", b'\xef\xbb\xbf{"a": [1]}')) == ({"a": [1]}, [])
    value, found = parse_json(Document("x", b'{"a": '))
    assert value is UNPARSED
    assert len(found) == 1


@pytest.mark.skipif(not TELECOM.exists(), reason="the shared data is not here")
def test_a_stray_quote_in_a_large_file() -> None:
    data = TELECOM.read_bytes()
    at = data.index(b'"toggle_data"', len(data) // 2) + 4
    sliced = slice_json(Document("x", data[:at] + b'"' + data[at:]))
    assert len(sliced.slices) == 2285
    assert sum(piece.value is UNPARSED for piece in sliced.slices) == 1
    assert len(sliced.faults) == 1

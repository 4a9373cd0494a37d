"""Decoding and writing strings, against the parsers that everybody else uses."""

import ast
import itertools
import json
import re
import warnings

import pytest
import yaml
from hypothesis import assume, example, given
from hypothesis import strategies as st

from benchlint.text.python_strings import decode_python, encode_python
from benchlint.text.strings import decode_json, encode_json
from benchlint.text.tree import Decoded
from benchlint.text.yaml_strings import decode_yaml, encode_yaml

TEXT = st.text(
    st.sampled_from("ab 01é世😀\u2028\u2029\x85\xa0\ufeff\t\n\r\x00\x7f\"'\\/#:,-[]{}&*!|>%@`~=._oxnyN"), max_size=8
)
LOADERS = [yaml.SafeLoader, *([yaml.CSafeLoader] if yaml.__with_libyaml__ else [])]


def spans(decoded: Decoded) -> list[tuple[int, int]]:
    return [decoded.span(at, at + 1) for at in range(len(decoded.text))]


def cuts_in_order(decoded: Decoded, start: int, end: int) -> None:
    edges = spans(decoded)
    assert all(start <= first < last <= end for first, last in edges)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(edges))


JSON_PARTS = st.lists(
    st.sampled_from(
        ["a", "é", "😀", "\u2028", "\x7f", "\\n", "\\/", '\\"', "\\\\", "\\u00e9", "\\u0000", "\\ud83d\\ude00"]
    )
    | st.sampled_from(["\\ud83d", "\\ude00", "\\uD83D\\uDE00"]),
    max_size=8,
)


@given(JSON_PARTS, st.binary(max_size=3))
def test_json_is_decoded_as_json_does(parts: list[str], before: bytes) -> None:
    source = '"' + "".join(parts) + '"'
    data = before + source.encode() + b"]"
    start, end = len(before), len(data) - 1
    decoded = decode_json(data, start, end)
    assert decoded.text == json.loads(source)
    cuts_in_order(decoded, start + 1, end - 1)
    assert decoded.span(len(decoded.text), len(decoded.text)) == (end - 1, end - 1)


def test_json_escapes_have_their_own_range() -> None:
    data = '"é\\n\\ud83d\\ude00\\ud83dx"'.encode()
    decoded = decode_json(data, 0, len(data))
    assert decoded.text == "é\n😀\ud83dx"
    assert [data[start:end] for start, end in spans(decoded)] == [
        "é".encode(),
        b"\\n",
        b"\\ud83d\\ude00",
        b"\\ud83d",
        b"x",
    ]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('"abc', "abc"),
        ('"', ""),
        ("", ""),
        ('"a\\', "a\\"),
        ('"a\\q"', "a\\q"),
        ('"a\\u12"', "a\\u12"),
        ('"a\\ud83d\\u"', "a\ud83d\\u"),
        ('"a\\""', 'a"'),
        ('"a\\"', 'a"'),
        ("abc", "abc"),
        ('"a"b"', "a"),
    ],
)
def test_half_typed_json_is_read_as_far_as_it_goes(source: str, text: str) -> None:
    assert decode_json(source.encode(), 0, len(source)).text == text


def test_the_empty_string_has_a_place() -> None:
    assert decode_json(b'  ""', 2, 4).span(0, 0) == (3, 3)
    assert decode_yaml(b"a: ''", 3, 5).span(0, 0) == (4, 4)
    assert decode_python(b"a = ''", 4, 6).span(0, 0) == (5, 5)


def test_bytes_that_are_not_utf8_are_one_character_each() -> None:
    decoded = decode_json(b'"a\xff\xe9b"', 0, 6)
    assert decoded.text == "a\ufffd\ufffdb"
    assert spans(decoded) == [(1, 2), (2, 3), (3, 4), (4, 5)]


@given(st.text(max_size=10) | TEXT)
def test_json_is_written_as_json_reads_it(text: str) -> None:
    source = encode_json(text)
    assert json.loads(source) == text
    assert decode_json(source.encode(), 0, len(source.encode())).text == text


def test_json_keeps_characters_and_escapes_halves() -> None:
    assert encode_json("é\n\ud83d") == '"é\\n\\ud83d"'


YAML_PARTS = st.lists(
    st.sampled_from([" ", "  ", "\n", "\n\n", "\r\n", "\r", "\u2028", "\x85", "\t", "# ", ": "])
    | st.sampled_from(["a", "b", "é", "😀", "x y", "-", "+", "|", "'", "''", '"'])
    | st.sampled_from(
        ["\\n", "\\\\", "\\\n", "\\\r\n  ", "\\x41", "\\u00e9", "\\U0001F600", "\\N", "\\L", "\\_", "\\ "]
    ),
    max_size=10,
).map("".join)
BLOCK_LINES = st.lists(
    st.tuples(st.integers(0, 6), st.sampled_from(["", "a", "é b", "- x", "# c", "\tz", "😀", "k: v"])).map(
        lambda line: " " * line[0] + line[1]
    ),
    max_size=6,
)
BREAKS = st.sampled_from(["\n", "\r\n", "\r"])
PLACES = [("", -1), ("k: ", 0), ("- ", 0), ("- - ", 2), ("a:\n  b: ", 2), ("- k: ", 2)]


def scalar_of(source: str, before: str) -> tuple[bytes, int, int, str] | None:
    """Return the bytes, the range and the value of the scalar that starts behind `before`."""
    try:
        events = list(yaml.parse(source, Loader=LOADERS[-1]))
    except yaml.YAMLError:
        return None
    for event in events:
        if isinstance(event, yaml.ScalarEvent) and event.start_mark.index == len(before):
            start = len(source[: event.start_mark.index].encode())
            return source.encode(), start, len(source[: event.end_mark.index].encode()), event.value
    return None


def check_yaml(source: str, before: str, indent: int) -> None:
    found = scalar_of(source, before)
    assume(found is not None)
    data, start, end, value = found
    decoded = decode_yaml(data, start, end, indent)
    assert decoded.text == value
    cuts_in_order(decoded, start, end)
    last = decoded.span(len(value), len(value))[0]
    assert decode_yaml(data[:last], start, last, indent).text == value


@given(st.sampled_from(PLACES), st.sampled_from(['"', "'", ""]), YAML_PARTS)
def test_yaml_flow_scalars_are_decoded_as_the_parser_does(place: tuple[str, int], quote: str, body: str) -> None:
    before, indent = place
    check_yaml(before + quote + body + quote, before, indent)


@given(
    st.sampled_from(PLACES),
    st.sampled_from("|>"),
    st.sampled_from(["", "-", "+", "1", "2-", "+3", "  # note"]),
    BLOCK_LINES,
    BREAKS,
    st.sampled_from(["", "\n", "\n\n", "\n# c\n"]),
)
@example(("k: ", 0), ">", "", ["  a", "", "  b", "    c", "  d"], "\n", "\n")
@example(("- k: ", 2), "|", "2", ["     a", "    b"], "\r\n", "\n")
@example(("k: ", 0), "|", "+", ["  a", "", ""], "\n", "\n")
def test_yaml_block_scalars_are_decoded_as_the_parser_does(
    place: tuple[str, int], style: str, header: str, lines: list[str], end: str, after: str
) -> None:
    before, indent = place
    check_yaml(before + style + header + end + end.join(lines) + after, before, indent)


def test_a_folded_line_end_is_one_space() -> None:
    data = b"k: one\n   two\n\n  three"
    decoded = decode_yaml(data, 3, len(data), 0)
    assert decoded.text == "one two\nthree"
    assert data[slice(*decoded.span(3, 4))] == b"\n   "
    assert data[slice(*decoded.span(4, 7))] == b"two"
    assert data[slice(*decoded.span(8, 13))] == b"three"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('"abc', "abc"),
        ("'it''s", "it's"),
        ('"a\\', "a\\"),
        ('"a\\q"', "a\\q"),
        ('"\\x4"', "\\x4"),
        ("|", ""),
        (">-\n  a", "a"),
    ],
)
def test_half_typed_yaml_is_read_as_far_as_it_goes(source: str, text: str) -> None:
    assert decode_yaml(source.encode(), 0, len(source)).text == text


OLD = st.sampled_from([b"", b"old", b"'old'", b'"old"', b"|\n  old\n", b">-\n  old"])


@given(TEXT | st.text(max_size=6), OLD, st.sampled_from(["{}", "k: {}", "[{}, 1]", "- k: {}", "{{k: {}}}"]))
@example("no", b"", "{}")
@example("12:30", b"old", "[{}, 1]")
@example("a: b", b"'old'", "k: {}")
@example("y", b"", "k: {}")
@example("0o17", b"", "k: {}")
@example("...", b"", "{}")
def test_yaml_is_written_as_every_yaml_reads_it(text: str, old: bytes, template: str) -> None:
    scalar = encode_yaml(text, old)
    assert "\n" not in scalar.removesuffix("\n")
    wanted = re.sub("[\ud800-\udfff]", "\ufffd", text)
    for loader in LOADERS:
        value = yaml.load(template.format(scalar.removesuffix("\n")), Loader=loader)
        while not isinstance(value, str):
            value = value["k"] if isinstance(value, dict) else value[0]
        assert value == wanted
    data = scalar.encode()
    assert decode_yaml(data, 0, len(data.removesuffix(b"\n"))).text == wanted


@pytest.mark.parametrize(
    ("text", "old", "scalar"),
    [
        ("plain text", b"old", "plain text"),
        ("#W123", b"old", '"#W123"'),
        ("no", b"old", '"no"'),
        ("it's", b"'old'", "'it''s'"),
        ("two\nlines", b"'old'", '"two\\nlines"'),
        ("é", b'"old"', '"é"'),
        ("x", b"|\n  old\n", "x\n"),
        ("x", b">-\n  old", "x"),
        ("12 apples", b"old", "12 apples"),
        ("12", b"old", '"12"'),
    ],
)
def test_yaml_keeps_the_style_where_it_can(text: str, old: bytes, scalar: str) -> None:
    assert encode_yaml(text, old) == scalar


PYTHON_PARTS = st.lists(
    st.sampled_from([" ", "\n", "\r\n", "\r", "\u2028", "\x85", "\t", "\x0c", "a", "é", "😀", "#", "{", "'", "''", '"'])
    | st.sampled_from(
        ["\\n", "\\\\", "\\\n", "\\\r\n", "\\x41", "\\u00e9", "\\ud83d", "\\U0001F600", "\\0", "\\377", "\\18"]
    )
    | st.just("\\N{LATIN SMALL LETTER A}"),
    max_size=6,
).map("".join)
PYTHON_LITERAL = st.tuples(
    st.sampled_from(["", "r", "u", "R", "U"]), st.sampled_from(['"', "'", '"""', "'''"]), PYTHON_PARTS
).map(lambda parts: parts[0] + parts[1] + parts[2] + parts[1])


@given(
    st.lists(
        st.tuples(PYTHON_LITERAL, st.sampled_from(["", " ", "\n", "\r\n\t", "  # it's\n", " \\\n"])),
        min_size=1,
        max_size=3,
    )
)
def test_python_is_decoded_as_python_does(literals: list[tuple[str, str]]) -> None:
    source = "(" + "".join(literal + between for literal, between in literals) + "\n)"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = ast.literal_eval(source)
    except SyntaxError:
        assume(False)
    data = source.encode()
    decoded = decode_python(data, 0, len(data))
    assert decoded.text == value
    cuts_in_order(decoded, 1, len(data) - 1)


def test_joined_strings_have_the_range_of_each_part() -> None:
    data = b"""('one ' # it's\n  "two")"""
    decoded = decode_python(data, 0, len(data))
    assert decoded.text == "one two"
    assert data[slice(*decoded.span(0, 4))] == b"one "
    assert data[slice(*decoded.span(4, 7))] == b"two"
    assert data[slice(*decoded.span(3, 5))] == b""" ' # it's\n  "t"""


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('"abc', "abc"),
        ('"abc\nx', "abc"),
        ("'''a\nb", "a\nb"),
        ('"a\\', "a\\"),
        ('"\\N{no such name}"', "\\N{no such name}"),
        ("", ""),
    ],
)
def test_half_typed_python_is_read_as_far_as_it_goes(source: str, text: str) -> None:
    assert decode_python(source.encode(), 0, len(source)).text == text


@given(TEXT | st.text(max_size=8), st.sampled_from(['"', "'", '"""', "'''"]))
def test_python_is_written_as_python_reads_it(text: str, quote: str) -> None:
    source = encode_python(text, quote)
    assert source.startswith(quote)
    assert ast.literal_eval(source) == text
    data = source.encode()
    assert decode_python(data, 0, len(data)).text == text

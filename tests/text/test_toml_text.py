import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.text.document import Document
from benchlint.text.toml_text import key_range, parse_toml


def place(text, *pointer):
    document = Document("a.toml", text.encode())
    start, end = key_range(document, pointer)
    return document.data[start:end].decode(), start


@pytest.mark.parametrize(
    ("text", "pointer", "found"),
    [
        ("a = 1\nb = 2\n", ("b",), "b"),
        ("[x]\na = 1\n[y]\na = 2\n", ("y", "a"), "a"),
        ("[x . y]\na.b = 1\n", ("x", "y", "a", "b"), "a.b"),
        ('"é" = 1\n["ü"]\n\'ß\' = 1\n', ("ü", "ß"), "'ß'"),
        ("[[a]]\nb = 1\n[[a]]\nb = 2\n", ("a", 1, "b"), "b"),
        ("[[a]]\n[a.m]\nx = 1\n[[a]]\n[a.m]\nx = 2\n", ("a", 1, "m", "x"), "x"),
        ("[[a]]\n[[a.b]]\nx = 1\n[[a.b]]\nx = 2\n", ("a", 0, "b", 1, "x"), "x"),
        ("a = {b = 1, c = {d = 2}}\n", ("a", "b"), "b"),
        ('t = """\n[x]\na = 1\n"""\n[x]\na = 2\n', ("x", "a"), "a"),
    ],
)
def test_finds_keys(text, pointer, found):
    assert place(text, *pointer)[0] == found
    value = tomllib.loads(text)
    for part in pointer:
        value = value[part]


def test_the_right_key_of_several_with_the_same_name():
    text = "[[a]]\r\nb = 1\r\n[[a]]\r\nb = 2\r\n"
    assert place(text, "a", 1, "b")[1] == text.rindex("b = 2")


def test_a_missing_key_is_at_its_table():
    assert place("[x]\na = 1\n", "x", "b") == ("x", 1)
    assert place("a = 1\n", "b") == ("", 0)


@pytest.mark.parametrize(
    ("data", "line", "column", "words"),
    [
        (b"a = 1\nb = \n", 1, 4, "no TOML"),
        (b"a = 1\r\nb == 1\r\n", 1, 3, "no TOML"),
        ("\ufeffx = 'é🙂' y".encode(), 0, 9, "no TOML"),
        (b"a = '\xff'", 0, 5, "not UTF-8"),
        (b"a = " + b"[" * 5000, 0, None, "deep"),
        (b"a = " + b"1" * 5000, 0, None, "digits"),
    ],
)
def test_faults(data, line, column, words):
    from benchlint.text.document import Encoding

    document = Document("a.toml", data)
    value, fault = parse_toml(document)
    assert value == {}
    assert words in fault.message
    place = document.position(fault.start, Encoding.UTF32)
    assert place[0] == line
    assert column is None or place[1] == column


@given(st.text(alphabet=st.sampled_from("a[]{}=.,\"'\n\r #é\U0001f642\u2028\ufeff0"), max_size=60))
def test_any_text_is_read_or_refused(text):
    document = Document("a.toml", text.encode())
    value, fault = parse_toml(document)
    assert fault is None or value == {}
    for pointer in [("a",), ("a", 0, "a"), ("a", "0")]:
        start, end = key_range(document, pointer)
        assert 0 <= start <= end <= len(document.data)

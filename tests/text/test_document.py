"""Offsets and positions agree in all three encodings, whatever the text."""

import re
from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

from benchlint.text.document import BOM, Document, Encoding, width

ENCODINGS = {Encoding.UTF8: "utf-8", Encoding.UTF16: "utf-16-le", Encoding.UTF32: "utf-32-le"}
LINE_END = re.compile(rb"\r\n|\n|\r")
UNIT = {Encoding.UTF8: 1, Encoding.UTF16: 2, Encoding.UTF32: 4}
TEXTS = st.text(st.sampled_from("ab\u00e9\u4e16\U0001f600\u2028\u0085\x0c\r\n\t")).map(str.encode)


def split_lines(text: str) -> list[str]:
    """Split the way editors do: at three line ends and nowhere else."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


@given(TEXTS)
def test_lines_end_at_three_line_ends_only(data: bytes) -> None:
    document = Document("x", data)
    expected = split_lines(data.decode())
    assert [document.line_text(line) for line in range(document.line_count)] == expected


@given(TEXTS, st.sampled_from(list(Encoding)), st.booleans())
def test_a_position_leads_back_to_its_offset(data: bytes, encoding: Encoding, bom: bool) -> None:
    document = Document("x", BOM + data if bom else data)
    offset = document.bom
    for character in data.decode():
        line, column = document.position(offset, encoding)
        start, end = document.line_range(line)
        if offset <= end:
            assert document.offset(line, column, encoding) == max(offset, start)
        offset += len(character.encode())


@given(TEXTS, st.sampled_from(list(Encoding)))
def test_a_column_counts_the_units_of_its_encoding(data: bytes, encoding: Encoding) -> None:
    document = Document("x", data)
    for line, text in enumerate(split_lines(data.decode())):
        start, _ = document.line_range(line)
        for index in range(len(text) + 1):
            prefix = text[:index]
            expected = len(prefix.encode(ENCODINGS[encoding])) // UNIT[encoding]
            assert document.position(start + len(prefix.encode()), encoding) == (line, expected)


@given(TEXTS, st.integers(0, 20), st.integers(0, 20), st.sampled_from(list(Encoding)))
def test_any_position_is_an_offset_at_a_character(data: bytes, line: int, column: int, encoding: Encoding) -> None:
    offset = Document("x", data).offset(line, column, encoding)
    assert 0 <= offset <= len(data)
    data[:offset].decode()
    data[offset:].decode()


def test_a_byte_order_mark_has_no_width() -> None:
    document = Document("x", BOM + "\u00e9x\n".encode())
    assert document.position(3, Encoding.UTF16) == (0, 0)
    assert document.position(5, Encoding.UTF16) == (0, 1)
    assert document.offset(0, 0, Encoding.UTF16) == 3
    assert document.line_text(0) == "\u00e9x"


def test_offsets_outside_the_text_are_its_ends() -> None:
    document = Document("x", b"ab\r\ncd")
    assert document.position(99, Encoding.UTF8) == (1, 2)
    assert document.position(3, Encoding.UTF8) == (0, 2)
    assert document.offset(9, 9, Encoding.UTF8) == 6
    assert document.offset(-1, 0, Encoding.UTF8) == 0


def test_bytes_that_are_not_utf8_still_have_a_width() -> None:
    assert width(b"a\xffb", Encoding.UTF16) == 3
    assert Document("x", b"a\xffb").offset(0, 3, Encoding.UTF16) == 3


EDITS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 6), TEXTS), min_size=1, max_size=8)


@given(TEXTS, EDITS, st.sampled_from([1, 3, 16_384]))
def test_a_spliced_text_is_as_one_made_anew(data: bytes, edits: list[tuple[int, int, bytes]], chunk: int) -> None:
    with mock.patch("benchlint.text.lines._CHUNK", chunk):
        document = Document("x", data)
        for at, length, text in edits:
            start = min(at, len(document.data))
            end = min(start + length, len(document.data))
            document = document.splice(start, end, text)
            data = data[:start] + text + data[end:]
            assert document.data == data
            fresh = Document("x", data)
            assert document.line_count == fresh.line_count == len(LINE_END.findall(data)) + 1
            for line in range(fresh.line_count + 1):
                assert document.line_range(line) == fresh.line_range(line)
            for offset in range(len(data) + 1):
                assert document.position(offset, Encoding.UTF8) == fresh.position(offset, Encoding.UTF8)


@given(TEXTS, EDITS)
def test_a_change_covers_all_edits_since_an_earlier_text(data: bytes, edits: list[tuple[int, int, bytes]]) -> None:
    documents = [Document("x", data)]
    for at, length, text in edits:
        last = documents[-1]
        start = min(at, len(last.data))
        documents.append(last.splice(start, min(start + length, len(last.data)), text))
    new = documents[-1].data
    for earlier in documents[:-1]:
        change = documents[-1].change_since(earlier)
        assert change is not None
        start, old_end, new_end = change
        assert start <= old_end <= len(earlier.data)
        assert earlier.data[:start] + new[start:new_end] + earlier.data[old_end:] == new


def test_texts_of_two_branches_are_not_related() -> None:
    first = Document("x", b"abc")
    left, right = first.splice(0, 1, b"x"), first.splice(2, 3, b"y")
    assert left.change_since(first) == (0, 1, 1)
    assert right.change_since(first) is None
    assert right.change_since(left) is None
    assert first.change_since(left) is None

"""Offsets and positions agree in all three encodings, whatever the text."""

from hypothesis import given
from hypothesis import strategies as st

from benchlint.text.document import BOM, Document, Encoding, width

ENCODINGS = {Encoding.UTF8: "utf-8", Encoding.UTF16: "utf-16-le", Encoding.UTF32: "utf-32-le"}
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

"""From a pointer to a position and back: the text that is cut out is the text meant."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchlint.text.document import BOM, Document, Encoding
from benchlint.text.json_text import slice_json
from benchlint.text.locate import locate
from benchlint.text.slices import UNPARSED

TASKS = [
    {
        "id": f"t{number}",
        "user_scenario": {"instructions": f'Zo\u00eb \U0001f600 asks\u2028for {number} caf\u00e9s\n"now" \u4e16'},
        "evaluation_criteria": {
            "actions": [{"name": "renew\U0001f600", "arguments": {"\u00e9": ["x\u2028y", number]}}]
        },
    }
    for number in range(3)
]
UNITS = {Encoding.UTF8: "utf-8", Encoding.UTF16: "utf-16-le", Encoding.UTF32: "utf-32-le"}
SIZES = {Encoding.UTF8: 1, Encoding.UTF16: 2, Encoding.UTF32: 4}


def documents() -> list[Document]:
    found = []
    for ascii_only in (True, False):
        for line_end in ("\n", "\r\n", "\r"):
            for start in (b"", BOM):
                text = json.dumps(TASKS, indent=2, ensure_ascii=ascii_only).replace("\n", line_end)
                found.append(Document("tasks.json", start + text.encode()))
    return found


def strings(value: object, pointer: tuple = ()):
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from strings(item, (*pointer, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from strings(item, (*pointer, index))


def client_cut(document: Document, start: int, end: int, encoding: Encoding) -> str:
    """Cut a range out of a text the way a client does: by lines and units."""
    text = document.data.removeprefix(BOM).decode().replace("\r\n", "\n").replace("\r", "\n")
    lines = [line.encode(UNITS[encoding]) for line in text.split("\n")]
    (first, left), (last, right) = document.position(start, encoding), document.position(end, encoding)
    assert first == last
    size = SIZES[encoding]
    return lines[first][left * size : right * size].decode(UNITS[encoding])


@pytest.mark.parametrize("encoding", list(Encoding))
@pytest.mark.parametrize("document", documents(), ids=range(12))
def test_a_client_cuts_out_the_words_meant(document: Document, encoding: Encoding) -> None:
    sliced = slice_json(document)
    for piece in sliced.slices:
        tree = sliced.tree(piece.index)
        for pointer, value in strings(piece.value):
            for at in range(len(value)):
                start, end = locate(tree, pointer, "value", (at, at + 1))
                cut = client_cut(document, piece.start + start, piece.start + end, encoding)
                assert json.loads(f'"{cut}"') == value[at]
            if isinstance(pointer[-1], str):
                start, end = locate(tree, pointer, "key")
                cut = client_cut(document, piece.start + start, piece.start + end, encoding)
                assert json.loads(f'"{cut}"') == pointer[-1]


@settings(max_examples=150)
@given(st.sampled_from(documents()), st.sampled_from(list(Encoding)), st.data())
def test_every_prefix(document: Document, encoding: Encoding, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(document.data)))
    while 0 < cut < len(document.data) and document.data[cut] & 0xC0 == 0x80:
        cut -= 1
    prefix = Document("tasks.json", document.data[:cut])
    sliced = slice_json(prefix)
    for piece in sliced.slices:
        if piece.value is UNPARSED:
            continue
        tree = sliced.tree(piece.index)
        for pointer, value in strings(piece.value):
            start, end = locate(tree, pointer)
            assert json.loads(f'"{client_cut(prefix, piece.start + start, piece.start + end, encoding)}"') == value
    for fault in sliced.faults:
        for offset in (fault.start, fault.end):
            assert prefix.offset(*prefix.position(offset, encoding), encoding) <= max(offset, prefix.bom)

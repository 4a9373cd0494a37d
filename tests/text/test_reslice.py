"""Cutting a changed text anew gives what cutting it from the start gives."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchlint.text.document import BOM, Document
from benchlint.text.json_reslice import reslice
from benchlint.text.json_text import JsonText, slice_json

WORDS = st.text(st.sampled_from('ab\u00e9\U0001f600"\\{}[],:'), max_size=5)
TASKS = st.lists(
    st.dictionaries(st.sampled_from(["id", "say"]), WORDS | st.lists(WORDS, max_size=2), max_size=2),
    min_size=5,
    max_size=9,
)
INSERTS = st.sampled_from(
    [
        "",
        "x",
        '"',
        "{",
        "}",
        "]",
        "[",
        ",",
        "\n",
        ":",
        '{"id": 1},',
        '\n  {"id": 2},\n',
        "\u00e9",
        "\\",
        "  ",
        "NaN",
        '"id": 1, "id": 2',
    ]
)


WRAPS = [
    "$",
    " \n$\n\n",
    '{"policy": "p", "tasks": $, "z": 1}',
    '{"policy": "p", "policy": "q", "tasks": $}',
    '{"tasks": $,\n"z": [\n{"id": 1},\n{"id": 2}\n]}\n',
]
"""Texts around a list."""


def shown(sliced: JsonText) -> tuple:
    pieces = [(piece.index, piece.start, piece.end, repr(piece.value), piece.pointer) for piece in sliced.slices]
    return pieces, sliced.faults, sliced.header, sliced.array, sliced.indent


@settings(max_examples=300)
@given(TASKS, st.sampled_from([None, 0, 1, 2]), st.sampled_from(WRAPS), st.sampled_from([b"", BOM]), st.data())
def test_any_edits(tasks: list, indent: int | None, wrap: str, start: bytes, data: st.DataObject) -> None:
    text = start + wrap.replace("$", json.dumps(tasks, indent=indent, ensure_ascii=False)).encode()
    sliced = slice_json(Document("x", text))
    for _ in range(data.draw(st.integers(1, 4))):
        size = len(text)
        at = data.draw(st.integers(0, size) | st.integers(0, min(60, size)) | st.integers(max(0, size - 60), size))
        end = min(len(text), at + data.draw(st.sampled_from([0, 0, 0, 1, 2, 9])))
        inserted = data.draw(INSERTS).encode()
        text = text[:at] + inserted + text[end:]
        sliced = reslice(sliced, Document("x", text), at, end, at + len(inserted))
        assert shown(sliced) == shown(slice_json(Document("x", text)))


@pytest.mark.parametrize("indent", [2, None])
@pytest.mark.parametrize("number", [0, 1, 9, 18, 19])
def test_what_stands_around_an_edit_keeps_its_value(number: int, indent: int | None) -> None:
    tasks = [{"id": str(number)} for number in range(20)]
    text = json.dumps(tasks, indent=indent).encode()
    old = slice_json(Document("x", text))
    at = text.index(b'"%d"' % number) + 1
    new = reslice(old, Document("x", text[:at] + b"x" + text[at:]), at, at, at + 1)
    kept = [one.value is other.value for one, other in zip(old.slices, new.slices, strict=True)]
    assert kept.count(False) == 1
    assert new.slices[number].value == {"id": f"x{number}"}

"""Texts that are cut again after an edit."""

import pytest

from benchlint.benchmark.loader import cut, recut
from benchlint.text.document import Document
from benchlint.text.slices import UNPARSED


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("tasks.yaml", "tasks:\n  - id: é\n    b: 1\n  - id: c\n", "tasks:\n  - \n id: é\n    b: 1\n  - id: c\n"),
        ("tasks.jsonl", '{"id": "é"}\n{"id": "c"}\n', '{"id": "é"} x\n{"id": "c"}\n'),
    ],
    ids=["yaml", "jsonl"],
)
def test_a_text_that_parses_no_longer_where_it_stands_has_no_value(name, good, bad):
    first, second = (cut(Document(name, text.encode())) for text in (good, bad))
    assert UNPARSED in [piece.value for piece in second.slices]
    for earlier, other in ((first, second), (second, first)):
        again = recut(earlier, Document(name, other.document.data))
        assert [piece.value for piece in again.slices] == [piece.value for piece in other.slices]
    kept = recut(first, Document(name, first.document.data + b"\n"))
    assert all(piece.value is known.value for piece, known in zip(kept.slices, first.slices, strict=True))

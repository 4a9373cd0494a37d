"""From a text to slices, by the language of its suffix; again after an edit."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from benchlint.benchmark.sniff import LANGUAGES
from benchlint.text.slices import UNPARSED

if TYPE_CHECKING:
    from benchlint.text.document import Document
    from benchlint.text.slices import Sliced
    from benchlint.text.tree import Pointer


class Unreadable(Exception):  # noqa: N818
    """A file from which nothing can be linted: its path, and why."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def cut(document: Document, at: Pointer | None = None) -> Sliced:
    """Cut a document into slices by the language of its suffix.

    `at` leads to the list of tasks, where it is not at the top.
    """
    language = LANGUAGES.get(PurePath(document.path).suffix.lower())
    if language == "json":
        from benchlint.text.json_text import slice_json

        return slice_json(document, at)
    if language == "jsonl":
        from benchlint.text.json_text import slice_jsonl

        return slice_jsonl(document)
    if language == "yaml":
        from benchlint.text.yaml_text import slice_yaml

        return slice_yaml(document, at)
    if language == "python":
        from benchlint.text.python_text import slice_python

        return slice_python(document)
    if language == "pickle":
        from benchlint.text.pickle_text import slice_pickle

        return slice_pickle(document)
    known = ", ".join(LANGUAGES)
    raise Unreadable(document.path, f"benchlint reads no tasks from such a file; it reads {known}")


def recut(earlier: Sliced, document: Document, at: Pointer | None = None) -> Sliced:
    """Cut a document that was another text before; slices of the same text keep their values.

    In Python a slice's value may depend on text elsewhere: there all are new.
    """
    if earlier.document is document:
        return earlier
    sliced = _recut(earlier, document, at)
    if sliced.language in ("json", "jsonl"):
        from benchlint.text.json_text import JsonText

        assert isinstance(sliced, JsonText)
        if isinstance(earlier, JsonText):
            sliced.take_trees(earlier)
    return sliced


def _recut(earlier: Sliced, document: Document, at: Pointer | None) -> Sliced:
    change = document.change_since(earlier.document)
    if change is not None and earlier.language == "json":
        from benchlint.text.json_reslice import reslice
        from benchlint.text.json_text import JsonText

        assert isinstance(earlier, JsonText)
        if earlier.wanted == at:
            return reslice(earlier, document, *change)
    sliced = cut(document, at)
    if sliced.language in ("json", "jsonl", "yaml") and sliced.language == earlier.language:
        # The same text may parse in one place and not in another.
        values = {piece.hash: piece.value for piece in earlier.slices if piece.value is not UNPARSED}
        for piece in sliced.slices:
            if piece.value is not UNPARSED:
                piece.value = values.pop(piece.hash, piece.value)
    return sliced

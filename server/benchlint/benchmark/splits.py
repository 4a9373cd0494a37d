"""The splits of a benchmark: which tasks are for training, which for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from benchlint.benchmark.model import Field
from benchlint.text.json_text import parse_json
from benchlint.text.json_tree import json_tree
from benchlint.text.slices import UNPARSED, Fault

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchlint.text.document import Document
    from benchlint.text.tree import Tree


class Splits(Struct, frozen=True):
    """Task ids by the name of their split.

    Pointers start at the file's own value. `faults` are the places where the
    file is no list of splits.
    """

    path: str
    by_name: Mapping[str, tuple[Field, ...]]
    faults: tuple[Fault, ...] = ()
    document: Document | None = None

    def tree(self) -> Tree:
        """Return the syntax of the file, which must have one."""
        assert self.document is not None
        return json_tree(self.document.data, parses=True)


def read_splits(document: Document) -> Splits:
    """Read a file of splits: an object of lists of task ids (`split_tasks.json`).

    Ids that are numbers are given as text. What is not of this form is left
    out and named in `faults`.
    """
    value, faults = parse_json(document)
    if value is UNPARSED:
        return Splits(document.path, {}, tuple(faults))
    whole = (document.bom, len(document.data))
    if not isinstance(value, dict):
        faults.append(Fault(*whole, "the file must be an object: the name of each split and its task ids"))
        return Splits(document.path, {}, tuple(faults))
    by_name = {}
    for name, ids in value.items():
        if isinstance(ids, list):
            texts = ((index, item) for index, item in enumerate(ids) if type(item) in (str, int))
            by_name[name] = tuple(Field((name, index), str(item)) for index, item in texts)
        if not isinstance(ids, list) or len(by_name[name]) < len(ids):
            faults.append(Fault(*_place(document, name), f'split "{name}" must be a list of task ids'))
    return Splits(document.path, by_name, tuple(faults), document)


def _place(document: Document, name: str) -> tuple[int, int]:
    """Return the range of a split's name."""
    key = json_tree(document.data, parses=True).find_key((name,))
    return (key.start, key.end) if key else (0, 0)

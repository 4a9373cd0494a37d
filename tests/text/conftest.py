"""What every language's slices must hold to."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from benchlint.text.slices import UNKNOWN, UNPARSED, Sliced
from benchlint.text.tree import Node, Tree


def _agree(tree: Tree, node: Node, value: Any, names: bool) -> None:
    """Assert that a node is the syntax of a value, down to the last character.

    With `names`, a value may come from a name, whose syntax does not tell it.
    """
    assert 0 <= node.start <= node.end <= len(tree.data)
    if names and node.kind == "unknown":
        return
    if isinstance(value, dict):
        assert node.kind == "object"
        assert {key.key for key, _ in node.entries} == set(value)
        for key, item in value.items():
            child = node.child(key)
            assert child is not None
            _agree(tree, child, item, names)
        for key_node, _ in node.entries:
            if key_node.kind == "string":
                assert tree.decode(key_node).text == key_node.key
    elif isinstance(value, list):
        assert node.kind == "array"
        assert len(node.items) == len(value)
        for child, item in zip(node.items, value, strict=True):
            _agree(tree, child, item, names)
    elif isinstance(value, str):
        assert node.kind == "string"
        decoded = tree.decode(node)
        assert decoded.text == value
        spans = [decoded.span(at, at + 1) for at in range(len(value))]
        edges = [edge for span in spans for edge in span]
        assert all(node.start <= edge <= node.end for edge in edges)
        assert all(first[1] <= second[0] for first, second in itertools.pairwise(spans))
        assert all(start < end for start, end in spans)
    elif value is UNKNOWN:
        assert node.kind == "unknown"
    else:
        assert node.kind == "scalar"


@pytest.fixture(scope="session")
def agree() -> Callable[[Sliced], None]:
    """Check the slices of a document: their order, their ranges and every range inside them."""

    def check(sliced: Sliced) -> None:
        data = sliced.document.data
        for index, piece in enumerate(sliced.slices):
            assert piece.index == index
            assert 0 <= piece.start <= piece.end <= len(data)
            assert piece.data == data[piece.start : piece.end]
            tree = sliced.tree(index)
            assert tree is sliced.tree(index)
            assert len(tree.data) == piece.end - piece.start
            if piece.value is not UNPARSED:
                _agree(tree, tree.root, piece.value, sliced.language == "python")
        for fault in sliced.faults:
            assert 0 <= fault.start <= fault.end <= len(data)
            assert fault.message
            assert not fault.message.endswith(".")
        assert len(sliced.header_tree().data) in (0, len(data))

    return check

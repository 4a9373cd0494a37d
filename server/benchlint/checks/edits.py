"""Changes of a task's text that are more than another word in a string's place."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from benchlint.catalogue.finding import Anchor, Edit, Fix
from benchlint.text.document import Encoding
from benchlint.text.slices import UNPARSED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchlint.checks.view import View
    from benchlint.text.tree import Node, Pointer, Tree


def rewriting(view: View, title: str, pointer: Pointer, value: Any, *, safe: bool) -> Fix | None:
    """Return a fix that writes another value in the place of a string or scalar."""
    tree = _tree(view)
    node = tree.find(pointer) if tree else None
    if node is None or node.kind not in ("string", "scalar"):
        return None
    return _fix(view, title, node.start, node.end, _literal(_language(view), value), safe)


def insertion(view: View, title: str, pointer: Pointer, entries: Mapping[str, Any], *, safe: bool) -> Fix | None:
    """Return a fix that adds entries to an object."""
    tree = _tree(view)
    node = tree.find(pointer) if tree else None
    if tree is None or node is None or node.kind != "object":
        return None
    language = _language(view)
    if not _in_brackets(tree, node, b"{}"):
        return _block_insertion(view, title, node, entries, safe) if language == "yaml" else None
    texts = [f"{_literal(language, key)}: {_literal(language, value)}" for key, value in entries.items()]
    if not node.entries:
        return _fix(view, title, node.start + 1, node.end - 1, ", ".join(texts), safe)
    end = node.entries[-1][1].end
    separator = "," + _space_before(tree, node.entries[-1][0], node)
    return _fix(view, title, end, end, "".join(separator + text for text in texts), safe)


def _block_insertion(view: View, title: str, node: Node, entries: Mapping[str, Any], safe: bool) -> Fix | None:
    """Return a fix that adds entries before the first one of a YAML block."""
    if not node.entries:
        return None
    document, at = view.task.slice.document, node.entries[0][0].start
    line, column = document.position(view.task.slice.start + at, Encoding.UTF32)
    if not set(document.line_text(line)[:column]) <= set(" -"):
        return None
    lines = (f"{_yaml_key(key)}: {_literal('yaml', value)}\n{' ' * column}" for key, value in entries.items())
    return _fix(view, title, at, at, "".join(lines), safe)


def _yaml_key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z_]\w*", key, re.ASCII) else json.dumps(key, ensure_ascii=False)


def appending(view: View, title: str, pointer: Pointer, value: Any, *, safe: bool) -> Fix | None:
    """Return a fix that adds an element at the end of a list.

    None where the list is not written in brackets.
    """
    tree = _tree(view)
    node = tree.find(pointer) if tree else None
    if tree is None or node is None or node.kind != "array" or not _in_brackets(tree, node, b"[]"):
        return None
    text = _literal(_language(view), value)
    if not node.items:
        return _fix(view, title, node.start + 1, node.end - 1, text, safe)
    end = node.items[-1].end
    return _fix(view, title, end, end, "," + _space_before(tree, node.items[-1], node) + text, safe)


def removal(view: View, title: str, pointer: Pointer, *, safe: bool) -> Fix | None:
    """Return a fix that takes an element out of a list.

    None where the list is not written in brackets, or where something else
    than a comma, a comment, stands beside the element.
    """
    tree = _tree(view)
    place = element_range(tree, pointer) if tree else None
    return _fix(view, title, *place, "", safe) if place else None


def element_range(tree: Tree, pointer: Pointer) -> tuple[int, int] | None:
    """Return the range of a list's element with the comma that goes with it."""
    parent, index = tree.find(pointer[:-1]), pointer[-1]
    if parent is None or parent.kind != "array" or not _in_brackets(tree, parent, b"[]"):
        return None
    items = parent.items
    if not isinstance(index, int) or index >= len(items):
        return None
    if index:
        start, end = items[index - 1].end, items[index].end
        between = tree.data[start : items[index].start]
    else:
        start = items[0].start
        end = items[1].start if len(items) > 1 else items[0].end
        between = tree.data[items[0].end : end]
    return (start, end) if re.fullmatch(rb"[\s,]*", between) else None


def _tree(view: View) -> Tree | None:
    task = view.task
    source = view.benchmark.source_of(task)
    return None if source.language == "pickle" or task.slice.value is UNPARSED else source.tree(task.slice.index)


def _language(view: View) -> str:
    return view.benchmark.source_of(view.task).language


def _fix(view: View, title: str, start: int, end: int, text: str, safe: bool) -> Fix:
    piece = view.task.slice
    return Fix(title, (Edit(Anchor(piece.document.path, start, end, piece.index), text),), safe)


def _in_brackets(tree: Tree, node: Node, brackets: bytes) -> bool:
    return tree.data[node.start : node.start + 1] + tree.data[node.end - 1 : node.end] == brackets


def _space_before(tree: Tree, node: Node, parent: Node) -> str:
    """Return the white space that leads to a list's or an object's last entry."""
    before = tree.data[parent.start + 1 : node.start]
    space = before[len(before.rstrip(b" \t\r\n")) :].decode()
    return space or " "


def _literal(language: str, value: Any) -> str:
    """Write a plain value in the syntax of its file, on one line."""
    if language == "python":
        return repr(value)
    return json.dumps(value, ensure_ascii=False)

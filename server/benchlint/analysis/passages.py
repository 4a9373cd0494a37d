"""Changes inside a string and inside a list, in the syntax of their file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from benchlint.catalogue.finding import Anchor, Edit, Fix
from benchlint.checks.edits import removal
from benchlint.text.slices import UNPARSED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchlint.checks.view import View
    from benchlint.text.slices import Language
    from benchlint.text.tree import Decoded, Pointer, Tree

_LINE_END = re.compile(rb"[ \t]*(?:\r\n|\r|\n|\Z)")
_COLON = re.compile(rb"([\"']?[ \t]*:)\s*")


def rewritten(view: View, title: str, pointer: Pointer, new: str) -> Fix | None:
    """Return a fix that changes a string of the task into another one.

    Only what differs is written anew where the string's own syntax allows
    it, else the whole string. None where there is no string, nothing
    changes, or the file's syntax has no place for it (a pickle).
    """
    tree = _tree(view)
    node = tree.find(pointer) if tree else None
    if tree is None or node is None or node.kind != "string":
        return None
    old = tree.decode(node)
    if old.text == new:
        return None
    start, end, passage = _difference(old.text, new)
    place = old.span(start, end)
    decode = _decoder(_language(view))
    for source in _sources(_language(view), tree.data[node.start : node.end], passage):
        data = tree.data[: place[0]] + source.encode("utf-8", "surrogatepass") + tree.data[place[1] :]
        end = node.end + len(data) - len(tree.data)
        if decode(tree.data, node.start, node.end).text == old.text and decode(data, node.start, end).text == new:
            return _fix(view, title, *place, source)
    return view.replacement(title, pointer, new, safe=False)


def removed(view: View, title: str, pointer: Pointer) -> Fix | None:
    """Return a fix that takes an element out of a list, in brackets or in a YAML block.

    None where a comment on the element's own line would be left behind.
    """
    fix = removal(view, title, pointer, safe=False)
    tree = _tree(view)
    if fix is not None or tree is None or _language(view) != "yaml":
        return fix
    place = _block_element(tree, pointer)
    return _fix(view, title, *place) if place else None


def _difference(old: str, new: str) -> tuple[int, int, str]:
    """Return the range of the old text that differs, and what stands there in the new one."""
    shortest = min(len(old), len(new))
    start = next((at for at in range(shortest) if old[at] != new[at]), shortest)
    left = shortest - start
    tail = next((at for at in range(left) if old[-1 - at] != new[-1 - at]), left)
    return start, len(old) - tail, new[start : len(new) - tail]


def _sources(language: Language, literal: bytes, passage: str) -> Iterator[str]:
    """Yield ways of writing a passage inside a string like `literal`."""
    from benchlint.text.python_strings import encode_python
    from benchlint.text.strings import encode_json
    from benchlint.text.yaml_strings import encode_yaml

    if language in ("json", "jsonl"):
        yield encode_json(passage)[1:-1]
    elif language == "python":
        for quote in ('"', "'"):
            yield encode_python(passage, quote)[1:-1]
    elif literal[:1] in (b"|", b">") and passage.isprintable():
        yield passage
    elif literal[:1] in (b'"', b"'"):
        source = encode_yaml(passage, literal)
        if source[0].encode() == literal[:1]:
            yield source[1:-1]


def _decoder(language: Language) -> Callable[[bytes, int, int], Decoded]:
    from benchlint.text.python_strings import decode_python
    from benchlint.text.strings import decode_json
    from benchlint.text.yaml_strings import decode_yaml

    return {"python": decode_python, "yaml": decode_yaml}.get(language, decode_json)


def _block_element(tree: Tree, pointer: Pointer) -> tuple[int, int, str] | None:
    """Return the lines of an element of a block list, and what is to stand there."""
    data, parent, index = tree.data, tree.find(pointer[:-1]), pointer[-1]
    if parent is None or parent.kind != "array" or not isinstance(index, int) or index >= len(parent.items):
        return None
    item = parent.items[index]
    start = data.rfind(b"\n", 0, item.start) + 1
    end = item.start + len(data[item.start : item.end].rstrip())
    rest = _LINE_END.match(data, end)
    if rest is None or not re.fullmatch(rb" *- +", data[start : item.start]):
        return None
    if len(parent.items) > 1:
        return start, rest.end(), ""
    key = tree.find_key(pointer[:-1])
    colon = _COLON.fullmatch(data, key.end, start) if key is not None else None
    return (colon.end(1), end, " []") if colon is not None else None


def _tree(view: View) -> Tree | None:
    task = view.task
    source = view.benchmark.source_of(task)
    return None if source.language == "pickle" or task.slice.value is UNPARSED else source.tree(task.slice.index)


def _language(view: View) -> Language:
    return view.benchmark.source_of(view.task).language


def _fix(view: View, title: str, start: int, end: int, text: str) -> Fix:
    piece = view.task.slice
    return Fix(title, (Edit(Anchor(piece.document.path, start, end, piece.index), text),), safe=False)

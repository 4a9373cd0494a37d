"""Python modules of tasks: slices and syntax, read and never run.

The slices are the elements of the module-level lists of tasks: calls
(`Task(...)`) and dictionaries. A name that the module assigns once stands
for its literal value; what would have to be run is `UNKNOWN`. A call is the
object of its named arguments; what it calls is not part of the value.
"""

from __future__ import annotations

import re
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from benchlint.text.python_literals import Literals, bare, called, children, expression, fields, python_parser, syntax
from benchlint.text.python_strings import decode_python
from benchlint.text.slices import UNKNOWN, UNPARSED, Fault, Slice, readable
from benchlint.text.tree import Node, Tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    import tree_sitter

    from benchlint.text.document import Document
    from benchlint.text.slices import Language
    from benchlint.text.tree import Decoded

TASK_FIELDS = frozenset(
    (
        "actions",
        "evaluation_criteria",
        "event_description",
        "expected_behaviour",
        "instruction",
        "user_scenario",
    )
)
"""A dictionary or a call with one of these fields is a task."""

_SPACES = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))
_LIST = re.compile(
    rb"(?:^|(?<=\A\xef\xbb\xbf))(?P<name>[^\W\d]\w*)[ \t]*(?::[^=\r\n]*)?\+?=[ \t]*[\[(][ \t]*(?:#[^\r\n]*)?[\r\n]+"
    rb"(?:[ \t]*(?:#[^\r\n]*)?[\r\n]+)*(?P<indent>[ \t]*)(?P<opening>[\w.]+[ \t]*\(|\{)",
    re.MULTILINE,
)
_STATEMENT = (
    rb"[^\W\d]\w*[ \t]*(?::[^=\r\n]*)?\+?=(?!=)|(?:def|class) \w+[(:]|@\w|import \w+|from [\w.]+ import|if __name__"
)
_TAIL = re.compile(rb"[\s,]*\Z")
_LINE = re.compile(rb"[^\r\n]*")
_LEXEME = re.compile(
    rb"#[^\r\n]*"
    rb"|\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''"
    rb"|\"(?!\"\")(?:[^\"\\\r\n]|\\\r\n|\\.)*\"|'(?!'')(?:[^'\\\r\n]|\\\r\n|\\.)*'"
    rb"|(?P<quote>\"(?:\"\")?|'(?:'')?)"
    rb"|(?P<open>[\[({])|(?P<close>[\])}])",
    re.DOTALL,
)


class PythonText:
    """A Python module cut into slices. See `Sliced`. It has no header."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.language: Language = "python"
        self.slices: list[Slice] = []
        self.faults: list[Fault] = []
        self.header: dict[str, Any] = {}
        self._trees: dict[int, Tree] = {}
        self._counts: dict[str, int] = {}

    def add(self, name: str, start: int, end: int, value: Any, sources: list[bytes]) -> None:
        """Add the next element of the list `name`; `sources` are the constants in its value."""
        position = self._counts.get(name, 0)
        self._counts[name] = position + 1
        piece = Slice(self.document, len(self.slices), start, end, value, (name, position))
        if sources:
            piece = _WithConstants(self.document, len(self.slices), start, end, value, (name, position))
            piece.sources = b"\0".join(sources)
        self.slices.append(piece)

    def tree(self, index: int) -> Tree:
        """Return the syntax of a slice, offsets counted from the slice's start."""
        tree = self._trees.get(index)
        if tree is None:
            piece = self.slices[index]
            root = Node("unknown", 0, len(piece.data))
            if piece.value is not UNPARSED and piece.value is not UNKNOWN:
                root = syntax(expression(python_parser().parse(piece.data).root_node))
            tree = self._trees[index] = Tree(piece.data, root, _decode)
        return tree

    def header_tree(self) -> Tree:
        """Return the syntax of the whole document, which is `unknown`."""
        data = self.document.data
        return Tree(data, Node("unknown", 0, len(data)), _decode)


class _WithConstants(Slice):
    """A task in whose value are constants that stand elsewhere."""

    sources: bytes

    @cached_property
    def hash(self) -> bytes:
        """A hash of the slice's bytes and of its constants, 16 bytes long."""
        return blake2b(self.data + b"\0" + self.sources, digest_size=16).digest()


def _decode(data: bytes, node: Node) -> Decoded:
    return decode_python(data, node.start, node.end)


def slice_python(document: Document) -> PythonText:
    """Cut a Python module into slices: the elements of its lists of tasks, in their order."""
    sliced = PythonText(document)
    text = readable(document, sliced.faults)
    if text is None:
        return sliced
    if not text.strip("\ufeff \t\r\n"):
        sliced.faults.append(Fault(0, 0, "the file is empty"))
        return sliced
    module = python_parser().parse(document.data).root_node
    if module.has_error:
        _recover(sliced, module)
        return sliced
    literals = Literals(document.data, module, sliced.faults)
    for name, elements in _lists(module):
        found = [_resolved(element, literals) for element in elements]
        if any(_is_task(element) for element in found):
            for element in found:
                _add(sliced, name, element, literals)
    return sliced


def _lists(module: tree_sitter.Node) -> Iterator[tuple[str, list[tree_sitter.Node]]]:
    """Yield the elements of each list that the module assigns to a name, or adds to one."""
    for statement in children(module):
        assignment = expression(statement)
        if assignment.type not in ("assignment", "augmented_assignment"):
            continue
        left, right = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
        if left is None or left.type != "identifier" or left.text is None or right is None:
            continue
        pending = [right]
        while pending:
            value = bare(pending.pop())
            if value.type in ("list", "tuple"):
                yield left.text.decode("utf-8", "replace"), children(value)
            elif value.type == "binary_operator" and value.child_count == 3 and value.children[1].type == "+":
                pending += [value.children[2], value.children[0]]


def _resolved(element: tree_sitter.Node, literals: Literals) -> tree_sitter.Node:
    """Return the call or dictionary for which an element stands, if it is the name of one."""
    element = bare(element)
    constant = literals.constant(element) if element.type == "identifier" else None
    return constant if constant is not None and constant.type in ("call", "dictionary") else element


def _is_task(element: tree_sitter.Node) -> bool:
    if element.type == "call" and called(element).endswith("Task"):
        return True
    found = fields(element) if element.type in ("call", "dictionary") else None
    return any(name in TASK_FIELDS for name, _, _ in found or ())


def _add(sliced: PythonText, name: str, element: tree_sitter.Node, literals: Literals, offset: int = 0) -> None:
    literals.sources.clear()
    literals.offset = offset
    value = literals.value(element)
    sliced.add(name, element.start_byte + offset, element.end_byte + offset, value, literals.sources)


class _Found(NamedTuple):
    """A list of tasks in a module that does not parse."""

    name: str
    start: int
    end: int
    pieces: list[tuple[int, int, list[tree_sitter.Node]]]
    """The range of each element by its lines, and what it holds: nothing where it does not parse."""
    faults: list[Fault]


def _recover(sliced: PythonText, module: tree_sitter.Node) -> None:
    """Add the tasks of a module that does not parse: each element of its lists is read alone.

    An element that does not parse is a slice without a value, with one fault.
    A fault outside of the elements counts only where none of them has one.
    """
    data = sliced.document.data
    matches = list(_LIST.finditer(data))
    limits = [match.start() for match in matches[1:]] + [len(data)]
    lists = [found for match, limit in zip(matches, limits, strict=False) if (found := _list(data, match, limit))]
    parts, at = [], 0
    for found in lists:
        parts += [data[at : found.start], data[found.start : found.end].translate(_SPACES)]
        at = found.end
    rest = b"".join([*parts, data[at:]])
    around = python_parser().parse(rest).root_node if lists else module
    literals = Literals(rest, around, [])
    for found in lists:
        literals.faults = list(found.faults)
        for start, stop, elements in found.pieces:
            if not elements:
                tail = _TAIL.search(data[start:stop])
                sliced.add(found.name, start, start + tail.start() if tail else stop, UNPARSED, [])
            for element in elements:
                constant = _resolved(element, literals)
                if constant is element or constant.has_error:
                    _add(sliced, found.name, element, literals, start - 1)
                else:
                    _add(sliced, found.name, constant, literals)
        sliced.faults.extend(sorted(literals.faults, key=lambda fault: fault.start))
    if not lists:
        _add_whole(sliced, module)
    if not any(found.faults for found in lists):
        broken = (rest, around) if around.has_error else (data, module)
        sliced.faults.append(_fault_of(*broken, 0, len(data)))


def _list(data: bytes, match: re.Match[bytes], end: int) -> _Found | None:
    """Read the elements of one list by its lines; None if it is not one of tasks."""
    indent, opening = match["indent"], match["opening"]
    closing = re.compile(rb"^(?:[ \t]{0,%d}[])]|" % max(len(indent) - 1, 0) + _STATEMENT + rb")", re.MULTILINE)
    if stop := closing.search(data, match.end(), end):
        end = stop.start()
    line = re.compile(rb"^" + indent + re.escape(opening), re.MULTILINE)
    starts = [start.start() + len(indent) for start in line.finditer(data, match.start("indent"), end)]
    found = _Found(match["name"].decode(), starts[0], end, [], [])
    for start, stop_at in zip(starts, [*starts[1:], end], strict=True):
        root = python_parser().parse(b"[" + data[start:stop_at] + b"\n]").root_node
        array = expression(root)
        if root.has_error:
            found.faults.append(_fault_of(data, root, start, stop_at, start - 1))
        whole = not root.has_error and array.type == "list"
        found.pieces.append((start, stop_at, list(map(bare, children(array))) if whole else []))
    read = [element for _, _, elements in found.pieces for element in elements]
    named = not read and opening.rstrip(b" \t(").endswith(b"Task")
    return found if named or any(map(_is_task, read)) else None


def _add_whole(sliced: PythonText, module: tree_sitter.Node) -> None:
    """Add the elements that the parser sees in a module that does not parse."""
    literals = Literals(sliced.document.data, module, sliced.faults)
    for name, elements in _lists(module):
        found = [_resolved(element, literals) for element in elements]
        if any(map(_is_task, found)):
            for element in found:
                if element.has_error:
                    sliced.add(name, *element.byte_range, UNPARSED, [])
                else:
                    _add(sliced, name, element, literals)


def _fault_of(data: bytes, root: tree_sitter.Node, start: int, end: int, offset: int = 0) -> Fault:
    """Say where the text `data[start:end]` stops being Python, and why.

    `root` is its syntax, in which places are less by `offset`.
    """
    open_brackets: list[tuple[int, bytes]] = []
    for token in _LEXEME.finditer(data, start, end):
        kind, text = token.lastgroup, token[0]
        if kind == "quote":
            line = _LINE.match(data, token.start(), end)
            stop = line.end() if line else token.end()
            return Fault(token.start(), stop, "the string that starts here does not end")
        if kind == "open":
            open_brackets.append((token.start(), text))
        elif kind == "close":
            at, opening = open_brackets.pop() if open_brackets else (0, b"")
            if not opening:
                return Fault(*token.span(), f"'{text.decode()}' closes no bracket")
            if opening + text not in (b"()", b"[]", b"{}"):
                message = f"'{text.decode()}' does not match the '{opening.decode()}' that is open here"
                return Fault(*token.span(), message)
    if open_brackets:
        at = open_brackets[-1][0]
        return Fault(at, at + 1, "the bracket that opens here does not close")
    error = _first_error(root)
    at = min(max(error.start_byte + offset, start), end)
    stop = min(max(error.end_byte + offset, at), end)
    if error.is_missing:
        return Fault(at, stop, f"'{error.type}' is missing here")
    line = _LINE.match(data, at, stop)
    return Fault(
        at, line.end() if line and line.end() > at else stop, "this is no Python: something is missing or too much"
    )


def _first_error(root: tree_sitter.Node) -> tree_sitter.Node:
    """Return the innermost node that holds the first error."""
    while not (root.is_error or root.is_missing):
        inner = next((child for child in root.children if child.has_error or child.is_missing), None)
        if inner is None:
            break
        root = inner
    return root

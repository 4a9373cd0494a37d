"""What can be read of a Python expression without running it: its value and its syntax."""

from __future__ import annotations

import re
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final

from benchlint.text.python_strings import decode_python
from benchlint.text.slices import MAX_DEPTH, UNKNOWN, Fault
from benchlint.text.tree import Node

if TYPE_CHECKING:
    from collections.abc import Iterator

    import tree_sitter

MAX_EXPANDED: Final = 100_000
"""How many values the names of one file may stand for."""

MAX_JOINED: Final = 1_000_000
"""How long a string put together with `+` may be."""

_CONSTANTS = {"true": True, "false": False, "none": None}
_INTEGER = re.compile(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|[0-9]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORD = re.compile(rb"[^\W\d]\w*")
_VALUES = {"keyword_argument": "value", "attribute": "object"}
"""Where a name stands beside another that only looks like it."""
_POSITIONS = {"Action": ("name", "kwargs")}
"""The fields of the calls whose arguments may come without a name."""

_READS = frozenset(
    (
        "argument_list",
        "binary_operator",
        "concatenated_string",
        "dictionary_splat",
        "expression_list",
        "expression_statement",
        "interpolation",
        "keyword_argument",
        "list",
        "list_splat",
        "pair",
        "parenthesized_expression",
        "return_statement",
        "tuple",
        "unary_operator",
    )
)
"""The syntax in which a name is only read."""


@cache
def python_parser() -> tree_sitter.Parser:
    """Return the parser of Python."""
    import tree_sitter
    import tree_sitter_python

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))


def children(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    """Return the named children of a node that are no comments and no line ends."""
    return [child for child in node.named_children if child.type not in ("comment", "line_continuation")]


def expression(node: tree_sitter.Node) -> tree_sitter.Node:
    """Return the first expression of a module or of a statement."""
    while node.type in ("module", "expression_statement") and (inner := children(node)):
        node = inner[0]
    return node


def bare(node: tree_sitter.Node) -> tree_sitter.Node:
    """Return the expression inside of parentheses."""
    while node.type == "parenthesized_expression" and len(inner := children(node)) == 1:
        node = inner[0]
    return node


def called(node: tree_sitter.Node) -> str:
    """Return the last part of the name that a call calls; empty if it is no name."""
    function = node.child_by_field_name("function")
    if function is not None and function.type == "attribute":
        function = function.child_by_field_name("attribute")
    if function is None or function.type != "identifier" or function.text is None:
        return ""
    return function.text.decode("utf-8", "replace")


def fields(node: tree_sitter.Node) -> list[tuple[str, tree_sitter.Node | None, tree_sitter.Node]] | None:
    """Return the fields of a dictionary, or of a call that builds an object.

    Each is its name, the node of the name (None for an argument known by its
    position) and the node of the value. None where they are not all told: a
    `**spread`, a computed key, an argument without a name, a function.
    """
    found: list[tuple[str, tree_sitter.Node | None, tree_sitter.Node]] = []
    if node.type == "dictionary":
        for pair in children(node):
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            name = _key(bare(key)) if key is not None else None
            if name is None or key is None or value is None:
                return None
            found.append((name, bare(key), value))
        return found
    name = called(node)
    arguments = node.child_by_field_name("arguments")
    if arguments is None or arguments.type != "argument_list" or not (name[:1].isupper() or name == "dict"):
        return None
    positions = _POSITIONS.get(name, ())
    for index, argument in enumerate(children(arguments)):
        if argument.type == "keyword_argument":
            key, value = argument.child_by_field_name("name"), argument.child_by_field_name("value")
            if key is None or key.text is None or value is None:
                return None
            found.append((key.text.decode("utf-8", "replace"), key, value))
        elif argument.type.endswith("_splat") or argument.is_error or index >= len(positions):
            return None
        else:
            found.append((positions[index], None, argument))
    return found


def _key(node: tree_sitter.Node) -> str | None:
    """Return the text of a key that is a plain string or integer."""
    if node.type == "integer" and node.text is not None and node.text.isdigit():
        return node.text.decode()
    text = _string(node) if node.type in ("string", "concatenated_string") else UNKNOWN
    return text if isinstance(text, str) else None


def _string(node: tree_sitter.Node) -> Any:
    """Return the text of a string or of joined strings; `UNKNOWN` for those that are computed or bytes."""
    parts = children(node) if node.type == "concatenated_string" else [node]
    for part in parts:
        opening = part.children[0].text if part.type == "string" and part.children else None
        if opening is None or set(opening.lower()) - set(b"ru\"'"):
            return UNKNOWN
    source = node.text or b""
    return decode_python(source, 0, len(source)).text


def _number(node: tree_sitter.Node) -> Any:
    """Return a number; `UNKNOWN` for an imaginary one and one that is too long."""
    source = (node.text or b"").decode("ascii", "replace").replace("_", "")
    try:
        if _INTEGER.fullmatch(source):
            return int(source, 0) if source.strip("0") else 0
        return float(source)
    except ValueError:
        return UNKNOWN


class Literals:
    """Reads the values of a module.

    `sources` collects the text of the constants that the values read so far
    came from. What is odd in a value goes to `faults`, its place counted from
    `offset`, where the text of the nodes starts.
    """

    def __init__(self, data: bytes, module: tree_sitter.Node, faults: list[Fault]) -> None:
        self.sources: list[bytes] = []
        self.offset = 0
        self._data = data
        self._module = module
        self.faults = faults
        self._names: dict[bytes, tree_sitter.Node | None] = {}
        self._inside: list[int] = []
        """The constants that are being read."""
        self._deep = False
        self._left = MAX_EXPANDED

    def value(self, node: tree_sitter.Node, depth: int = 0) -> Any:
        """Return the value of an expression; `UNKNOWN` where it had to be run.

        Lists and tuples are lists. Dictionaries are objects, and so are calls
        with named arguments of what starts with a capital letter. Both are
        `UNKNOWN` as a whole where one of their fields is not told.
        """
        if self._inside:
            self._left -= 1
            if self._left < 0:
                return UNKNOWN
        node = bare(node)
        if depth > MAX_DEPTH:
            if not self._deep:
                self._fault(
                    node.children[0] if node.children else node, f"the text nests more than {MAX_DEPTH} levels deep"
                )
            self._deep = True
            return UNKNOWN
        kind = node.type
        if kind in _CONSTANTS:
            return _CONSTANTS[kind]
        if kind in ("string", "concatenated_string"):
            return self._text(node)
        if kind in ("integer", "float"):
            return self._number(node)
        if kind in ("list", "tuple"):
            items = children(node)
            if any(item.type.endswith("_splat") for item in items):
                return UNKNOWN
            return [self.value(item, depth + 1) for item in items]
        if kind in ("dictionary", "call"):
            return self._object(node, depth)
        if kind == "unary_operator" and node.child_count == 2:
            number = self.value(node.children[1], depth + 1)
            if type(number) in (int, float) and node.children[0].type in ("-", "+"):
                return -number if node.children[0].type == "-" else number
        if kind == "binary_operator" and node.child_count == 3 and node.children[1].type == "+":
            return self._joined(node, depth)
        if kind == "identifier":
            return self._named(node, depth)
        return UNKNOWN

    def _fault(self, node: tree_sitter.Node, message: str) -> None:
        """Note what is odd in the text of a value itself; its constants are not."""
        if not self._inside:
            self.faults.append(Fault(node.start_byte + self.offset, node.end_byte + self.offset, message))

    def _text(self, node: tree_sitter.Node) -> Any:
        text = _string(node)
        if isinstance(text, str) and not text.isascii() and _SURROGATE.search(text):
            self._fault(node, "the string holds half of a character: a lone surrogate")
            text = _SURROGATE.sub("\ufffd", text)
        return text

    def _joined(self, node: tree_sitter.Node, depth: int) -> Any:
        """Return the text of strings put together with `+`."""
        parts: list[str] = []
        pending = [node]
        while pending:
            node = bare(pending.pop())
            if node.type == "binary_operator" and node.child_count == 3 and node.children[1].type == "+":
                pending += [node.children[2], node.children[0]]
                continue
            part = self.value(node, depth + 1)
            if not isinstance(part, str) or sum(map(len, parts)) + len(part) > MAX_JOINED:
                return UNKNOWN
            parts.append(part)
        return "".join(parts)

    def _number(self, node: tree_sitter.Node) -> Any:
        value = _number(node)
        digits = (node.text or b"").replace(b"_", b"")
        if value is UNKNOWN and len(digits) > 1000 and digits.isdigit():
            self._fault(node, f"a number of {len(digits)} digits is too long")
        return value

    def _object(self, node: tree_sitter.Node, depth: int) -> Any:
        found = fields(node)
        if found is None:
            return UNKNOWN
        value: dict[str, Any] = {}
        for name, key, item in found:
            if name in value and key is not None:
                self._fault(key, f'the key "{name}" appears twice in this object; only the last value counts')
            value[name] = self.value(item, depth + 1)
        return value

    def _named(self, node: tree_sitter.Node, depth: int) -> Any:
        constant = self.constant(node)
        if constant is None or constant.id in self._inside:
            return UNKNOWN
        self.sources.append(constant.text or b"")
        self._inside.append(constant.id)
        try:
            return self.value(constant, depth + 1)
        finally:
            self._inside.pop()

    def constant(self, node: tree_sitter.Node) -> tree_sitter.Node | None:
        """Return what the module assigns to a name, if it does so once and nowhere changes it."""
        name = node.text or b""
        if name not in self._names:
            self._names[name] = self._assigned(name)
        return self._names[name]

    def _assigned(self, name: bytes) -> tree_sitter.Node | None:
        values = []
        for use in self._uses(name):
            parent = use.parent
            if parent is None:
                return None
            if parent.type == "assignment" and parent.child_by_field_name("left") == use:
                statement = parent.parent
                if statement is None or statement.parent is None or statement.parent.parent is not None:
                    return None
                values.append(parent.child_by_field_name("right"))
            elif parent.type not in _READS:
                return None
        return values[0] if len(values) == 1 else None

    @cached_property
    def _words(self) -> dict[bytes, list[int]]:
        """Where each word stands that may be a name."""
        words: dict[bytes, list[int]] = {}
        for word in _WORD.finditer(self._data):
            words.setdefault(word[0], []).append(word.start())
        return words

    def _uses(self, name: bytes) -> Iterator[tree_sitter.Node]:
        """Yield every place where an identifier stands that may be this name."""
        for start in self._words.get(name, ()):
            span = (start, start + len(name))
            found = self._module.descendant_for_byte_range(*span)
            if found is None or found.type != "identifier" or found.byte_range != span:
                continue
            parent = found.parent
            named = parent is not None and parent.type in ("keyword_argument", "attribute")
            if named and parent is not None and found != parent.child_by_field_name(_VALUES[parent.type]):
                continue
            yield found


def syntax(node: tree_sitter.Node, depth: int = 0) -> Node:
    """Return the syntax of an expression: `unknown` where its text does not tell its value."""
    node = bare(node)
    start, end = node.byte_range
    if depth > MAX_DEPTH:
        return Node("unknown", start, end)
    kind = node.type
    if kind in ("string", "concatenated_string"):
        return Node("unknown" if _string(node) is UNKNOWN else "string", start, end)
    if kind == "unary_operator" and node.child_count == 2 and node.children[0].type in ("-", "+"):
        inner = syntax(node.children[1], depth + 1)
        return Node("scalar" if inner.kind == "scalar" else "unknown", start, end)
    if kind in ("integer", "float"):
        return Node("unknown" if _number(node) is UNKNOWN else "scalar", start, end)
    if kind in _CONSTANTS:
        return Node("scalar", start, end)
    if kind in ("list", "tuple"):
        items = children(node)
        if not any(item.type.endswith("_splat") for item in items):
            return Node("array", start, end, items=[syntax(item, depth + 1) for item in items])
    elif kind in ("dictionary", "call") and (found := fields(node)) is not None:
        entries = [(_key_syntax(name, key, value), syntax(value, depth + 1)) for name, key, value in found]
        return Node("object", start, end, entries=entries)
    return Node("unknown", start, end)


def _key_syntax(name: str, key: tree_sitter.Node | None, value: tree_sitter.Node) -> Node:
    if key is None:
        return Node("scalar", value.start_byte, value.start_byte, key=name)
    return Node("string" if "string" in key.type else "scalar", *key.byte_range, key=name)

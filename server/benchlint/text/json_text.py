"""JSON and JSON Lines: slices by the C scanner, ranges on demand.

A file of tasks is scanned element by element, so that a fault in one leaves
the others whole. Ranges are found by walking down a pointer and letting the
C scanner skip what lies beside it: exact, and as fast as parsing.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from functools import cached_property
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, Final

from benchlint.text.document import Document
from benchlint.text.slices import UNPARSED, Fault, Slice
from benchlint.text.strings import decode_json
from benchlint.text.tree import Node, Tree

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from benchlint.text.slices import Language
    from benchlint.text.tree import Kind, Pointer

CONTAINERS: Final = ("tasks", "simulations")
"""The top-level keys under which the slices of an object may stand."""

MAX_DEPTH: Final = 200
"""How deep objects and arrays may nest; deeper text is a fault."""

_SPACE = re.compile(r"[ \t\n\r]*")
_TOKEN = re.compile(r'"(?:[^"\\\n\r]|\\.)*"?|-?\d+|[A-Za-z]+|\S')
_NUMBER = re.compile(r'"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)|-?\d{4301,}')
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}]')
_SURROGATE = re.compile(
    r"(\\\\)|(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
_ELEMENT = re.compile(r"^([ \t]*)[{\[]", re.MULTILINE)

_MESSAGES = {
    "Expecting property name enclosed in double quotes": "expected a key in double quotes",
    "Expecting ':' delimiter": "expected ':' after the key",
    "Expecting ',' delimiter": "expected ',' or a closing bracket",
    "Expecting value": "expected a value",
    "Unterminated string starting at": "the string that starts here does not end",
    "Invalid control character at": "a line end or control character stands inside a string",
    "Invalid \\escape": "a backslash in a string starts no known escape",
    "Invalid \\uXXXX escape": "\\u is not followed by four hexadecimal digits",
    "Illegal trailing comma before end of object": "a comma stands before the closing bracket",
    "Illegal trailing comma before end of array": "a comma stands before the closing bracket",
}


class JsonText:
    """A JSON or JSON Lines document cut into slices. See `Sliced`."""

    def __init__(self, document: Document, language: Language) -> None:
        self.document = document
        self.language: Language = language
        self.slices: list[Slice] = []
        self.faults: list[Fault] = []
        self.header: dict[str, Any] = {}
        # What stands between the brackets of the array of slices, in bytes.
        self.array: tuple[int, int] | None = None
        # How the lines of elements are indented, and the keys that lead to them.
        self.indent: str | None = None
        self.path: Pointer = ()
        # The place of the list that the caller named.
        self.wanted: Pointer | None = None
        self._trees: dict[int, Tree] = {}

    def tree(self, index: int) -> Tree:
        """Return the syntax of a slice, offsets counted from the slice's start."""
        tree = self._trees.get(index)
        if tree is None:
            piece = self.slices[index]
            tree = self._trees[index] = json_tree(piece.data, parses=piece.value is not UNPARSED)
        return tree

    def take_trees(self, earlier: JsonText) -> None:
        """Take over the syntax of the slices that have the same text and value in an earlier document."""
        trees = {id(earlier.slices[index].value): tree for index, tree in earlier._trees.items()}
        for piece in self.slices if trees else ():
            if piece.value is not UNPARSED and id(piece.value) in trees:
                self._trees[piece.index] = trees[id(piece.value)]

    def header_tree(self) -> Tree:
        """Return the syntax of the whole document, the slices left empty."""
        return self._header_tree

    @cached_property
    def _header_tree(self) -> Tree:
        data = self.document.data
        if self.array is not None:
            start, end = self.array
            data = data[:start] + b" " * (end - start) + data[end:]
        return json_tree(data, parses=not self.faults)


def json_tree(data: bytes, *, parses: bool) -> Tree:
    """Return the syntax of a JSON text; one that does not parse is read tolerantly."""
    if parses:
        return Tree(data, _Scanner(data).root(), lambda data, node: decode_json(data, node.start, node.end))
    from benchlint.text.json_recovery import tolerant_tree

    return tolerant_tree(data)


class _Scanner:
    """Builds the nodes of a text that parses, one level when it is asked for."""

    def __init__(self, data: bytes) -> None:
        self.text = data.decode("utf-8", "surrogateescape")
        self._decoder = _decoder(digits=False)
        self._bytes: list[int] | None = None
        if not data.isascii():
            offsets, total = [], 0
            for character in self.text:
                offsets.append(total)
                total += len(character.encode("utf-8", "surrogateescape"))
            self._bytes = [*offsets, total]
        self._characters = {offset: at for at, offset in enumerate(self._bytes)} if self._bytes else None

    def _byte(self, at: int) -> int:
        return self._bytes[at] if self._bytes else at

    def root(self) -> Node:
        start = _space(self.text, 1 if self.text.startswith("\ufeff") else 0)
        if start == len(self.text):
            return Node("unknown", self._byte(start), self._byte(start))
        return self._node(start)[0]

    def _node(self, at: int) -> tuple[Node, int]:
        """Return the value at a character and the character after it."""
        _, end = self._decoder.raw_decode(self.text, at)
        kind: Kind = {"{": "object", "[": "array", '"': "string"}.get(self.text[at], "scalar")  # type: ignore[assignment]
        expand = self._expand if kind in ("object", "array") else None
        return Node(kind, self._byte(at), self._byte(end), expand=expand), end

    def _expand(self, node: Node) -> tuple[list[tuple[Node, Node]], list[Node]]:
        text = self.text
        entries: list[tuple[Node, Node]] = []
        items: list[Node] = []
        start = self._characters[node.start] if self._characters else node.start
        at = _space(text, start + 1)
        while text[at] not in "]}":
            if node.kind == "object":
                key, end = scanstring(text, at + 1, False)
                key_node = Node("string", self._byte(at), self._byte(end), key=key)
                value, at = self._node(_space(text, _space(text, end) + 1))
                entries.append((key_node, value))
            else:
                value, at = self._node(at)
                items.append(value)
            at = _space(text, at)
            if text[at] == ",":
                at = _space(text, at + 1)
        return entries, items


def _space(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]


def _decoder(
    duplicates: list[str] | None = None, constants: list[str] | None = None, *, digits: bool = True
) -> json.JSONDecoder:
    """Return a decoder that notes duplicate keys and NaN.

    Without `digits`, integers beyond the interpreter's limit are read as 0.
    """
    hook = None
    if duplicates is not None:

        def hook(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            values = dict(pairs)
            if len(values) != len(pairs):
                duplicates.append("")
            return values

    constant = constants.append if constants is not None else (lambda _: None)
    integer = None if digits else (lambda digits: 0 if len(digits) > 4300 else int(digits))
    return json.JSONDecoder(object_pairs_hook=hook, parse_constant=constant, parse_int=integer, strict=True)


def slice_json(document: Document, at: Pointer | None = None) -> JsonText:
    """Cut a JSON document into slices.

    The slices are the elements of the top-level array, or of the array under
    the first key of `CONTAINERS`; any other object is one slice. `at` names
    another place of the array by its keys.
    """
    sliced = JsonText(document, "json")
    sliced.wanted = at
    text = readable(document, sliced.faults)
    if text is not None:
        _Slicer(sliced, text).run(at)
    return sliced


def reslice(old: JsonText, document: Document, start: int, old_end: int, new_end: int) -> JsonText:
    """Cut a document anew that differs from an earlier one in one range.

    The bytes from `start` to `old_end` were replaced by those from `start`
    to `new_end`. The slices on both sides keep their values; the result is
    that of `slice_json`, which is also what does the work where the range
    does not lie among the elements of the list.
    """
    return _Resumed(old, document, start, old_end, new_end - old_end).run() or slice_json(document, old.wanted)


class _Resumed:
    """Slices a changed stretch of a list and takes over what stands around it."""

    def __init__(self, old: JsonText, document: Document, start: int, old_end: int, shift: int) -> None:
        self.old = old
        self.document = document
        self.start = start
        self.old_end = old_end
        self.shift = shift

    def run(self) -> JsonText | None:
        """Return the new slices; None where the whole text must be read."""
        old, slices = self.old, self.old.slices
        first = max(0, bisect_left(slices, self.start, key=_end) - 2)
        last = bisect_left(slices, self.old_end + 1, key=_start)
        if old.array is None or first < 1 or last + 1 >= len(slices) or not self._indented(first):
            return None
        begin, end = slices[first].start, slices[last + 1].end
        if any(fault.start < begin or fault.end > end for fault in old.faults):
            return None
        stretch = Document(self.document.path, self.document.data[begin : end + self.shift + 1])
        part = JsonText(stretch, "json")
        part.indent = old.indent
        text = readable(stretch, part.faults)
        if text is None or part.faults:
            return None
        known = {piece.start + self.shift - begin: piece.index for piece in slices[last : last + 2]}
        slicer = _Slicer(part, text)
        stop = slicer.elements(0, 0, known)
        index = known.get(slicer.byte(stop)) if stop < len(text) and not slicer.ran_out else None
        return self._joined(part, first, index, begin) if index is not None else None

    def _indented(self, first: int) -> bool:
        """Say whether the list's indentation was found before a slice."""
        data = self.document.data
        lines = ((data.rfind(b"\n", 0, piece.start), piece.start) for piece in self.old.slices[: min(first, 2)])
        return any(line >= 0 and not data[line + 1 : start].strip(b" \t") for line, start in lines)

    def _joined(self, part: JsonText, first: int, index: int, begin: int) -> JsonText:
        """Put the slices before, in and behind the stretch together."""
        old, document = self.old, self.document
        new = JsonText(document, "json")
        new.header, new.indent, new.path, new.wanted = old.header, old.indent, old.path, old.wanted
        new.slices = [piece.moved(document, piece.index, 0, piece.pointer) for piece in old.slices[:first]]
        for number, piece in enumerate(part.slices, first):
            new.slices.append(piece.moved(document, number, begin, (*old.path, number)))
        more = len(new.slices) - index
        for piece in old.slices[index:]:
            pointer = piece.pointer if not more else (*old.path, piece.index + more)
            new.slices.append(piece.moved(document, piece.index + more, self.shift, pointer))
        kept = (item for item in old.faults if item.start >= old.slices[index].start)
        new.faults = [*_shifted(part.faults, begin), *_shifted(kept, self.shift)]
        assert old.array is not None
        new.array = (old.array[0], old.array[1] + self.shift)
        return new


def _shifted(faults: Iterable[Fault], shift: int) -> Iterator[Fault]:
    return (Fault(item.start + shift, item.end + shift, item.message) for item in faults)


def _start(piece: Slice) -> int:
    return piece.start


def _end(piece: Slice) -> int:
    return piece.end


def slice_jsonl(document: Document) -> JsonText:
    """Cut a JSON Lines document into slices, one a line that is not blank."""
    sliced = JsonText(document, "jsonl")
    text = readable(document, sliced.faults)
    if text is None:
        return sliced
    slicer = _Slicer(sliced, text)
    at = document.bom and 1
    for line in re.split(r"\r\n|\n|\r", text[at:]):
        end = at + len(line)
        start = _space(text, at)
        if start < end:
            slicer.line(start, end - (len(line) - len(line.rstrip(" \t"))))
        at = end + (2 if text[end : end + 2] == "\r\n" else 1)
    return sliced


def parse_json(document: Document) -> tuple[Any, list[Fault]]:
    """Return a document's whole value, or `UNPARSED`, and its faults."""
    sliced = JsonText(document, "json")
    text = readable(document, sliced.faults)
    if text is None:
        return UNPARSED, sliced.faults
    slicer = _Slicer(sliced, text)
    slicer.whole(_space(text, document.bom and 1))
    return sliced.slices[0].value, sliced.faults


def readable(document: Document, faults: list[Fault]) -> str | None:
    """Decode a document; where it is not UTF-8 text, note why.

    A text with some wrong bytes is still returned, with surrogate escapes in
    their place. None where the file is no text at all.
    """
    data = document.data
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            faults.append(Fault(0, 2, "the file is UTF-16; save it as UTF-8"))
            return None
        if b"\0" not in data:
            faults.append(Fault(error.start, error.start + 1, "this byte is not UTF-8; save the file as UTF-8"))
            return data.decode("utf-8", "surrogateescape")
        text = "\0"
    if "\0" in text:
        at = data.find(b"\0")
        faults.append(Fault(at, at + 1, "the file is binary: it contains a NUL byte"))
        return None
    return text


class _Slicer:
    """Walks a text once and fills `sliced`."""

    def __init__(self, sliced: JsonText, text: str) -> None:
        self.sliced = sliced
        self.text = text
        self.ascii = len(text) == len(sliced.document.data)
        self._duplicates: list[str] = []
        self._constants: list[str] = []
        self._raw_decode = _decoder(self._duplicates, self._constants).raw_decode
        self._cursor = (0, 0)
        self._escapes = "\\u" in text
        # Whether an element was broken only because the text ends in it.
        self.ran_out = False

    def byte(self, at: int) -> int:
        """Return the byte offset of a character; calls mostly move forward."""
        if self.ascii:
            return at
        character, offset = self._cursor
        if at >= character:
            offset += len(self.text[character:at].encode("utf-8", "surrogateescape"))
        else:
            offset -= len(self.text[at:character].encode("utf-8", "surrogateescape"))
        self._cursor = (at, offset)
        return offset

    def fault(self, start: int, end: int, message: str) -> None:
        self.sliced.faults.append(Fault(self.byte(start), self.byte(end), message))

    def run(self, pointer: Pointer | None) -> None:
        """Find the array and slice it; else the whole text is one slice."""
        text = self.text
        start = _space(text, 1 if text.startswith("\ufeff") else 0)
        if start == len(text):
            self.fault(0, 0, "the file is empty")
        elif text[start] == "[" and not pointer:
            self._array(start, ())
        elif text[start] == "{":
            self._object(start, pointer)
        else:
            self.whole(start)

    def _object(self, start: int, wanted: Pointer | None) -> None:
        """Walk the keys of the object at `start` down to the array."""
        text = self.text
        path: tuple[str | int, ...] = ()
        at = _space(text, start + 1)
        header: dict[str, Any] = {}
        found = False
        while at < len(text) and text[at] == '"':
            try:
                key, end = scanstring(text, at + 1, True)
                end = _space(text, end)
                if text[end : end + 1] != ":":
                    break
                at = _space(text, end + 1)
                opening = text[at : at + 1]
                if not found and wanted and key == wanted[len(path)]:
                    if len(path) + 1 == len(wanted):
                        if opening == "[":
                            at = self._array(at, (*path, key), whole=False)
                            found = True
                        else:
                            break
                    elif opening == "{":
                        path = (*path, key)
                        at = _space(text, at + 1)
                        continue
                    else:
                        break
                elif not found and not wanted and key in CONTAINERS and opening == "[":
                    at = self._array(at, (key,), whole=False)
                    found = True
                else:
                    value, at = self._raw_decode(text, at)
                    if not path:
                        header[key] = value
            except (ValueError, RecursionError):
                break
            at = _space(text, at)
            if text[at : at + 1] != ",":
                break
            at = _space(text, at + 1)
        if not found:
            if not wanted:
                self._duplicates.clear()
                self._constants.clear()
                self.whole(start)
            return
        self.sliced.header = header
        self._check_header(start)

    def _check_header(self, start: int) -> None:
        """Note what is wrong in the text around the slices."""
        if self.sliced.array is None or self.sliced.faults:
            return
        first, last = self.sliced.array
        data = self.sliced.document.data
        blank = data[:first] + b" " * (last - first) + data[last:]
        text = blank.decode("utf-8", "surrogateescape")
        inner = JsonText(Document(self.sliced.document.path, blank), "json")
        _Slicer(inner, text).whole(_space(text, 1 if text.startswith("\ufeff") else 0))
        self.sliced.faults.extend(inner.faults)

    def whole(self, start: int) -> None:
        """Take everything from `start` on as one slice."""
        end = len(self.text.rstrip(" \t\n\r"))
        self._element(start, end, ())

    def line(self, start: int, end: int) -> None:
        """Take one line of JSON Lines as a slice."""
        self._element(start, end, ())

    def _element(self, start: int, end: int, pointer: Pointer) -> None:
        """Take `start` to `end` as one slice, whether it parses or not."""
        try:
            value, stop = self._decode(start)
        except json.JSONDecodeError as error:
            self._add(start, end, UNPARSED, pointer)
            self._decode_fault(error, end)
            return
        if stop < end:
            after = _space(self.text, stop)
            token = _TOKEN.match(self.text, after)
            self._add(start, end, UNPARSED, pointer)
            self.fault(after, min(token.end() if token else end, end), "text follows the end of the value")
            return
        self._add(start, stop, value, pointer)

    def _array(self, opening: int, pointer: Pointer, *, whole: bool = True) -> int:
        """Slice the array whose bracket opens at `opening`; return its end.

        `whole` says that nothing but white space may follow.
        """
        text = self.text
        self.sliced.path = pointer
        at = self.elements(_space(text, opening + 1), opening)
        end = min(at + 1, len(text))
        if at >= len(text) and not self.sliced.faults:
            last = max(opening, len(text.rstrip(" \t\n\r")) - 1)
            self.fault(last, last + 1, "the list that starts in this file does not end: ']' is missing")
        self.sliced.array = (self.byte(opening + 1), self.byte(max(opening + 1, end - 1)))
        if whole and text[end:].strip(" \t\n\r"):
            after = _space(text, end)
            token = _TOKEN.match(text, after)
            self.fault(after, token.end() if token else after + 1, "text follows the end of the list")
        return end

    def elements(self, at: int, opening: int, known: Container[int] = ()) -> int:
        """Slice the elements from `at` on; return where the list ends.

        Stops before an element that starts at a `known` byte.
        """
        text, sliced = self.text, self.sliced
        while at < len(text) and text[at] != "]" and not (known and self.byte(at) in known):
            line = text.rfind("\n", 0, at) + 1
            if sliced.indent is None and line > opening and not text[line:at].strip(" \t"):
                sliced.indent = text[line:at]
            indent = sliced.indent
            stop = self._one(at, (*sliced.path, len(sliced.slices)), opening, indent)
            at = _space(text, stop)
            if text[at : at + 1] == ",":
                comma, at = at, _space(text, at + 1)
                if text[at : at + 1] == "]":
                    self.fault(comma, comma + 1, "a comma stands before the closing bracket")
            if text[at : at + 1] == "]" and self._more(at, indent):
                self.fault(at, at + 1, "']' ends the list here, but more elements follow")
                at = self._next(at + 1, opening, indent) or len(text)
        return at

    def _one(self, at: int, pointer: Pointer, opening: int, indent: str | None) -> int:
        """Take the element at `at` as a slice; return where it ends."""
        text = self.text
        error: json.JSONDecodeError | None = None
        try:
            value, stop = self._decode(at)
        except json.JSONDecodeError as problem:
            error = problem
            self.ran_out = self.ran_out or problem.pos >= len(text) or problem.msg.startswith("Unterminated")
        else:
            after = _space(text, stop)
            following = text[after : after + 1]
            peek = self._at(_space(text, after + 1)) if following == "," else following
            complete = following in (",", "]") and (not isinstance(value, dict) or peek in ("{", "]", ""))
            if complete or following == "":
                self._add(at, stop, value, pointer)
                return stop
            if following == "{" and isinstance(value, dict):
                self._add(at, stop, value, pointer)
                self.fault(stop - 1, stop, "',' is missing between two elements")
                return stop
        following_element = self._next(at + 1, opening, indent)
        if following_element is None:
            self.ran_out = True
        end = self._boundary(at, opening) if following_element is None else following_element
        end = at + len(text[at:end].rstrip(" \t\n\r,"))
        self._add(at, max(end, at + 1), UNPARSED, pointer)
        if error is None:
            self.fault(stop - 1, stop, "this bracket closes the element too early")
        elif error.pos >= end and following_element is not None:
            self._unclosed(at, end)
        else:
            self._decode_fault(error, end)
        return max(end, at + 1)

    def _unclosed(self, at: int, end: int) -> None:
        """Note the bracket of an element that is still open where the next one starts."""
        opened: list[int] = []
        for match in _BRACKET.finditer(self.text, at, end):
            if match[0] in "[{":
                opened.append(match.start())
            elif match[0] in "]}" and opened:
                opened.pop()
        last = opened[-1] if opened else at
        self.fault(last, last + 1, "the bracket that opens here is not closed before the next element")

    def _at(self, at: int) -> str:
        return self.text[at : at + 1]

    def _next(self, at: int, opening: int, indent: str | None) -> int | None:
        """Return where the next element starts, by the array's indentation."""
        if indent is None:
            indents = [match[1] for match in _ELEMENT.finditer(self.text, opening + 1)]
            if not indents:
                return None
            indent = min(indents, key=len)
        match = re.compile(rf"^{indent}(?=[{{\[])", re.MULTILINE).search(self.text, at)
        return match.end() if match else None

    def _more(self, at: int, indent: str | None) -> bool:
        """Say whether elements follow the bracket at `at`."""
        if indent is None or not indent:
            return False
        return self._next(at + 1, at, indent) is not None

    def _boundary(self, at: int, opening: int) -> int:
        """Return where a broken element ends that no line start delimits."""
        line_end = self.text.find("\n", at)
        if line_end >= 0 and line_end < len(self.text.rstrip()):
            closing = self.text.rstrip()
            return len(closing) - 1 if closing.endswith("]") and len(closing) - 1 > at else len(closing)
        from benchlint.text.json_recovery import element_end

        data = self.text[opening:].encode("utf-8", "surrogateescape")
        offset = len(self.text[opening:at].encode("utf-8", "surrogateescape"))
        end = element_end(data, offset)
        return opening + len(data[:end].decode("utf-8", "surrogateescape"))

    def _add(self, start: int, end: int, value: Any, pointer: Pointer) -> None:
        slices = self.sliced.slices
        begin, stop = self.byte(start), self.byte(end)
        if self._duplicates or self._constants:
            self._duplicates.clear()
            self._constants.clear()
            if value is not UNPARSED:
                self._oddities(start, end, begin)
        slices.append(Slice(self.sliced.document, len(slices), begin, stop, value, pointer))

    def _oddities(self, start: int, end: int, begin: int) -> None:
        """Note duplicate keys and numbers that JSON does not have."""
        text = self.text[start:end]
        for match in _NUMBER.finditer(text):
            if match[0][0] != '"' and not match[0].lstrip("-").isdigit():
                self.fault(start + match.start(), start + match.end(), f"{match[0]} is not a JSON number")
        root = _Scanner(text.encode("utf-8", "surrogateescape")).root()
        for key in _duplicates(root):
            message = f'the key "{key.key}" appears twice in this object; only the last value counts'
            self.sliced.faults.append(Fault(begin + key.start, begin + key.end, message))

    def _decode(self, at: int) -> tuple[Any, int]:
        """Decode the value at `at`; what JSON allows and Python does not is noted."""
        try:
            value, end = self._raw_decode(self.text, at)
        except json.JSONDecodeError:
            self._duplicates.clear()
            self._constants.clear()
            raise
        except RecursionError:
            raise _too_deep(self.text, at) from None
        except ValueError:
            value, end = _decoder(digits=False).raw_decode(self.text, at)
            for match in _NUMBER.finditer(self.text, at, end):
                if match[0].lstrip("-").isdigit():
                    message = f"a number of {len(match[0])} digits is too long"
                    self.fault(match.start(), match.end(), message)
        text = self.text
        if text.count("[", at, end) + text.count("{", at, end) > MAX_DEPTH:
            error = _too_deep(text, at)
            if error.pos < end:
                raise error
        if self._escapes and text.find("\\u", at, end) >= 0:
            value = self._without_surrogates(at, end, value)
        return value, end

    def _without_surrogates(self, at: int, end: int, value: Any) -> Any:
        """Return the value with lone surrogates replaced; note each."""
        lone = [match for match in _SURROGATE.finditer(self.text, at, end) if match[3]]
        if not lone:
            return value
        for match in lone:
            self.fault(match.start(), match.end(), f"{match[0]} is half of a character: a lone surrogate")
        text = _SURROGATE.sub(lambda match: "\\ufffd" if match[3] else match[0], self.text[at:end])
        return _decoder().raw_decode(text)[0]

    def _decode_fault(self, error: json.JSONDecodeError, end: int) -> None:
        text = self.text
        at = min(error.pos, len(text))
        message = _MESSAGES.get(error.msg, error.msg)
        before = text[:at].rstrip(" \t\n\r")
        if error.msg.startswith("Expecting") and text[at : at + 1] in ("}", "]") and before.endswith(","):
            at, message = len(before) - 1, "a comma stands before the closing bracket"
        if at >= len(text):
            last = max(len(before) - 1, 0)
            self.fault(last, min(last + 1, len(text)), "the text ends here, in the middle of a value")
            return
        if error.msg == "Invalid control character at":
            start = text.rfind('"', 0, at)
            self.fault(max(start, 0), at, "the string that starts here does not end on its line")
            return
        token = _TOKEN.match(text, at)
        self.fault(at, min(token.end() if token else at + 1, max(end, at + 1)), message)


def _duplicates(node: Node) -> Iterator[Node]:
    """Yield the keys that stand in an object a second time."""
    pending = [node]
    while pending:
        node = pending.pop()
        seen: set[str | None] = set()
        for key, value in node.entries:
            if key.key in seen:
                yield key
            seen.add(key.key)
            pending.append(value)
        pending.extend(node.items)


def _too_deep(text: str, at: int) -> json.JSONDecodeError:
    """Return the error for the bracket at which text nests too deep."""
    depth = 0
    for match in _BRACKET.finditer(text, at):
        if match[0] in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                return json.JSONDecodeError(f"objects and lists nest more than {MAX_DEPTH} deep", text, match.start())
        elif match[0] in "]}":
            depth -= 1
            if depth == 0:
                break
    return json.JSONDecodeError("Expecting value", text, len(text))

"""From the parser's events to values and to nodes, without recursion and within bounds."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchlint.text.document import BOM
from benchlint.text.json_text import CONTAINERS, MAX_DEPTH
from benchlint.text.slices import UNKNOWN, Fault
from benchlint.text.tree import Node, Tree
from benchlint.text.yaml_schema import resolve
from benchlint.text.yaml_strings import decode_yaml

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.text.tree import Decoded, Kind, Pointer

MAX_EXPANDED: Final = 1_000_000
"""How many values the aliases of one document may stand for."""

_WIDE = re.compile("[^\x00-\x7f]")
_TOKEN = re.compile(rb"[-?:,\[\]{}](?=\s|$)|[^\s,\[\]{}]+|\S")
_SPACE = rb"(?:\s|\xc2\x85|\xe2\x80[\xa8\xa9])*"
_PROPERTIES = re.compile(
    rb"(?:(?:!<[^>]*>|![^\x00-\x20,\[\]{}\x7f-\xff]*|&[\w-]*)" + _SPACE + rb"(?:#[^\r\n]*" + _SPACE + rb")*)+"
)
_ESCAPE = re.compile(rb"\\(?:[xuU][0-9a-fA-F]*|.)")
_TAG = "tag:yaml.org,2002:"
_TYPES: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (float, int),
    "bool": (bool,),
    "null": (type(None),),
}
_TOO_DEEP = f"the text nests more than {MAX_DEPTH} levels deep"
_MESSAGES = {
    "could not find expected ':'": "expected ':' after the key",
    "did not find expected ',' or ']'": "expected ',' or ']'",
    "did not find expected ',' or '}'": "expected ',' or '}'",
    "did not find expected '-' indicator": "expected '- ': the line does not fit the list around it",
    "did not find expected key": "expected a key: the line does not fit the object around it",
    "did not find expected <document start>": "text follows the end of the value",
    "did not find expected node content": "expected a value",
    "found a tab character that violates indentation": "a tab cannot indent; YAML wants spaces",
    "found a tab character where an indentation space is expected": "a tab cannot indent; YAML wants spaces",
    "found unknown escape character": "a backslash in a string starts no known escape",
    "found invalid Unicode character escape code": "an escape names half of a character: a lone surrogate",
    "did not find expected hexdecimal number": "an escape lacks hexadecimal digits",
    "mapping values are not allowed in this context": (
        "':' cannot stand here: the line is indented too far, or the text needs quotation marks"
    ),
    "block sequence entries are not allowed in this context": "'- ' cannot start a list here",
    "block mapping is not allowed in this context": "an object cannot start here",
    "found undefined tag handle": "the tag's handle is not defined",
    "exceeded maximum nesting depth": _TOO_DEEP,
}


class Broken(Exception):  # noqa: N818
    """A text that does not parse; `fault` tells where and why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class Piece:
    """A part of a document's bytes, read as a YAML stream of its own.

    `prefix` and `suffix` stand around it for the parser's eyes: they give it
    the columns and the collection that it has in its document.
    """

    def __init__(self, data: bytes, start: int, end: int, prefix: bytes = b"", suffix: bytes = b"") -> None:
        self.data = data
        self.start = start
        self.end = end
        self.prefix = prefix
        self._suffix = suffix
        self._skip = len(BOM) if not prefix and data.startswith(BOM, start, end) else 0

    @cached_property
    def stream(self) -> bytes:
        """What the parser reads; a byte order mark at its start, which it does not count, is left out."""
        return self.prefix + self.data[self.start + self._skip : self.end] + self._suffix

    @cached_property
    def _wide(self) -> tuple[list[int], list[int]]:
        """The characters beyond ASCII, and the bytes that they and those before them add."""
        if self.stream.isascii():
            return [], [0]
        text = self.stream.decode()
        found = list(_WIDE.finditer(text))
        extra = accumulate((len(match[0].encode()) - 1 for match in found), initial=0)
        return [match.start() for match in found], list(extra)

    def byte(self, index: int) -> int:
        """Return the document's byte offset of a character that the parser counts."""
        positions, extra = self._wide
        offset = index + (extra[bisect_left(positions, index)] if positions else 0)
        return min(max(offset + self._skip - len(self.prefix) + self.start, self.start), self.end)

    def events(self) -> Callable[[], Any]:
        """Return the function that gives the next event; it raises `yaml.YAMLError`."""
        import yaml

        loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(self.stream)
        return loader.get_event  # type: ignore[no-any-return]

    def content(self, event: Any) -> int:
        """Return where a value starts behind its anchor and its tag."""
        start = self.byte(event.start_mark.index)
        if event.anchor is None and event.tag is None:
            return start
        properties = _PROPERTIES.match(self.data, start, self.end)
        return properties.end() if properties else start

    def column(self, event: Any) -> int:
        """Return the column at which a collection starts behind its anchor and its tag."""
        column: int = event.start_mark.column
        start, content = self.byte(event.start_mark.index), self.content(event)
        if content == start:
            return column
        line = max(self.data.rfind(b"\n", start, content), self.data.rfind(b"\r", start, content)) + 1
        if line == 0:
            return column + len(self.data[start:content].decode())
        return len(self.data[line:content].decode())

    def scalar_end(self, event: Any, indent: int) -> int:
        """Return where a scalar's text ends: a block scalar without the blank lines that it drops."""
        end = self.byte(event.end_mark.index)
        if event.style not in ("|", ">"):
            return end
        decoded = decode_yaml(self.data, self.content(event), end, indent)
        return decoded.span(len(decoded.text), len(decoded.text))[0]

    def broken(self, error: Exception, opened: Any) -> Broken:
        """Say what the parser's error means and where; `opened` began the collection that is open there."""
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
        mark = getattr(error, "problem_mark", None)
        message = _MESSAGES.get(problem, problem)
        if "quoted" in (getattr(error, "context", None) or "") and "unexpected" in problem:
            mark, message = getattr(error, "context_mark", mark), "the string that starts here does not end"
        elif problem == "could not find expected ':'":
            mark = getattr(error, "context_mark", mark)
        at = self.byte(mark.index) if mark else self.start
        token = _TOKEN.match(self.data, at, self.end)
        if "escape" in message:
            at = max(self.data.rfind(b"\\", self.start, at + 1), self.start)
            token = _ESCAPE.match(self.data, at, self.end)
        if "cannot start any token" in problem and token:
            character = token[0].decode("utf-8", "replace")[0]
            message = f"{character!r} cannot start a value; the text needs quotation marks"
        if self.data[at : at + 1] == b"\t":
            return Broken(Fault(at, at + 1, "a tab cannot indent; YAML wants spaces"))
        if self.data[at : self.end].strip():
            return Broken(Fault(at, token.end() if token else at, message))
        if opened is not None and opened.flow_style:
            at = self.content(opened)
            return Broken(Fault(at, at + 1, "the bracket that opens here does not close"))
        at = max(len(self.data[: self.end].rstrip()) - 1, self.start)
        return Broken(Fault(at, min(at + 1, self.end), "the text ends here, in the middle of a value"))


def scalar_value(event: Any) -> Any:
    """Return a scalar's value under the core schema; UNKNOWN for a tag that it does not have.

    Raises ValueError where an integer has too many digits.
    """
    tag = event.tag
    if tag is None:
        return resolve(event.value) if event.implicit[0] else event.value
    if tag in ("!", _TAG + "str"):
        return event.value
    types = _TYPES.get(tag.removeprefix(_TAG)) if tag.startswith(_TAG) else None
    value = resolve(event.value) if types else None
    return value if types and type(value) in types else UNKNOWN


def merges(event: Any) -> bool:
    """Say whether a key is the merge key `<<` of YAML 1.1."""
    return event.value == "<<" and event.tag in (None, _TAG + "merge") and event.style not in ("'", '"')


@dataclass(slots=True)
class Element:
    """A value of the sequence of tasks: its bytes, its column and its value."""

    start: int
    end: int
    column: int
    value: Any


@dataclass(slots=True)
class Composed:
    """One YAML document: its value, and the sequence of tasks if it has one."""

    value: Any = None
    root: Element | None = None
    pointer: Pointer | None = None
    """Where the sequence of tasks stands; None if there is none."""
    sequence: tuple[int, int] = (0, 0)
    column: int = 0
    flow: bool = False
    elements: list[Element] = field(default_factory=list)
    crossing: bool = False
    """Whether a part of it cannot be read alone: an alias leads from one task
    into another or into the header, or tags are abbreviated."""


class _Frame:
    """A collection that is not closed yet."""

    __slots__ = ("column", "event", "height", "key", "merged", "merging", "size", "value")

    def __init__(self, event: Any, value: Any, column: int) -> None:
        self.event = event
        self.value = value
        self.column = column
        self.key: str | None = None
        self.merging = False
        self.merged: list[dict[str, Any]] = []
        self.size = 1
        self.height = 1


class _Target(NamedTuple):
    """What an anchor names: a value or a node."""

    item: Any
    size: int
    """How many values it stands for."""
    height: int
    """How deep it nests."""
    region: int = -1
    """The task in which it stands; -1 outside of tasks."""


class _Anchors:
    """The anchors of one document, and how far its aliases have expanded it."""

    def __init__(self) -> None:
        self._targets: dict[str, _Target | None] = {}
        self._expanded = 0

    def open(self, name: str | None) -> None:
        """Note an anchor whose value has begun."""
        if name is not None:
            self._targets[name] = None

    def define(self, name: str | None, target: _Target) -> None:
        """Note an anchor whose value is complete."""
        if name is not None:
            self._targets[name] = target

    def known(self, name: str) -> bool:
        """Say whether the anchor stands before."""
        return name in self._targets

    def resolve(self, name: str, depth: int) -> _Target | str | None:
        """Return what an alias at a depth names, or why it cannot be followed.

        None where the reason has been given before.
        """
        target = self._targets.get(name)
        if target is None:
            if name in self._targets:
                return f"the alias *{name} stands inside its own anchor: its value would never end"
            return f"the alias *{name} names no anchor that stands before it"
        if depth + target.height > MAX_DEPTH:
            return f"with its aliases the text nests more than {MAX_DEPTH} levels deep"
        if self._expanded > MAX_EXPANDED:
            return None
        self._expanded += target.size
        if self._expanded > MAX_EXPANDED:
            return f"the aliases of this file stand for more than {MAX_EXPANDED:,} values"
        return target


class Values:
    """Composes the values of a piece.

    What is wrong and does not end the parse (a duplicate key, an alias that
    leads nowhere) goes to `faults`. With `lenient`, an alias without an
    anchor is no fault: the piece was cut from a larger text. `wanted` names
    the keys down to the sequence of tasks, where it is not one of the usual.
    """

    def __init__(
        self, piece: Piece, faults: list[Fault], wanted: Pointer | None = None, *, lenient: bool = False
    ) -> None:
        self.piece = piece
        self.faults = faults
        self.wanted = wanted
        self.lenient = lenient
        self.documents: list[Composed] = []
        self._stack: list[_Frame] = []
        self._anchors = _Anchors()
        self._sequence: _Frame | None = None
        self._end = 0
        self._scalar_event: Any = None
        self._indent = -1

    def compose(self) -> list[Composed]:
        """Return the documents of the piece. Raises `Broken`."""
        import yaml

        next_event = self.piece.events()
        handlers: dict[type, Callable[[Any], None]] = {
            yaml.ScalarEvent: self._scalar,
            yaml.AliasEvent: self._alias,
            yaml.MappingStartEvent: lambda event: self._open(event, {}),
            yaml.SequenceStartEvent: lambda event: self._open(event, []),
            yaml.MappingEndEvent: self._close,
            yaml.SequenceEndEvent: self._close,
            yaml.DocumentStartEvent: self._begin,
            yaml.DocumentEndEvent: lambda _: None,
            yaml.StreamStartEvent: lambda _: None,
        }
        try:
            while type(event := next_event()) is not yaml.StreamEndEvent:
                handlers[type(event)](event)
        except yaml.YAMLError as error:
            raise self.piece.broken(error, self._stack[-1].event if self._stack else None) from None
        for composed in self.documents:
            self._settle(composed)
        return self.documents

    def _begin(self, event: Any) -> None:
        self.documents.append(Composed(crossing=bool(event.tags)))
        self._anchors = _Anchors()
        self._sequence = None

    def _settle(self, composed: Composed) -> None:
        """Take a key of the tasks without a value for an empty sequence."""
        if composed.pointer is None and not self.wanted and isinstance(composed.value, dict):
            empty = [key for key in CONTAINERS if key in composed.value and composed.value[key] is None]
            if empty:
                composed.pointer = (empty[0],)

    def _fault(self, event: Any, message: str) -> None:
        start, end = self.piece.byte(event.start_mark.index), self.piece.byte(event.end_mark.index)
        self.faults.append(Fault(start, end, message))

    def _region(self) -> int:
        """Return the number of the task that is being read; -1 outside of tasks."""
        return len(self.documents[-1].elements) if self._sequence is not None else -1

    def _scalar(self, event: Any) -> None:
        try:
            value = scalar_value(event)
        except ValueError:
            self._fault(event, f"a number of {len(event.value)} digits is too long")
            value = UNKNOWN
        if isinstance(value, str) and not value.isascii() and re.search("[\ud800-\udfff]", value):
            self._fault(event, _MESSAGES["found invalid Unicode character escape code"])
            value = re.sub("[\ud800-\udfff]", "\ufffd", value)
        self._anchors.define(event.anchor, _Target(value, 1, 0, self._region()))
        self._end = event.end_mark.index
        self._scalar_event = event
        self._indent = self._stack[-1].column if self._stack else -1
        if self._stack:
            frame = self._stack[-1]
            if frame.key is None and type(frame.value) is dict:
                frame.merging = merges(event)
                self._key(frame, event, event.value)
                return
        self._place(event, value, 1, 0)

    def _key(self, frame: _Frame, event: Any, key: str) -> None:
        frame.key = key
        if key in frame.value:
            self._fault(event, f'the key "{key}" appears twice in this object; only the last value counts')

    def _alias(self, event: Any) -> None:
        self._end = event.end_mark.index
        self._scalar_event = None
        target = self._anchors.resolve(event.anchor, len(self._stack))
        if isinstance(target, _Target):
            if target.region != self._region():
                self.documents[-1].crossing = True
            self._place(event, target.item, target.size, target.height)
            return
        if target and not (self.lenient and not self._anchors.known(event.anchor)):
            self._fault(event, target)
        self._place(event, UNKNOWN, 1, 0)

    def _open(self, event: Any, value: dict[str, Any] | list[Any]) -> None:
        if len(self._stack) >= MAX_DEPTH:
            at = self.piece.byte(event.start_mark.index)
            raise Broken(Fault(at, at + 1, _TOO_DEEP))
        frame = _Frame(event, value, self.piece.column(event) if event.anchor or event.tag else event.start_mark.column)
        self._anchors.open(event.anchor)
        composed = self.documents[-1]
        if composed.pointer is None and type(value) is list:
            pointer = self._pointer()
            if pointer is not None:
                composed.pointer = pointer
                composed.column, composed.flow = frame.column, bool(event.flow_style)
                self._sequence = frame
        self._stack.append(frame)

    def _pointer(self) -> Pointer | None:
        """Return the pointer of the sequence that opens now, if it is that of the tasks."""
        path = tuple(frame.key for frame in self._stack if frame.key is not None)
        if len(path) < len(self._stack):
            return None
        if self.wanted:
            return path if path == self.wanted else None
        return path if not path or (len(path) == 1 and path[0] in CONTAINERS) else None

    def _close(self, event: Any) -> None:
        frame = self._stack.pop()
        value = frame.value
        if frame.event.flow_style:
            self._end = event.end_mark.index
            self._scalar_event = None
        if frame.merged:
            value = {}
            for merged in reversed(frame.merged):
                value.update(merged)
            value.update(frame.value)
        if frame is self._sequence:
            composed = self.documents[-1]
            composed.sequence = (self.piece.byte(frame.event.start_mark.index), self._content_end())
            self._sequence = None
        self._anchors.define(frame.event.anchor, _Target(value, frame.size, frame.height, self._region()))
        self._place(frame.event, value, frame.size, frame.height)

    def _content_end(self) -> int:
        """Return where the value read last ends."""
        if self._scalar_event is not None:
            return self.piece.scalar_end(self._scalar_event, self._indent)
        return self.piece.byte(self._end)

    def _place(self, event: Any, value: Any, size: int, height: int) -> None:
        """Put a finished value where it belongs."""
        if not self._stack:
            composed = self.documents[-1]
            composed.value = value
            start = self.piece.byte(event.start_mark.index)
            composed.root = Element(start, self._content_end(), event.start_mark.column, value)
            return
        frame = self._stack[-1]
        frame.size += size
        frame.height = max(frame.height, height + 1)
        if type(frame.value) is list:
            frame.value.append(value)
            if frame is self._sequence:
                start = self.piece.byte(event.start_mark.index)
                element = Element(start, self._content_end(), event.start_mark.column, value)
                self.documents[-1].elements.append(element)
        elif frame.key is None:
            start, end = self.piece.byte(event.start_mark.index), self.piece.byte(self._end)
            key = value if isinstance(value, str) else self.piece.data[start:end].decode()
            if isinstance(value, dict | list):
                while self.faults and self.faults[-1].start >= start:
                    self.faults.pop()
                message = "an object or a list cannot be a key; text with brackets needs quotation marks"
                self.faults.append(Fault(start, end, message))
            self._key(frame, event, key)
        else:
            key, frame.key = frame.key, None
            found = value if isinstance(value, list) else [value]
            if frame.merging and found and all(isinstance(item, dict) for item in found):
                frame.merged.extend(found)
            else:
                frame.value[key] = value
            frame.merging = False


class _OpenNode:
    """An object or array whose end has not come yet."""

    __slots__ = ("children", "column", "event", "height", "kind", "size")

    def __init__(self, event: Any, kind: Kind, column: int) -> None:
        self.event = event
        self.kind: Kind = kind
        self.column = column
        self.children: list[Node] = []
        self.size = 1
        self.height = 1

    @property
    def expects_key(self) -> bool:
        return self.kind == "object" and len(self.children) % 2 == 0


class Nodes:
    """Composes the syntax of a piece that `Values` has accepted.

    Offsets count from `origin`. An alias is the node of its anchor, and the
    entries that a merge key brings stand before the object's own.
    """

    def __init__(self, piece: Piece, origin: int) -> None:
        self.piece = piece
        self.origin = origin
        self.roots: list[Node] = []
        self._indents: dict[int, int] = {}
        self._stack: list[_OpenNode] = []
        self._end = 0
        self._merging: set[int] = set()
        self._anchors = _Anchors()
        self._texts: dict[str, str] = {}

    def compose(self) -> list[Node]:
        """Return the root of each document; fewer where the piece does not parse."""
        import yaml

        next_event = self.piece.events()
        handlers: dict[type, Callable[[Any], None]] = {
            yaml.ScalarEvent: self._scalar,
            yaml.AliasEvent: self._alias,
            yaml.MappingStartEvent: lambda event: self._open(event, "object"),
            yaml.SequenceStartEvent: lambda event: self._open(event, "array"),
            yaml.MappingEndEvent: self._close,
            yaml.SequenceEndEvent: self._close,
            yaml.DocumentStartEvent: self._begin,
        }
        try:
            while type(event := next_event()) is not yaml.StreamEndEvent:
                if handler := handlers.get(type(event)):
                    handler(event)
        except yaml.YAMLError:
            pass
        return self.roots

    def tree(self, root: Node) -> Tree:
        """Return a tree over the bytes from `origin` to the piece's end."""
        return Tree(self.piece.data[self.origin : self.piece.end], root, self._decode)

    def _decode(self, data: bytes, node: Node) -> Decoded:
        return decode_yaml(data, node.start, node.end, self._indents.get(node.start, -1))

    def _begin(self, _event: Any) -> None:
        self._anchors = _Anchors()
        self._texts.clear()

    def _range(self, event: Any) -> tuple[int, int]:
        start, end = event.start_mark.index, event.end_mark.index
        return self.piece.byte(start) - self.origin, self.piece.byte(end) - self.origin

    def _source(self, start: int, end: int) -> bytes:
        return self.piece.data[self.origin + start : self.origin + end]

    def _scalar(self, event: Any) -> None:
        try:
            value = scalar_value(event)
        except ValueError:
            value = UNKNOWN
        kind: Kind = "string" if isinstance(value, str) else "unknown" if value is UNKNOWN else "scalar"
        indent = self._stack[-1].column if self._stack else -1
        start = self.piece.content(event) - self.origin
        end = self.piece.scalar_end(event, indent) - self.origin
        if event.start_mark.index == event.end_mark.index:
            start = end = len(self._source(0, end).rstrip(b" \t\r\n"))
        elif start > end:
            start = end
        if event.style in ("|", ">"):
            self._indents[start] = indent
        self._end = end
        node = Node(kind, start, end)
        if self._stack and self._stack[-1].expects_key:
            node.key = event.value
            if merges(event):
                self._merging.add(id(node))
        if event.anchor is not None:
            self._texts[event.anchor] = event.value
        self._anchors.define(event.anchor, _Target(node, 1, 0))
        self._add(node, 1, 0)

    def _alias(self, event: Any) -> None:
        start, self._end = self._range(event)
        target = self._anchors.resolve(event.anchor, len(self._stack))
        if not isinstance(target, _Target):
            target = _Target(Node("unknown", start, self._end), 1, 0)
        node = target.item
        if self._stack and self._stack[-1].expects_key:
            text = self._texts[event.anchor] if node.kind == "string" else f"*{event.anchor}"
            node = Node("scalar", start, self._end, key=text)
        self._add(node, target.size, target.height)

    def _open(self, event: Any, kind: Kind) -> None:
        self._anchors.open(event.anchor)
        self._stack.append(_OpenNode(event, kind, self.piece.column(event)))

    def _close(self, event: Any) -> None:
        opened = self._stack.pop()
        start = self.piece.content(opened.event) - self.origin
        if opened.event.flow_style:
            self._end = self._range(event)[1]
        if opened.kind == "array":
            node = Node(opened.kind, start, self._end, items=opened.children)
        else:
            node = Node(opened.kind, start, self._end, entries=self._entries(opened.children))
        if self._stack and self._stack[-1].expects_key:
            node.key = self._source(start, self._end).decode()
        self._anchors.define(opened.event.anchor, _Target(node, opened.size, opened.height))
        self._add(node, opened.size, opened.height)

    def _entries(self, children: list[Node]) -> list[tuple[Node, Node]]:
        own: list[tuple[Node, Node]] = []
        merged: list[Node] = []
        for key, value in zip(children[::2], children[1::2], strict=True):
            found = value.items if value.kind == "array" else [value]
            if id(key) in self._merging and found and all(item.kind == "object" for item in found):
                merged.extend(found)
            else:
                own.append((key, value))
        brought = {entry[0].key: entry for item in reversed(merged) for entry in item.entries}
        return [*brought.values(), *own]

    def _add(self, node: Node, size: int, height: int) -> None:
        if not self._stack:
            self.roots.append(node)
            return
        parent = self._stack[-1]
        parent.children.append(node)
        parent.size += size
        parent.height = max(parent.height, height + 1)

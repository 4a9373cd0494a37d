"""PyYAML's events over a part of a document: where they stand, what they mean, how far aliases may go."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchlint.text.document import BOM
from benchlint.text.slices import MAX_DEPTH, UNKNOWN, Fault
from benchlint.text.yaml_schema import resolve
from benchlint.text.yaml_strings import decode_yaml

if TYPE_CHECKING:
    from collections.abc import Callable

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
TOO_DEEP: Final = f"the text nests more than {MAX_DEPTH} levels deep"
LONE_SURROGATE: Final = "an escape names half of a character: a lone surrogate"
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
    "found invalid Unicode character escape code": LONE_SURROGATE,
    "did not find expected hexdecimal number": "an escape lacks hexadecimal digits",
    "mapping values are not allowed in this context": (
        "':' cannot stand here: the line is indented too far, or the text needs quotation marks"
    ),
    "block sequence entries are not allowed in this context": "'- ' cannot start a list here",
    "block mapping is not allowed in this context": "an object cannot start here",
    "found undefined tag handle": "the tag's handle is not defined",
    "exceeded maximum nesting depth": TOO_DEEP,
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


class Target(NamedTuple):
    """What an anchor names: a value or a node."""

    item: Any
    size: int
    """How many values it stands for."""
    height: int
    """How deep it nests."""
    region: int = -1
    """The task in which it stands; -1 outside of tasks."""


class Anchors:
    """The anchors of one document, and how far its aliases have expanded it."""

    def __init__(self) -> None:
        self._targets: dict[str, Target | None] = {}
        self._expanded = 0

    def open(self, name: str | None) -> None:
        """Note an anchor whose value has begun."""
        if name is not None:
            self._targets[name] = None

    def define(self, name: str | None, target: Target) -> None:
        """Note an anchor whose value is complete."""
        if name is not None:
            self._targets[name] = target

    def known(self, name: str) -> bool:
        """Say whether the anchor stands before."""
        return name in self._targets

    def resolve(self, name: str, depth: int) -> Target | str | None:
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

"""A task as numbered parts: what a judge reads, and where each word came from."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from benchlint.text.quotes import find_quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchlint.benchmark.model import Call, Field, Task
    from benchlint.text.tree import Pointer

_NUMBER = re.compile(r"^\s*\[(?=\d+\])")


class Piece(NamedTuple):
    """A stretch of a part's text that was copied from a value of the task.

    `pointer` leads to the value; `key` says that its key was copied.
    `verbatim` is False where the value is written otherwise than its text (a
    number, an escaped string): then only the whole value can be meant.
    """

    start: int
    end: int
    pointer: Pointer
    verbatim: bool = True
    key: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One numbered part of a task: its label, its text and the field that it shows."""

    label: str
    text: str
    pieces: tuple[Piece, ...]
    pointer: Pointer = ()


class Placed(NamedTuple):
    """Where a quote stands in a task.

    `span` selects characters of the string at `pointer`, None means the
    whole value. `exact` is False where the quote was matched loosely.
    """

    pointer: Pointer
    span: tuple[int, int] | None
    key: bool
    exact: bool


def description(task: Task) -> list[Part]:
    """Return d: what the simulated user is told and what the author intends."""
    return scenario(task) + [_field(_label(item.pointer), item) for item in task.purpose]


def scenario(task: Task) -> list[Part]:
    """Return what the simulated user is told, the first parts of d; without a user, the ticket."""
    told = task.scenario or ((task.ticket,) if task.ticket else ())
    return [_field(_label(item.pointer), item) for item in told]


def expectation(task: Task) -> list[Part]:
    """Return e: prose, expected actions in their order, and the criteria."""
    parts = [_field("expected behaviour", item) for item in task.behaviour]
    parts += [_call("expected action", item) for item in task.actions]
    parts += [_call("assertion of the environment", item) for item in task.env_assertions]
    parts += [_field("the agent must say", item) for item in task.communicate_info]
    return parts + [_field("assertion", item) for item in task.nl_assertions]


def render(parts: Iterable[Part], first: int = 1) -> str:
    """Write parts as a numbered list. No line within a part opens with a number of that kind."""
    return "\n".join(f"[{number}] {part.label}: {_indented(part.text)}" for number, part in enumerate(parts, first))


def place(quote: str, parts: Iterable[Part]) -> Placed | None:
    """Return where a quote stands; exact matches in any part come first."""
    loose: Placed | None = None
    for part in parts:
        found = find_quote(quote, part.text)
        if found is None:
            continue
        placed = _placed(part, found.start, found.end, exact=found.exact)
        if placed is not None and placed.exact:
            return placed
        loose = loose or placed
    return loose


def _placed(part: Part, start: int, end: int, *, exact: bool) -> Placed | None:
    """Return the value that a range of a part's text lies in, or what holds all that it touches."""
    touched = [piece for piece in part.pieces if min(end, piece.end) > max(start, piece.start)]
    pointers = {piece.pointer for piece in touched}
    if not touched:
        return None
    if len(pointers) > 1:
        return Placed(_common(pointers), None, False, exact)
    piece = touched[0]
    if len(touched) > 1 or not piece.verbatim or piece.key:
        return Placed(piece.pointer, None, len(touched) == 1 and piece.key, exact)
    span = (max(start, piece.start) - piece.start, min(end, piece.end) - piece.start)
    return Placed(piece.pointer, span, False, exact)


def _common(pointers: Iterable[Pointer]) -> Pointer:
    """Return the longest beginning that pointers share."""
    shared: list[str | int] = []
    for level in zip(*pointers, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return tuple(shared)


def _indented(text: str) -> str:
    return "\n  ".join(_NUMBER.sub("\uff3b", line) for line in text.splitlines())


def _label(pointer: Pointer) -> str:
    return str(next((part for part in reversed(pointer) if isinstance(part, str)), "text")).replace("_", " ")


def _field(label: str, item: Field) -> Part:
    return Part(label, item.text, (Piece(0, len(item.text), item.pointer),), item.pointer)


def _call(label: str, call: Call) -> Part:
    """Write a call as `name(argument=value, ...)`."""
    writer = _Writer()
    writer.add(call.name, call.name_pointer)
    writer.plain("(")
    for index, (name, value) in enumerate((call.arguments or {}).items()):
        if index:
            writer.plain(", ")
        at = (*call.arguments_pointer, name)
        writer.add(str(name), at, key=True)
        writer.plain("=")
        writer.value(value, at)
    writer.plain(")")
    who = " by the user" if call.requestor == "user" else ""
    return Part(label + who, writer.text, tuple(writer.pieces), call.pointer)


class _Writer:
    """Writes values as JSON and remembers where each came from."""

    def __init__(self) -> None:
        self.text = ""
        self.pieces: list[Piece] = []

    def plain(self, text: str) -> None:
        self.text += text

    def add(self, text: str, pointer: Pointer, *, verbatim: bool = True, key: bool = False) -> None:
        start = len(self.text)
        self.text += text
        self.pieces.append(Piece(start, len(self.text), pointer, verbatim, key))

    def value(self, value: Any, pointer: Pointer) -> None:
        if isinstance(value, str):
            literal = json.dumps(value, ensure_ascii=False)
            self.plain('"')
            self.add(literal[1:-1], pointer, verbatim=literal[1:-1] == value)
            self.plain('"')
        elif isinstance(value, (dict, list)):
            self._container(value, pointer)
        else:
            self.add(json.dumps(value, default=str), pointer, verbatim=False)

    def _container(self, value: dict[str, Any] | list[Any], pointer: Pointer) -> None:
        opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
        self.plain(opening)
        for index, (part, item) in enumerate(_items(value)):
            if index:
                self.plain(", ")
            if isinstance(value, dict):
                self.plain('"')
                self.add(str(part), (*pointer, part), key=True)
                self.plain('": ')
            self.value(item, (*pointer, part))
        self.plain(closing)


def _items(value: dict[str, Any] | list[Any]) -> Iterator[tuple[str | int, Any]]:
    yield from value.items() if isinstance(value, dict) else enumerate(value)

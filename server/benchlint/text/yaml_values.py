"""The values of a YAML text, from the parser's events: without recursion and within bounds."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchlint.text.slices import CONTAINERS, MAX_DEPTH, UNKNOWN, Fault
from benchlint.text.yaml_events import LONE_SURROGATE, TOO_DEEP, Anchors, Broken, Piece, Target, merges, scalar_value

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.text.tree import Pointer


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
        self._anchors = Anchors()
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
        self._anchors = Anchors()
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
            self._fault(event, LONE_SURROGATE)
            value = re.sub("[\ud800-\udfff]", "\ufffd", value)
        self._anchors.define(event.anchor, Target(value, 1, 0, self._region()))
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
        if isinstance(target, Target):
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
            raise Broken(Fault(at, at + 1, TOO_DEEP))
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
        self._anchors.define(frame.event.anchor, Target(value, frame.size, frame.height, self._region()))
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

"""A sentence of a task, and what contradicts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from benchlint.benchmark.model import Field
    from benchlint.text.tree import Pointer


class Said(NamedTuple):
    """A sentence of a field; `start` is its first character there."""

    field: Field
    start: int
    text: str

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the place in the field of some of the sentence's characters."""
        return self.start + start, self.start + end


class Evidence(NamedTuple):
    """Another place of the task, and what stands there."""

    message: str
    pointer: Pointer


class Fault(NamedTuple):
    """A contradiction: the characters of a field at fault, and what speaks against them.

    `meant` is the text that the other side has in their place, where that
    is certain enough to be offered.
    """

    field: Field
    span: tuple[int, int]
    message: str
    evidence: tuple[Evidence, ...] = ()
    meant: str | None = None

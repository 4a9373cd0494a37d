"""A sentence of a task, and what contradicts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from benchlint.checks.traits import joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchlint.benchmark.model import Call, Field
    from benchlint.checks.facts import Leaf
    from benchlint.text.tree import Pointer

_EVIDENCE = 5
"""How many places are named that speak against a sentence."""


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

    `meant` is what the other side has in their place, in the same form, where
    that is one thing.
    """

    field: Field
    span: tuple[int, int]
    message: str
    evidence: tuple[Evidence, ...] = ()
    meant: str | None = None


def contradiction(
    said: Said,
    place: tuple[int, int],
    leaves: Sequence[Leaf],
    *,
    has: str = "",
    of: Iterable[str] = (),
    meant: str | None = None,
) -> Fault:
    """Say that the words at a place contradict the values in some expected actions.

    `has` tells these values where they are not to be told one by one, `of`
    the ids that have them.
    """
    tools, values, ids = (either(items) for items in ((leaf.call.name for leaf in leaves), _values(leaves), of))
    return Fault(
        said.field,
        said.span(*place),
        f'"{said.text[slice(*place)]}" contradicts the expected {tools}, which has {has or values}'
        + (f" for {ids}" if ids else ""),
        evidence(leaves),
        meant,
    )


def _values(leaves: Iterable[Leaf]) -> Iterable[Any]:
    return (leaf.value for leaf in leaves)


def evidence(leaves: Iterable[Leaf]) -> tuple[Evidence, ...]:
    """Point to scalars of the expected actions, each value once."""
    found: dict[object, Evidence] = {}
    for leaf in leaves:
        message = f"{leaf.key} of the expected {leaf.call.name} is {shown(leaf.value)}"
        found.setdefault(message, Evidence(message, leaf.pointer))
    return tuple(found.values())[:_EVIDENCE]


def called(calls: Sequence[Call]) -> tuple[Evidence, ...]:
    """Point to expected actions."""
    return tuple(Evidence(f"the expected {call.name}", call.name_pointer) for call in calls[:_EVIDENCE])


def shown(value: object) -> str:
    """Write a scalar as it stands in a message."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def either(values: Iterable[object]) -> str:
    """Write values once each: `a, b or c`."""
    texts = list(dict.fromkeys(map(shown, values)))
    return joined(texts, "or")

"""What a format's reader offers, and what several of them need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from benchlint.benchmark.model import Call, Field

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from benchlint.benchmark.model import Problem, Requestor, Task
    from benchlint.benchmark.shape import Shape
    from benchlint.text.slices import Slice
    from benchlint.text.tree import Pointer


class Format(Protocol):
    """The reader of one format. Reading is pure: one slice, one task."""

    name: str
    default_reward_basis: tuple[str, ...]
    """What counts where a task names no reward basis; empty: not known."""
    header: Shape | None
    """What must stand beside the tasks; None allows anything."""

    def recognises(self, value: Any) -> bool:
        """Say whether the value of a slice looks like a task of this format."""

    def read(self, piece: Slice) -> tuple[Task | None, list[Problem]]:
        """Return a slice's task and what the format does not allow in it.

        A slice that does not parse, or in which no task can be seen, has
        None for a task.
        """


def problems(shape: Shape, value: Any) -> list[Problem]:
    """Return how a task differs from its format's shape."""
    return [] if shape.fits(value) else list(shape.problems(value, ()))


def texts(value: Any, pointer: Pointer) -> Iterable[Field]:
    """Yield every string inside a value with its place."""
    if isinstance(value, str):
        if value:
            yield Field(pointer, value)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from texts(item, (*pointer, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from texts(item, (*pointer, index))


def strings(value: Any, pointer: Pointer) -> tuple[Field, ...]:
    """Return the strings of a list with their places."""
    if not isinstance(value, list):
        return ()
    return tuple(Field((*pointer, index), item) for index, item in enumerate(value) if isinstance(item, str))


def suppressions(value: Mapping[str, Any]) -> tuple[Field, ...]:
    """Return the rules that a task's `annotations.benchlint.ignore` names.

    `ignore` is a rule, a list of rules, or an object of rule and reason.
    """
    annotations = value.get("annotations")
    ours = annotations.get("benchlint") if isinstance(annotations, dict) else None
    ignored = ours.get("ignore") if isinstance(ours, dict) else None
    at: Pointer = ("annotations", "benchlint", "ignore")
    if isinstance(ignored, str):
        return (Field(at, ignored),)
    if isinstance(ignored, dict):
        return tuple(Field((*at, rule), rule) for rule in ignored)
    return strings(ignored, at)


def calls(value: Any, pointer: Pointer, name: str, arguments: str, side: str, default: Requestor) -> tuple[Call, ...]:
    """Return the calls of a list of objects, under the keys that a format uses.

    `name`, `arguments` and `side` are the keys of the tool's name, of its
    arguments and of who calls it.
    """
    if not isinstance(value, list):
        return ()
    found = []
    keys = (name, arguments)
    for index, item in enumerate(value):
        if not isinstance(item, dict):
            continue
        tool = item.get(name)
        if not isinstance(tool, str):
            continue
        values, identity = item.get(arguments), item.get("action_id")
        found.append(
            Call(
                (*pointer, index),
                tool,
                values if isinstance(values, dict) else None,
                "user" if item.get(side, default) == "user" else "assistant",
                identity if isinstance(identity, str) else None,
                True,
                keys,
            )
        )
    return tuple(found)

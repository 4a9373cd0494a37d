"""The shape that a format expects of a task, and where a value differs."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from benchlint.benchmark.model import Problem
from benchlint.text.slices import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from benchlint.text.tree import Pointer


class Shape(Protocol):
    """What a value must look like."""

    @property
    def name(self) -> str:
        """The shape in words, with an article: "a string"."""

    def fits(self, value: Any) -> bool:
        """Say whether a value has the shape: what is asked of every task."""

    def problems(self, value: Any, at: Pointer) -> Iterator[Problem]:
        """Yield every difference; `at` leads to the value."""


def type_name(value: Any) -> str:
    """Say in words what a value is."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "an object"


class Scalar(Struct, frozen=True, eq=False):
    """A value of one of some types. A boolean is no number."""

    types: tuple[type, ...]
    name: str

    def fits(self, value: Any) -> bool:
        """Say whether the value has one of the types."""
        return type(value) in self.types or value is UNKNOWN

    def problems(self, value: Any, at: Pointer) -> Iterator[Problem]:
        """Yield the value where its type is another."""
        if not self.fits(value):
            yield Problem(at, f"{field_name(at)} must be {self.name}, not {type_name(value)}")


class OneOf(Struct, frozen=True, eq=False):
    """One of some strings."""

    values: tuple[str, ...]
    name: str = "a string"

    def fits(self, value: Any) -> bool:
        """Say whether the value is one of the strings."""
        return value in self.values or value is UNKNOWN

    def problems(self, value: Any, at: Pointer) -> Iterator[Problem]:
        """Yield the value where it is none of them."""
        if value is UNKNOWN:
            return
        if not isinstance(value, str):
            yield Problem(at, f"{field_name(at)} must be a string, not {type_name(value)}")
        elif value not in self.values:
            known = ", ".join(self.values)
            yield Problem(at, f'"{value}" is unknown here: use {known}', replacement=nearest(value, self.values))


class Optional(Struct, frozen=True, eq=False):
    """A value of a shape, or null."""

    shape: Shape

    @property
    def name(self) -> str:
        """The shape's name and null."""
        return f"{self.shape.name} or null"

    def fits(self, value: Any) -> bool:
        """Say whether the value is null or has the shape."""
        return value is None or self.shape.fits(value)

    def problems(self, value: Any, at: Pointer) -> Iterator[Problem]:
        """Yield the differences of a value that is not null."""
        if value is not None:
            yield from self.shape.problems(value, at)


class ListOf(Struct, frozen=True, eq=False):
    """A list of values of one shape."""

    item: Shape
    name: str = "a list"

    def fits(self, value: Any) -> bool:
        """Say whether the value is a list whose elements have the shape."""
        if type(value) is list:
            return all(map(self.item.fits, value))
        return value is UNKNOWN

    def problems(self, value: Any, at: Pointer) -> Iterator[Problem]:
        """Yield the differences of the list and of each element."""
        if value is UNKNOWN:
            return
        if not isinstance(value, list):
            yield Problem(at, f"{field_name(at)} must be a list, not {type_name(value)}")
            return
        for index, item in enumerate(value):
            yield from self.item.problems(item, (*at, index))


class Either(Struct, frozen=True, eq=False):
    """An object of one shape, or a string."""

    shape: Shape
    name: str = "a string or an object"

    def fits(self, value: Any) -> bool:
        """Say whether the value is a string or has the shape."""
        return type(value) is str or self.shape.fits(value)

    def problems(self, value: Any, at: Pointer) -> Iterator[Problem]:
        """Yield the differences of a value that is no string."""
        if isinstance(value, str) or value is UNKNOWN:
            return
        if isinstance(value, dict):
            yield from self.shape.problems(value, at)
        else:
            yield Problem(at, f"{field_name(at)} must be {self.name}, not {type_name(value)}")


class Record(Struct, frozen=True, eq=False, dict=True):
    """An object with known fields. Fields named in `required` must be there.

    `what` names the object in messages: "a task".
    """

    what: str
    fields: Mapping[str, Shape | None]
    """The shape of each field; None allows anything."""
    required: tuple[str, ...] = ()
    name: str = "an object"

    @cached_property
    def _scalars(self) -> dict[str, frozenset[type]]:
        """The types of the fields that are scalars: most, and asked of every task."""
        found = {}
        for name, shape in self.fields.items():
            inner = shape.shape if isinstance(shape, Optional) else shape
            if isinstance(inner, Scalar):
                found[name] = frozenset(inner.types) | ({type(None)} if inner is not shape else frozenset())
        return found

    @cached_property
    def _others(self) -> dict[str, Callable[[Any], bool]]:
        """The tests of the other fields."""
        return {
            name: shape.fits if shape is not None else _anything
            for name, shape in self.fields.items()
            if name not in self._scalars
        }

    def fits(self, value: Any) -> bool:
        """Say whether the value is an object with known, fitting fields."""
        if type(value) is not dict:
            return value is UNKNOWN
        scalars, others = self._scalars, self._others
        for name, item in value.items():
            types = scalars.get(name)
            if types is not None:
                if type(item) not in types and item is not UNKNOWN:
                    return False
                continue
            fits = others.get(name)
            if fits is None or not fits(item):
                return False
        for name in self.required:  # noqa: SIM110 (a generator costs more than the look-ups)
            if name not in value:
                return False
        return True

    def problems(self, value: Any, at: Pointer) -> Iterator[Problem]:
        """Yield missing, unknown and wrong fields; a missing one that is misspelt is one problem."""
        if value is UNKNOWN:
            return
        if not isinstance(value, dict):
            yield Problem(at, f"{field_name(at) if at else self.what} must be an object, not {type_name(value)}")
            return
        free = [field for field in self.fields if field not in value]
        meant = {name: nearest(name, free) for name in value if name not in self.fields}
        for name in self.required:
            if name not in value and name not in meant.values():
                yield Problem(at, f'"{name}" is missing: {self.what} must have it', part="opening")
        for name, item in value.items():
            shape = self.fields.get(name)
            if shape is not None:
                yield from shape.problems(item, (*at, name))
            elif name in meant:
                other = meant[name]
                lack = f', and "{other}" is missing' if other in self.required else ""
                message = f'"{name}" is no field of {self.what}{lack}'
                yield Problem((*at, name), message, part="key", replacement=other)


def _anything(_: Any) -> bool:
    return True


TEXT = Scalar((str,), "a string")
NUMBER = Scalar((int, float), "a number")
INTEGER = Scalar((int,), "an integer")
BOOLEAN = Scalar((bool,), "a boolean")
OBJECT = Scalar((dict,), "an object")
ID = Scalar((str, int), "a string")


def field_name(at: Pointer) -> str:
    """Name a field in a message: its key, and its index in a list."""
    name = f'"{at[-1]}"' if at and isinstance(at[-1], str) else ""
    if not name and len(at) > 1:
        name = f'entry {int(at[-1]) + 1} of "{at[-2]}"'
    return name or "the task"


def nearest(name: str, candidates: list[str] | tuple[str, ...], cutoff: float = 75) -> str | None:
    """Return the candidate most like a name, if one is like it.

    `cutoff` is a similarity from 0 to 100.
    """
    if not candidates:
        return None
    from rapidfuzz import fuzz, process

    found = process.extractOne(name, candidates, scorer=fuzz.ratio, score_cutoff=cutoff)
    return found[0] if found else None

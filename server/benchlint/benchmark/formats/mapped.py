"""A team's own files, through a mapping in the configuration."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from benchlint.benchmark.formats.base import calls, strings, suppressions, texts
from benchlint.benchmark.model import Problem, Task
from benchlint.benchmark.shape import nearest, type_name
from benchlint.text.slices import UNPARSED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchlint.benchmark.model import CriterionKind, Field
    from benchlint.benchmark.shape import Shape
    from benchlint.config_schema import FieldMapping
    from benchlint.text.slices import Slice
    from benchlint.text.tree import Pointer

_SAMPLE = 200
"""How many tasks tell which paths there are."""

_MISSING = object()


class MappedFormat:
    """The reader of tasks whose parts are where a mapping says. See `Format`."""

    name = "mapped"
    default_reward_basis: tuple[str, ...] = ()
    header: Shape | None = None

    def __init__(self, mapping: FieldMapping) -> None:
        self.mapping = mapping
        self._description = _many(mapping.description)
        self._behaviour = _many(mapping.behaviour)
        single = (mapping.actions, mapping.communicate, mapping.assertions)
        self._expectation = (*self._behaviour, *(path for path in single if path))

    @property
    def tasks(self) -> Pointer | None:
        """Where the list of tasks stands; None: at the top."""
        return tuple(self.mapping.tasks.split(".")) if self.mapping.tasks else None

    def recognises(self, value: Any) -> bool:
        """Say whether a value can be a task: whether it is an object."""
        return isinstance(value, dict)

    def read(self, piece: Slice) -> tuple[Task | None, list[Problem]]:
        """Return a slice's task and what the mapping does not find in it."""
        value, mapping = piece.value, self.mapping
        if value is UNPARSED:
            return None, []
        if not isinstance(value, dict):
            return None, [Problem((), f"a task must be an object, not {type_name(value)}")]
        found = list(self._problems(value))
        identity = _at(value, mapping.id)
        basis = _at(value, mapping.reward_basis)
        pointers: dict[CriterionKind, str | None] = {
            "actions": mapping.actions,
            "communicate_info": mapping.communicate,
            "nl_assertions": mapping.assertions,
        }
        return Task(
            id=str(identity) if type(identity) in (str, int) else "",
            id_pointer=_pointer(value, mapping.id) or (),
            slice=piece,
            value=value,
            scenario=self._texts(value, self._description),
            behaviour=self._texts(value, self._behaviour),
            actions=calls(
                _at(value, mapping.actions),
                _pointer(value, mapping.actions) or (),
                mapping.action_name,
                mapping.action_arguments,
                mapping.action_requestor,
                "assistant",
            ),
            communicate_info=_strings(value, mapping.communicate),
            nl_assertions=_strings(value, mapping.assertions),
            reward_basis=tuple(item for item in basis if isinstance(item, str)) if isinstance(basis, list) else None,
            reward_basis_pointer=_pointer(value, mapping.reward_basis) if isinstance(basis, list) else None,
            criteria_pointers={kind: at for kind, path in pointers.items() if (at := _pointer(value, path))},
            suppressions=suppressions(value),
        ), found

    def unfound(self, values: Sequence[Any]) -> tuple[str, str, str | None] | None:
        """Return the first path of the mapping that finds nothing in any task.

        That is its key in the configuration, the path, and the nearest path
        that there is.
        """
        if not values:
            return None
        mapping = self.mapping
        paths = [("id", mapping.id), *(("description", path) for path in self._description)]
        paths += (("behaviour", path) for path in self._behaviour)
        for key in ("actions", "communicate", "assertions", "reward_basis"):
            path = getattr(mapping, key)
            if path:
                paths.append((key.replace("_", "-"), path))
        for key, path in paths:
            if all(_pointer(value, path) is None for value in values):
                known = {item for value in values[:_SAMPLE] for item in _paths(value, "", 6)}
                return key, path, nearest(path, sorted(known), 50)
        actions = [item for value in values if isinstance(items := _at(value, mapping.actions), list) for item in items]
        objects = [item for item in actions if isinstance(item, dict)]
        if objects and not any(mapping.action_name in item for item in objects):
            known = {key for item in objects[:_SAMPLE] for key in item}
            return "action-name", mapping.action_name, nearest(mapping.action_name, sorted(known), 50)
        return None

    def _texts(self, value: Any, paths: Iterable[str]) -> tuple[Field, ...]:
        return tuple(
            text for path in paths if (at := _pointer(value, path)) is not None for text in texts(_at(value, path), at)
        )

    def _problems(self, value: dict[str, Any]) -> Iterator[Problem]:
        """Yield the parts that a task lacks or that are of the wrong type."""
        mapping = self.mapping
        identity = _at(value, mapping.id)
        if identity is _MISSING:
            yield Problem(*_lack(value, mapping.id), part="opening")
        elif type(identity) not in (str, int):
            yield _wrong(value, mapping.id, "a string")
        for paths, what in ((self._description, "description"), (self._expectation, "expected behaviour")):
            if paths and all(_at(value, path) is _MISSING for path in paths):
                at, message = _lack(value, paths[0])
                others = " and ".join([", ".join(paths[1:-1]), paths[-1]] if len(paths) > 2 else paths[1:])
                message += f", and {others} too" if others else ""
                yield Problem(at, f"{message}: the task has no {what}", part="opening")
        for path in (*self._description, *self._behaviour):
            found = _at(value, path)
            if found is not _MISSING and found is not None and not isinstance(found, (str, list, dict)):
                yield _wrong(value, path, "a string")
        for listed in (mapping.communicate, mapping.assertions, mapping.reward_basis):
            items = _at(value, listed)
            if isinstance(items, list):
                at = _pointer(value, listed) or ()
                yield from (
                    Problem((*at, index), f"entry {index + 1} of {listed} must be a string, not {type_name(item)}")
                    for index, item in enumerate(items)
                    if not isinstance(item, str)
                )
            elif items is not _MISSING and items is not None and not isinstance(items, str):
                yield _wrong(value, listed, "a list of strings")
        yield from self._action_problems(value)

    def _action_problems(self, value: dict[str, Any]) -> Iterator[Problem]:
        mapping = self.mapping
        actions, at = _at(value, mapping.actions), _pointer(value, mapping.actions) or ()
        if actions is _MISSING or actions is None:
            return
        if not isinstance(actions, list):
            yield _wrong(value, mapping.actions, "a list")
            return
        for index, item in enumerate(actions):
            if not isinstance(item, dict):
                yield Problem((*at, index), f"an action must be an object, not {type_name(item)}")
            elif not isinstance(item.get(mapping.action_name), str):
                message = f'"{mapping.action_name}" is missing: an action must have it'
                part: Any = "opening"
                where: Pointer = (*at, index)
                if mapping.action_name in item:
                    part, where = "value", (*where, mapping.action_name)
                    kind = type_name(item[mapping.action_name])
                    message = f'"{mapping.action_name}" must be a string, not {kind}'
                yield Problem(where, message, part)
            elif not isinstance(item.get(mapping.action_arguments, {}), dict):
                kind = type_name(item[mapping.action_arguments])
                where = (*at, index, mapping.action_arguments)
                yield Problem(where, f'"{mapping.action_arguments}" must be an object, not {kind}')


def _many(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value


def _pointer(value: Any, path: str | None) -> Pointer | None:
    """Return the pointer of a dotted path, None where it finds nothing."""
    pointer: Pointer = ()
    for part in path.split(".") if path else ():
        if isinstance(value, dict) and part in value:
            value, pointer = value[part], (*pointer, part)
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value, pointer = value[int(part)], (*pointer, int(part))
        else:
            return None
    return pointer or None


def _at(value: Any, path: str | None) -> Any:
    """Return the value at a dotted path, `_MISSING` where there is none."""
    pointer = _pointer(value, path)
    if pointer is None:
        return _MISSING
    for part in pointer:
        value = value[part]
    return value


def _strings(value: Any, path: str | None) -> tuple[Field, ...]:
    """Return the strings of a list; one string alone is its own list."""
    found, at = _at(value, path), _pointer(value, path) or ()
    return tuple(texts(found, at)) if isinstance(found, str) else strings(found, at)


def _lack(value: dict[str, Any], path: str) -> tuple[Pointer, str]:
    """Return the innermost object that a path still reaches, and what is missing in it."""
    parts = path.split(".")
    for length in range(len(parts) - 1, 0, -1):
        at = _pointer(value, ".".join(parts[:length]))
        if at is not None:
            return at, f'"{parts[length]}" is missing in {".".join(parts[:length])}'
    return (), f'"{parts[0]}" is missing'


def _wrong(value: dict[str, Any], path: str | None, kind: str) -> Problem:
    return Problem(_pointer(value, path) or (), f"{path} must be {kind}, not {type_name(_at(value, path))}")


def _paths(value: Any, prefix: str, depth: int) -> Iterator[str]:
    """Yield the dotted paths in a value, those of one element for each list."""
    items: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        items = islice(value.items(), _SAMPLE)
    elif isinstance(value, list) and value and isinstance(value[0], (dict, list)):
        items = ((0, value[0]),)
    for key, item in items:
        path = f"{prefix}{key}"
        yield path
        if depth > 1:
            yield from _paths(item, f"{path}.", depth - 1)

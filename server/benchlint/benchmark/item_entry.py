"""One entry of an items file: a policy item with its guards and their examples, read from plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from benchlint.benchmark.items import ItemsFile
    from benchlint.text.tree import Pointer

_ITEM = (
    "id",
    "text",
    "place",
    "kind",
    "tools",
    "phases",
    "meaning",
    "note",
    "guard",
    "guards",
    "origin",
    "compliance",
    "violation",
)
_GUARD = ("rule", "tools", "violated", "message", "argument", "compliance", "violation", "note", "draft")
_EXAMPLE = ("action", "db", "before", "task", "now", "note")


@dataclass(frozen=True, slots=True)
class Example:
    """An action that a guard must find, or must not; `records` are all that the database holds then."""

    name: str
    arguments: Mapping[str, Any]
    violates: bool
    records: Mapping[str, Any]
    before: tuple[tuple[str, Mapping[str, Any]], ...]
    task: Mapping[str, Any]
    now: str | None
    pointer: Pointer


@dataclass(frozen=True, slots=True)
class GuardText:
    """A guard as it is written. `pointer` leads to it from its entry.

    A `draft` is a proposal: it is tested, and says nothing about tasks.
    """

    rule: str
    tools: tuple[str, ...]
    violated: str
    message: str
    argument: str | None
    examples: tuple[Example, ...]
    pointer: Pointer
    draft: bool = False


@dataclass(frozen=True, slots=True)
class ItemEntry:
    """An item of the file: `index` is its place among them.

    `extracted` says that it was written from a sentence of the policy, and
    not by hand. `meaning` says the same as `text`, understandable alone.
    `origin` tells who wrote it, "" for a sentence as it stands.
    """

    id: str
    text: str
    kind: str
    tools: tuple[str, ...]
    phases: tuple[str, ...]
    note: str
    guards: tuple[GuardText, ...]
    index: int
    extracted: bool = False
    meaning: str = ""
    origin: str = ""


def merged(base: Any, more: Any) -> Any:
    """Return records with other records laid over them, object by object."""
    if not isinstance(base, dict) or not isinstance(more, dict):
        return more
    return {**base, **{key: merged(base.get(key), value) for key, value in more.items()}}


def keys_at(pointer: Pointer) -> tuple[str, ...]:
    """Return the keys that an object in an entry may have, by the pointer to it; none where there is no object."""
    if not pointer:
        return _ITEM
    if isinstance(pointer[-1], int):
        pointer = pointer[:-1]
    return {"guard": _GUARD, "guards": _GUARD, "compliance": _EXAMPLE, "violation": _EXAMPLE}.get(str(pointer[-1]), ())


class EntryReader:
    """Reads one entry; what cannot be used is noted and left out."""

    def __init__(self, file: ItemsFile, index: int, value: Any) -> None:
        self.file = file
        self.index = index
        self.value = value

    def read(self) -> ItemEntry | None:
        """Return the entry; None where it is none."""
        value = self.value
        if not isinstance(value, dict):
            self._fault((), "an item must have keys and values")
            return None
        self._known((), value, _ITEM, "an item")
        identifier = value.get("id")
        if not isinstance(identifier, str) or not identifier:
            self._fault(("id",) if "id" in value else (), "an item needs an id")
            return None
        tools = self._names((), value, "tools")
        guards: list[tuple[Pointer, Any]] = []
        if "guard" in value:
            guards.append((("guard",), value["guard"]))
        listed = value.get("guards") or ()
        if isinstance(listed, list):
            guards += [(("guards", index), item) for index, item in enumerate(listed)]
        elif listed:
            self._fault(("guards",), "guards must be a list")
        read = (self._guard(pointer, item, tools) for pointer, item in guards)
        return ItemEntry(
            identifier,
            self._text((), value, "text"),
            self._text((), value, "kind") or "fact",
            tools,
            self._names((), value, "phases"),
            self._text((), value, "note"),
            tuple(guard for guard in read if guard is not None),
            self.index,
            extracted="place" in value,
            meaning=self._text((), value, "meaning"),
            origin=self._text((), value, "origin"),
        )

    def _guard(self, pointer: Pointer, value: Any, tools: tuple[str, ...]) -> GuardText | None:
        if not isinstance(value, dict):
            self._fault(pointer, "a guard must have keys and values")
            return None
        self._known(pointer, value, _GUARD, "a guard")
        missing = next((key for key in ("violated", "message") if not isinstance(value.get(key), str)), None)
        if missing is not None:
            self._fault((*pointer, missing) if missing in value else pointer, f"a guard needs a text {missing}")
            return None
        own = self._names(pointer, value, "tools") or tools
        if not own:
            self._fault(pointer, "a guard needs tools: the actions that it looks at")
            return None
        examples: list[Example] = []
        for key in ("compliance", "violation"):
            listed = value.get(key) or []
            if not isinstance(listed, list):
                self._fault((*pointer, key), f"{key} must be a list of examples")
                continue
            for index, item in enumerate(listed):
                example = self._example((*pointer, key, index), item, violates=key == "violation")
                if example is not None:
                    examples.append(example)
        draft = value.get("draft", False)
        if not isinstance(draft, bool):
            self._fault((*pointer, "draft"), "draft must be true or false")
        return GuardText(
            self._text(pointer, value, "rule") or "forbidden-action",
            own,
            value["violated"],
            value["message"],
            self._text(pointer, value, "argument") or None,
            tuple(examples),
            pointer,
            draft is not False,
        )

    def _example(self, pointer: Pointer, value: Any, *, violates: bool) -> Example | None:
        if not isinstance(value, dict):
            self._fault(pointer, "an example must have keys and values")
            return None
        self._known(pointer, value, _EXAMPLE, "an example")
        call = self._call((*pointer, "action"), value.get("action"))
        if call is None:
            return None
        before = value.get("before") or []
        calls = [self._call((*pointer, "before", at), item) for at, item in enumerate(before)]
        now, task = value.get("now"), value.get("task")
        return Example(
            *call,
            violates=violates,
            records=merged(dict(self.file.records), value.get("db") or {}),
            before=tuple(item for item in calls if item is not None),
            task=task if isinstance(task, dict) else {},
            now=str(now) if now is not None else None,
            pointer=pointer,
        )

    def _call(self, pointer: Pointer, value: Any) -> tuple[str, Mapping[str, Any]] | None:
        if isinstance(value, dict) and len(value) == 1:
            name, arguments = next(iter(value.items()))
            if isinstance(arguments, dict) or arguments is None:
                return str(name), arguments or {}
        at = pointer if self._has(pointer) else pointer[:-1]
        self._fault(at, "an action is written as NAME: {ARGUMENT: VALUE}")
        return None

    def _has(self, pointer: Pointer) -> bool:
        return self.file.sliced.tree(self.index).find(pointer) is not None

    def _names(self, pointer: Pointer, value: Mapping[str, Any], key: str) -> tuple[str, ...]:
        found = value.get(key) or []
        if isinstance(found, str):
            return (found,)
        if isinstance(found, list) and all(isinstance(item, str) for item in found):
            return tuple(found)
        self._fault((*pointer, key), f"{key} must be a list of names")
        return ()

    def _text(self, pointer: Pointer, value: Mapping[str, Any], key: str) -> str:
        found = value.get(key)
        if found is not None and not isinstance(found, str):
            self._fault((*pointer, key), f"{key} must be a text")
        return found if isinstance(found, str) else ""

    def _known(self, pointer: Pointer, value: Mapping[str, Any], keys: Iterable[str], what: str) -> None:
        for key in value:
            if key not in keys:
                self._fault((*pointer, key), f'{what} has no key "{key}"; it has {", ".join(keys)}')

    def _fault(self, pointer: Pointer, message: str) -> None:
        self.file.fault(self.index, pointer, message)

"""What came of replaying the expected actions of tasks."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from benchlint.benchmark.database import Database
    from benchlint.benchmark.model import Task

Side = Literal["assistant", "user"]
Path = tuple[str | int, ...]
FailureKind = Literal["raised", "exit", "memory", "timeout", "died"]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an action did not succeed.

    `raised` is the tool's own refusal, and `text` its words. The others are
    of a tool that ended its process (`exit`, `died`), asked for more memory
    or took more time than it may have.
    """

    kind: FailureKind
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """A record as it stands after a change: `("orders", "#W1")` and its value.

    A record that is gone has the value None and `removed`. `side` tells
    whose database it is.
    """

    path: Path
    value: Any
    removed: bool = False
    side: Side = "assistant"


@dataclass(frozen=True, slots=True)
class Step:
    """One expected action: whether it failed, and the records that it changed."""

    failure: Failure | None = None
    changes: tuple[Change, ...] = ()
    effect: str = "unknown"
    """What the environment says of the tool: read, write, generic or unknown."""

    @property
    def changed(self) -> bool:
        """Whether the databases are not as they were before."""
        return bool(self.changes)


@dataclass(frozen=True, slots=True)
class Replayed:
    """One task. `steps` are its first actions: all of them, unless `problem` says why not.

    `prepared` is what the initial state changes in the fresh databases.
    `unchanged` says whether the databases are after the last action as they
    were before the first; None where that is not known.
    """

    prepared: tuple[Change, ...] = ()
    steps: tuple[Step, ...] = ()
    unchanged: bool | None = None
    problem: str | None = None

    def changes_before(self, index: int, side: Side = "assistant") -> dict[Path, Change] | None:
        """Return the records that differ from the fresh database before an action; None where that is not known."""
        if index > len(self.steps) or any(
            step.failure and step.failure.kind != "raised" for step in self.steps[:index]
        ):
            return None
        found: dict[Path, Change] = {}
        for changes in (self.prepared, *(step.changes for step in self.steps[:index])):
            found.update((change.path, change) for change in changes if change.side == side)
        return found

    def state_before(self, index: int, fresh: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return a database as it stands before an action; None where that is not known.

        `fresh` is the database as it is loaded. What did not change is
        shared with it.
        """
        changes = self.changes_before(index)
        return None if changes is None else applied(fresh, changes.values())


def applied(data: Mapping[str, Any], changes: Iterable[Change]) -> dict[str, Any]:
    """Return a database with some records changed; the rest is shared, and nothing is changed in place."""
    state = dict(data)
    own: set[Any] = set()
    for change in changes:
        name, *rest = change.path
        key = str(name)
        if not rest:
            if change.removed:
                state.pop(key, None)
            else:
                state[key] = change.value
            own.discard(key)
            continue
        if key not in own:
            collection = state.get(key)
            state[key] = list(collection) if isinstance(collection, list) else dict(collection or {})
            own.add(key)
        _put(state[key], rest[0], change)
    return state


def _put(collection: Any, key: str | int, change: Change) -> None:
    if isinstance(collection, list):
        assert isinstance(key, int)
        if change.removed:
            del collection[key:]
        elif key < len(collection):
            collection[key] = change.value
        else:
            collection.append(change.value)
    elif change.removed:
        collection.pop(key, None)
    else:
        collection[key] = change.value


class RecordsBefore:
    """The records of a database with some changes; it is read only where it is asked for."""

    def __init__(self, records: Database, changes: Mapping[Path, Change]) -> None:
        self._records = records
        self._changes = changes

    @cached_property
    def data(self) -> Mapping[str, Any]:
        """All values by the names at the top."""
        return applied(self._records.data, self._changes.values())

    def record(self, collection: str, identifier: str) -> Any:
        """Return a record by its id, or None."""
        own = self._changes.get((collection, identifier))
        if own is not None:
            return own.value
        record = self._records.record(collection, identifier)
        fresh = self._records.data.get(collection)
        if record is None or not isinstance(fresh, list):
            return record
        index = next((index for index, item in enumerate(fresh) if item is record), None)
        moved = self._changes.get((collection, index)) if index is not None else None
        return record if moved is None else moved.value


@dataclass(frozen=True, slots=True)
class Replay:
    """The tasks of a benchmark that were replayed.

    `problem` says why the domain could not be loaded, `notes` what else the
    user should know. `cached` counts the tasks that were not run again.
    """

    tasks: Mapping[tuple[str, int], Replayed] = field(default_factory=dict)
    problem: str | None = None
    notes: tuple[str, ...] = ()
    cached: int = 0
    hash: int = field(default_factory=count().__next__, compare=False)
    """What tells two results apart, within a process."""

    def records_before(self, task: Task, index: int, records: Database) -> RecordsBefore | None:
        """Return the agent's database as it stands before an action; None where that is not known."""
        replayed = self.of(task)
        changes = replayed.changes_before(index) if replayed is not None else None
        return None if changes is None else RecordsBefore(records, changes)

    def of(self, task: Task) -> Replayed | None:
        """Return what came of a task; None where it was not replayed."""
        return self.tasks.get((task.slice.document.path, task.slice.index))

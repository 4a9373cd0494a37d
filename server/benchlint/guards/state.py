"""The database as a guard sees it: the values that it asks for, and which of them earlier actions may have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from benchlint.guards.limits import bounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from benchlint.benchmark.database import Database
    from benchlint.benchmark.model import Task

CHANGED: Final = "an earlier action of the task may have changed"


class Records(Protocol):
    """What has records by collection and id."""

    @property
    def data(self) -> Mapping[str, Any]:
        """All values by the names at the top."""
        ...

    def record(self, collection: str, identifier: str) -> Any:
        """Return a record by its id, or None."""
        ...


class Replay(Protocol):
    """What knows the records as an expected action finds them."""

    def records_before(self, task: Task, index: int, records: Database) -> Records | None:
        """Return the records before an action; None where they are not known."""
        ...


class PlainRecords:
    """Records as plain objects: those of an example."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data

    def record(self, collection: str, identifier: str) -> Any:
        """Return a record by its id, or None."""
        found = self.data.get(collection)
        return found.get(identifier) if isinstance(found, dict) else None


class MissingError(LookupError):
    """A value that a guard asks for and that is not there, or not there any more."""


class State:
    """The database before one action.

    `changed` are the ids that the arguments of earlier writes name. A write may change anything in
    the records that it names, and balances and lists of those that they lead
    to (the account that is charged).
    """

    def __init__(self, records: Records | None, reason: str = "there is no database") -> None:
        self._records = records
        self._fresh = records
        self._reason = reason
        self._written: set[str] = set()
        self.changed: set[str] = set()
        self._linked: set[str] = set()
        self._unread: list[str] = []
        self.reads: list[tuple[str, tuple[Any, ...], Any]] | None = None
        """What is asked for, with the values, once somebody wants to know: collection, path and value."""

    def at(self, collection: str, *path: Any) -> Any:
        """Return a value by the parts of `db.COLLECTION[ID].FIELD`; MissingError where there is none."""
        if self._records is None:
            raise MissingError(self._reason)
        top = self._records.data.get(collection)
        if top is None:
            raise MissingError(f"there is no collection {collection}")
        if self.changed and not self.changed.isdisjoint(map(str, path[:1])):
            raise MissingError(f"{CHANGED} {path[0]}")
        value: Any = self._records.record(collection, str(path[0])) if isinstance(top, list) else top
        for part in path[1:] if isinstance(top, list) else path:
            value = _child(value, part)
        if value is None and isinstance(top, list):
            raise MissingError(f"there is no {path[0]} in {collection}")
        if self.changed and (isinstance(value, (int, float, list)) and not isinstance(value, bool)):
            named = set(map(str, path))
            if not named.isdisjoint(self.changed) or not named.isdisjoint(self.linked):
                raise MissingError(f"{CHANGED} {collection} {path[0]}")
        if not bounded(value):
            raise MissingError(f"{collection} {path[0]} has a list that is too long for a guard")
        if self.reads is not None:
            self.reads.append((collection, path, value))
        return value

    def known(self, collection: str, identifier: Any) -> bool:
        """Say whether a collection has a record with an id."""
        if self._records is None or collection not in self._records.data:
            raise MissingError(f"there is no collection {collection}")
        if str(identifier) in self.changed:
            raise MissingError(f"{CHANGED} {identifier}")
        found = self._records.record(collection, str(identifier)) is not None
        if self.reads is not None:
            self.reads.append((collection, (identifier,), found))
        return found

    def written(self, arguments: Mapping[str, Any]) -> None:
        """Note that an action changes the database."""
        found = set(texts(arguments)) - self._written
        self._written |= found
        self._unread += found
        self.changed = self._written

    def replayed(self, records: Records | None) -> None:
        """Take the records as a replay shows them before the next action; None where it does not show them."""
        self._records = records or self._fresh
        self.changed = set() if records is not None else self._written

    @property
    def linked(self) -> set[str]:
        """The ids and other texts in the records that writes have named."""
        records = self._fresh
        while self._unread and records is not None:
            text = self._unread.pop()
            for name, collection in records.data.items():
                record = records.record(name, text) if isinstance(collection, (dict, list)) else None
                if record is not None:
                    self._linked.update(texts(record))
        return self._linked


def texts(value: Any) -> Iterable[str]:
    """Yield every text and whole number in a value, as texts."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            pending.extend(item.values())
        elif isinstance(item, (list, tuple)):
            pending.extend(item)
        elif isinstance(item, str) or type(item) is int:
            yield str(item)


def _child(value: Any, part: Any) -> Any:
    if isinstance(value, dict) and part in value:
        return value[part]
    if isinstance(value, list) and isinstance(part, int) and 0 <= part < len(value):
        return value[part]
    raise MissingError(f'there is no "{part}"')

"""The facts of a task: the records that its ids reach.

Measured on 79 airline tasks before this was written: with the records a
judge found 10 of 13 hard defects, without them 7.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchlint.benchmark.database import Database
    from benchlint.benchmark.model import Task

SIZE: Final = 16_000
"""How many characters of records a judge is shown, by default."""

_HOPS: Final = 2
_TOKEN = re.compile(r"#?\w[\w.@-]*\w")
_Record = tuple[str, str]


class Facts(NamedTuple):
    """Records as text, nearest first. `left_out` counts those cut for size."""

    text: str
    records: tuple[_Record, ...]
    left_out: int


def facts(task: Task, database: Database | None, size: int = SIZE) -> Facts:
    """Return the records that a task's ids reach, at most `size` characters.

    The ids of expected actions come first, then those in the scenario, then
    what the records reached so far name themselves.
    """
    if database is None:
        return Facts("", (), 0)
    lines: list[str] = []
    shown: list[_Record] = []
    total = left_out = 0
    for name, identity, record in _reached(task, database):
        line = f"{name} {identity}: {json.dumps(record, ensure_ascii=False, separators=(', ', ': '), default=str)}"
        if total + len(line) > size:
            left_out += 1
            continue
        total += len(line)
        lines.append(line)
        shown.append((name, identity))
    return Facts("\n".join(lines), tuple(shown), left_out)


def _reached(task: Task, database: Database) -> Iterator[tuple[str, str, Any]]:
    """Yield the records by their distance from the task."""
    seen: set[_Record] = set()
    named = [text for call in task.actions for text in _strings(call.arguments)]
    named += [token for item in task.scenario for token in _TOKEN.findall(item.text)]
    for _ in range(_HOPS):
        found: list[Any] = []
        for text in named:
            for collection in _homes(text, database):
                if (collection, text) in seen:
                    continue
                seen.add((collection, text))
                record = database.record(collection, text)
                found.append(record)
                yield collection, text, record
        named = [text for record in found for text in _strings(record)]


def _homes(identity: str, database: Database) -> Iterable[str]:
    """Return the collections that define an id, not those that mention it."""
    collections = database.collections()
    return [name for name in database.collections_of(identity) if collections[name].unique and "." not in name]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)

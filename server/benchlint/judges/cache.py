"""Verdicts that were paid for once, kept in the user's cache directory.

A row of the cache is data and nothing else: one that is marked as pickled,
or that points to a file, is refused like a row that is not there
(CVE-2025-69872).
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import diskcache
from diskcache.core import MODE_RAW

from benchlint.judges.cached import given_at
from benchlint.judges.nesting import containers_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SIZE_LIMIT: Final = 1 << 30
"""The size in bytes above which the least recently used rows are dropped."""

_INLINE: Final = 1 << 40
_MARK: Final = "verdict"
"""What a line of an export has that tells it from a task."""

_FORMAT: Final = 1
_DEEPEST: Final = 63
"""So deep only what is empty may nest in an entry."""
_END: Final = 1e11
"""Seconds since 1970 that no entry is written after."""


class RefusedRowError(OSError):
    """A row that our own writer cannot have made."""


class PlainDisk(diskcache.JSONDisk):  # type: ignore[misc]
    """Rows of compressed JSON under string keys, all inside the database."""

    def __init__(self, directory: str, **kwargs: Any) -> None:
        super().__init__(directory, **{**kwargs, "min_file_size": _INLINE})
        self.min_file_size = _INLINE

    def put(self, key: Any) -> tuple[Any, bool]:
        """Return a key as the database stores it: a plain string."""
        if not isinstance(key, str):
            raise TypeError("a key of the cache is a string")
        return key, True

    def get(self, key: Any, raw: Any) -> Any:
        """Return a stored key; one that is not plain is refused."""
        if not raw or not isinstance(key, str):
            raise RefusedRowError("the key is not a plain string")
        return key

    def fetch(self, mode: Any, filename: Any, value: Any, read: Any) -> Any:
        """Return a stored value; one that is not inline bytes is refused."""
        if mode != MODE_RAW or filename is not None or read or not isinstance(value, bytes):
            raise RefusedRowError("the value is not inline JSON")
        try:
            return super().fetch(mode, filename, value, read)
        except Exception as error:
            raise RefusedRowError("the value is not compressed JSON") from error

    def remove(self, file_path: str) -> None:
        """Delete nothing: a row of ours has no file, and a planted one names anybody's."""


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What a cache holds. `bytes` is its size on disk."""

    path: Path
    verdicts: int
    bytes: int
    models: dict[str, int]


def default_directory() -> Path:
    """Return the folder of the verdicts in the user's cache directory."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("benchlint", appauthor=False)) / "verdicts"


class VerdictCache:
    """Answers of judges by the hash of the whole request.

    An entry is an object with `answer` (what the judge said, parsed),
    `model`, `metric`, `about` (the task's id) and `at` (seconds since the
    epoch). Processes may share a cache. `warnings` are sentences about a
    cache that had to be replaced.
    """

    def __init__(self, directory: Path | None = None, size_limit: int = SIZE_LIMIT) -> None:
        self.directory = directory or default_directory()
        self.warnings: list[str] = []
        self._size_limit = size_limit
        self._rows = self._open()

    def _open(self) -> diskcache.Cache:
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.directory.chmod(0o700)
        try:
            return self._connect()
        except (sqlite3.DatabaseError, ValueError, KeyError, TypeError, OSError) as error:
            if _busy(error):
                raise
            self._replace(error)
            return self._connect()

    def _connect(self) -> diskcache.Cache:
        rows = diskcache.Cache(
            str(self.directory),
            disk=PlainDisk,
            size_limit=self._size_limit,
            eviction_policy="least-recently-used",
            statistics=0,
            timeout=60,
        )
        rows._sql("SELECT COUNT(*) FROM Cache").fetchone()
        return rows

    def _replace(self, error: Exception) -> None:
        """Move a damaged cache aside, so that nothing paid for is destroyed."""
        aside = self.directory.with_name(f"{self.directory.name}.damaged-{int(time.time())}")
        shutil.move(self.directory, aside)
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.warnings.append(f"the cache of verdicts was damaged ({error}); it was moved to {aside} and started anew")

    def get(self, key: str) -> dict[str, Any] | None:
        """Return an entry; None where there is none that we wrote."""
        try:
            entry = self._rows.get(key)
        except diskcache.Timeout:
            return None
        except sqlite3.DatabaseError as error:
            self._recover(error)
            return None
        return entry if isinstance(entry, dict) and "answer" in entry else None

    def put(self, key: str, entry: dict[str, Any]) -> None:
        """Store an entry; where another process holds the cache too long, it is not kept."""
        entry = {"at": time.time(), **entry}
        try:
            self._rows.set(key, entry, tag=str(entry.get("model", "")))
        except diskcache.Timeout:
            return
        except sqlite3.DatabaseError as error:
            self._recover(error)
            self._rows.set(key, entry, tag=str(entry.get("model", "")))

    def _recover(self, error: sqlite3.DatabaseError) -> None:
        if _busy(error):
            raise error
        self._rows.close()
        self._replace(error)
        self._rows = self._connect()

    def keys(self) -> Iterator[str]:
        """Yield the key of every row that we can have written, oldest first."""
        for key, raw in self._rows._sql("SELECT key, raw FROM Cache ORDER BY rowid").fetchall():
            if raw and isinstance(key, str):
                yield key

    def info(self) -> CacheInfo:
        """Return what the cache holds."""
        models = self._rows._sql("SELECT tag, COUNT(*) FROM Cache GROUP BY tag ORDER BY tag").fetchall()
        return CacheInfo(
            self.directory,
            sum(count for _, count in models),
            int(self._rows.volume()),
            {str(tag): count for tag, count in models},
        )

    def clear(self) -> int:
        """Delete every entry; return how many there were."""
        return int(self._rows.clear())

    def prune(self, older_than: float) -> int:
        """Delete the entries that are older than some seconds; return how many."""
        limit = time.time() - older_than
        stale = [key for key in self.keys() if (entry := self.get(key)) is None or given_at(entry) < limit]
        return sum(bool(self._rows.delete(key)) for key in stale)

    def export(self, keys: Iterable[str] | None = None) -> Iterator[str]:
        """Yield entries as lines of JSON, sorted by key; all, or some."""
        for key in sorted(keys if keys is not None else self.keys()):
            entry = self.get(key)
            if entry is not None:
                yield json.dumps({_MARK: _FORMAT, "key": key, **entry}, sort_keys=True, ensure_ascii=True)

    def load(self, lines: Iterable[str]) -> int:
        """Store the entries of an export, all or none; return how many.

        ValueError, with the number of the line, where a line is no entry.
        """
        entries = [parse_line(line, number) for number, line in enumerate(lines, 1) if line.strip()]
        for key, entry in entries:
            self.put(key, entry)
        return len(entries)

    def close(self) -> None:
        """Close the database."""
        self._rows.close()


def _busy(error: Exception) -> bool:
    return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)


def read_lines(path: str | Path) -> list[str]:
    """Return the lines of an export; OSError or ValueError where it cannot be read."""
    try:
        with Path(path).open(encoding="utf-8-sig") as lines:
            return list(lines)
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None


def parse_line(line: str, number: int) -> tuple[str, dict[str, Any]]:
    """Return the key and entry of a line of an export; ValueError where it is none."""
    try:
        entry = json.loads(line)
    except RecursionError:
        raise ValueError(f"line {number} is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"line {number} is no JSON: {error}") from None
    if not isinstance(entry, dict) or entry.pop(_MARK, None) != _FORMAT:
        raise ValueError(f"line {number} is no verdict that benchlint exported")
    key = entry.pop("key", None)
    if not isinstance(key, str) or not isinstance(entry.get("answer"), dict):
        raise ValueError(f'line {number} lacks "key" or "answer"')
    for name in ("model", "metric", "about"):
        if not isinstance(entry.get(name, ""), str):
            raise ValueError(f'line {number}: "{name}" must be a text')
    if any("\ud800" <= character <= "\udfff" for character in key + entry.get("model", "")):
        raise ValueError(f"line {number} holds half of a character in its key or model")
    if any(containers_at(entry, _DEEPEST)):
        raise ValueError(f"line {number} is nested too deeply")
    at = entry.get("at", 0)
    if not isinstance(at, (int, float)) or not 0 <= at < _END:
        raise ValueError(f'line {number}: "at" must be seconds since 1970')
    return key, entry

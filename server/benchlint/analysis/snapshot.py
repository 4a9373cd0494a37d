"""The texts that a run reads: an editor's before the disk's, each of them once."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final

from benchlint.benchmark.loader import Unreadable
from benchlint.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

DEFAULT_LIMIT: Final = 100_000_000
"""The size in bytes from which on files are refused, unless the configuration says otherwise."""

_NO_WAIT: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Snapshot:
    """Documents by path. What was read once stays the same.

    `documents` are texts that stand in for files, such as the unsaved ones
    of an editor.
    """

    def __init__(self, documents: Iterable[Document] = ()) -> None:
        self._given = {_key(document.path): document for document in documents}
        self._read: dict[str, Document | Unreadable] = {}
        self._stamps: dict[str, Hashable] = {}

    def read(self, path: str, limit: int = DEFAULT_LIMIT) -> Document:
        """Return the text of a file; raises `Unreadable`.

        Nothing but regular files is opened, and none that is larger than
        `limit` bytes. Paths that name the same file give one document.
        """
        key = _key(path)
        found: Document | Unreadable | None = self._given.get(key) or self._read.get(key)
        if found is None:
            self._stamps[key] = stamp_of(key)
            try:
                found = Document(path, _contents(path, limit))
            except Unreadable as error:
                found = error
            self._read[key] = found
        if isinstance(found, Unreadable):
            raise found
        if len(found.data) > limit:
            raise Unreadable(path, _too_large(len(found.data), limit))
        return found

    def head(self, path: str, size: int | None, limit: int = DEFAULT_LIMIT) -> bytes:
        """Return the first bytes of a file, all where no size is given.

        Raises `OSError`, as discovery wants it.
        """
        known = self._given.get(_key(path)) or self._read.get(_key(path))
        try:
            if size is not None and not known:
                return _contents(path, limit, size)
            return self.read(path, limit).data[:size]
        except Unreadable as error:
            cause = error.__cause__
            raise cause if isinstance(cause, OSError) else OSError(0, error.reason) from None

    @property
    def given(self) -> Iterable[Document]:
        """The texts that stand in for files."""
        return self._given.values()

    @property
    def stamps(self) -> Mapping[str, Hashable]:
        """The stamps of all files that were read, as they were before that."""
        return dict(self._stamps)

    def with_documents(self, documents: Iterable[Document]) -> Snapshot:
        """Return a snapshot in which other texts stand in for some files."""
        changed = Snapshot([*self._given.values(), *documents])
        changed._read = self._read
        changed._stamps = self._stamps
        return changed

    def refreshed(self) -> Snapshot:
        """Return a snapshot of the disk as it is now: files that did not change are the same documents."""
        changed = Snapshot(self._given.values())
        for key, found in self._read.items():
            stamp = self._stamps.get(key)
            if stamp is not None and stamp == stamp_of(key) and not isinstance(found, Unreadable):
                changed._read[key] = found
                changed._stamps[key] = stamp
        return changed


def _key(path: str) -> str:
    return os.path.abspath(path)  # noqa: PTH100


def stamp_of(path: str) -> Hashable:
    """Return what changes with a file's contents, or with the names in a folder; None where there is none."""
    try:
        status = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _contents(path: str, limit: int, size: int | None = None) -> bytes:
    """Return a file's bytes, the first `size` where that is given."""
    try:
        handle = os.open(path, os.O_RDONLY | _NO_WAIT)
    except (OSError, ValueError) as error:
        raise Unreadable(path, _reason(error)) from error
    try:
        status = os.fstat(handle)
        if stat.S_ISDIR(status.st_mode):
            raise Unreadable(path, "it is a folder, not a file")
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable(path, "it is no regular file")
        if status.st_size > limit:
            raise Unreadable(path, _too_large(status.st_size, limit))
        with os.fdopen(handle, "rb", buffering=0, closefd=False) as stream:
            return stream.read(limit + 1 if size is None else size) or b""
    except OSError as error:
        raise Unreadable(path, _reason(error)) from error
    finally:
        os.close(handle)


def _too_large(size: int, limit: int) -> str:
    return f"it has {size:,} bytes, and max-file-size is {limit:,}"


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, PermissionError):
        return "it may not be read (permission denied)"
    text = (error.strerror if isinstance(error, OSError) else "") or str(error)
    return text[:1].lower() + text[1:]

"""Looks at the files that were read, for clients that do not tell of those that change."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchlint.analysis.snapshot import stamp_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

SECONDS: Final = 1.0
"""The time between two looks."""

_MOST: Final = 2000
_SKIPPED: Final = ("node_modules", "__pycache__")


class Poller:
    """Compares the stamps of files, and of the folders around them, on a thread of its own.

    `changed` is called there where one of them changed, came or went. Below
    the roots all folders are looked at, but for hidden ones and `_MOST` in
    all: a benchmark may come anywhere.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._roots: tuple[str, ...] = ()
        self._files: Mapping[str, Hashable] = {}
        self._folders: dict[str, Hashable] = {}
        self._inner: dict[str, list[str]] = {}
        self._last: dict[str, Hashable] = {}
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="poll", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread after what it is doing."""
        self._stopped.set()

    def watch(self, files: Mapping[str, Hashable], roots: tuple[str, ...]) -> None:
        """Look from now on at files, whose stamps are those of when they were read, and at the folders around them."""
        if files == self._files and roots == self._roots:
            return
        folders = {*roots, *(str(Path(path).parent) for path in files)}
        self._folders = {path: self._folders[path] if path in self._folders else stamp_of(path) for path in folders}
        self._files = dict(files)
        self._roots = roots

    def look(self) -> bool:
        """Say whether something is not as it was at the last look, or when it was read."""
        before = {**self._folders, **self._files}
        found = {path: stamp_of(path) for path in before}
        last, known = self._last, self._inner
        inner: dict[str, list[str]] = {}
        pending = list(self._roots)
        while pending and len(inner) < _MOST:
            folder = pending.pop()
            if folder not in found:
                found[folder] = stamp_of(folder)
            is_same = folder in known and last.get(folder) == found[folder]
            inner[folder] = known[folder] if is_same else _folders_in(folder)
            pending += inner[folder]
        self._last, self._inner = found, inner
        return any(stamp != last.get(path, before.get(path, stamp)) for path, stamp in found.items())

    def _loop(self) -> None:
        self.look()
        while not self._stopped.wait(SECONDS):
            if self.look():
                self._changed()


def _folders_in(path: str) -> list[str]:
    """Return the folders in a folder that may hold benchmarks; links are not followed."""
    try:
        with os.scandir(path) as entries:
            return [entry.path for entry in entries if entry.is_dir(follow_symlinks=False) and _is_visible(entry.name)]
    except OSError:
        return []


def _is_visible(name: str) -> bool:
    return not name.startswith(".") and name not in _SKIPPED

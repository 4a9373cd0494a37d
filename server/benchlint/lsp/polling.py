"""Looks at the files that were read, for clients that do not tell of those that change."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchlint.analysis.snapshot import stamp_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

SECONDS: Final = 1.0
"""The time between two looks."""


class Poller:
    """Compares the stamps of files, and of the folders around them, on a thread of its own.

    `changed` is called there where one of them changed, came or went. A file
    that nobody has read is seen to come where its folder holds one that was.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._files: Mapping[str, Hashable] = {}
        self._folders: dict[str, Hashable] = {}
        self._last: dict[str, Hashable] = {}
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="poll", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread after what it is doing."""
        self._stopped.set()

    def watch(self, files: Mapping[str, Hashable], roots: Iterable[str]) -> None:
        """Look from now on at files, whose stamps are those of when they were read, and at the folders around them."""
        if files == self._files and self._folders.keys() >= set(roots):
            return
        folders = {*roots, *(str(Path(path).parent) for path in files)}
        self._folders = {path: self._folders[path] if path in self._folders else stamp_of(path) for path in folders}
        self._files = dict(files)

    def look(self) -> bool:
        """Say whether something is not as it was at the last look, or when it was read."""
        wanted = {**self._folders, **self._files}
        found = {path: stamp_of(path) for path in wanted}
        last, self._last = self._last, found
        return any(found[path] != last.get(path, before) for path, before in wanted.items())

    def _loop(self) -> None:
        while not self._stopped.wait(SECONDS):
            if self.look():
                self._changed()

"""What has changed since a revision: tasks by the text of their slices, other files as a whole."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from benchlint.analysis.revisions import Revision
from benchlint.benchmark.loader import Unreadable, load
from benchlint.config import ConfigError
from benchlint.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.catalogue.finding import Finding
    from benchlint.config_schema import Config
    from benchlint.text.slices import Sliced


class Changes:
    """What has changed since a revision of git. Raises RevisionError."""

    def __init__(self, revision: str) -> None:
        self._name = revision
        self._revisions: dict[Path, Revision] = {}
        self._old: dict[str, bytes | None] = {}
        self._slices: dict[str, frozenset[int]] = {}
        self._read: dict[str, Document] = {}

    def look(self, benchmark: Benchmark, config: Config, read: Callable[[str], Document]) -> list[Task]:
        """Compare a benchmark with what it was, and return the tasks whose text is new."""
        for source in benchmark.sources:
            path = source.document.path
            if self._read.get(path) is not source.document:
                self._slices[path] = self._new_slices(benchmark, source, config)
                self._read[path] = source.document
        layout = benchmark.layout
        beside = (*layout.policy, *layout.items, *layout.tools, *layout.database)
        for path in (*beside, *filter(None, [layout.splits])):
            try:
                self._read[path] = read(path)
            except Unreadable:
                continue
        return [task for task in benchmark.tasks if task.slice.index in self._slices[task.slice.document.path]]

    def has_policy(self, benchmark: Benchmark) -> bool:
        """Say whether the policy of a benchmark that was looked at has changed, or its reviewed items."""
        paths = (*benchmark.layout.policy, *benchmark.layout.items)
        return any(self._then(path) != self._read[path].data for path in paths if path in self._read)

    def has(self, finding: Finding) -> bool:
        """Say whether a finding stands in a task or a file that has changed."""
        anchor = finding.anchor
        if anchor.slice is not None and anchor.path in self._slices:
            return anchor.slice in self._slices[anchor.path]
        document = self._read.get(anchor.path)
        return document is None or self._then(anchor.path) != document.data

    def _new_slices(self, benchmark: Benchmark, source: Sliced, config: Config) -> frozenset[int]:
        """Return the indices of the slices whose text the file did not have."""
        path = source.document.path
        data = self._then(path)
        if data == source.document.data:
            return frozenset()
        known: set[bytes] = set()
        if data is not None:
            known = _texts(benchmark, Document(path, data), config)
        return frozenset(piece.index for piece in source.slices if piece.data not in known)

    def _then(self, path: str) -> bytes | None:
        if path not in self._old:
            folder = Path(os.path.realpath(path)).parent
            if folder not in self._revisions:
                self._revisions[folder] = Revision(self._name, folder)
            self._old[path] = self._revisions[folder].read(path)
        return self._old[path]


def _texts(benchmark: Benchmark, old: Document, config: Config) -> set[bytes]:
    """Return the texts of the tasks in a file as it was, read as it is read now."""
    bare = replace(benchmark.layout, tasks=(old.path,), together=(), policy=(), tools=(), database=(), splits=None)
    try:
        before = load(bare, lambda _: old, config)
    except (Unreadable, ConfigError):
        return set()
    return {piece.data for source in before.sources for piece in source.slices}

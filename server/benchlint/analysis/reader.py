"""What a benchmark may read, and what it has read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchlint.analysis.paths import full
from benchlint.benchmark.loader import Unreadable

if TYPE_CHECKING:
    from benchlint.analysis.snapshot import Snapshot
    from benchlint.benchmark.model import Layout
    from benchlint.config_schema import Config
    from benchlint.text.document import Document


class Reader:
    """Reads the files of a benchmark; Unreadable is raised for a path that it may not read, or cannot.

    A file of tasks can name others. It must not lead a run to files that have
    nothing to do with it, of which a finding would then show a line: read are
    those that the layout names, and those in the folders that are linted, the
    working folder and the configuration's. What is read is added to
    `documents`.
    """

    def __init__(
        self,
        layout: Layout,
        config: Config,
        roots: tuple[Path, ...],
        snapshot: Snapshot,
        documents: dict[str, Document],
    ) -> None:
        named = (*layout.tasks, *layout.together, *layout.policy, *layout.tools, *layout.database, *layout.items)
        self._named = {full(path) for path in (*named, *filter(None, (layout.splits,)))}
        tasks = full(layout.tasks[0]).parent
        self._folders = {tasks, Path.cwd(), *roots, *((full(config.folder),) if config.document else ())}
        self._limit = config.max_bytes
        self._snapshot = snapshot
        self._documents = documents
        self.reads: dict[str, Document | str] = {}
        """What came of each path that was asked for: its text, or why there is none."""

    def __call__(self, path: str) -> Document:
        """Return the text of a path."""
        try:
            if not self._reaches(path):
                raise Unreadable(path, "it lies outside of what is linted; benchlint.toml can name it")
            document = self._snapshot.read(path, self._limit)
        except Unreadable as error:
            self.reads[path] = error.reason
            raise
        self._documents[document.path] = self.reads[path] = document
        return document

    def _reaches(self, path: str) -> bool:
        wanted = full(path)
        return not self._named.isdisjoint((wanted, *wanted.parents)) or not self._folders.isdisjoint(wanted.parents)

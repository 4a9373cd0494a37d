"""The configuration files of a running server: unsaved ones count, and a broken one does not stop it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchlint.benchmark.loader import Unreadable
from benchlint.config import NAME, ConfigError, find_config

if TYPE_CHECKING:
    from benchlint.analysis.snapshot import Snapshot
    from benchlint.config_schema import Config
    from benchlint.text.document import Document


class LiveConfig:
    """Finds the configuration of a path in a snapshot of texts.

    What is wrong with a file is in `errors`; until it can be used, the last
    usable text of it counts. `earlier` is the lookup of an earlier snapshot.
    `fixed` is a file that counts for all paths.
    """

    def __init__(self, snapshot: Snapshot, earlier: LiveConfig | None = None, fixed: str | None = None) -> None:
        self.errors: dict[str, ConfigError] = {}
        self._snapshot = snapshot
        self._fixed = fixed
        self._found: dict[Path, str | None] = {}
        self._opened = {document.path for document in snapshot.given if Path(document.path).name == NAME}
        self._used: dict[str, Config | None] = {}
        self._texts: dict[str, Document | None] = {}
        self._good: dict[str, Config] = earlier._good if earlier else {}
        self._refused: set[str] = set()

    def __call__(self, path: str) -> Config | None:
        """Return the configuration of a file or folder, or None."""
        found = self._fixed or self._file_of(path)
        if found is None:
            return None
        if found not in self._used:
            self._used[found] = self._load(found)
        return self._used[found]

    def holds_for(self, snapshot: Snapshot, fixed: str | None) -> bool:
        """Say whether a lookup in another snapshot would find the same."""
        texts = self._texts.items()
        return fixed == self._fixed and not self._refused and all(_text(snapshot, path) is text for path, text in texts)

    def refuse(self, error: ConfigError) -> bool:
        """Take back a file that turned out not to be usable; False where that was done already."""
        config = self._used.get(error.path)
        self.errors[error.path] = error
        if config is None:
            return False
        good = self._good.get(error.path)
        self._refused.add(error.path)
        self._used[error.path] = None if good is config else good
        return True

    def accept(self) -> None:
        """Remember the files as usable: a run came to its end with them."""
        for path, config in self._used.items():
            if config is not None:
                self._good[path] = config

    def _file_of(self, path: str) -> str | None:
        folder = Path(path) if Path(path).is_dir() else Path(path).parent
        if folder not in self._found:
            self._found[folder] = find_config(path, self._opened)
        return self._found[folder]

    def _load(self, path: str) -> Config | None:
        from benchlint.config_schema import read_config

        document = self._texts[path] = _text(self._snapshot, path)
        good = self._good.get(path)
        if document is None:
            self.errors[path] = ConfigError(path, 1, 1, "the file cannot be read")
            return good
        if good is not None and good.document is not None and good.document.data == document.data:
            return good
        try:
            return read_config(document)
        except ConfigError as error:
            self.errors[path] = error
            return good


def _text(snapshot: Snapshot, path: str) -> Document | None:
    try:
        return snapshot.read(path)
    except Unreadable:
        return None

"""Results that were worked out once, kept in the user's cache directory as plain JSON."""

from __future__ import annotations

import contextlib
import json
import os
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchlint.replay.settings import MAIN

if TYPE_CHECKING:
    from collections.abc import Mapping

_FORMAT: Final = 1
_FILES: Final = 50
"""So many files are kept; the oldest are removed."""


def default_directory() -> Path:
    """Return the folder of the results in the user's cache directory."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("benchlint", appauthor=False)) / "replay"


class ResultCache:
    """The results of one domain as it is, by the content of the task.

    `identity` is whatever could change a result besides the task. A cache
    that cannot be read is empty, one that cannot be written is not kept.
    """

    def __init__(self, identity: str, directory: Path | None = None) -> None:
        self._folder = directory or default_directory()
        seed = blake2b(f"{_FORMAT}\0{identity}".encode(), digest_size=16)
        for path in sorted(MAIN.parent.glob("*.py")):
            seed.update(path.read_bytes())
        self._path = self._folder / f"{seed.hexdigest()}.json"
        self._known = self._stored()
        self._new: dict[str, Any] = {}

    def _stored(self) -> dict[str, Any]:
        try:
            stored = json.loads(self._path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        return stored if isinstance(stored, dict) else {}

    def get(self, key: str) -> Any:
        """Return the messages about a task, or None."""
        return self._known.get(key)

    def put(self, key: str, messages: Any) -> None:
        """Add the messages about a task."""
        self._new[key] = messages

    def save(self) -> None:
        """Write what was added."""
        if not self._new:
            return
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._folder.chmod(0o700)
            beside = self._path.with_suffix(f".{os.getpid()}")
            beside.write_text(json.dumps({**self._known, **self._new}, separators=(",", ":")), encoding="ascii")
            beside.replace(self._path)
            self._prune()

    def _prune(self) -> None:
        files = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in files[_FILES:]:
            path.unlink(missing_ok=True)


def task_key(request: Mapping[str, Any]) -> str:
    """Return the key of what is asked about a task."""
    return blake2b(json.dumps(request, sort_keys=True).encode(), digest_size=16).hexdigest()

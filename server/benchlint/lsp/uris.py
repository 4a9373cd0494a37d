"""Between a client's URIs and paths."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from pygls.uris import from_fs_path, to_fs_path


def path_of(uri: str) -> str | None:
    """Return the path of a file's URI, None for what is no file (an untitled text).

    All spellings of one URI give one path: `C:`, `c:` and `c%3A` are one drive.
    """
    path = to_fs_path(uri)
    return os.path.normpath(path) if path else None


@lru_cache(1024)
def uri_of(path: str) -> str:
    """Return the URI of a path."""
    return from_fs_path(str(Path(path).absolute())) or ""

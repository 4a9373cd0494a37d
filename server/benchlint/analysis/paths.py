"""Paths in full, to compare them."""

from __future__ import annotations

import os
from pathlib import Path


def full(path: str | Path) -> Path:
    """Return an absolute path without `.` and `..`; symbolic links stay."""
    return Path(os.path.abspath(path))  # noqa: PTH100

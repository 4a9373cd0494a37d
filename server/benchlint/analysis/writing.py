"""Files, replaced whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchlint.text.document import Document


def write_changes(changed: Mapping[str, tuple[Document, Document]]) -> list[str]:
    """Write the new text of files; return why some could not be written.

    A file that is no longer as it was read is left alone.
    """
    problems = []
    for path, (old, new) in changed.items():
        try:
            if Path(path).read_bytes() != old.data:
                problems.append(f"{path}: it was changed while it was linted, so its fixes were not written")
                continue
            replace_file(path, new.data)
        except OSError as error:
            problems.append(f"{path}: its fixes cannot be written: {(error.strerror or str(error)).lower()}")
    return problems


def replace_file(path: str | Path, data: bytes) -> None:
    """Write a file so that a reader sees the old content or the new, never a part.

    A symbolic link stays one and its target is replaced; the mode of an
    existing file is kept. Raises `OSError` with the path.
    """
    try:
        _replace(Path(os.path.realpath(path)), data)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from None


def _replace(target: Path, data: bytes) -> None:
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(mode if mode is not None else 0o666 & ~_umask())
        os.replace(name, target)  # noqa: PTH105
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current

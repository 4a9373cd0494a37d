"""What the commands know of the terminal, and how they write to it."""

from __future__ import annotations

import os
import shutil
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ColorMode = Literal["auto", "always", "never"]

_WIDTH: Final = 120
_PATIENCE: Final = 1.0
"""Seconds that a run may take before its progress is shown."""
_PAUSE: Final = 0.1


def wants_color(mode: ColorMode) -> bool:
    """Say whether to write colours to standard output."""
    if mode != "auto":
        return mode == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Return the number of cells in a line."""
    return shutil.get_terminal_size((_WIDTH, 0)).columns if sys.stdout.isatty() or "COLUMNS" in os.environ else _WIDTH


def write(text: str, *, err: bool = False) -> None:
    """Write to standard output (or error); what its encoding does not have is escaped."""
    stream = sys.stderr if err else sys.stdout
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def tell(message: str) -> None:
    """Write a line to standard error."""
    from benchlint.reports.visible import visible

    write(f"benchlint: {visible(message)}\n", err=True)


def write_to(file: str | None, text: str) -> None:
    """Write to a file, or where none is named to standard output."""
    if file is None:
        write(text)
        return
    from benchlint.analysis.writing import replace_file

    replace_file(file, text.encode())


def write_bytes(data: bytes) -> None:
    """Write to standard output as it is."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


@contextmanager
def progress(*, quiet: bool) -> Iterator[Callable[[int, int, str], None]]:
    """Give a function that shows how far a run has come, on a terminal and not at once."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, total, name: None
        return
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.stop()


class _Bar:
    def __init__(self) -> None:
        self._due = time.monotonic() + _PATIENCE
        self._bar: Any = None

    def __call__(self, done: int, total: int, name: str) -> None:
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + _PAUSE
        if self._bar is None:
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._bar.start()
            self._bar.add_task("")
        self._bar.update(self._bar.task_ids[0], completed=done, total=total, description=_plain(name))

    def stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()


def _plain(name: str) -> str:
    from rich.markup import escape

    from benchlint.reports.visible import visible

    return escape(visible(name))

"""What a child process may take, and the end of what it leaves behind."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

FILE_BYTES = 64 << 20
"""The size of the largest file that a tool may write."""

_SET_CHILD_SUBREAPER = 36


def limit(memory: int | None) -> None:
    """Limit memory in bytes and the size of files; adopt the orphans of own children."""
    try:
        import resource
    except ImportError:
        return
    wanted = [(resource.RLIMIT_FSIZE, FILE_BYTES), (resource.RLIMIT_CORE, 0)]
    if memory:
        wanted.append((resource.RLIMIT_AS, memory))
    for kind, most in wanted:
        _, hard = resource.getrlimit(kind)
        if hard == resource.RLIM_INFINITY or most <= hard:
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(kind, (most, most))
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end(pid: int) -> int:
    """Kill a child that leads a session, and all that it started; return its wait status."""
    status = None
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        status = os.waitpid(pid, 0)[1]
    for _ in range(100):
        orphans = _children()
        if not orphans:
            break
        for orphan in orphans:
            with contextlib.suppress(OSError):
                os.kill(orphan, signal.SIGKILL)
            with contextlib.suppress(OSError):
                os.waitpid(orphan, 0)
    return status or 0


def _children() -> list[int]:
    """Return the children of this process, adopted ones too."""
    try:
        text = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split()]

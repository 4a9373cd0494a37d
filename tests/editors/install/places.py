"""Where editors are kept, and how one gets there in one piece."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROOT = Path(__file__).parent.parent.parent.parent
CACHE = ROOT / ".editors"
"""Where what was installed stays between runs; it is in no version control."""


class Missing(Exception):  # noqa: N818
    """An editor that cannot be had here, and why."""


def once(name: str, build: Callable[[Path], None]) -> Path:
    """Return the folder `name`, built in a scratch folder beside it where it is not there yet."""
    target = CACHE / name
    with alone(name):
        if not target.exists():
            scratch = CACHE / f"{name}.new"
            shutil.rmtree(scratch, ignore_errors=True)
            scratch.mkdir()
            build(scratch)
            scratch.rename(target)
    return target


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Keep other processes from installing the same while this one does."""
    CACHE.mkdir(exist_ok=True)
    with (CACHE / f".{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def run(command: Sequence[str | Path], folder: Path | None = None, tries: int = 1) -> str:
    """Run a command and return what it prints; a registry that hiccups is asked again, `tries` times in all."""
    for left in reversed(range(tries)):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if not done.returncode:
            return done.stdout
        if left:
            time.sleep(5)
    raise Missing(f"{' '.join(map(str, command[:4]))} failed: {(done.stderr or done.stdout).strip()[-400:]}")

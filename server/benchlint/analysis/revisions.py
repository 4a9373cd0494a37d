"""Files as they were in a revision of a git repository.

git is asked in a process of its own, with fixed arguments, for plain
contents only: nothing that a repository configures is run, and nothing is
fetched.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_SECONDS: Final = 60
_QUIET: Final = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}


class RevisionError(Exception):
    """A revision that cannot be read; the message says why."""


class Revision:
    """A revision, such as `main` or `HEAD~3`, of the repository that holds a folder. Raises RevisionError."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        top = self._git(["rev-parse", "--show-toplevel"], folder)
        if top is None:
            raise RevisionError(f"{folder}: it is in no git repository, so nothing is known of {name}")
        self._top = Path(os.path.realpath(os.fsdecode(top.rstrip(b"\n"))))
        commit = self._git(["rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"], self._top)
        if commit is None:
            raise RevisionError(f'git knows no revision "{name}" in {self._top}')
        self._commit = commit.decode("ascii").strip()

    def read(self, path: str) -> bytes | None:
        """Return the contents of a file then; None where there was none."""
        try:
            inside = Path(os.path.realpath(path)).relative_to(self._top)
        except ValueError:
            return None
        return self._git(["cat-file", "blob", f"{self._commit}:{inside.as_posix()}"], self._top)

    @staticmethod
    def _git(arguments: Sequence[str], folder: Path) -> bytes | None:
        """Return what git answers; None where it fails."""
        try:
            run = subprocess.run(  # noqa: S603
                ["git", *arguments],  # noqa: S607
                cwd=folder,
                env=os.environ | _QUIET,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=_SECONDS,
            )
        except FileNotFoundError:
            raise RevisionError("git is not installed, and only git knows what has changed") from None
        except (OSError, subprocess.TimeoutExpired) as error:
            raise RevisionError(f"git cannot be asked: {error}") from None
        return run.stdout if run.returncode == 0 else None

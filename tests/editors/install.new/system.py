"""What Debian has: apt, the browser, compilers."""

from __future__ import annotations

import os
import shutil

from tests.editors.install.places import Missing, alone, run

_updated = False


def apt(**programs: str) -> None:
    """Install what is not there yet: a package by the name of a program that it brings along."""
    global _updated  # noqa: PLW0603
    wanted = [package for program, package in programs.items() if shutil.which(program.replace("_", "-")) is None]
    if not wanted:
        return
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        raise Missing(f"there is no {', '.join(wanted)}, and apt-get needs root")
    with alone("apt"):
        if not _updated:
            run(["apt-get", "update"], tries=3)
            _updated = True
        environment = ["env", "DEBIAN_FRONTEND=noninteractive"]
        run([*environment, "apt-get", "install", "-y", "--no-install-recommends", *wanted], tries=3)


def chromium() -> str:
    """Return the path of Debian's Chromium, with a font to write in."""
    apt(chromium="chromium", fc_list="fontconfig")
    apt_fonts()
    return shutil.which("chromium") or ""


def apt_fonts() -> None:
    """Give the browser a monospaced font where it has none: pictures and widths depend on it."""
    if "mono" not in run(["fc-list", ":", "family"]).lower():
        run(["apt-get", "install", "-y", "--no-install-recommends", "fonts-dejavu-core"], tries=3)

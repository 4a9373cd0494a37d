"""What Debian has: compilers, the browser, its font."""

from __future__ import annotations

import os
import shutil

from tests.editors.install.places import Missing, alone, run


def apt(*packages: str) -> None:
    """Install the Debian packages that are not there yet."""
    if shutil.which("apt-get") is None:
        raise Missing(f"there is no apt-get to install {', '.join(packages)}")
    with alone("apt"):
        shown = run(["dpkg-query", "--show", "--showformat", "${Package} ${db:Status-Status}\n"])
        installed = {line.split()[0] for line in shown.splitlines() if line.endswith(" installed")}
        wanted = [name for name in packages if name not in installed]
        if not wanted:
            return
        if os.geteuid() != 0:
            raise Missing(f"apt-get needs root to install {', '.join(wanted)}")
        run(["apt-get", "update"], tries=3)
        environment = ["env", "DEBIAN_FRONTEND=noninteractive"]
        run([*environment, "apt-get", "install", "-y", "--no-install-recommends", *wanted], tries=3)


def chromium() -> str:
    """Return the path of Debian's Chromium, with a font for code."""
    apt("chromium", "fonts-dejavu-core")
    return "/usr/bin/chromium"

"""`python -m tests.editors.install`: get every editor that can be had here, and say which cannot."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from tests.editors.install import Missing, chromium, code_server, jupyter, neovim_of_debian, neovim_of_pypi

EDITORS = {
    "Chromium": chromium,
    "VS Code": code_server,
    "JupyterLab": jupyter,
    "Neovim 0.7": neovim_of_debian,
    "Neovim 0.11": neovim_of_pypi,
}


def main() -> None:
    with ThreadPoolExecutor(2) as pool:
        wanted = {name: pool.submit(install) for name, install in EDITORS.items()}
    for name, done in wanted.items():
        reason = done.exception()
        if reason is None:
            continue
        if not isinstance(reason, Missing):
            raise reason
        print(f"{name} cannot be had here, and its tests are left out: {reason}", file=sys.stderr)


if __name__ == "__main__":
    main()

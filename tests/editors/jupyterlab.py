"""JupyterLab in a browser."""

from __future__ import annotations

import json
import os
import re
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.editors.processes import free_port, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Locator, Page

SETTINGS = {
    "@jupyterlab/docmanager-extension/plugin": {"defaultViewers": {"json": "Editor"}},
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/apputils-extension/themes": {"adaptive-theme": True},
}


@dataclass(frozen=True)
class JupyterLab:
    """A JupyterLab that runs, with a folder of files."""

    port: int

    def status(self) -> dict[str, Any]:
        """Return what jupyterlab-lsp says of its servers."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/lsp/status", timeout=60) as answer:
            return json.load(answer)

    def open(self, page: Page, file: str) -> None:
        """Open a file in a window of its own."""
        workspace = re.sub(r"\W", "-", file)
        page.goto(f"http://127.0.0.1:{self.port}/lab/workspaces/{workspace}/tree/{file}")
        page.locator("#jp-main-dock-panel .lm-DockPanel-widget:not(.lm-mod-hidden)").wait_for()


def diagnostics(page: Page) -> Locator:
    """Return what is underlined in the editor that is shown."""
    return page.locator(".cm-lintRange")


@contextmanager
def jupyterlab(python: Path, folder: Path, home: Path) -> Iterator[JupyterLab]:
    """Run a JupyterLab over a folder."""
    for name, values in SETTINGS.items():
        path = home / "settings" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))
    port = free_port()
    options = {
        "ServerApp.root_dir": folder,
        "ServerApp.port": port,
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port_retries": 0,
        "ServerApp.allow_root": True,
        "IdentityProvider.token": "",
    }
    variables = {
        **os.environ,
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
    }
    command = [python, "-m", "jupyterlab", "--no-browser", *(f"--{name}={value}" for name, value in options.items())]
    with serving(command, f"http://127.0.0.1:{port}/api", home / "jupyterlab.log", variables):
        yield JupyterLab(port)

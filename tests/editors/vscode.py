"""VS Code in a browser: a code-server with the extension, and windows of it."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tests.editors.install.places import run
from tests.editors.processes import free_port, serving
from tests.editors.workbench import Workbench

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from playwright.sync_api import Page
    from tests.editors.install import CodeServer

SETTINGS: dict[str, Any] = {
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "extensions.autoUpdate": False,
    "extensions.autoCheckUpdates": False,
    "extensions.ignoreRecommendations": True,
    "git.enabled": False,
    "chat.commandCenter.enabled": False,
    "editor.minimap.enabled": False,
    "files.autoSave": "off",
    "window.autoDetectColorScheme": True,
}


@dataclass(frozen=True)
class VSCode:
    """A code-server that runs; `home` holds its settings and what extensions keep."""

    port: int
    home: Path

    def open(
        self, page: Page, folder: Path, file: str | None = None, payload: Mapping[str, str] | None = None
    ) -> Workbench:
        """Open a folder, and a file of it."""
        pairs = list((payload or {}).items())
        if file is not None:
            pairs.append(("openFile", f"vscode-remote://127.0.0.1:{self.port}{folder}/{file}"))
        query = f"folder={quote(str(folder))}" + (f"&payload={quote(json.dumps(pairs))}" if pairs else "")
        page.goto(f"http://127.0.0.1:{self.port}/?{query}")
        workbench = Workbench(page, folder)
        workbench.wait()
        return workbench

    def settings(self, values: Mapping[str, Any]) -> None:
        """Write the user's settings; whether folders are trusted at first is the server's option."""
        path = self.home / "data" / "User" / "settings.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(SETTINGS | dict(values)), encoding="utf-8")


@contextmanager
def vscode(
    installed: CodeServer, vsix: Path, home: Path, *, trust: bool, environment: Mapping[str, str] | None = None
) -> Iterator[VSCode]:
    """Run a code-server with the extension from `vsix`; with `trust`, folders are not trusted until one says so."""
    code = [installed.node, installed.entry, "--extensions-dir", home / "extensions", "--user-data-dir", home / "data"]
    variables = {
        **os.environ,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "share"),
        "XDG_CACHE_HOME": str(home / "cache"),
        **(environment or {}),
    }
    port = free_port()
    home.mkdir(exist_ok=True)
    served = VSCode(port, home)
    served.settings({})
    run(["env", *(f"{name}={variables[name]}" for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")),
         *code, "--install-extension", vsix])  # fmt: skip
    options = ["--auth", "none", "--disable-telemetry", "--disable-update-check", "--disable-proxy",
               "--disable-getting-started-override", "--ignore-last-opened"]  # fmt: skip
    if not trust:
        options.append("--disable-workspace-trust")
    command = [*code, "--bind-addr", f"127.0.0.1:{port}", *options]
    with serving(command, f"http://127.0.0.1:{port}/healthz", home / "code-server.log", variables):
        yield served

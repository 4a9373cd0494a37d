"""VS Code: code-server from npm, whose native parts are built here: nothing comes from anywhere else."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.editors.install.places import Missing, once, run
from tests.editors.install.system import apt

if TYPE_CHECKING:
    from pathlib import Path

VERSION = "4.100.3"
"""The newest one for Node 20; it holds VS Code 1.100.3."""

INSTALL = ("npm", "install", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error")


@dataclass(frozen=True)
class CodeServer:
    """A code-server: `[node, entry]` is the beginning of its commands."""

    node: str
    entry: Path


def code_server() -> CodeServer:
    """Return a code-server that works offline."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        raise Missing("there is no Node.js with npm")
    version = run([node, "--version"]).strip()
    if not version.startswith("v20."):
        raise Missing(f"code-server {VERSION} needs Node 20, and {version} is here")
    apt("ripgrep", "g++", "make", "python3")
    folder = once(f"code-server-{VERSION}", _build)
    return CodeServer(node, folder / "node_modules" / "code-server" / "out" / "node" / "entry.js")


def _build(folder: Path) -> None:
    run([*INSTALL, f"code-server@{VERSION}"], folder, tries=3)
    code = folder / "node_modules" / "code-server" / "lib" / "vscode"
    run(INSTALL, code, tries=3)
    run(INSTALL, code / "extensions", tries=3)
    (code / "node_modules.asar").symlink_to("node_modules")
    ripgrep = code / "node_modules" / "@vscode" / "ripgrep" / "bin"
    ripgrep.mkdir(exist_ok=True)
    (ripgrep / "rg").symlink_to(shutil.which("rg") or "")
    with ThreadPoolExecutor(2) as pool:
        parts = ["@vscode/spdlog", "native-watchdog", "node-pty"]
        done = [pool.submit(_native, code / "node_modules" / part) for part in parts]
        done.append(pool.submit(_argon2, folder / "node_modules" / "argon2"))
        for part in done:
            part.result()


def _native(folder: Path) -> None:
    gyp = f"{run(['npm', 'root', '-g']).strip()}/npm/node_modules/node-gyp/bin/node-gyp.js"
    run(["node", gyp, "rebuild", f"--nodedir={_headers()}"], folder)


def _argon2(folder: Path) -> None:
    run(["npx", "--no-install", "node-pre-gyp", "rebuild", "--build-from-source", f"--nodedir={_headers()}"], folder)


def _headers() -> str:
    """Return the folder whose `include/node` holds Node's headers: that of the program's own installation."""
    return run(["node", "--print", "path.dirname(path.dirname(fs.realpathSync(process.execPath)))"]).strip()

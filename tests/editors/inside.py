"""Mocha inside of an extension host."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

from tests.editors.browser import PATIENCE_MS

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page
    from tests.editors.vscode import VSCode

COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def build_tests(extension: Path) -> None:
    """Bundle the tests of the extension in `extension`."""
    subprocess.run(["node", "scripts/build.mjs", "--tests"], cwd=extension, check=True)


def inside(code: VSCode, page: Page, folder: Path, extension: Path) -> tuple[int, str]:
    """Run the tests of the extension in `extension` in a window of `folder`; return the exit code and what they say."""
    lines: list[str] = []
    ended: list[int] = []

    def log(_: str, arguments: list[object]) -> None:
        lines.append(_filled(arguments))

    def end(code: int, *_: object) -> None:
        ended.append(code)

    page.expose_function("codeAutomationLog", log)
    page.expose_function("codeAutomationExit", end)
    remote = f"vscode-remote://127.0.0.1:{code.port}{extension}"
    code.open(
        page, folder, payload={"extensionDevelopmentPath": remote, "extensionTestsPath": f"{remote}/out/test/index"}
    )
    for _ in range(10 * PATIENCE_MS // 1000):
        if ended:
            break
        page.wait_for_timeout(1000)
    return (ended[0] if ended else -1), COLOURS.sub("", "\n".join(lines))


def _filled(arguments: list[object]) -> str:
    """Write the arguments of `console.log` as a console does."""
    first, *rest = arguments or [""]
    values = iter(rest)
    text = re.sub("%[sd]", lambda hole: str(next(values, hole[0])), str(first))
    return " ".join([text, *map(str, values)])

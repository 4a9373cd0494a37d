"""`python -m tests.editors.screenshots`: pictures of the editors, light and dark, for the README files and to look at.

All are written to `.editors/screenshots`; what a README shows is copied to
`client-vscode/images`. Scores and verdicts in them come from a model that is a
script behind loopback.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import Error
from tests.editors.browser import browsing
from tests.editors.conftest import KEY, give_server
from tests.editors.install import CACHE, chromium, code_server, jupyter
from tests.editors.install.places import ROOT
from tests.editors.jupyterlab import diagnostics, jupyterlab
from tests.editors.test_jupyterlab import NOTEBOOK
from tests.editors.vscode import VSCode, vscode
from tests.judges.endpoint import Call, Endpoint, answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page
    from tests.editors.workbench import Workbench

PICTURES = CACHE / "screenshots"
SHOWN = ("findings-light", "fixes-dark", "lenses-light", "report-dark", "rewrite-light")
"""What the README of the extension shows."""

CONFIGURATION = """\
[judge]
models = "openai/judge"
base-url = "{url}"
share = ["task", "policy", "records"]

[judge.price]
input = 1.0
output = 2.0
"""
LONG_LINES = {"editor.wordWrap": "on", "diffEditor.wordWrap": "on"}
SIZE = (1120, 700)
SCALE = 1.5


def judged(call: Call) -> str:
    """Answer as a model might: some scores are low, some items are challenged, one finding has a rewrite."""
    number = sum(map(ord, call.user[-400:]))
    if call.metric == "violations" and call.items:
        items = sorted({number % call.items + 1, number % 7 % call.items + 1})
        return answer(call, violations=[violation(call, item) for item in items])
    findings = []
    if call.metric == "description_alignment" and "Clockmaker" in call.user:
        findings.append({
            "rule": "unmet-request", "part": 1, "quote": "for two more weeks",
            "reason": "The user never says that the loan is not overdue.", "policy_items": [], "confidence": 0.8,
            "rewrite": "for two more weeks, and your loan is not overdue",
        })  # fmt: skip
    return answer(call, findings=findings, score=5 + number % 6)


def violation(call: Call, item: int) -> dict[str, object]:
    return {"policy_item": item, "part": 1, "quote": "You", "reason": "The request runs into it.", "confidence": 0.9}


class Camera:
    """Takes pictures of a page in one theme."""

    def __init__(self, page: Page, theme: str) -> None:
        self._page = page
        self._theme = theme

    def take(self, name: str, *, pointed: bool = False) -> None:
        """Take a picture; the pointer is moved away unless it is `pointed` at what is to be seen."""
        if not pointed:
            self._page.mouse.move(200, SIZE[1] - 200)
            self._page.locator(".workbench-hover").wait_for(state="hidden")
        self._page.screenshot(path=PICTURES / f"{name}-{self._theme}.png")


def benchmark(home: Path, name: str) -> Path:
    """Copy a benchmark of the fixtures into an empty folder."""
    target = home / name
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "fixtures" / name, target)
    return target


def editing(code: VSCode, page: Page, home: Path, camera: Camera) -> None:
    folder = benchmark(home, "library")
    give_server(folder, {})
    window = code.open(page, folder, "tasks.json")
    window.count(12)
    window.find('week"')
    window.wait_underlined("week")
    window.problems()
    camera.take("findings")
    window.command("View: Toggle Panel Visibility")
    window.focus()
    window.hover("Quick Fix...")
    camera.take("hover")
    page.keyboard.press("Escape")
    window.fixes()
    camera.take("fixes")
    page.keyboard.press("Escape")
    window.command("View: Toggle Primary Side Bar Visibility")
    window.walkthrough()
    window.step("Give it a server", done=True).wait_for()
    camera.take("walkthrough")


def judging(code: VSCode, page: Page, home: Path, camera: Camera, url: str) -> None:
    folder = benchmark(home, "library-clean")
    (folder / "benchlint.toml").write_text(CONFIGURATION.format(url=url), encoding="utf-8")
    give_server(folder, {"judge.when": "manual"})
    window = code.open(page, folder, "tasks.json")
    window.lens("judge 1").wait_for()
    window.lens("judge").nth(1).click()
    window.lens("description").wait_for()
    finished(window)
    window.find("for two more weeks")
    window.wait_underlined("for two")
    camera.take("lenses")
    window.fixes()
    window.choose("and your loan is not overdue")
    page.locator(".monaco-diff-editor .char-insert").first.wait_for()
    window.notice("your loan is not overdue").get_by_role("button", name="Apply").click(trial=True)
    camera.take("rewrite")
    window.notice("your loan is not overdue").get_by_role("button", name="Discard").click()
    page.locator(".monaco-diff-editor").wait_for(state="detached")
    window.lens("judge 1").click()
    finished(window)
    window.open("policy.md")
    page.locator(".codelens-decoration", has_text="challenged").first.wait_for()
    camera.take("policy")
    window.command("benchlint: Show Report")
    page.frame_locator("iframe.webview").frame_locator("iframe").locator("table").first.wait_for()
    camera.take("report")


def judging_anew(code: VSCode, page: Page, home: Path, camera: Camera) -> None:
    """Judge at an address of its own: no verdict is in the cache."""
    with Endpoint(judged) as endpoint:
        judging(code, page, home, camera, endpoint.url)


def finished(window: Workbench) -> None:
    """Wait until nothing is judged any more."""
    window.page.locator(".statusbar-item", has_text="verdicts;").wait_for()
    window.page.locator(".statusbar-item", has_text="verdicts;").wait_for(state="hidden")
    window.notice("Judging").wait_for(state="detached")


def asking(code: VSCode, page: Page, home: Path, camera: Camera) -> None:
    folder = benchmark(home, "library")
    window = code.open(page, folder, "tasks.json")
    window.notice("No benchlint was found.").wait_for()
    window.notice("No benchlint was found.").get_by_role("button", name="Make Environment").click(trial=True)
    camera.take("consent")


def notebooks(page: Page, home: Path, camera: Camera) -> None:
    folder = home / "notebooks"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    benchmark(folder, "library")
    (folder / "report.ipynb").write_text(json.dumps(NOTEBOOK))
    with jupyterlab(jupyter(), folder, home / "jupyter") as lab:
        lab.open(page, "library/tasks.json")
        diagnostics(page).first.wait_for()
        diagnostics(page).first.hover()
        page.get_by_text("has no argument").first.wait_for()
        camera.take("jupyterlab", pointed=True)
        lab.open(page, "report.ipynb")
        page.locator("#jp-main-statusbar", has_text="Idle").wait_for()
        page.locator(".jp-Notebook .cm-content").first.click()
        page.keyboard.press("Shift+Enter")
        page.locator(".jp-OutputArea-output tr").first.wait_for()
        camera.take("notebook")


def main(names: list[str]) -> None:
    """Take all pictures, or those of the scenes that are named."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    vsix = ROOT / "client-vscode" / "benchlint.vsix"
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch)
        with vscode(code_server(), vsix, home / "code", trust=False, environment={"OPENAI_API_KEY": KEY}) as code:
            code.settings(LONG_LINES)
            scenes: dict[str, Callable[[Page, Camera], None]] = {
                "editing": lambda page, camera: editing(code, page, home, camera),
                "judging": lambda page, camera: judging_anew(code, page, home, camera),
                "asking": lambda page, camera: asking(code, page, home, camera),
                "notebooks": lambda page, camera: notebooks(page, home, camera),
            }
            for theme in ("light", "dark"):
                with browsing(chromium(), SIZE, SCALE, dark=theme == "dark") as page:
                    for name in names or scenes:
                        try:
                            scenes[name](page, Camera(page, theme))
                        except Error:
                            page.screenshot(path=PICTURES / "failed.png")
                            raise
                        page.goto("about:blank")
    images = ROOT / "client-vscode" / "images"
    for name in SHOWN:
        picture = PICTURES / f"{name}.png"
        if picture.exists():
            shutil.copy(picture, images)


if __name__ == "__main__":
    main(sys.argv[1:])

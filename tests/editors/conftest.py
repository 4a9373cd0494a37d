"""Editors that run: VS Code with the extension, JupyterLab, a browser. One worker has them all, after each other."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.editors.browser import browsing
from tests.editors.install import Missing, chromium, code_server
from tests.editors.install.places import ROOT
from tests.editors.vscode import VSCode, vscode
from tests.judges.endpoint import Endpoint
from tests.lsp.conftest import folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from playwright.sync_api import Page

__all__ = ["folder"]

SERVER = Path(sys.executable).parent / "benchlint"
KEY = "sk-canary"


def give_server(folder: Path, settings: Mapping[str, Any]) -> None:
    """Write settings of a folder: the server of this tree, and others of benchlint by their names."""
    values = {"benchlint.path": [str(SERVER)], **{f"benchlint.{key}": value for key, value in settings.items()}}
    (folder / ".vscode").mkdir()
    (folder / ".vscode" / "settings.json").write_text(json.dumps(values), encoding="utf-8")


def counting_server(path: Path) -> Path:
    """Write a program that runs the server of this tree and leaves a line in `PATH.starts` each time it is started."""
    path.write_text(f'#!/bin/sh\necho started >> "{path}.starts"\nexec "{SERVER}" "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def starts(path: Path) -> int:
    """Return how often a counting server was started."""
    log = path.with_name(f"{path.name}.starts")
    return len(log.read_text(encoding="utf-8").splitlines()) if log.exists() else 0


def had(install: Callable[[], Any]) -> Any:
    """Return what an installer returns; where it cannot be had the test is left out, except in CI."""
    try:
        return install()
    except Missing as reason:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def extension() -> Path:
    """The packaged extension, as `make extension` has left it."""
    path = ROOT / "client-vscode" / "benchlint.vsix"
    if not path.exists() and not os.environ.get("CI"):
        pytest.skip("there is no client-vscode/benchlint.vsix: make extension")
    return path


@pytest.fixture(scope="session")
def trusting(extension: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VSCode]:
    """A VS Code that trusts every folder."""
    home = tmp_path_factory.mktemp("trusting")
    environment = {"OPENAI_API_KEY": KEY, "BENCHLINT_TEST_PYTHON": sys.executable}
    with vscode(had(code_server), extension, home, trust=False, environment=environment) as served:
        yield served


@pytest.fixture(scope="session")
def careful(extension: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VSCode]:
    """A VS Code that trusts no folder until its user says so, whose user has set the server's path.

    `server.starts` in its home has a line for each time that this server was started.
    """
    home = tmp_path_factory.mktemp("careful")
    with vscode(had(code_server), extension, home, trust=True, environment={"OPENAI_API_KEY": KEY}) as served:
        path = counting_server(home / "server")
        served.settings({"security.workspace.trust.startupPrompt": "never", "benchlint.path": [str(path)]})
        yield served


@pytest.fixture
def bare(extension: Path, tmp_path: Path) -> Iterator[VSCode]:
    """A VS Code whose user has set nothing, on a machine without benchlint."""
    paths = [item for item in os.environ["PATH"].split(os.pathsep) if not (Path(item) / "benchlint").exists()]
    home = tmp_path / "bare"
    home.mkdir()
    with vscode(had(code_server), extension, home, trust=False, environment={"PATH": os.pathsep.join(paths)}) as served:
        yield served


@pytest.fixture(scope="module")
def first_page() -> Iterator[Page]:
    with browsing(had(chromium)) as page:
        yield page


@pytest.fixture
def page(first_page: Page, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Page]:
    """A page of its own, in a browser that the module shares; where a test fails, a picture of it is kept."""
    page = first_page.context.new_page()
    page.on("dialog", lambda dialog: dialog.accept())
    yield page
    report = getattr(request.node, "report", None)
    if report is not None and report.failed:
        page.screenshot(path=tmp_path / "failed.png")
        print(f"what was to be seen: {tmp_path / 'failed.png'}")
    page.goto("about:blank")
    page.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Try a test in a browser a second time, which the summary tells: a busy machine can fail an editor."""
    for item in items:
        if "page" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    report = yield
    if report.when == "call":
        item.report = report
    return report


@pytest.fixture
def workspace(tmp_path: Path) -> Callable[..., Path]:
    """Copy a benchmark of the fixtures into a folder whose settings name the server."""

    def copy(name: str, **settings: Any) -> Path:
        target = tmp_path / name
        shutil.copytree(ROOT / "fixtures" / name, target)
        give_server(target, settings)
        return target

    return copy


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """A model behind loopback."""
    with Endpoint() as server:
        yield server

"""The extension in a real VS Code, by its own clock: from `activate` to the first finding, and the longest call."""

from __future__ import annotations

import re
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.measure import Budget
from tests.editors.browser import browsing
from tests.editors.conftest import give_server
from tests.editors.inside import build_tests, inside
from tests.editors.install import Missing, chromium, code_server
from tests.editors.install.places import ROOT
from tests.editors.vscode import vscode

if TYPE_CHECKING:
    from collections.abc import Iterator

CLIENT = ROOT / "client-vscode"
FIRST_FINDING_MS = 2000.0
LONGEST_CALL_MS = 50.0
WINDOWS = 3
SPEED = re.compile(r"first finding after (\d+) ms; longest call: (.+?), ([\d.]+) ms")


def budgets() -> Iterator[Budget]:
    """Open a window several times; the medians count."""
    try:
        installed, browser = code_server(), chromium()
    except Missing as reason:
        print(f"skipped VS Code: {reason}")
        return
    vsix = CLIENT / "benchlint.vsix"
    if not vsix.exists():
        print("skipped VS Code: there is no client-vscode/benchlint.vsix: make extension")
        return
    build_tests(CLIENT)
    seen = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "library"
        shutil.copytree(ROOT / "fixtures" / "library", folder)
        give_server(folder, {})
        environment = {"BENCHLINT_TEST_GREP": "was quick"}
        home = Path(scratch) / "code"
        with vscode(installed, vsix, home, trust=False, environment=environment) as code:
            for _ in range(WINDOWS):
                with browsing(browser) as page:
                    _, log = inside(code, page, folder, CLIENT)
                found = SPEED.search(log)
                if found is None:
                    raise SystemExit(f"the extension's tests tell no times: {log}")
                seen.append((float(found[1]), float(found[3])))
    first, longest = (statistics.median(times) for times in zip(*seen, strict=True))
    yield Budget("VS Code: activate to the first finding", first, FIRST_FINDING_MS, "ms")
    yield Budget("VS Code: longest call on the extension host", longest, LONGEST_CALL_MS, "ms")

"""Where the server comes from: here from an environment that the extension makes, once it is told to.

The other tests have it from a path; mocha's have it from an interpreter as well.
"""

from __future__ import annotations

import json
import re
import shutil
import sys

import pytest
from tests.editors.conftest import SERVER
from tests.editors.install.places import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

PYTHON = """\
#!/bin/sh
# Python, but for pip: this tree stands in for what is installed, and only with the extra there is litellm.
case "$*" in
  *"-m venv "*) for folder; do :; done; mkdir -p "$folder/bin"; cp "$0" "$folder/bin/python" ;;
  *"-m pip install "*) for wanted; do :; done; echo "$wanted" >> "{log}"; echo "$wanted" > "$0.has" ;;
  *"-c "*) grep -qs llm "$0.has" && llm=true || llm=false
    "{python}" "$@" | sed -e "s|{python}|$0|" -e "s/\\"llm\\": true/\\"llm\\": $llm/" ;;
  *) exec "{python}" "$@" ;;
esac
"""

WHEEL = r"(?m)/benchlint-[^/]*\.whl(.*)$"

INSTALLED_MS = 240_000
"""How long packages may take to come from an index."""


def test_an_environment_is_made_from_the_wheel_once_the_user_agrees(bare, page, tmp_path):
    folder = tmp_path / "library"
    shutil.copytree(ROOT / "fixtures" / "library", folder)
    window = bare.open(page, folder, "tasks.json")
    question = window.notice("No benchlint was found.")
    question.wait_for()
    kept = bare.home / "data" / "User" / "globalStorage" / "benchlint.benchlint"
    assert not list(kept.rglob("pyvenv.cfg")), "nothing is made before the user has agreed"
    question.get_by_role("button", name="Make Environment").click()
    page.get_by_role("button", name="benchlint 12").wait_for(timeout=INSTALLED_MS)
    assert len(list(kept.rglob("pyvenv.cfg"))) == 1
    window.find("renew_lone")
    window.wait_underlined("renew_lone")


def test_what_models_are_asked_with_is_installed_by_a_button(bare, page, tmp_path):
    python = tmp_path / "python"
    log = tmp_path / "installed"
    python.write_text(PYTHON.format(log=log, python=sys.executable))
    python.chmod(0o755)
    folder = tmp_path / "library"
    shutil.copytree(ROOT / "fixtures" / "library", folder)
    (folder / ".vscode").mkdir()
    settings = {
        "benchlint.importStrategy": "useBundled",
        "benchlint.interpreter": [str(python)],
        "benchlint.judge.models": ["openai/judge"],
    }
    (folder / ".vscode" / "settings.json").write_text(json.dumps(settings))
    window = bare.open(page, folder, "tasks.json")
    window.notice("No benchlint was found.").wait_for()
    window.walkthrough()
    window.step("Give it a server", done=False).wait_for()
    window.notice("No benchlint was found.").get_by_role("button", name="Make Environment").click()
    window.step("Give it a server", done=True).wait_for()
    window.count(12)
    lack = window.notice("litellm, which asks them, is not installed")
    lack.wait_for()
    assert re.findall(WHEEL, log.read_text()) == [""], "not before the user says so"
    lack.get_by_role("button", name="Install").click()
    window.notice("models can be asked now").wait_for()
    window.count(12)
    assert re.findall(WHEEL, log.read_text()) == ["", "[llm]"]
    window.command("benchlint: Show Menu")
    page.locator(".quick-input-list", has_text="Restart Server").wait_for()
    assert not page.locator(".quick-input-list", has_text="Install Support for Models").is_visible()


def test_an_environment_of_the_user_s_is_left_to_the_user(trusting, page, workspace):
    window = trusting.open(page, workspace("library"), "tasks.json")
    window.count(12)
    window.command("benchlint: Install Support for Models")
    window.notice(f"run \"pip install 'benchlint[llm]'\" in the environment of {SERVER}").wait_for()


def test_a_window_where_linting_is_off_says_so(trusting, page, workspace):
    window = trusting.open(page, workspace("library", enable=False), "tasks.json")
    window.status().wait_for()
    window.command("benchlint: Show Report")
    window.notice("linting is off in this window").get_by_role("button", name="Open Settings").click()
    page.locator(".settings-editor").get_by_text("Lint the benchmarks of this window.").wait_for()

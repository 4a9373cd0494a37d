"""Where the server comes from: here from an environment that the extension makes, once it is told to.

The other tests have it from a path; mocha's have it from an interpreter as well.
"""

from __future__ import annotations

import shutil

import pytest
from tests.editors.install.places import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

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

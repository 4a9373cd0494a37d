"""The extension's own tests, run by mocha inside of an extension host."""

from __future__ import annotations

import pytest
from tests.editors.inside import build_tests, inside
from tests.editors.install.places import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]


def test_the_extension_s_own_tests(trusting, page, workspace):
    client = ROOT / "client-vscode"
    if not (client / "node_modules").exists():
        pytest.skip("the extension's tools are not installed: make extension")
    build_tests(client)
    code, log = inside(trusting, page, workspace("library"), client)
    print(log)
    assert code == 0, log
    assert "passing" in log

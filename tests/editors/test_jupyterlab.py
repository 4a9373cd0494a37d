"""JupyterLab: findings in JSON and YAML through jupyterlab-lsp, and the report in a notebook."""

from __future__ import annotations

import json
import shutil

import pytest
from tests.editors.conftest import had
from tests.editors.install import jupyter
from tests.editors.install.places import ROOT
from tests.editors.jupyterlab import diagnostics, jupyterlab

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

CELL = "import benchlint\n\nbenchlint.lint(['library'])"
NOTEBOOK = {
    "cells": [{"cell_type": "code", "execution_count": None, "id": "1", "metadata": {}, "outputs": [], "source": CELL}],
    "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("benchmarks")
    for name in ("library", "hotel-planted"):
        shutil.copytree(ROOT / "fixtures" / name, folder / name)
    (folder / "report.ipynb").write_text(json.dumps(NOTEBOOK))
    with jupyterlab(had(jupyter), folder, tmp_path_factory.mktemp("home")) as served:
        yield served


def test_the_server_is_known_without_any_configuration(lab):
    session = lab.status()["sessions"]["benchlint"]
    assert session["status"] == "not_started"
    assert session["spec"]["languages"] == ["json", "yaml"]


def test_findings_of_a_json_file(lab, page):
    lab.open(page, "library/tasks.json")
    marks = diagnostics(page)
    marks.first.wait_for()
    assert marks.all_inner_texts() == ["week"]
    marks.first.hover()
    page.get_by_text('renew_loan has no argument "week"').first.wait_for()


def test_findings_of_a_yaml_file(lab, page):
    lab.open(page, "hotel-planted/tasks.yaml")
    marks = diagnostics(page).filter(has_text="the agent should offer a credit of 20 euros")
    marks.wait_for()
    marks.hover()
    page.get_by_text("comes without the user's confirmation").first.wait_for()
    assert lab.status()["sessions"]["benchlint"]["status"] == "started"


def test_the_report_in_a_notebook(lab, page):
    lab.open(page, "report.ipynb")
    page.locator(".jp-StatusBar-Widget, #jp-main-statusbar", has_text="Idle").first.wait_for()
    page.locator(".jp-Notebook .cm-content").first.click()
    page.keyboard.press("Shift+Enter")
    rows = page.locator(".jp-OutputArea-output tr")
    rows.first.wait_for()
    assert rows.count() == 13
    found = rows.nth(2)
    cells = ["library/tasks.json:52:14", "error", "unknown-argument", "0", 'renew_loan has no argument "week"']
    assert found.locator("td").all_inner_texts() == cells
    assert found.locator("td").last.evaluate("cell => getComputedStyle(cell).textAlign") == "left"

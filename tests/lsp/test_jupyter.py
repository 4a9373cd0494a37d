"""The entry point by which JupyterLab finds the server."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import entry_points

HEAVY = ("pygls", "lsprotocol", "pydantic", "typer", "tree_sitter")


def test_the_specification_starts_this_python_s_server():
    (entry,) = entry_points(group="jupyter_lsp_spec_v1", name="benchlint")
    (spec,) = entry.load()(None).values()
    assert spec["version"] == 2
    assert spec["argv"] == [sys.executable, "-m", "benchlint", "serve"]
    assert spec["languages"] == ["json", "yaml"]


def test_asking_for_it_costs_nothing():
    code = (
        "import json, sys\n"
        "from benchlint.lsp.jupyter import specification\n"
        "specification(None)\n"
        f"print(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []

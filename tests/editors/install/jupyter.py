"""JupyterLab with jupyterlab-lsp, and benchlint as this tree has it, in an environment of their own."""

from __future__ import annotations

import hashlib
import sys
from typing import TYPE_CHECKING

from tests.editors.install.places import ROOT, alone, once, run

if TYPE_CHECKING:
    from pathlib import Path

PINNED = ("jupyterlab==4.6.6", "jupyterlab-lsp==5.3.0")


def jupyter() -> Path:
    """Return the environment's Python; its other programs name the folder in which they were made."""
    folder = once("jupyterlab-4.6.6", _build)
    python = folder / "bin" / "python"
    project = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    stamp = folder / "benchlint.stamp"
    with alone("jupyterlab-benchlint"):
        if not stamp.exists() or stamp.read_text() != project:
            run([python, "-m", "pip", "install", "--quiet", "--editable", ROOT], tries=3)
            stamp.write_text(project)
    return python


def _build(folder: Path) -> None:
    run([sys.executable, "-m", "venv", folder])
    run([folder / "bin" / "python", "-m", "pip", "install", "--quiet", *PINNED], tries=3)

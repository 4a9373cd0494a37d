"""How JupyterLab starts the server: the entry point `jupyter_lsp_spec_v1` of jupyterlab-lsp."""

from __future__ import annotations

import sys
from typing import Any


def specification(manager: object) -> dict[str, dict[str, Any]]:
    """Return the server's specification, by its name; `manager` is jupyter_lsp's.

    JSON and YAML: what tasks are written in. Of several servers for one
    language JupyterLab takes one, so that Python is left to those that speak
    of programs.
    """
    return {
        "benchlint": {
            "version": 2,
            "argv": [sys.executable, "-m", "benchlint", "serve"],
            "languages": ["json", "yaml"],
            "mime_types": ["application/json", "text/json", "text/x-json", "text/x-yaml", "text/yaml"],
            "display_name": "benchlint",
            "requires_documents_on_disk": False,
        }
    }

"""A small benchmark to break, and the shortest ways to lint it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from benchlint.analysis.run import Options, Result, run
from benchlint.analysis.snapshot import Snapshot
from benchlint.config import ConfigLookup

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "parameters": {
                "type": "object",
                "properties": {"day": {"type": "string"}},
                "required": ["day"],
                "additionalProperties": False,
            },
        },
        "effect": effect,
        "requestor": "assistant",
    }
    for name, effect in (("book_visit", "write"), ("list_visits", "read"))
]


def task(number: int, tool: str = "book_visit", **more: Any) -> dict[str, Any]:
    day = f"2031-03-{number:02d}"
    return {
        "id": str(number),
        "user_scenario": {"instructions": f"You want a visit on {day}."},
        "evaluation_criteria": {
            "actions": [{"action_id": f"{number}_0", "name": tool, "arguments": {"day": day}}],
            "communicate_info": [day],
        },
        **more,
    }


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with tools; the tasks are the test's."""
    folder = tmp_path / "desk"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "tools.json").write_text(json.dumps(TOOLS))
    return folder


@pytest.fixture
def lint(folder: Path) -> Callable[..., Result]:
    """Lint paths, the working folder by default."""

    def linted(*paths: str, **options: Any) -> Result:
        return run(paths or (".",), Snapshot(), ConfigLookup(), Options(**options))

    return linted


def told(result: Result) -> list[str]:
    """Name the findings: rule, path, and the line from 1."""
    lines = []
    for finding in result.findings:
        anchor = finding.anchor
        base = result.slices[anchor.path][anchor.slice] if anchor.slice is not None else 0
        data = result.documents[anchor.path].data
        line = data[: base + anchor.start].count(b"\n") + 1
        lines.append(f"{finding.rule} {anchor.path}:{line}")
    return lines

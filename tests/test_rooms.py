"""The rule of rooms: code imports only from rooms above its own in the design's list."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "server" / "benchlint"
ENTRANCE = "api"
"""`benchlint.api` and `benchlint` itself stand between `audit` and the two programs `lsp` and `cli`."""


def rooms() -> list[str]:
    """Read the list of rooms from the design, from the ground up."""
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    listed = re.search(r"a room imports only from rooms above it.*?```\n(.*?)```", text, re.DOTALL)
    assert listed, "docs/design.md lists the rooms"
    names = re.findall(r"^([a-z]+)(?:/| )", listed[1], re.MULTILINE)
    names.insert(names.index("lsp"), ENTRANCE)
    return names


def room_of(module: str) -> str | None:
    """Name the room of a module of the package; None for the package's own two files."""
    parts = module.split(".")
    if len(parts) < 2 or parts[1] == "__main__":
        return None
    return parts[1].removesuffix("_schema")


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> set[str]:
    """Name the modules of the package that a file imports, for types too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports name their module in full"
            found.update(f"{node.module}.{name.name}" for name in node.names)
    return {name for name in found if name.split(".")[0] == "benchlint"}


MODULES = {module_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@pytest.mark.parametrize("module", MODULES)
def test_a_room_imports_only_from_rooms_above_it(module: str) -> None:
    order = rooms()
    room = room_of(module)
    if room is None:
        return
    assert room in order, f"{module}: the design does not list the room {room}"
    for name in imports(MODULES[module]):
        other = room_of(name)
        if other is None or other == "__version__":
            continue
        assert other in order, name
        assert order.index(other) <= order.index(room), f"{module} must not import {name}"


def test_the_design_lists_every_room() -> None:
    assert {room_of(module) for module in MODULES} - {None} <= set(rooms())


def test_the_test_can_fail(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from benchlint.cli.app import app\n")
    assert imports(path) == {"benchlint.cli.app.app"}
    assert room_of("benchlint.cli.app.app") == "cli"
    order = rooms()
    assert order.index("text") < order.index("analysis") < order.index("cli")

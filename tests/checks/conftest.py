from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchlint.analysis.fixing import fix
from benchlint.analysis.run import Options, run
from benchlint.analysis.snapshot import Snapshot
from benchlint.config import ConfigLookup

DATA = Path(__file__).parents[3] / "shared" / "data"


@dataclass(frozen=True)
class Found:
    """A finding and the text that its range cuts out of its file."""

    rule: str
    task: str | None
    text: str
    message: str
    severity: str
    file: str
    fixes: tuple
    related: tuple[str, ...]
    pointer: str


def findings(result) -> list[Found]:
    found = []
    for item in result.findings:
        anchor = item.anchor
        found.append(
            Found(
                item.rule,
                item.task,
                cut(result, anchor),
                item.message,
                item.severity.label,
                Path(anchor.path).name,
                item.fixes,
                tuple(cut(result, related.anchor) for related in item.related),
                item.pointer,
            )
        )
    return found


def cut(result, anchor) -> str:
    base = result.slices[anchor.path][anchor.slice] if anchor.slice is not None else 0
    return result.documents[anchor.path].data[base + anchor.start : base + anchor.end].decode()


@pytest.fixture
def lint(tmp_path):
    """Write files, lint their folder for some rules, and return what is found."""

    def make(files: dict[str, object], *rules: str) -> list[Found]:
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            text = content if isinstance(content, (str, bytes)) else json.dumps(content, indent=2, ensure_ascii=False)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return findings(run([str(tmp_path)], Snapshot(), ConfigLookup(), Options(select=rules)))

    return make


@pytest.fixture
def fixed(tmp_path):
    """Apply the fixes of what `lint` wrote, and return the new text of a file."""

    def make(name: str, *rules: str, unsafe: bool = True) -> str:
        options = Options(select=rules)
        done = fix(
            Snapshot(),
            lambda snapshot: run([str(tmp_path)], snapshot, ConfigLookup(), options),
            unsafe=unsafe,
        )
        path = next(path for path in done.result.documents if Path(path).name == name)
        return done.result.documents[path].data.decode()

    return make


@pytest.fixture(scope="session")
def real():
    """Lint a file or folder of the shared data for some rules."""

    def make(path: str, *rules: str) -> list[Found]:
        if not DATA.is_dir():
            pytest.skip("../shared/data is not there")
        return findings(run([str(DATA / path)], Snapshot(), ConfigLookup(), Options(select=rules)))

    return make

"""A team's own rule pages: read once, and again when one of them changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.analysis.conftest import task
from tests.lsp.conftest import written

from benchlint.analysis.kept import Kept
from benchlint.analysis.options import Options
from benchlint.analysis.run import run
from benchlint.analysis.snapshot import Snapshot
from benchlint.config import ConfigError, ConfigLookup
from benchlint.text.document import Document

if TYPE_CHECKING:
    from pathlib import Path

PAGE = """\
---
name: {name}
severity: warning
found-by: judge
metric: policy_alignment
---

## What it finds

{what}

## Rubric

Look for it.
"""


@pytest.fixture
def own(folder: Path) -> Path:
    """The page of a rule of our own, named in the configuration."""
    (folder / "pages").mkdir()
    page = folder / "pages" / "vague-promise.md"
    page.write_bytes(b"\xef\xbb\xbf" + PAGE.format(name="vague-promise", what="é 🎈").replace("\n", "\r\n").encode())
    (folder / "benchlint.toml").write_text('rules = ["pages"]\n\n[lint]\nselect = ["vague-promise", "syntax"]\n')
    (folder / "tasks.json").write_text(written(task(1)))
    return page


def test_pages_are_read_once_and_again_when_one_changes(own):
    kept, config = Kept(), ConfigLookup()

    def rule(snapshot: Snapshot):
        return run(["."], snapshot, config, kept=kept).rules["vague-promise"]

    disk = Snapshot()
    first = rule(disk)
    assert first.summary == "é 🎈"
    assert rule(disk.with_documents([])) is first
    unsaved = Document(str(own), PAGE.format(name="vague-promise", what="It is typed.").encode())
    assert rule(disk.with_documents([unsaved])).summary == "It is typed."
    assert rule(disk).summary == "é 🎈"
    own.with_name("other-promise.md").write_text(PAGE.format(name="other-promise", what="More."))
    kept.forget_files()
    assert "other-promise" in run(["."], disk.refreshed(), config, kept=kept).rules


@pytest.mark.parametrize(
    "data", [b"\xff", b"no front matter", b"---\nname: [\n---\n", b"---\n" + b"[" * 9000 + b"\n---\n"]
)
def test_a_page_that_cannot_be_used_is_told_at_the_configuration(own, data):
    own.write_bytes(data)
    with pytest.raises(ConfigError, match=r"benchlint\.toml:1:1: rules: .*"):
        run(["."], Snapshot(), ConfigLookup())


def test_pages_of_folders_that_are_not_trusted_are_known_by_name_alone(own):
    own.write_bytes(b"\xff")
    found = run(["."], Snapshot(), ConfigLookup(), Options(trusted=False))
    assert found.rules["vague-promise"].page == ""

"""`docs/cli.md` is made from the commands."""

from __future__ import annotations

from pathlib import Path

from benchlint.cli.reference import reference


def test_the_page_is_what_the_commands_say() -> None:
    page = Path(__file__).parents[2] / "docs" / "cli.md"
    assert page.read_text(encoding="utf-8") == reference(), "python -m benchlint.cli.reference > docs/cli.md"

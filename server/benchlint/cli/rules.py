"""`benchlint rules`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from benchlint.cli.guard import guarded
from benchlint.cli.terminal import width, write


@guarded
def rules(
    *,
    format: Annotated[Literal["text", "json"], typer.Option(help="How to write the rules.")] = "text",
) -> int:
    """List the rules: severity, what finds them, whether they have a fix."""
    from benchlint.catalogue.rule import load_rules
    from benchlint.reports.rules import render_json, render_text

    found = load_rules()
    write(render_json(found) if format == "json" else render_text(found, width()))
    return 0

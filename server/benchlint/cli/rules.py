"""`benchlint rules`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from benchlint.cli import common
from benchlint.cli.guard import guarded
from benchlint.cli.terminal import width, write


@guarded
def rules(
    *,
    format: Annotated[Literal["text", "json"], typer.Option(help="How to write the rules.")] = "text",
    config: common.Config = None,
) -> int:
    """List the rules: severity, what finds them, whether they have a fix.

    Rules of your own, which the configuration of the working folder names,
    are among them.
    """
    from benchlint.analysis.rulebook import rules_at
    from benchlint.reports.rules import render_json, render_text

    found = rules_at(".", config)
    write(render_json(found) if format == "json" else render_text(found, width()))
    return 0

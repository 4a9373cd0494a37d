"""`benchlint explain`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from benchlint.cli.guard import guarded
from benchlint.cli.terminal import wants_color, write


@guarded
def explain(
    rule: Annotated[str, typer.Argument(metavar="RULE", help="A rule, or a group of rules.")],
) -> int:
    """Explain a rule: what it finds, why that is bad, examples, what to do."""
    from benchlint.catalogue.rule import load_rules
    from benchlint.reports.rules import render_page

    page = render_page(load_rules(), rule)
    if sys.stdout.isatty() and wants_color("auto"):
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(page))
    else:
        write(page)
    return 0

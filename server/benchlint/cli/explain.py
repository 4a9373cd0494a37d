"""`benchlint explain`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from benchlint.cli import common
from benchlint.cli.guard import guarded
from benchlint.cli.terminal import wants_color, write

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchlint.catalogue.rule import Rule


@guarded
def explain(
    rule: Annotated[str, typer.Argument(metavar="RULE", help="A rule, or a group of rules.")],
    *,
    config: common.Config = None,
) -> int:
    """Explain a rule: what it finds, why that is bad, examples, what to do.

    Rules of your own are found by the configuration of the working folder.
    """
    from benchlint.catalogue.rule import by_alias, load_rules
    from benchlint.reports.rules import render_page

    rules: Mapping[str, Rule] = load_rules()
    if by_alias(rules, rule) is None:
        from benchlint.analysis.rulebook import rules_at

        rules = rules_at(".", config)
    page = render_page(rules, rule)
    if sys.stdout.isatty() and wants_color("auto"):
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(page))
    else:
        write(page)
    return 0

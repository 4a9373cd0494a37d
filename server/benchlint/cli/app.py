"""The commands and what they share."""

from __future__ import annotations

from typing import Annotated

import typer

from benchlint import __version__
from benchlint.cli.audit import audit
from benchlint.cli.cache import cache
from benchlint.cli.coverage import coverage
from benchlint.cli.explain import explain
from benchlint.cli.init import init
from benchlint.cli.judge import judge
from benchlint.cli.lint import lint
from benchlint.cli.policy import policy
from benchlint.cli.replay import replay
from benchlint.cli.report import report
from benchlint.cli.rules import rules
from benchlint.cli.serve import serve

app = typer.Typer(
    name="benchlint",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (lint, report, coverage, replay, rules, explain, init, audit, serve):
    app.command()(command)
app.add_typer(judge, name="judge")
app.add_typer(cache, name="cache")
app.add_typer(policy, name="policy")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"benchlint {__version__}")
        raise typer.Exit


@app.callback()
def benchlint(
    version: Annotated[
        bool, typer.Option("--version", "-V", is_eager=True, callback=_version, help="Print the version and stop.")
    ] = False,
) -> None:
    """Lint benchmarks of conversational agents."""

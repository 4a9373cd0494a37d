"""`benchlint coverage`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from benchlint.cli import judging
from benchlint.cli.guard import guarded
from benchlint.cli.terminal import progress, tell, width, write


@guarded
def coverage(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[PATHS]...", help="Files and folders. [default: .]")
    ] = None,
    *,
    format: Annotated[Literal["text", "json"], typer.Option(help="How to write the items.")] = "text",
    items: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Use the guards of this items file, in place of those beside the policy."),
    ] = None,
    config: Annotated[str | None, typer.Option(metavar="FILE", help="Use this configuration for all paths.")] = None,
    judge: judging.Judge = None,
    no_network: judging.NoNetwork = False,
) -> int:
    """Tell which items of the policy the tasks challenge, and which none does.

    Counts stand beside each other by who says so: judges, guards, the
    offline reader. A dash is a source that says nothing about the item.
    """
    from benchlint import api
    from benchlint.reports.coverage import render_json, render_text

    request = api.Request(
        paths=tuple(paths or (".",)),
        options=api.Options(items=tuple(items or ())),
        config=config,
        judge=judging.options(
            judge,
            no_network=no_network,
            no_cache=False,
            max_calls=None,
            max_usd=None,
            allow_missing=None,
            thorough=True,
        ),
    )
    with progress(quiet=False) as tick:
        outcome = api.perform(request, tick)
    found = api.coverage_of(outcome)
    write(render_json(found) if format == "json" else render_text(found, width()))
    for line in (*outcome.report.problems, *outcome.told):
        tell(line)
    return 2 if outcome.report.problems else 0

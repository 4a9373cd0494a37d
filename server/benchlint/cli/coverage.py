"""`benchlint coverage`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from benchlint.cli import common, judging
from benchlint.cli.guard import guarded
from benchlint.cli.terminal import progress, tell, width, write


@guarded
def coverage(
    paths: common.Paths = None,
    *,
    format: Annotated[Literal["text", "json"], typer.Option(help="How to write the items.")] = "text",
    items: common.ItemsFiles = None,
    config: common.ConfigOfAll = None,
    judge: judging.Judge = None,
    no_network: judging.NoNetwork = False,
    dry_run: judging.DryRun = False,
    max_calls: judging.MaxCalls = None,
    max_usd: judging.MaxUsd = None,
    allow_missing: judging.AllowMissing = None,
    no_cache: common.NoCache = False,
    replay: Annotated[
        bool,
        typer.Option("--replay", help="Run the expected actions, as [replay] says: guards see what they changed."),
    ] = False,
) -> int:
    """Tell which items of the policy the tasks challenge, and which none does.

    Counts stand beside each other by who says so: judges, guards, the
    offline reader. A dash is a source that says nothing about the item.
    Models are asked about violations alone. Exit codes: 2 wrong use or an
    input that cannot be read, else 3 more verdicts missing than
    --allow-missing, else 0.
    """
    from benchlint import api
    from benchlint.reports.coverage import render_json, render_text

    request = api.Request(
        paths=tuple(paths or (".",)),
        options=api.Options(items=tuple(items or ()), replay=api.ReplayOptions(cache=not no_cache) if replay else None),
        config=config,
        judge=judging.options(
            judge,
            no_network=no_network,
            no_cache=no_cache,
            max_calls=max_calls,
            max_usd=max_usd,
            allow_missing=allow_missing,
            estimate=dry_run,
            thorough=True,
            metrics=("violations",),
        ),
    )
    with progress(quiet=False) as tick:
        outcome = api.perform(request, tick)
    if dry_run:
        return judging.show_estimate(outcome)
    found = api.coverage_of(outcome)
    write(render_json(found) if format == "json" else render_text(found, width()))
    for line in (*outcome.report.problems, *outcome.told, *outcome.judging.lack):
        tell(line)
    return 2 if outcome.report.problems else 3 if outcome.judging.is_lacking else 0

"""`benchlint replay`."""

from __future__ import annotations

from typing import Annotated

import typer

from benchlint.cli import common
from benchlint.cli.guard import guarded
from benchlint.cli.terminal import progress, wants_color


@guarded
def replay(
    paths: common.Paths = None,
    *,
    environment: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What to run: tau2:DOMAIN, tau2 for the domain that the tasks' folder is named after, or a folder of "
            "tau-bench. [default: the configuration's]",
        ),
    ] = None,
    python: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The Python that the environment is installed in. [default: the "
            "configuration's, else benchlint's own]",
        ),
    ] = None,
    fail_on: common.FailOn = None,
    format: common.FindingsFormat = "text",
    output: common.Output = None,
    config: common.ConfigOfAll = None,
    no_cache: common.NoCache = False,
    quiet: common.Quiet = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Tell which files make up each benchmark.")] = False,
    color: common.Color = "auto",
) -> int:
    """Run expected actions with the domain's own tools, and show what fails or changes nothing.

    This starts a program: the environment that is named here or in [replay].
    Exit codes: 2 wrong use, an input that cannot be read or an environment
    that cannot be run, else 1 a finding at or above --fail-on, else 0.
    """
    from benchlint import api
    from benchlint.cli.lint_output import show

    request = api.Request(
        paths=tuple(paths or (".",)),
        options=api.Options(
            select=api.REPLAY_RULES,
            fail_on=fail_on,
            replay=api.ReplayOptions(environment=environment, python=python, cache=not no_cache),
        ),
        config=config,
        judge=api.JudgeOptions(judges=("none",)),
    )
    with progress(quiet=quiet) as tick:
        outcome = api.perform(request, tick)
    show(
        outcome,
        request,
        form=format,
        output=output,
        statistics=False,
        color=wants_color(color) and output is None,
        quiet=quiet,
        verbose=verbose,
    )
    return outcome.exit_code

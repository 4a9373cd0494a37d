"""`benchlint replay`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from benchlint.cli.guard import guarded
from benchlint.cli.terminal import ColorMode, progress, wants_color

FailOn = Literal["error", "warning", "information", "hint", "never"]
FormatName = Literal["text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit"]


@guarded
def replay(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[PATHS]...", help="Files and folders. [default: .]")
    ] = None,
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
    fail_on: Annotated[
        FailOn | None, typer.Option(help="The severity from which on a finding makes the exit code 1. [default: error]")
    ] = None,
    format: Annotated[
        FormatName, typer.Option(help="How to write the findings; concise is text with one line each.")
    ] = "text",
    output: Annotated[str | None, typer.Option(metavar="FILE", help="Write to a file.")] = None,
    config: Annotated[str | None, typer.Option(metavar="FILE", help="Use this configuration for all paths.")] = None,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Neither read nor write anything derived from the inputs.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show findings and nothing else.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Tell which files make up each benchmark.")] = False,
    color: Annotated[ColorMode, typer.Option(help="When to use colours.")] = "auto",
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

"""`benchlint lint`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from benchlint.cli import common, judging
from benchlint.cli.guard import guarded
from benchlint.cli.terminal import progress, wants_color

Severities = Literal["error", "warning", "information", "hint"]


@guarded
def lint(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATHS]...", help="Files and folders; - reads one file from standard input. [default: .]"
        ),
    ] = None,
    *,
    select: Annotated[
        list[str] | None,
        typer.Option(metavar="RULES", help="Look for these rules or groups only: several with commas, or repeated."),
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option(metavar="RULES", help="Leave out these rules or groups.")] = None,
    min_severity: Annotated[Severities | None, typer.Option(help="Leave out lesser findings.")] = None,
    fail_on: common.FailOn = None,
    format: common.FindingsFormat = "text",
    output: common.Output = None,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Count findings by rule, in place of showing them.")
    ] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Apply the safe fixes and show what is left.")] = False,
    unsafe_fixes: Annotated[
        bool, typer.Option("--unsafe-fixes", help="With --fix or --diff: also fixes that may change what a task means.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show what --fix would change, and write nothing.")] = False,
    baseline: Annotated[
        str | None, typer.Option(metavar="FILE", help="Leave out the findings that this file knows.")
    ] = None,
    write_baseline: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the findings to a file for --baseline, and pass.")
    ] = None,
    config: common.ConfigOfAll = None,
    items: common.ItemsFiles = None,
    judge: judging.Judge = None,
    no_network: judging.NoNetwork = False,
    dry_run: judging.DryRun = False,
    max_calls: judging.MaxCalls = None,
    max_usd: judging.MaxUsd = None,
    allow_missing: judging.AllowMissing = None,
    changed_since: Annotated[
        str | None,
        typer.Option(metavar="REV", help="Judge and show only tasks and files that differ from a revision of git."),
    ] = None,
    replay: Annotated[
        bool,
        typer.Option("--replay", help="Run the expected actions with the domain's own tools, as [replay] says."),
    ] = False,
    no_cache: common.NoCache = False,
    stdin_filename: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The name of what - reads: policy, tools and database are found beside it."),
    ] = None,
    quiet: common.Quiet = False,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="Tell which files make up each benchmark, and where guards abstain."),
    ] = False,
    color: common.Color = "auto",
) -> int:
    """Find what is wrong in benchmarks.

    Exit codes: 2 wrong use or an input that cannot be read, else 3 more
    verdicts missing than --allow-missing, else 1 a finding at or above
    --fail-on, else 0.
    """
    from benchlint import api
    from benchlint.cli.lint_output import show

    _check_stdin(paths, stdin_filename)
    if statistics and format not in ("text", "concise"):
        raise _wrong("--statistics", f"it goes with --format text; {format} has counts of its own")
    if unsafe_fixes and not (fix or diff):
        raise _wrong("--unsafe-fixes", "it goes with --fix or --diff")
    if write_baseline is not None and diff:
        raise _wrong("--write-baseline", "it does not go with --diff, which writes nothing")
    if dry_run and (fix or diff or write_baseline is not None):
        raise _wrong("--dry-run", "it finds nothing, so it does not go with --fix, --diff or --write-baseline")
    request = api.Request(
        paths=(stdin_filename,) if stdin_filename else tuple(paths or (".",)),
        options=api.Options(
            items=tuple(items or ()),
            select=judging.names(select),
            ignore=judging.names(ignore),
            min_severity=api.Severity.parse(min_severity) if min_severity else None,
            fail_on=fail_on,
            baseline=baseline,
            replay=api.ReplayOptions(cache=not no_cache) if replay else None,
        ),
        config=config,
        documents=(api.read_document(sys.stdin.buffer, stdin_filename, config),) if stdin_filename else (),
        fix=fix or diff,
        unsafe=unsafe_fixes,
        preview=diff,
        write_baseline=write_baseline,
        judge=judging.options(
            judge,
            no_network=no_network,
            no_cache=no_cache,
            max_calls=max_calls,
            max_usd=max_usd,
            allow_missing=allow_missing,
            estimate=dry_run,
        ),
        changed_since=changed_since,
    )
    with progress(quiet=quiet) as tick:
        outcome = api.perform(request, tick)
    if dry_run:
        return judging.show_estimate(outcome)
    show(
        outcome,
        request,
        form=format,
        output=output,
        statistics=statistics,
        color=wants_color(color) and output is None,
        quiet=quiet,
        verbose=verbose,
    )
    return outcome.exit_code


def _check_stdin(paths: list[str] | None, stdin_filename: str | None) -> None:
    stdin = paths is not None and "-" in paths
    if stdin and paths != ["-"]:
        raise _wrong("PATHS", "- stands alone: it reads one file from standard input")
    if stdin and not stdin_filename:
        raise _wrong("PATHS", "- needs --stdin-filename: its ending tells the format")
    if stdin_filename is not None and not stdin:
        raise _wrong("--stdin-filename", "it goes with - in place of paths")
    if stdin_filename is not None and Path(stdin_filename).is_dir():
        raise _wrong("--stdin-filename", "it names a folder")


def _wrong(option: str, message: str) -> typer.BadParameter:
    return typer.BadParameter(message, param_hint=option)

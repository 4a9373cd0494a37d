"""`benchlint report`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from benchlint.cli import common, judging
from benchlint.cli.guard import guarded
from benchlint.cli.terminal import progress, tell, wants_color, width, write_to

if TYPE_CHECKING:
    from benchlint.reports import formats

FormatName = Literal["text", "json", "html", "markdown"]


@guarded
def report(
    paths: common.Paths = None,
    *,
    format: Annotated[FormatName, typer.Option(help="How to write the numbers.")] = "text",
    output: common.Output = None,
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="BEFORE AFTER", help="Say what has changed between two reports that --format json wrote."),
    ] = None,
    min_description_alignment: Annotated[
        float | None, common.number("Exit with 1 where S_desc, from 1 to 10, is less.", "SCORE", least=1, most=10)
    ] = None,
    min_policy_alignment: Annotated[
        float | None, common.number("Exit with 1 where S_pol, from 1 to 10, is less.", "SCORE", least=1, most=10)
    ] = None,
    min_violations: Annotated[
        float | None, common.number("Exit with 1 where S_vcount, violations a task, is less.", "NUMBER")
    ] = None,
    min_coverage: Annotated[
        float | None, common.number("Exit with 1 where S_vcov, from 0 to 1, is less.", "SHARE", most=1)
    ] = None,
    config: common.ConfigOfAll = None,
    judge: judging.Judge = None,
    no_network: judging.NoNetwork = False,
    max_calls: judging.MaxCalls = None,
    max_usd: judging.MaxUsd = None,
    allow_missing: judging.AllowMissing = None,
    no_cache: common.NoCache = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Leave out notes.")] = False,
    color: common.Color = "auto",
) -> int:
    """Write the numbers of benchmarks: alignment, violations, coverage.

    Where nobody is chosen to judge, the offline reader reads, and verdicts
    that are in the cache already count. Exit codes: 2 wrong use or an input
    that cannot be read, else 3 more verdicts missing than --allow-missing, or
    a number that has a limit and no verdict, else 1 a number below its limit,
    else 0.
    """
    from benchlint import api
    from benchlint.analysis.gates import Gates
    from benchlint.reports import formats

    options = formats.Options(
        color=wants_color(color) and output is None, width=width(), quiet=quiet, problems=format != "text"
    )
    if compare is not None:
        if paths:
            raise typer.BadParameter("--compare reads two reports, and no PATHS", param_hint="PATHS")
        if {min_description_alignment, min_policy_alignment, min_violations, min_coverage} != {None}:
            raise typer.BadParameter(
                "--compare knows no limits: give them where the report is made", param_hint="--min-*"
            )
        return _compare(compare, format, output, options)
    request = api.Request(
        paths=tuple(paths or (".",)),
        config=config,
        judge=judging.options(
            judge,
            no_network=no_network,
            no_cache=no_cache,
            max_calls=max_calls,
            max_usd=max_usd,
            allow_missing=allow_missing,
            thorough=True,
        ),
    )
    with progress(quiet=quiet) as tick:
        outcome = api.perform(request, tick)
    from benchlint.reports import scores

    found = api.scores_of(outcome)
    write_to(output, scores.render(found, format, options))
    limits = Gates(
        description_alignment=min_description_alignment,
        policy_alignment=min_policy_alignment,
        violations_per_task=min_violations,
        coverage=min_coverage,
    )
    verdict = limits.check(found.benchmarks, outcome.result.settings)
    problems = outcome.report.problems if format == "text" else ()
    for line in (*problems, *(() if quiet else outcome.told), *outcome.judging.lack, *verdict.lines):
        tell(line)
    if outcome.report.problems:
        return 2
    if outcome.judging.is_lacking or verdict.is_unknown:
        return 3
    return 1 if verdict.is_missed else 0


def _compare(compare: tuple[str, str], format: FormatName, output: str | None, options: formats.Options) -> int:
    from benchlint.reports.compared import render

    if format not in ("text", "markdown"):
        raise typer.BadParameter("--compare writes text or markdown", param_hint="--format")
    write_to(output, render(*compare, format, options))
    return 0

"""`benchlint audit`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from benchlint.cli import common
from benchlint.cli.guard import guarded
from benchlint.cli.terminal import tell, wants_color, write_to

FormatName = Literal["text", "json", "markdown", "html"]


@guarded
def audit(
    data: Annotated[
        list[str],
        typer.Argument(metavar="DATA", help="Tables (CSV, TSV, Parquet, JSON, JSON Lines), results of runs, folders."),
    ],
    *,
    format: Annotated[FormatName, typer.Option(help="How to write the figures.")] = "text",
    output: common.Output = None,
    region: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the operating region to a file, .toml or .json.")
    ] = None,
    scores: Annotated[
        str | None, typer.Option(metavar="FILE", help="Join the scores of another table to the runs.")
    ] = None,
    signal: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=KIND", help="Make a column a signal: a gate, a proxy, human or a dimension."),
    ] = None,
    scale: Annotated[
        list[str] | None, typer.Option(metavar="NAME=LOW..HIGH", help="The scale of a signal. [default: by its values]")
    ] = None,
    threshold: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=SCORE",
            help="From which score on a transcript is satisfied. [default: 5 of 7, 4 of 7 for GPT judges, 8 of 10]",
        ),
    ] = None,
    family: Annotated[
        list[str] | None, typer.Option(metavar="NAME=MAKER", help="Who made a judge. [default: by its name]")
    ] = None,
    price: Annotated[
        list[str] | None, typer.Option(metavar="NAME=DOLLARS", help="What a decision by a signal costs.")
    ] = None,
    near_equal: Annotated[
        float | None,
        typer.Option(
            metavar="DIFFERENCE", help="Agents with a smaller difference of rewards are near-equal. [default: 0.1]"
        ),
    ] = None,
    ceiling: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE", help="The share of failed among satisfied that is tested against. [default: 0.2]"
        ),
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="The share of wrong pairs in the operating region. [default: 0.05]"),
    ] = None,
    top: Annotated[
        int | None, typer.Option(metavar="COUNT", help="How many of the best agents top-k figures see. [default: 10]")
    ] = None,
    broken: Annotated[
        list[str] | None,
        typer.Option(metavar="TIER", help="A tier of agents that are known to be broken. [default: broken, degraded]"),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option(metavar="PERSONA", help="The persona that the others are compared with.")
    ] = None,
    resamples: Annotated[
        int | None, typer.Option(metavar="COUNT", help="How many resamples an interval is made from. [default: 2000]")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Where the resamples start from. [default: 0]")
    ] = None,
    color: common.Color = "auto",
) -> int:
    """Tell how far a judge's ranking of agents can be trusted.

    Needs the extra benchlint[audit]. Exit codes: 2 wrong use or data that
    cannot be audited, else 0.
    """
    from benchlint.audit.settings import settings

    found = settings(
        kinds=signal,
        scales=scale,
        thresholds=threshold,
        families=family,
        prices=price,
        near_equal=near_equal,
        ceiling=ceiling,
        tolerance=tolerance,
        top=top,
        broken=broken,
        baseline=baseline,
        resamples=resamples,
        seed=seed,
    )
    from benchlint.audit.command import perform

    outcome = perform(
        data, found, scores=scores, form=format, region=region, color=wants_color(color) and output is None
    )
    write_to(output, outcome.text)
    for line in outcome.told:
        tell(line)
    return 0

"""`benchlint judge`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from benchlint.cli import common
from benchlint.cli.guard import guarded
from benchlint.cli.terminal import write

MetricName = Literal["description_alignment", "policy_alignment", "violations", "ambiguity", "contradictions"]

judge = typer.Typer(no_args_is_help=True, help="Look at what judges are sent.")


@judge.callback()
def _group() -> None:
    """Look at what judges are sent."""


@judge.command()
@guarded
def show(
    task: Annotated[str, typer.Argument(metavar="TASK", help="The id of a task.")],
    paths: common.Paths = None,
    *,
    metric: Annotated[MetricName | None, typer.Option(help="Show only what is asked on this metric.")] = None,
    config: common.ConfigOfAll = None,
) -> int:
    """Print what would be sent for a task, as it would be sent: with what is shared, without what is redacted."""
    from benchlint.api import shown_request
    from benchlint.reports.visible import visible

    for title, text in shown_request(paths or (".",), task, config, metric):
        lines = "\n".join(visible(line) for line in text.split("\n"))
        write(f"=== {visible(title)} ===\n{lines}\n\n")
    return 0

"""The options about judges that commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from benchlint.cli import common
from benchlint.cli.terminal import tell, write

if TYPE_CHECKING:
    from benchlint.analysis.options import JudgeOptions
    from benchlint.api import Outcome

Judge = Annotated[
    list[str] | None,
    typer.Option(
        metavar="MODEL",
        help="Who reads: model strings of litellm (several with commas, or repeated, are a panel), offline, cached "
        "or none. [default: the configuration, else offline]",
    ),
]
NoNetwork = Annotated[
    bool,
    typer.Option(
        "--no-network",
        help="Ask no model: in place of configured ones their committed verdicts count, else the offline reader's.",
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say how many calls judges would make and what they cost, and make none.")
]
MaxCalls = Annotated[int | None, typer.Option(min=0, metavar="COUNT", help="Make at most so many calls of models.")]
MaxUsd = Annotated[float | None, common.number("Spend at most so many US dollars on models.", "DOLLARS")]
AllowMissing = Annotated[
    int | None,
    typer.Option(
        min=0, metavar="COUNT", help="So many wanted verdicts may be missing before the exit code is 3. [default: 0]"
    ),
]


def options(
    judge: list[str] | None,
    *,
    no_network: bool,
    no_cache: bool,
    max_calls: int | None,
    max_usd: float | None,
    allow_missing: int | None,
    estimate: bool = False,
    thorough: bool = False,
    metrics: tuple[str, ...] = (),
) -> JudgeOptions:
    """Return who is asked in a run."""
    from benchlint.analysis.options import JudgeOptions

    return JudgeOptions(
        judges=names(judge),
        network=not no_network,
        cache=not no_cache,
        max_calls=max_calls,
        max_usd=max_usd,
        allow_missing=allow_missing,
        estimate=estimate,
        thorough=thorough,
        metrics=metrics,
    )


def drafting(
    judge: list[str] | None, *, no_cache: bool, max_calls: int | None, max_usd: float | None, estimate: bool
) -> JudgeOptions:
    """Return who is asked for drafts."""
    return options(
        judge,
        no_network=False,
        no_cache=no_cache,
        max_calls=max_calls,
        max_usd=max_usd,
        allow_missing=None,
        estimate=estimate,
    )


def show_estimate(outcome: Outcome) -> int:
    """Write what judges would take, after --dry-run; return the exit code."""
    for problem in outcome.report.problems:
        tell(problem)
    write("".join(f"{line}\n" for line in outcome.told))
    return outcome.exit_code


def names(values: list[str] | None) -> tuple[str, ...]:
    """Split lists with commas."""
    return tuple(name.strip() for value in values or () for name in value.split(",") if name.strip())


def count(number: int, noun: str) -> str:
    """Write a count and its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"

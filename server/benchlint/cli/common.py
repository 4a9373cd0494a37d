"""The options that commands share."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

import typer

from benchlint.cli.terminal import ColorMode

Paths = Annotated[list[str] | None, typer.Argument(metavar="[PATHS]...", help="Files and folders. [default: .]")]
Config = Annotated[str | None, typer.Option(metavar="FILE", help="Use this configuration.")]
ConfigOfAll = Annotated[str | None, typer.Option(metavar="FILE", help="Use this configuration for all paths.")]
ItemsFiles = Annotated[
    list[str] | None,
    typer.Option(metavar="FILE", help="Use the guards of this items file, in place of those beside the policy."),
]
FailOn = Annotated[
    Literal["error", "warning", "information", "hint", "never"] | None,
    typer.Option(help="The severity from which on a finding makes the exit code 1. [default: error]"),
]
FindingsFormat = Annotated[
    Literal["text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit"],
    typer.Option(help="How to write the findings; concise is text with one line each."),
]
Output = Annotated[str | None, typer.Option(metavar="FILE", help="Write to a file.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither read nor write anything derived from the inputs.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show findings and nothing else.")]
Color = Annotated[ColorMode, typer.Option(help="When to use colours.")]


def number(text: str, metavar: str, *, least: float = 0, most: float | None = None) -> Any:
    """Return an option that takes a finite number between two others."""
    return typer.Option(min=least, max=most, metavar=metavar, callback=_finite, help=text)


def _finite(value: float | None) -> float | None:
    """Return the number of an option; nan and inf, which no limit can be, are refused."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"it must be a number, not {value}")
    return value

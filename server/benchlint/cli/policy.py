"""`benchlint policy`."""

from __future__ import annotations

from typing import Annotated

import typer

from benchlint.cli.guard import guarded
from benchlint.cli.terminal import tell, write

policy = typer.Typer(no_args_is_help=True, help="The items of a policy, and their guards.")


@policy.callback()
def _group() -> None:
    """Look after the items of a policy, and their guards."""


@policy.command()
@guarded
def items(
    path: Annotated[str, typer.Argument(metavar="POLICY", help="The policy, a Markdown file.")],
    *,
    output: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write to this file. [default: policy.items.yaml beside policy.md]"),
    ] = None,
    toolguard: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Add the items of a ToolGuard specification: JSON.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; the exit code is 1 where something would change.")
    ] = False,
) -> int:
    """Write the items of a policy to a file that people review.

    What was written there by hand stays: guards, notes, corrections. An
    entry follows its sentence; one whose sentence is gone is kept and told.
    """
    from benchlint.analysis.policy_items import write_items

    done = write_items(path, output, tuple(toolguard or ()), preview=check)
    for line in done.told:
        tell(line)
    return 1 if check and done.changed else 0


@policy.command(name="test")
@guarded
def run_examples(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[PATHS]...", help="Items files and folders. [default: .]")
    ] = None,
) -> int:
    """Run the examples of guards: each compliance must pass, each violation must be found."""
    from benchlint.analysis.policy_items import test_items

    done = test_items(tuple(paths or (".",)))
    write("".join(f"{line}\n" for line in done.told))
    tell(f"{done.examples} examples of {done.guards} guards in {done.files} files; {done.failed} failed")
    return 1 if done.failed else 0

"""`benchlint policy`."""

from __future__ import annotations

from typing import Annotated

import typer

from benchlint.cli import common, judging
from benchlint.cli.guard import guarded
from benchlint.cli.terminal import progress, tell, write, write_bytes

Model = Annotated[
    list[str] | None,
    typer.Option(
        "--judge",
        metavar="MODEL",
        help="Ask this model (a model string of litellm), or cached for what one has written.",
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say how many calls that would take and what they cost, and make none.")
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither read nor write the cache of what models wrote.")]
ItemsFile = Annotated[
    str | None,
    typer.Option("--output", metavar="FILE", help="The items file. [default: policy.items.yaml beside policy.md]"),
]

policy = typer.Typer(no_args_is_help=True, help="The items of a policy, and their guards.")


@policy.callback()
def _group() -> None:
    """Look after the items of a policy, and their guards."""


@policy.command()
@guarded
def items(
    path: Annotated[str, typer.Argument(metavar="POLICY", help="The policy, a Markdown file.")],
    *,
    output: ItemsFile = None,
    toolguard: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Add the items of a ToolGuard specification: JSON.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; the exit code is 1 where something would change.")
    ] = False,
    judge: Model = None,
    dry_run: DryRun = False,
    max_calls: judging.MaxCalls = None,
    max_usd: judging.MaxUsd = None,
    no_cache: NoCache = False,
    config: common.Config = None,
) -> int:
    """Write the items of a policy to a file that people review.

    What was written there by hand stays: guards, notes, corrections. An
    entry follows its sentence; one whose sentence is gone is kept and told.
    A judge splits compound sentences, and says what it, this and these mean;
    what is not true to the text is dropped. The exit code is 3 where it gave
    no usable answer.
    """
    from benchlint.analysis.policy_items import write_items

    asks = judging.names(judge) not in ((), ("none",), ("offline",))
    if dry_run and not asks:
        raise typer.BadParameter("it goes with --judge", param_hint="--dry-run")
    options = judging.drafting(judge, no_cache=no_cache, max_calls=max_calls, max_usd=max_usd, estimate=dry_run)
    with progress(quiet=False) as tick:
        done = write_items(
            path,
            output,
            tuple(toolguard or ()),
            preview=check,
            judge=options if asks else None,
            config=config,
            tick=tick,
        )
    if dry_run:
        write("".join(f"{line}\n" for line in done.told))
        return 0
    for line in done.told:
        tell(line)
    return 3 if done.missing else 1 if check and done.changed else 0


@policy.command()
@guarded
def guards(
    path: Annotated[str, typer.Argument(metavar="POLICY", help="The policy, a Markdown file.")],
    *,
    judge: Model = None,
    item: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Ask about this item. [default: every rule without a guard]")
    ] = None,
    output: ItemsFile = None,
    write_drafts: Annotated[
        bool, typer.Option("--write", help="Write the drafts into the items file, in place of showing the difference.")
    ] = False,
    dry_run: DryRun = False,
    max_calls: judging.MaxCalls = None,
    max_usd: judging.MaxUsd = None,
    no_cache: NoCache = False,
    config: common.Config = None,
) -> int:
    """Have a model draft guards for the items of a policy, for a person to accept.

    Each draft is compiled, run on its own examples and on the tasks beside
    the policy; one that fails is dropped, with the reason. What is left is
    marked as draft: true and does nothing until that line is taken out. The
    exit code is 3 where the model gave no usable answer.
    """
    from benchlint.analysis.guard_drafts import draft_guards
    from benchlint.analysis.writing import replace_file
    from benchlint.api import shown_path
    from benchlint.text.diff import unified

    options = judging.drafting(judge, no_cache=no_cache, max_calls=max_calls, max_usd=max_usd, estimate=dry_run)
    with progress(quiet=False) as tick:
        done = draft_guards(path, output, options, wanted=tuple(item or ()), config=config, tick=tick)
    if not done.asked:
        write("".join(f"{line}\n" for line in done.told))
        return 0
    for line in done.told:
        tell(line)
    if done.new == done.old:
        tell("there is nothing to accept")
    elif write_drafts:
        replace_file(done.path, done.new)
        tell(f"{done.path} was written; take out draft: true where a guard is right")
    else:
        write_bytes(unified(shown_path(done.path), done.old, done.new))
        tell(f"nothing was written: --write adds the drafts to {done.path}")
    return 3 if done.missing else 0


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

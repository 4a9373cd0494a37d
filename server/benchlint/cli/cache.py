"""`benchlint cache`."""

from __future__ import annotations

from typing import Annotated

import typer

from benchlint.cli import common, judging
from benchlint.cli.guard import guarded
from benchlint.cli.terminal import tell, write, write_to

cache = typer.Typer(no_args_is_help=True, help="Look after the verdicts that are kept.")


@cache.callback()
def _group() -> None:
    """Look after the verdicts that are kept."""


@cache.command()
@guarded
def info() -> int:
    """Tell where the verdicts are, how many there are and whose."""
    from benchlint.analysis import keeping
    from benchlint.reports.visible import visible

    found = keeping.info(tell)
    lines = [f"{found.path}", f"{judging.count(found.verdicts, 'verdict')}, {found.bytes / 1e6:,.1f} MB"]
    lines += [f"{count:>8,}  {visible(model) or '(no name)'}" for model, count in found.models.items()]
    write("\n".join(lines) + "\n")
    return 0


@cache.command()
@guarded
def clear() -> int:
    """Delete all verdicts."""
    from benchlint.analysis import keeping

    tell(f"{judging.count(keeping.clear(tell), 'verdict')} deleted")
    return 0


@cache.command()
@guarded
def prune(
    *,
    older_than: Annotated[float, common.number("Delete verdicts that are older than so many days.", "DAYS")] = 90.0,
) -> int:
    """Delete old verdicts. [default: older than 90 days]"""  # noqa: D400
    from benchlint.analysis import keeping

    tell(f"{judging.count(keeping.prune(older_than, tell), 'verdict')} deleted")
    return 0


@cache.command()
@guarded
def export(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATHS]...", help="Only the verdicts that a run over these would use. [default: all]"),
    ] = None,
    *,
    output: common.Output = None,
    config: common.ConfigOfAll = None,
    judge: judging.Judge = None,
) -> int:
    """Write verdicts as lines of JSON, for a team or CI: `--judge cached` needs no key."""
    from benchlint.analysis import keeping

    lines = keeping.export(paths or (), config, judging.names(judge), tell)
    write_to(output, "".join(f"{line}\n" for line in lines))
    if output is not None:
        tell(f"{output} was written; it holds {judging.count(len(lines), 'verdict')}")
    return 0


@cache.command("import")
@guarded
def import_(
    files: Annotated[list[str], typer.Argument(metavar="FILES...", help="Files that `benchlint cache export` wrote.")],
) -> int:
    """Add the verdicts of exports to the cache."""
    from benchlint.analysis import keeping

    for file in files:
        tell(f"{file}: {judging.count(keeping.load(file, tell), 'verdict')} added")
    return 0

"""`benchlint init`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchlint.cli.guard import guarded
from benchlint.cli.terminal import tell


@guarded
def init(
    folder: Annotated[str, typer.Argument(metavar="[FOLDER]", help="Where to write it.")] = ".",
) -> int:
    """Write a benchlint.toml that names the benchmarks of a folder."""
    from benchlint.benchmark.scaffold import init as scaffold
    from benchlint.config import NAME

    path = Path(folder) / NAME
    if not path.parent.is_dir():
        raise typer.BadParameter(f"{folder} is no folder", param_hint="FOLDER")
    text = scaffold(folder)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError:
        tell(f"{path}: there is one already, and it was left as it is")
        return 2
    tell(f"{path} was written")
    return 0

"""`benchlint serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchlint.cli.guard import guarded


@guarded
def serve(
    *,
    stdio: Annotated[bool, typer.Option("--stdio", help="Speak over the standard streams, as is done anyway.")] = False,
    log_file: Annotated[Path | None, typer.Option(help="Write a log here. It holds no texts and no keys.")] = None,
) -> int:
    """Start the language server; an editor does it, over the standard streams."""
    from benchlint.lsp.server import start

    start(str(log_file) if log_file is not None else None)
    return 0

"""`benchlint.showReport`: the report as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

COMMAND: Final = "benchlint.showReport"


async def handle(ls: Server, *arguments: Any) -> str:
    """Return what `benchlint lint` would print of the texts as they are."""
    from benchlint.lsp.commands import report

    return await report(ls.session)

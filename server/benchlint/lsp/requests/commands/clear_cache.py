"""`benchlint.clearCache`: verdicts are asked for anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

COMMAND: Final = "benchlint.clearCache"


async def handle(ls: Server, *arguments: Any) -> str:
    """Empty the cache of verdicts; return what was done."""
    from benchlint.lsp.commands import clear_cache

    return await clear_cache(ls.session)

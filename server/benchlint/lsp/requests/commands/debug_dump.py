"""`benchlint.debugDump`: what a bug report needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

COMMAND: Final = "benchlint.debugDump"


async def handle(ls: Server, *arguments: Any) -> str:
    """Return the state of the server, without texts, keys or the environment."""
    from benchlint.lsp.commands import debug_dump

    return await debug_dump(ls.session)

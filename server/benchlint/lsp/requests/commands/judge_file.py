"""`benchlint.judgeFile`: judges read the tasks of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchlint.lsp.command_arguments import place_of

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

COMMAND: Final = "benchlint.judgeFile"


async def handle(ls: Server, *arguments: Any) -> dict[str, Any]:
    """Judge all tasks of the file `{"uri"}`; return what came of it once that is known."""
    return await ls.session.judges.judge(place_of(arguments).path)

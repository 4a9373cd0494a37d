"""`benchlint.judgeTask`: judges read one task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchlint.lsp.command_arguments import place_of

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

COMMAND: Final = "benchlint.judgeTask"


async def handle(ls: Server, *arguments: Any) -> dict[str, Any]:
    """Judge the task `{"uri", "task"}`; return what came of it once that is known."""
    place = place_of(arguments)
    return await ls.session.judges.judge(place.path, place.needed_task)

"""`benchlint.draftTask`: a model drafts a task that challenges a policy item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchlint.lsp.command_arguments import place_of

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

COMMAND: Final = "benchlint.draftTask"


async def handle(ls: Server, *arguments: Any) -> dict[str, Any]:
    """Have a task drafted for the item `{"uri", "item"}` of a policy; return what came of it."""
    place = place_of(arguments)
    return await ls.session.task_drafts.draft(place.path, place.needed_item)

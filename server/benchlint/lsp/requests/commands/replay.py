"""`benchlint.replay`: the domain's own tools run the expected actions of a benchmark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchlint.lsp.command_arguments import place_of

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

COMMAND: Final = "benchlint.replay"


async def handle(ls: Server, *arguments: Any) -> dict[str, Any]:
    """Replay the benchmarks of the file `{"uri"}`, as [replay] in the configuration says."""
    return await ls.session.replays.replay(place_of(arguments).path)

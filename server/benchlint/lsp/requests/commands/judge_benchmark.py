"""`benchlint.judgeBenchmark`: judges read all tasks of a benchmark, and its policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchlint.lsp.command_arguments import place_of

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

COMMAND: Final = "benchlint.judgeBenchmark"


async def handle(ls: Server, *arguments: Any) -> dict[str, Any]:
    """Judge the benchmark of the file `{"uri", "stale"}`, of tasks or policy; with `stale` only what is stale."""
    place = place_of(arguments)
    return await ls.session.judges.judge(place.path, whole=True, stale=place.stale)

"""`benchlint.showReport`: the report as text, or as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

COMMAND: Final = "benchlint.showReport"


async def handle(ls: Server, *arguments: Any) -> str:
    """Return what `benchlint lint` would print of the texts as they are; with `{"format": "html"}` a page of numbers.

    A page of no benchmark is empty.
    """
    from benchlint.lsp.commands import report, report_page

    given = arguments[0] if arguments else None
    is_page = isinstance(given, dict) and given.get("format") == "html"
    return await (report_page(ls.session) if is_page else report(ls.session))

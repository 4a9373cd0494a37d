"""`textDocument/documentSymbol`: the outline of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from benchlint.lsp.outline import flat, outline
from benchlint.lsp.uris import path_of

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.TEXT_DOCUMENT_DOCUMENT_SYMBOL


async def handle(ls: Server, params: types.DocumentSymbolParams) -> list[dict[str, Any]]:
    """Return the tasks and their actions, or the items of a policy."""
    session, uri = ls.session, params.text_document.uri
    path = path_of(uri)
    if path is None:
        return []
    await session.settled(path)
    known = session.findings(path)
    symbols = outline(known[0], path, session.bridge) if known is not None else []
    return symbols if session.client.symbols_nest else list(flat(symbols, uri))

"""`textDocument/codeLens`: what stands above tasks and policy items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from benchlint.lsp.lenses import lenses
from benchlint.lsp.uris import path_of

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.TEXT_DOCUMENT_CODE_LENS
OPTIONS: Final = types.CodeLensOptions(resolve_provider=False)


async def handle(ls: Server, params: types.CodeLensParams) -> list[dict[str, Any]]:
    """Return them for the newest text."""
    path = path_of(params.text_document.uri)
    if path is None:
        return []
    await ls.session.settled(path)
    return list(lenses(ls.session, path))

"""`textDocument/didClose`: a text counts no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.TEXT_DOCUMENT_DID_CLOSE


def handle(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    """Let the text go."""
    ls.session.close(params.text_document.uri)

"""`textDocument/didSave`: a file was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.TEXT_DOCUMENT_DID_SAVE


def handle(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
    """Take it up."""
    ls.session.saved(params.text_document.uri)

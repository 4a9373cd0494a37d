"""`textDocument/didChange`: a text was edited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.TEXT_DOCUMENT_DID_CHANGE


def handle(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    """Apply the changes."""
    text = params.text_document
    ls.session.edit(text.uri, text.version, params.content_changes)

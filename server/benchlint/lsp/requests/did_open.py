"""`textDocument/didOpen`: a text counts in place of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.TEXT_DOCUMENT_DID_OPEN


def handle(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    """Take up the text."""
    text = params.text_document
    ls.session.open(text.uri, text.version, text.text)

"""`textDocument/completion`: what can stand here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from benchlint.lsp.completing import complete

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.TEXT_DOCUMENT_COMPLETION
OPTIONS: Final = types.CompletionOptions(trigger_characters=['"', "'", ":", " ", ".", "[", "("])


def handle(ls: Server, params: types.CompletionParams) -> dict[str, Any] | None:
    """Return what fits, by what was found last: nothing waits for a lint."""
    known = ls.session.document(params.text_document.uri)
    if known is None:
        return None
    _, document = known
    offset = document.offset(params.position.line, params.position.character, ls.session.client.encoding)
    return complete(ls.session, document, offset)

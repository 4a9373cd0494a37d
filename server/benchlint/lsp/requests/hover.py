"""`textDocument/hover`: what is known of a place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from benchlint.lsp.hovering import hover

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.TEXT_DOCUMENT_HOVER


def handle(ls: Server, params: types.HoverParams) -> dict[str, Any] | None:
    """Return what was found last: nothing waits for a lint."""
    session = ls.session
    known = session.document(params.text_document.uri)
    if known is None:
        return None
    _, document = known
    position = params.position
    offset = document.offset(position.line, position.character, session.client.encoding)
    shown = hover(session.linted, document, offset, session.covered)
    if shown is None:
        return None
    text, span = shown
    answer: dict[str, Any] = {
        "contents": {"kind": "markdown" if session.client.markdown else "plaintext", "value": text}
    }
    if span is not None:
        answer["range"] = session.bridge.range(document, *span)
    return answer

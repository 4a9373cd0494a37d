"""`textDocument/diagnostic`: the client pulls the diagnostics of one file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from benchlint.lsp.uris import path_of

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.TEXT_DOCUMENT_DIAGNOSTIC
OPTIONS: Final = types.DiagnosticOptions(
    identifier="benchlint", inter_file_dependencies=True, workspace_diagnostics=True
)


async def handle(ls: Server, params: types.DocumentDiagnosticParams) -> dict[str, Any]:
    """Return what was found in the newest text, or that it is what the client has."""
    path = path_of(params.text_document.uri)
    if path is None:
        return {"kind": "full", "items": []}
    await ls.session.settled(path)
    channel, version = ls.session.channel, ls.session.texts.version(path)
    number, items = channel.pulled(path, params.previous_result_id, version)
    if items is None:
        return {"kind": "unchanged", "resultId": number}
    return {"kind": "full", "resultId": number, "items": items}

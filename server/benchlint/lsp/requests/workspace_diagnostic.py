"""`workspace/diagnostic`: the client pulls the diagnostics of all files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from benchlint.lsp.uris import path_of

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.WORKSPACE_DIAGNOSTIC


async def handle(ls: Server, params: types.WorkspaceDiagnosticParams) -> dict[str, Any]:
    """Return what was found in each file, or that it is what the client has."""
    await ls.session.settled()
    session = ls.session
    known = {path_of(item.uri): item.value for item in params.previous_result_ids}
    reports = []
    for path in dict.fromkeys([*session.channel.paths(), *(path for path in known if path)]):
        version = session.texts.version(path)
        number, items = session.channel.pulled(path, known.get(path), version)
        report: dict[str, Any] = {"uri": session.bridge.uri_of(path), "version": version, "resultId": number}
        report.update({"kind": "unchanged"} if items is None else {"kind": "full", "items": items})
        reports.append(report)
    return {"items": reports}

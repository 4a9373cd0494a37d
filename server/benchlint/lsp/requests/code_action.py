"""`textDocument/codeAction`: what can be done about findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from benchlint.lsp.actions import FIX_ALL, KINDS, code_actions, fix_all
from benchlint.lsp.drafting import drafted
from benchlint.lsp.uris import path_of

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.TEXT_DOCUMENT_CODE_ACTION
OPTIONS: Final = types.CodeActionOptions(code_action_kinds=list(KINDS), resolve_provider=True)


async def handle(ls: Server, params: types.CodeActionParams) -> list[dict[str, Any]]:
    """Return the actions; fix all with its edit where the client cannot ask for it later."""
    path = path_of(params.text_document.uri)
    if path is None:
        return []
    await ls.session.settled(path)
    lines = params.range.start.line, params.range.end.line
    diagnostics = [ls.protocol.plain(item) for item in params.context.diagnostics]
    actions = list(code_actions(ls.session, path, lines, diagnostics, params.context.only))
    if ls.session.client.lazy_edits:
        return actions
    for action in actions:
        if action["kind"] == FIX_ALL:
            action["edit"] = await fix_all(ls.session, path)
        elif "draft" in action.get("data", {}):
            action["edit"] = await drafted(ls.session, action["data"])
    return [action for action in actions if action.get("edit") or action.get("command")]

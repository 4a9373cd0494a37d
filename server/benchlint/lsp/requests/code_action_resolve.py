"""`codeAction/resolve`: the edit of an action that was chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from benchlint.lsp.actions import fix_all
from benchlint.lsp.drafting import drafted
from benchlint.lsp.judge_actions import resolved

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.CODE_ACTION_RESOLVE


async def handle(ls: Server, params: types.CodeAction) -> dict[str, Any]:
    """Return the action with its edit."""
    action: dict[str, Any] = ls.protocol.plain(params)
    data = action.get("data") or {}
    path = data.get("path")
    if isinstance(path, str) and "rewrite" in data:
        await ls.session.settled(path)
        action.update(resolved(ls.session, data))
    elif isinstance(path, str) and "draft" in data:
        action["edit"] = await drafted(ls.session, data)
    elif isinstance(path, str):
        action["edit"] = await fix_all(ls.session, path) or {"changes": {}}
    return action

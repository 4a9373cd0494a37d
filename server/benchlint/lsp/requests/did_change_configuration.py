"""`workspace/didChangeConfiguration`: settings changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from benchlint.lsp.watching import fetch_settings

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.WORKSPACE_DID_CHANGE_CONFIGURATION


def handle(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    """Take up the settings; ask for them where the client wants to be asked."""
    if ls.session.client.configuration:
        fetch_settings(ls)
    elif params.settings is not None:
        ls.session.configure(params.settings)

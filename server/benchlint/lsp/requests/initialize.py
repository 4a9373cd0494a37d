"""`initialize`: who the client is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from benchlint.lsp.capabilities import read_client
from benchlint.lsp.uris import path_of

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.INITIALIZE


def handle(ls: Server, params: types.InitializeParams) -> None:
    """Make the session and begin to lint the client's folders."""
    session = ls.begin(read_client(params.capabilities))
    uris = [folder.uri for folder in params.workspace_folders or ()] or [uri for uri in (params.root_uri,) if uri]
    session.start([path for uri in uris if (path := path_of(uri))], params.initialization_options)

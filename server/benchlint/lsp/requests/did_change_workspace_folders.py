"""`workspace/didChangeWorkspaceFolders`: folders came or went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from benchlint.lsp.uris import path_of

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS


def handle(ls: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Lint the new folders, and the others no longer."""
    added, removed = (
        [path for folder in folders if (path := path_of(folder.uri))]
        for folders in (params.event.added, params.event.removed)
    )
    ls.session.folders_changed(added, removed)

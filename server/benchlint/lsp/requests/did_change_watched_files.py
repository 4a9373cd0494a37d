"""`workspace/didChangeWatchedFiles`: files came, changed or went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.WORKSPACE_DID_CHANGE_WATCHED_FILES


def handle(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Look at the disk."""
    ls.session.files_changed()

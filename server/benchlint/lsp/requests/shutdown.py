"""`shutdown`: the end is near."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.SHUTDOWN


def handle(ls: Server, params: types.ShutdownRequest | None) -> None:
    """Stop linting."""
    ls.session.stop()

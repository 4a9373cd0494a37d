"""`benchlint/trust`: the user trusts the workspace, or no longer does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchlint.lsp.settings import is_trusted

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = "benchlint/trust"


def handle(ls: Server, params: Any) -> None:
    """Take it up: `{"trusted": true}`."""
    ls.session.trust(trusted=is_trusted({"trusted": getattr(params, "trusted", False)}))

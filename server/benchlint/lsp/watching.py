"""Files and settings that change while the server runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from benchlint.lsp.settings import SECTION

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

GLOB: Final = "**/*.{json,jsonl,yaml,yml,py,pickle,md,markdown,txt,toml,csv}"
"""What a benchmark may be made of, its configuration, and rule pages."""


def fetch_settings(ls: Server) -> None:
    """Ask the client for the settings, where it can be asked."""
    if not ls.session.client.configuration:
        return

    def take(answer: Any) -> None:
        if answer and isinstance(answer[0], dict):
            ls.session.configure(answer[0])

    items = [types.ConfigurationItem(section=SECTION)]
    ls.ask(types.WORKSPACE_CONFIGURATION, types.ConfigurationParams(items=items), take)

"""The server's log: a file where one is asked for, and the client's log window. Texts and keys are in neither."""

from __future__ import annotations

import logging
from typing import Final

LOG: Final = logging.getLogger("benchlint.lsp")


def start_log(path: str | None) -> None:
    """Write the log to a file; keep all other libraries silent. Raises OSError."""
    root = logging.getLogger()
    root.addHandler(logging.NullHandler())
    logging.getLogger("pygls").setLevel(logging.CRITICAL + 1)
    LOG.propagate = False
    LOG.setLevel(logging.INFO)
    handler = logging.FileHandler(path, encoding="utf-8") if path else logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    LOG.addHandler(handler)

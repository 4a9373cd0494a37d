"""A call that nobody waits for any more."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchlint.judges.protocol import Usage


class GivenUp(asyncio.CancelledError):
    """A request was cancelled; `usage` is what its calls took until then, as far as any had been sent."""

    def __init__(self, usage: Usage) -> None:
        super().__init__()
        self.usage = usage

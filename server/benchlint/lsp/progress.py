"""A progress bar in the client, where it shows some. To cancel is a request that whoever works looks at."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.lsp.world import Json

    Send = Callable[[str, Json], None]
    Ask = Callable[..., None]

CREATE: Final = types.WINDOW_WORK_DONE_PROGRESS_CREATE
PROGRESS: Final = types.PROGRESS


class Progress:
    """One bar, from its creation to its end.

    What is reported before the client has agreed to show it is left out,
    but for the newest.
    """

    def __init__(self, title: str, send: Send, ask: Ask, *, shown: bool) -> None:
        self.token = uuid.uuid4().hex
        self._send = send
        self._title = title
        self._is_open = False
        self._is_over = False
        self._last: tuple[str, int | None] | None = None
        if shown:
            ask(CREATE, types.WorkDoneProgressCreateParams(self.token), self._begin)

    def report(self, message: str, percentage: int | None = None) -> None:
        """Show how far it is, with a percentage where that is known."""
        if (message, percentage) == self._last:
            return
        self._last = message, percentage
        if self._is_open:
            self._tell({"kind": "report", **_said(message, percentage)})

    def end(self, message: str) -> None:
        """Take the bar away."""
        self._is_over = True
        if self._is_open:
            self._is_open = False
            self._tell({"kind": "end", "message": message})

    def _begin(self, _: Any) -> None:
        if self._is_over:
            return
        self._is_open = True
        said = _said(*self._last) if self._last is not None else {}
        self._tell({"kind": "begin", "title": self._title, "cancellable": True, "percentage": 0, **said})

    def _tell(self, value: Json) -> None:
        self._send(PROGRESS, {"token": self.token, "value": value})


def _said(message: str, percentage: int | None) -> Json:
    return {"message": message, **({"percentage": percentage} if percentage is not None else {})}

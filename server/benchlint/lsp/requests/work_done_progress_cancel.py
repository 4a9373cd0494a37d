"""`window/workDoneProgress/cancel`: the user ends what a progress bar shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.WINDOW_WORK_DONE_PROGRESS_CANCEL


def handle(ls: Server, params: types.WorkDoneProgressCancelParams) -> None:
    """End it."""
    ls.session.judges.rounds.cancel(params.token)
    ls.session.replays.cancel(params.token)
    ls.session.task_drafts.cancel(params.token)

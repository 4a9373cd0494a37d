"""What a client shows in its status bar, told when it changes, and what makes it draw its lenses anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.lsp.progress import Ask, Send
    from benchlint.lsp.session import Session
    from benchlint.lsp.world import Json

METHOD: Final = "benchlint/status"
REFRESH: Final = "workspace/codeLens/refresh"
SECONDS: Final = 0.3
"""The least time between two messages of one kind."""


class Status:
    """Tells a client what stands beside the findings.

    The status goes to clients that want it: `{"status": true}` in
    `initializationOptions`.
    """

    def __init__(
        self, session: Session, send: Send, ask: Ask, later: Callable[[float, Callable[[], None]], object]
    ) -> None:
        self.is_wanted = False
        self._session = session
        self._send = send
        self._ask = ask
        self._later = later
        self._told: Json | None = None
        self._is_waiting = False
        self._drawn: Any = None

    def changed(self) -> None:
        """Tell it, at once or soon."""
        if not self._is_waiting:
            self._is_waiting = True
            self._later(SECONDS, self._tell)

    @property
    def now(self) -> Json:
        """The findings, the questions on their way, what the session took, and how many tasks have stale verdicts."""
        judges = self._session.judges
        spent = judges.spent
        return {
            "findings": sum(len(result.findings) for result in self._session.linted.results),
            "judging": judges.rounds.open,
            "spent_usd": spent.usd if spent is not None else 0.0,
            "calls": spent.calls if spent is not None else 0,
            "stale": sum(bench.stale_tasks() for bench in judges.benches),
        }

    def _tell(self) -> None:
        self._is_waiting = False
        if self.is_wanted and self.now != self._told:
            self._told = self.now
            self._send(METHOD, self._told)
        drawn = self._session.judges.drawn
        if drawn != self._drawn:
            self._drawn = drawn
            if self._session.client.refreshes_lenses:
                self._ask(REFRESH, None)

"""The one store of diagnostics, and the one place that decides how a client gets them: pull or push."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchlint.lsp.world import Json, Linted

REFRESH_SECONDS: Final = 0.5
"""The least time between two requests to pull anew."""


class Channel:
    """What the client has been told of each file, and what it should be told now.

    A client that pulls gets no publishes, and one that cannot gets all.
    `publish` sends one file's diagnostics, with the version where it is open;
    `refresh` asks the client to pull. `later` calls a function after some
    seconds.
    """

    def __init__(
        self,
        publish: Callable[[str, list[Json], int | None], None],
        refresh: Callable[[], None],
        later: Callable[[float, Callable[[], None]], object],
        *,
        pull: bool,
    ) -> None:
        self.pull = pull
        self._publish = publish
        self._refresh = refresh
        self._later = later
        self._now: dict[str, list[Json]] = {}
        self._ids: dict[str, int] = {}
        self._told: dict[str, tuple[int, int | None]] = {}
        self._next = 1
        self._waiting = False
        self._wanted = False

    def take(self, linted: Linted, versions: Mapping[str, int | None], *, settled: bool) -> None:
        """Take what was found; tell the client what it does not know.

        `versions` are those of the open texts. Only a `settled` result, one
        of the newest texts, is told; an early one speaks of open files alone.
        """
        new = dict(linted.diagnostics)
        if linted.early:
            new = {**self._now, **{path: found for path, found in new.items() if path in versions}}
        for path in new.keys() | self._now.keys():
            if new.get(path, []) != self._now.get(path, []) or path not in self._ids:
                self._ids[path] = self._next
                self._next += 1
        self._now = new
        if not settled:
            return
        if self.pull:
            if any(self._is_old(path, versions) for path in self._told):
                self._ask()
            return
        for path in sorted(self._ids):
            if path in new or path in self._told:
                self._send(path, versions)

    def diagnostics(self, path: str) -> list[Json]:
        """Return the diagnostics of a file."""
        return self._now.get(path, [])

    def paths(self) -> list[str]:
        """Return the files that have diagnostics, or had some that the client knows of."""
        return sorted({path for path, found in self._now.items() if found} | self._told.keys())

    def pulled(self, path: str, previous: str | None, version: int | None) -> tuple[str, list[Json] | None]:
        """Return a file's result id and its diagnostics; None where the client has them."""
        number = self._ids.get(path, 0)
        self._told[path] = number, version
        return str(number), None if previous == str(number) else self.diagnostics(path)

    def closed(self, path: str) -> None:
        """Forget that the client knows the diagnostics of a text that was closed."""
        if self.pull:
            self._told.pop(path, None)

    def _is_old(self, path: str, versions: Mapping[str, int | None]) -> bool:
        """Say whether the client will not ask by itself: the text is the one that it asked for."""
        number, version = self._told[path]
        return number != self._ids.get(path, 0) and version == versions.get(path)

    def _send(self, path: str, versions: Mapping[str, int | None]) -> None:
        known = self._told.get(path)
        found = self.diagnostics(path)
        version = versions.get(path)
        if known == (self._ids[path], version):
            return
        if known is None and not found and version is None:
            return
        self._told[path] = self._ids[path], version
        self._publish(path, found, version)

    def _ask(self) -> None:
        self._wanted = True
        if not self._waiting:
            self._ask_now()

    def _ask_now(self) -> None:
        self._waiting = self._wanted
        if self._wanted:
            self._wanted = False
            self._refresh()
            self._later(REFRESH_SECONDS, self._ask_now)

"""Verdicts that are there already, for runs that may ask nobody: no key, no network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from benchlint.judges.keys import asker_of, question_key, verdict_key
from benchlint.judges.protocol import NoVerdict, Usage, Verdict
from benchlint.judges.reading import LIKELIHOOD, read
from benchlint.judges.run import Outcome, Run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from benchlint.judges.prompt import Asked
    from benchlint.judges.run import Deliver


class Readable(Protocol):
    """A store whose keys can be listed; `VerdictCache` and `Exported` are such."""

    def get(self, key: str) -> dict[str, Any] | None:
        """Return an entry, or None."""

    def keys(self) -> Iterator[str]:
        """Yield the key of every entry."""


class Exported:
    """An export of a cache, read from its lines. ValueError, with its number, for a line that is none."""

    def __init__(self, lines: Iterable[str]) -> None:
        from benchlint.judges.cache import parse_line

        self._entries = dict(parse_line(line, number) for number, line in enumerate(lines, 1) if line.strip())
        self._about = {(entry.get("metric"), entry.get("about")) for entry in self._entries.values()}

    @classmethod
    def read(cls, path: str | Path) -> Exported:
        """Read a file; OSError or ValueError where it cannot be read."""
        from benchlint.judges.cache import read_lines

        return cls(read_lines(path))

    def get(self, key: str) -> dict[str, Any] | None:
        """Return an entry, or None."""
        return self._entries.get(key)

    def keys(self) -> Iterator[str]:
        """Yield the key of every entry."""
        return iter(self._entries)

    def has_other(self, asked: Asked) -> bool:
        """Say whether there is a verdict on the same task and metric, of another text or model."""
        return (asked.request.metric, asked.request.key) in self._about


class CachedJudge:
    """A judge that only repeats verdicts from a store.

    `askers` are the keys of those whose verdicts count (see `keys`); None
    takes everybody's, of several the newest.
    """

    lanes = 0

    def __init__(
        self,
        store: Readable,
        askers: Sequence[str] | None = None,
        name: str = "cached",
        likelihood: float = LIKELIHOOD,
    ) -> None:
        self.name = name
        self._store = store
        self._likelihood = likelihood
        self._askers = sorted(set(map(asker_of, store.keys())) if askers is None else askers)

    def known(self, asked: Asked) -> Verdict | NoVerdict:
        """Return the verdict in the store; NoVerdict where there is none, or it is stale."""
        question = question_key(asked.request)
        entries = [self._store.get(verdict_key(asker, question)) for asker in self._askers]
        found = [entry for entry in entries if entry is not None]
        for entry in sorted(found, key=given_at, reverse=True):
            verdict = read(asked, entry["answer"], str(entry.get("model", self.name)), self._likelihood)
            if isinstance(verdict, Verdict):
                return verdict
        reason = "no cached verdict"
        if isinstance(self._store, Exported) and self._store.has_other(asked):
            reason += ": the one that is there was given on another text or by another model"
        return NoVerdict(asked.request.metric, self.name, reason)

    async def assess(self, asked: Asked) -> Verdict | NoVerdict:
        """Return the verdict in the store."""
        return self.known(asked)

    async def find(self, asked: Asked) -> tuple[Verdict | NoVerdict, Usage, str | None]:
        """Return the verdict in the store."""
        return self.known(asked), Usage(), None

    def run(self, asked: Sequence[Asked], deliver: Deliver | None = None) -> Outcome:
        """Look up all that is asked."""
        return self.start(asked, deliver).outcome

    def start(self, asked: Sequence[Asked], deliver: Deliver | None = None) -> Run:
        """Look up all that is asked; the run is over when it is returned."""
        run = Run(self, asked, deliver)
        for _ in run.look_up():
            pass
        run.finish()
        return run

    def close(self) -> None:
        """Close nothing: there is no connection."""


def given_at(entry: dict[str, Any]) -> float:
    """Return when an entry was written, in seconds since 1970; 0 where it does not say."""
    at = entry.get("at")
    return float(at) if isinstance(at, (int, float)) else 0.0

"""What one run leaves for the next over the same paths: an editor lints at every key."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING

from benchlint.analysis.engine import Memo
from benchlint.benchmark.loader import Unreadable
from benchlint.benchmark.sniff import HEAD, LANGUAGES, glimpse, may_hold_tasks

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from benchlint.analysis.engine import Analysis
    from benchlint.analysis.rulebook import Rulebook
    from benchlint.benchmark.discovery import Discovery
    from benchlint.benchmark.model import Benchmark, Layout
    from benchlint.config_schema import Config
    from benchlint.text.document import Document


@dataclass(slots=True)
class KeptBenchmark:
    """One benchmark as it was last read, and what was found in it.

    `reads` are the texts that it was made from, by path, with the reason
    where one could not be read. `analysis` is None where the run did not
    come to its end.
    """

    layout: Layout
    config: Config
    benchmark: Benchmark
    reads: dict[str, Document | str]
    wanted: frozenset[str]
    memo: Memo = field(default_factory=Memo)
    analysis: Analysis | None = None

    def same(self, layout: Layout, config: Config, wanted: frozenset[str], read: Callable[[str], Document]) -> bool:
        """Say whether a benchmark would be read from the same texts, and checked for the same rules."""
        if layout != self.layout or config is not self.config or wanted != self.wanted:
            return False
        return all(self._is(*item, read) for item in self.reads.items())

    @staticmethod
    def _is(path: str, earlier: Document | str, read: Callable[[str], Document]) -> bool:
        try:
            return read(path) is earlier
        except Unreadable as error:
            return error.reason == earlier


@dataclass(slots=True)
class Kept:
    """What earlier runs over the same paths found out. A run reads it and writes to it.

    It makes no run other than it would be without. What it cannot see are
    files that come and go: `forget_files` makes the next run look.
    """

    benchmarks: dict[str, KeptBenchmark] = field(default_factory=dict)
    discovery: tuple[Hashable, Discovery] | None = None
    rulebooks: dict[str, Rulebook] = field(default_factory=dict)
    """By the path of the configuration."""
    _glimpses: dict[str, tuple[Document, Hashable]] = field(default_factory=dict)

    def forget_files(self) -> None:
        """Look for benchmarks and for what stands beside them anew."""
        self.discovery = None
        self.rulebooks.clear()
        for item in self.benchmarks.values():
            item.reads[""] = ""

    def glimpses(self, documents: Iterable[Document]) -> Hashable:
        """Return what discovery sees of some texts: equal while it would find the same."""
        seen = {document.path: self._glimpse(document) for document in documents}
        self._glimpses = seen
        return tuple(sorted((path, found) for path, (_, found) in seen.items() if found is not None))

    def _glimpse(self, document: Document) -> tuple[Document, Hashable]:
        known = self._glimpses.get(document.path)
        if known is not None and known[0] is document:
            return known
        path = PurePath(document.path)
        language = LANGUAGES.get(path.suffix.lower())
        if language is None:
            return document, None
        head = document.data[:HEAD]
        found = glimpse(language, head, lambda: document.data)
        if found.format is None and path.stem == "tasks":
            # Whether its text parses decides: that is not seen at a glimpse.
            return document, repr(document.hash)
        return document, f"{may_hold_tasks(head)} {found}"

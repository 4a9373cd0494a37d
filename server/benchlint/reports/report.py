"""What a run has to say, and the one bridge from a finding to a report's row."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchlint.text.document import Encoding

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchlint.catalogue.finding import Anchor, Finding, Severity
    from benchlint.text.document import Document


@dataclass(frozen=True, slots=True)
class Place:
    """A range in a file; lines and columns are 1-based, the end is exclusive.

    Columns count characters (code points). `path` is relative to the working
    directory where it lies below it, with forward slashes.
    """

    path: str
    start_line: int = 1
    start_column: int = 1
    end_line: int = 1
    end_column: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """A finding with its places resolved.

    `related` pairs each message with its place. `excerpt` is the finding's
    lines, without line ends.
    """

    finding: Finding
    place: Place
    related: tuple[tuple[str, Place], ...] = ()
    excerpt: tuple[str, ...] = ()
    document: Document | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of a run. `suppressed` and `baselined` are findings not shown."""

    files: int = 0
    tasks: int = 0
    benchmarks: int = 0
    by_severity: Mapping[Severity, int] = field(default_factory=dict)
    by_rule: Mapping[str, int] = field(default_factory=dict)
    suppressed: int = 0
    baselined: int = 0
    fixed: int = 0
    fixable: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """The findings of a run, sorted by path and place.

    `notes` are sentences about the run as a whole: what could not be
    checked and why. `problems` are inputs that could not be read.
    """

    rows: tuple[Row, ...] = ()
    summary: Summary = field(default_factory=Summary)
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def place(document: Document, shown_path: str, start: int, end: int) -> Place:
    """Resolve a byte range of a document."""
    line, column = document.position(start, Encoding.UTF32)
    end_line, end_column = document.position(max(start, end), Encoding.UTF32)
    return Place(shown_path, line + 1, column + 1, end_line + 1, end_column + 1)


def resolve(anchor: Anchor, documents: Mapping[str, Document], slices: Mapping[str, Sequence[int]], shown: str) -> Place:
    """Resolve an anchor. `slices` holds the offset at which each slice starts."""
    document = documents.get(anchor.path)
    if document is None:
        return Place(shown)
    base = slices[anchor.path][anchor.slice] if anchor.slice is not None else 0
    return place(document, shown, base + anchor.start, base + anchor.end)

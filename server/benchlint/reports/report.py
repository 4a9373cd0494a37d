"""What a run has to say, and the one bridge from a finding to a report's row."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct, field

from benchlint.text.document import Encoding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from benchlint.catalogue.finding import Anchor, Finding, Severity
    from benchlint.text.document import Document

_EXCERPT_LINES = 20
_EXCERPT_BYTES = 4_000


class Place(Struct, frozen=True):
    """A range in a file; lines and columns are 1-based, the end is exclusive.

    Columns count characters (code points). `path` is relative to the working
    directory where it lies below it, with forward slashes.
    """

    path: str
    start_line: int = 1
    start_column: int = 1
    end_line: int = 1
    end_column: int = 1


class Row(Struct, frozen=True):
    """A finding with its places resolved.

    `related` pairs each message with its place. `excerpt` is the finding's
    lines, without line ends; where they are many or long, the first one
    alone, cut to what stands around the fault, so that it starts at
    `excerpt_column`. `edits` are those of the first fix, each range with
    its new text.
    """

    finding: Finding
    place: Place
    related: tuple[tuple[str, Place], ...] = ()
    excerpt: tuple[str, ...] = ()
    document: Document | None = None
    excerpt_column: int = 1
    edits: tuple[tuple[Place, str], ...] = ()


class Summary(Struct, frozen=True):
    """Counts of a run.

    `suppressed` and `baselined` are findings not shown, `fixed` are findings
    whose fix was applied, `fixable` are shown ones whose first fix is safe.
    `missing_verdicts` are those that were wanted of judges and not given.
    """

    files: int = 0
    tasks: int = 0
    benchmarks: int = 0
    by_severity: Mapping[Severity, int] = field(default_factory=dict)
    by_rule: Mapping[str, int] = field(default_factory=dict)
    suppressed: int = 0
    baselined: int = 0
    fixed: int = 0
    fixable: int = 0
    missing_verdicts: int = 0


class Report(Struct, frozen=True):
    """The findings of a run, sorted by path and place.

    `notes` are sentences about the run as a whole: what could not be
    checked and why. `problems` are inputs that could not be read.
    """

    rows: tuple[Row, ...] = ()
    summary: Summary = field(default_factory=Summary)
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def _repr_html_(self) -> str:
        """Show the findings as a table, in a notebook."""
        from benchlint.reports.notebook import table

        return table(self)


def place(document: Document, shown_path: str, start: int, end: int) -> Place:
    """Resolve a byte range of a document."""
    line, column = document.position(start, Encoding.UTF32)
    end_line, end_column = document.position(max(start, end), Encoding.UTF32)
    return Place(shown_path, line + 1, column + 1, end_line + 1, end_column + 1)


def resolve(
    anchor: Anchor, documents: Mapping[str, Document], slices: Mapping[str, Sequence[int]], shown: str
) -> Place:
    """Resolve an anchor. `slices` holds the offset at which each slice starts."""
    document = documents.get(anchor.path)
    if document is None:
        return Place(shown)
    base = _base(anchor, slices)
    return place(document, shown, base + anchor.start, base + anchor.end)


def row(
    finding: Finding,
    documents: Mapping[str, Document],
    slices: Mapping[str, Sequence[int]],
    show: Callable[[str], str],
) -> Row:
    """Resolve a finding. `show` turns the path of an anchor into the one to show."""

    def at(anchor: Anchor) -> Place:
        return resolve(anchor, documents, slices, show(anchor.path))

    anchor = finding.anchor
    document = documents.get(anchor.path)
    found = at(anchor)
    excerpt: tuple[str, ...] = ()
    column = 1
    if document is not None:
        base = _base(anchor, slices)
        excerpt, column = _excerpt(document, found, base + anchor.start, base + anchor.end)
    return Row(
        finding,
        found,
        tuple((related.message, at(related.anchor)) for related in finding.related),
        excerpt,
        document,
        column,
        tuple((at(edit.anchor), edit.text) for fix in finding.fixes[:1] for edit in fix.edits),
    )


def count(
    rows: Iterable[Row],
    *,
    files: int,
    tasks: int,
    benchmarks: int,
    suppressed: int = 0,
    baselined: int = 0,
    fixed: int = 0,
) -> Summary:
    """Count what a run shows."""
    findings = [item.finding for item in rows]
    return Summary(
        files,
        tasks,
        benchmarks,
        Counter(finding.severity for finding in findings),
        Counter(finding.rule for finding in findings),
        suppressed,
        baselined,
        fixed,
        sum(bool(finding.fixes) and finding.fixes[0].safe for finding in findings),
    )


def _base(anchor: Anchor, slices: Mapping[str, Sequence[int]]) -> int:
    return slices[anchor.path][anchor.slice] if anchor.slice is not None else 0


def _excerpt(document: Document, found: Place, start: int, end: int) -> tuple[tuple[str, ...], int]:
    """Return the lines to show of a byte range and the column at which they start."""
    first, last = found.start_line - 1, found.end_line - 1
    line_start, line_end = document.line_range(first)
    stop = document.line_range(last)[1]
    if last - first < _EXCERPT_LINES and stop - line_start <= _EXCERPT_BYTES:
        return tuple(document.line_text(line) for line in range(first, last + 1)), 1
    data = document.data
    half = _EXCERPT_BYTES // 2
    left = max(line_start, start - half)
    right = min(line_end, max(start, min(end, start + half)) + half)
    while left > line_start and data[left] & 0xC0 == 0x80:
        left -= 1
    while line_start < right < line_end and data[right] & 0xC0 == 0x80:
        right -= 1
    before = data[left : max(left, min(start, line_end))].decode("utf-8", "replace")
    return (data[left:right].decode("utf-8", "replace"),), found.start_column - len(before)

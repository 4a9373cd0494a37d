"""benchlint from Python: `lint`, which returns a `Report`."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, BinaryIO, Literal

from benchlint.analysis.run import Options, Result, run
from benchlint.analysis.snapshot import DEFAULT_LIMIT, Snapshot
from benchlint.catalogue.finding import Severity
from benchlint.config import ConfigLookup, load_config
from benchlint.reports.report import Report, Row, count, row
from benchlint.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from benchlint.analysis.run import Tick

    Path = str | os.PathLike[str]

__all__ = ["Options", "Outcome", "Report", "Request", "Severity", "lint", "perform"]

SeverityLabel = Literal["error", "warning", "information", "hint"]


def lint(
    paths: Path | Iterable[Path] = ".",
    *,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    min_severity: SeverityLabel | None = None,
    config: Path | None = None,
    baseline: Path | None = None,
    fix: bool = False,
    unsafe_fixes: bool = False,
) -> Report:
    """Lint benchmarks, as `benchlint lint` does.

    `paths` are files and folders. `select` and `ignore` name rules or groups
    of rules; `min_severity` leaves out lesser findings; `config` is the
    configuration of all paths, in place of the nearest file of each;
    `baseline` is a file of findings that are not reported again. `fix`
    applies safe fixes and `unsafe_fixes` all of them: files are written, and
    the report tells what is left.

    Findings are `report.rows`; inputs that cannot be read are
    `report.problems`, and raise nothing.

    Raises `benchlint.config.ConfigError` for a configuration,
    `benchlint.catalogue.selection.UnknownRule` for a name that no rule has
    and `benchlint.analysis.baseline.BaselineError` for a baseline that
    cannot be used.
    """
    several = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    request = Request(
        paths=tuple(os.fspath(path) for path in several),
        options=Options(
            select=tuple(select),
            ignore=tuple(ignore),
            min_severity=Severity.parse(min_severity) if min_severity else None,
            baseline=os.fspath(baseline) if baseline is not None else None,
        ),
        config=os.fspath(config) if config is not None else None,
        fix=fix or unsafe_fixes,
        unsafe=unsafe_fixes,
    )
    return perform(request).report


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to lint, and what to do about what is found.

    `documents` stand in for the files of their paths. With `fix` safe fixes
    are applied, with `unsafe` all of them; with `preview` they are worked
    out and nothing is written, and the findings are those of the texts as
    they are. Files are written where no `documents` are given.
    `write_baseline` is where to write the findings that are left.
    """

    paths: Sequence[str]
    options: Options = field(default_factory=Options)
    config: str | None = None
    documents: tuple[Document, ...] = ()
    fix: bool = False
    unsafe: bool = False
    preview: bool = False
    write_baseline: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a request.

    `changed` are the old and the new text of the files that were fixed (or
    would be) by `fixed` fixes, `refused` the findings that could not be
    fixed, with the reasons. `known` counts the findings of which a baseline
    was written.
    """

    report: Report
    result: Result
    changed: Mapping[str, tuple[Document, Document]] = field(default_factory=dict)
    fixed: int = 0
    refused: tuple[tuple[Row, str], ...] = ()
    known: int | None = None

    @property
    def exit_code(self) -> int:
        """2 where an input could not be read, else 1 where a finding fails the run, else 0."""
        if self.report.problems:
            return 2
        return 1 if self.result.failing else 0


def perform(request: Request, tick: Tick = lambda done, total, name: None) -> Outcome:
    """Lint, fix and write what is asked for. See `lint` for what is raised."""
    config_of = ConfigLookup(load_config(request.config) if request.config is not None else None)
    snapshot = Snapshot(request.documents)
    options = replace(request.options, thorough=request.fix, use_baseline=request.write_baseline is None)

    if not request.fix:
        return _outcome(request, run(request.paths, snapshot, config_of, options, tick=tick))
    from benchlint.analysis.fixing import fix
    from benchlint.analysis.kept import Kept
    from benchlint.analysis.writing import write_changes

    kept = Kept()

    def check(texts: Snapshot) -> Result:
        return run(request.paths, texts, config_of, options, kept=kept, tick=tick)

    done = fix(snapshot, check, unsafe=request.unsafe)
    writes = not request.preview and not request.documents
    problems = write_changes(done.changed) if writes else []
    after = done.result
    return replace(
        _outcome(request, done.before if request.preview else after, 0 if request.preview else done.count, problems),
        changed=done.changed,
        fixed=done.count,
        refused=tuple(
            (row(finding, after.documents, after.slices, shown_path), reason) for finding, reason in done.refused
        ),
    )


def _outcome(request: Request, result: Result, fixed: int = 0, problems: Sequence[str] = ()) -> Outcome:
    known = None
    if request.write_baseline is not None:
        from benchlint.analysis.baseline import write_baseline

        known = write_baseline(request.write_baseline, result.findings)
        result = replace(result, findings=(), baselined=known, failing=0)
    return Outcome(report=report_of(result, fixed=fixed, problems=problems), result=result, known=known)


def read_document(stream: BinaryIO, path: str, config: str | None = None) -> Document:
    """Read a text that stands in for a file; no more of it than the configuration allows.

    Raises `ConfigError`.
    """
    settings = load_config(config) if config is not None else ConfigLookup()(path)
    limit = settings.max_bytes if settings else DEFAULT_LIMIT
    return Document(path, stream.read(limit + 1))


def report_of(result: Result, *, fixed: int = 0, problems: Sequence[str] = ()) -> Report:
    """Resolve the places of a run's findings and count them."""
    rows = tuple(row(item, result.documents, result.slices, shown_path) for item in result.findings)
    sources = {source.document.path for benchmark in result.benchmarks for source in benchmark.sources}
    summary = count(
        rows,
        files=len(sources),
        tasks=sum(len(benchmark.tasks) for benchmark in result.benchmarks),
        benchmarks=len(result.benchmarks),
        suppressed=result.suppressed,
        baselined=result.baselined,
        fixed=fixed,
    )
    return Report(rows, summary, result.notes, (*result.problems, *problems))


def shown_path(path: str) -> str:
    """Return a path as reports show it: relative where it lies below the working folder."""
    relative = path
    if os.path.isabs(path):  # noqa: PTH117
        try:
            relative = os.path.relpath(path)
        except ValueError:  # another drive
            return path.replace(os.sep, "/")
        if relative.startswith(os.pardir):
            relative = path
    return os.path.normpath(relative).replace(os.sep, "/")

"""benchlint from Python: `lint`, which returns a `Report`, and `report`, which returns a `ScoreReport`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, BinaryIO, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from benchlint.analysis.judging import Judging
from benchlint.analysis.options import JudgeOptions, ReplayOptions
from benchlint.analysis.run import Options, Result, run
from benchlint.analysis.snapshot import DEFAULT_LIMIT, Snapshot
from benchlint.catalogue.finding import Severity
from benchlint.config import ConfigLookup, load_config
from benchlint.reports.report import Report, Row, count, row
from benchlint.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from benchlint.analysis.run import Tick
    from benchlint.reports.coverage import Coverage
    from benchlint.reports.scores import ScoreReport

    Path = str | os.PathLike[str]

__all__ = [
    "REPLAY_RULES",
    "JudgeOptions",
    "Options",
    "Outcome",
    "ReplayOptions",
    "Report",
    "Request",
    "Severity",
    "lint",
    "perform",
    "report",
]

REPLAY_RULES = ("failing-action", "inaction-passes", "redundant-action")
"""The rules that running the expected actions decides."""

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
    judge: str | Iterable[str] = (),
    replay: bool = False,
) -> Report:
    """Lint benchmarks, as `benchlint lint` does.

    `paths` are files and folders. `select` and `ignore` name rules or groups
    of rules; `min_severity` leaves out lesser findings; `config` is the
    configuration of all paths, in place of the nearest file of each;
    `baseline` is a file of findings that are not reported again. `fix`
    applies safe fixes and `unsafe_fixes` all of them: files are written, and
    the report tells what is left. `judge` are model strings, "offline",
    "cached" or "none", in place of the configured ones. `replay` runs the
    expected actions, as [replay] in the configuration says.

    Findings are `report.rows`; inputs that cannot be read are
    `report.problems`, and raise nothing.

    Raises `benchlint.config.ConfigError` for a configuration,
    `benchlint.catalogue.selection.UnknownRule` for a name that no rule has,
    `benchlint.analysis.baseline.BaselineError` for a baseline that cannot be
    used and `benchlint.judges.errors.JudgeError` for judges that cannot be
    asked.
    """
    request = Request(
        paths=_several(paths),
        options=Options(
            select=tuple(select),
            ignore=tuple(ignore),
            min_severity=Severity.parse(min_severity) if min_severity else None,
            baseline=os.fspath(baseline) if baseline is not None else None,
            replay=ReplayOptions() if replay else None,
        ),
        config=os.fspath(config) if config is not None else None,
        fix=fix or unsafe_fixes,
        unsafe=unsafe_fixes,
        judge=JudgeOptions(judges=_judges(judge)),
    )
    return perform(request).report


def report(
    paths: Path | Iterable[Path] = ".", *, config: Path | None = None, judge: str | Iterable[str] = ()
) -> ScoreReport:
    """Return the numbers of benchmarks, as `benchlint report` does.

    The parameters are those of `lint`. Without judges, configured or given,
    the offline reader reads, and verdicts that are known already count.
    `benchlint.reports.scores.render` writes what is returned.
    """
    request = Request(
        paths=_several(paths),
        config=os.fspath(config) if config is not None else None,
        judge=JudgeOptions(judges=_judges(judge), thorough=True),
    )
    return scores_of(perform(request))


def _several(paths: Path | Iterable[Path]) -> tuple[str, ...]:
    several = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    return tuple(os.fspath(path) for path in several)


def _judges(judge: str | Iterable[str]) -> tuple[str, ...]:
    return (judge,) if isinstance(judge, str) else tuple(judge)


class Request(Struct, frozen=True, kw_only=True):
    """What to lint, and what to do about what is found.

    `documents` stand in for the files of their paths. With `fix` safe fixes
    are applied, with `unsafe` all of them; with `preview` they are worked
    out and nothing is written, and the findings are those of the texts as
    they are. Files are written where no `documents` are given.
    `write_baseline` is where to write the findings that are left. `judge`
    says who reads as well. With `changed_since`, a revision of git, only what
    has changed since then is judged and shown.
    """

    paths: Sequence[str]
    options: Options = field(default_factory=Options)
    config: str | None = None
    documents: tuple[Document, ...] = ()
    fix: bool = False
    unsafe: bool = False
    preview: bool = False
    write_baseline: str | None = None
    judge: JudgeOptions = field(default_factory=JudgeOptions)
    changed_since: str | None = None


class Outcome(Struct, frozen=True, kw_only=True):
    """What came of a request.

    `changed` are the old and the new text of the files that were fixed (or
    would be) by `fixed` fixes, `refused` the findings that could not be
    fixed, with the reasons. `known` counts the findings of which a baseline
    was written. `judging` are the judges of the run, closed; `told` is what
    they took, in sentences.
    """

    report: Report
    result: Result
    changed: Mapping[str, tuple[Document, Document]] = field(default_factory=dict)
    fixed: int = 0
    refused: tuple[tuple[Row, str], ...] = ()
    known: int | None = None
    judging: Judging = field(default_factory=Judging)
    told: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """2 where an input could not be read, else 3 where verdicts are missing, else 1 where a finding fails, else 0.

        An estimate alone never fails for what was found.
        """
        if self.report.problems:
            return 2
        if self.judging.is_lacking:
            return 3
        return 1 if self.result.failing and not self.judging.options.estimate else 0


def perform(request: Request, tick: Tick = lambda done, total, name: None) -> Outcome:
    """Lint, fix and write what is asked for. See `lint` for what is raised."""
    judging = Judging(request.judge, tick)
    try:
        outcome = _performed(request, tick, judging)
        summary = replace(outcome.report.summary, missing_verdicts=judging.missing)
        report = replace(outcome.report, summary=summary)
        return replace(outcome, report=report, judging=judging, told=tuple(judging.told))
    finally:
        judging.close()


def _performed(request: Request, tick: Tick, judging: Judging) -> Outcome:
    changes = None
    if request.changed_since is not None:
        from benchlint.analysis.changes import Changes

        changes = Changes(request.changed_since)
    config_of = ConfigLookup(load_config(request.config) if request.config is not None else None)
    snapshot = Snapshot(request.documents)
    options = replace(request.options, thorough=request.fix, use_baseline=request.write_baseline is None)

    if not request.fix:
        found = run(request.paths, snapshot, config_of, options, tick=tick, judging=judging, changes=changes)
        return _outcome(request, found)
    from benchlint.analysis.fixing import fix
    from benchlint.analysis.kept import Kept
    from benchlint.analysis.writing import write_changes

    kept = Kept()

    def check(texts: Snapshot) -> Result:
        return run(request.paths, texts, config_of, options, kept=kept, tick=tick, judging=judging, changes=changes)

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


def scores_of(outcome: Outcome) -> ScoreReport:
    """Return the numbers of the benchmarks of a run."""
    from benchlint.analysis.judging import Heard
    from benchlint.analysis.scores import score
    from benchlint.config_schema import ThresholdConfig
    from benchlint.reports.scores import ScoreReport

    found = []
    for benchmark in outcome.result.benchmarks:
        heard = outcome.judging.heard.get(benchmark.name, Heard())
        found.append(
            score(
                benchmark,
                outcome.result.findings,
                heard.answers,
                heard.offline,
                panel=heard.panel,
                threshold=heard.challengers or ThresholdConfig().challengers,
                show=shown_path,
            )
        )
    return ScoreReport(tuple(found), outcome.report)


def coverage_of(outcome: Outcome) -> list[Coverage]:
    """Return which policy items the tasks of a run challenge, for each benchmark with a policy."""
    from benchlint.guards.challenges import challenges
    from benchlint.reports.coverage import Coverage

    found = []
    for benchmark, scores in zip(outcome.result.benchmarks, scores_of(outcome).benchmarks, strict=True):
        if benchmark.policy is not None:
            kinds = {item.id: item.kind for item in benchmark.policy.items}
            found.append(Coverage(scores, challenges(benchmark), kinds))
    return found


def shown_request(
    paths: Sequence[str], task: str, config: str | None = None, metric: str | None = None
) -> list[tuple[str, str]]:
    """Return what judges would be sent for a task: a title and a text for each message.

    Raises JudgeError where there is no such task, and what `lint` raises.
    """
    from benchlint.analysis.keeping import hearings
    from benchlint.judges.errors import JudgeError

    shown: list[tuple[str, str]] = []
    known: list[str] = []
    for benchmark, hearing in hearings(paths, config):
        known += [item.id for item in benchmark.tasks]
        found = [item for item in benchmark.tasks if item.id == task]
        for asked in hearing.requests(benchmark, found) if found else ():
            request = asked.request
            if metric in (None, request.metric):
                title = f"{benchmark.name}, {request.metric}"
                shown += [(f"{title}: system", request.prefix), (f"{title}: user", request.body)]
    if task not in known:
        from rapidfuzz import fuzz, process

        near = process.extractOne(task, known, scorer=fuzz.ratio, score_cutoff=60)
        meant = f': did you mean "{near[0]}"?' if near else ""
        raise JudgeError(f'there is no task "{task}"{meant}')
    if not shown:
        raise JudgeError(f'nothing would be sent for task "{task}": see share and metrics under [judge]')
    return shown


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

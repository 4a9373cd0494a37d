"""The numbers of benchmarks for a pull request: what matters first, the tables folded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchlint.reports import scores as view
from benchlint.reports.markdown import clipped, escape, folded, more, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.judges.metrics import BenchmarkScores, ItemRow, Measure, Scores, TaskRow
    from benchlint.judges.protocol import Metric
    from benchlint.reports.formats import Options
    from benchlint.reports.report import Row
    from benchlint.reports.scores import Kind, ScoreReport

_MOST: Final = 120
_FEWEST: Final = 20
"""How many rows the tables of all benchmarks may have, and that of each may have: a code host cuts long comments."""
_ABSENT: Final = "–"


def render(report: ScoreReport, options: Options) -> str:
    """Write a part for each benchmark, then notes and problems."""
    most = max(_FEWEST, _MOST // max(1, len(report.benchmarks)))
    parts = [part for benchmark in report.benchmarks for part in _benchmark(benchmark, report, most)]
    elsewhere = report.elsewhere()
    if elsewhere:
        parts.append(folded(f"Further findings: {len(elsewhere)}", _findings(elsewhere, most)))
    if not report.benchmarks:
        parts.append("Nothing to report: no benchmark was found.\n")
    if not options.quiet:
        told = [f"- note: {escape(note)}\n" for note in report.lint.notes]
        told += [f"- **problem**: {escape(problem)}\n" for problem in report.lint.problems]
        parts += ["".join(told)] if told else []
    return "\n".join(parts)


def _benchmark(benchmark: BenchmarkScores, report: ScoreReport, most: int) -> Iterator[str]:
    findings = report.findings(benchmark.name)
    yield f"## {escape(benchmark.name)}\n"
    counts = view.severities(view.by_severity(row for rows in findings.values() for row in rows))
    yield f"{view.summary(benchmark)}. Findings: {counts or 'none'}.\n"
    yield _numbers(benchmark)
    lines = [*view.agreements(benchmark), *view.reasons(benchmark)]
    if lines:
        yield "".join(f"- {clipped(line, 240)}\n" for line in lines)
    found = view.charts(benchmark)
    if found:
        yield folded("Distributions", "\n\n".join(f"```text\n{view.draw(chart)}\n```" for chart in found))
    yield folded("Tasks, worst first", _tasks(benchmark, findings, most))
    if benchmark.items:
        yield folded(f"Policy items: {view.challenge_summary(benchmark)}", _items(benchmark, most))
    if None in findings:
        yield folded(f"Findings of no task: {len(findings[None])}", _findings(findings[None], most))


def _numbers(benchmark: BenchmarkScores) -> str:
    """Write a row a number and a column a reader."""
    readers = {"judged": benchmark.judged}
    if len(benchmark.judges) > 1:
        readers |= {clipped(judge, 60): scores for judge, scores in benchmark.judges.items()}
    if benchmark.offline is not None:
        readers["offline reader"] = benchmark.offline
    rows = []

    def number(scores: Scores, kind: Kind) -> str:
        return _number(view.measure(scores, kind), view.AT_LEAST if scores is benchmark.offline else "")

    for kind in view.KINDS:
        label = f"{kind.label}, K = {benchmark.threshold}" if kind.field == "coverage" else kind.label
        rows.append([f"{label} (`{kind.symbol}`)", *(number(item, kind) for item in readers.values())])
    return table(["", *readers], rows)


def _number(found: Measure, least: str) -> str:
    if found.value is None:
        return view.NO_VERDICT
    return f"{least}**{found.value:.2f}**{view.interval(found, ' ({} to {})')}<br>{view.extent(found)}"


def _tasks(benchmark: BenchmarkScores, findings: dict[str | None, list[Row]], most: int) -> str:
    judges = list(benchmark.judges)
    offline = benchmark.offline is not None
    titles = ["task", "description", "policy", "violations", *(["offline"] if offline else []), "findings"]
    rows = [
        [
            clipped(row.id),
            *(_points(row, metric, judges) for metric in view.ALIGNMENTS),
            _count(row.violations),
            *([_count(row.offline)] if offline else []),
            _worst(row, findings.get(row.id, [])),
        ]
        for row in benchmark.tasks[:most]
    ]
    each = f"\nIn brackets, in this order: {escape(', '.join(judges))}.\n" if len(judges) > 1 else ""
    return table(titles, rows) + more(len(benchmark.tasks), most, "task") + each


def _points(row: TaskRow, metric: Metric, judges: Sequence[str]) -> str:
    if metric not in row.scores:
        return _ABSENT
    each = f" ({view.per_judge(row, metric, judges)})" if len(judges) > 1 else ""
    return f"{view.points(row.scores[metric])}{each}"


def _count(ids: tuple[str, ...] | None) -> str:
    return str(len(ids)) if ids is not None else _ABSENT


def _worst(row: TaskRow, rows: Sequence[Row]) -> str:
    rules = dict.fromkeys(escape(item.finding.rule) for item in rows)
    return f"{view.severities(row.findings)}: {', '.join(rules)}" if rules else ""


def _items(benchmark: BenchmarkScores, most: int) -> str:
    offline = benchmark.offline is not None
    titles = ["challenged", "judged", *(["offline"] if offline else []), "tasks", "policy item"]
    # Those that nobody challenges come first: they are what there is to do.
    order = sorted(benchmark.items, key=lambda item: len(view.known(item) or ()))
    rows = [_item(item, benchmark.threshold, offline=offline) for item in order[:most]]
    return table(titles, rows) + more(len(benchmark.items), most, "policy item")


def _item(item: ItemRow, threshold: int, *, offline: bool) -> list[str]:
    tasks = view.known(item)
    return [
        view.CHALLENGED[view.challenge(tasks, threshold)],
        _count(item.tasks),
        *([_count(item.offline)] if offline else []),
        clipped(", ".join(tasks or ()), 60),
        clipped(item.text),
    ]


def _findings(rows: Sequence[Row], most: int) -> str:
    lines = []
    for row in rows[:most]:
        finding, place = row.finding, row.place
        at = f"{escape(place.path)}:{place.start_line}:{place.start_column}"
        lines.append(f"- {at} {finding.severity.label} {escape(finding.rule)}: {clipped(finding.message, 240)}\n")
    return "".join(lines) + more(len(rows), most, "finding")

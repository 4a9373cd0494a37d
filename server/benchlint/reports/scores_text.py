"""The numbers of benchmarks for reading at a terminal."""

from __future__ import annotations

from itertools import groupby, zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from benchlint.reports import scores as view
from benchlint.reports import text
from benchlint.reports.columns import Column, cut, table
from benchlint.reports.visible import cells, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchlint.judges.metrics import BenchmarkScores, ItemRow, Measure, TaskRow
    from benchlint.judges.protocol import Metric
    from benchlint.reports.formats import Options
    from benchlint.reports.report import Row
    from benchlint.reports.scores import Chart, ScoreReport
    from benchlint.reports.text import Paint

_GAP: Final = "  "
_LEAST: Final = 24
"""The fewest cells that are left to a name."""
_ID_CELLS: Final = 28
_HEAD: Final = "bold"
_DIM: Final = "dim"
_ABSENT: Final = "-"


def render(report: ScoreReport, options: Options) -> str:
    """Write a part for each benchmark, then notes and problems."""
    paint = text.painter(options.color)
    parts = ["\n\n".join(_benchmark(benchmark, report, options, paint)) for benchmark in report.benchmarks]
    elsewhere = report.elsewhere()
    if elsewhere:
        parts.append("\n".join([paint(_HEAD, "Further findings"), *_findings(elsewhere, options.width)]))
    if not report.benchmarks:
        parts.append("Nothing to report: no benchmark was found.")
    if not options.quiet:
        told = text.notes(report.lint, options) + (text.problems(report.lint, options) if options.problems else "")
        parts += [told.rstrip("\n")] if told else []
    return "\n\n\n".join(parts) + "\n"


def _benchmark(benchmark: BenchmarkScores, report: ScoreReport, options: Options, paint: Paint) -> Iterator[str]:
    summary = view.summary(benchmark)
    room = max(_LEAST, options.width - len(summary) - 2)
    yield f"{paint(_HEAD, cut(visible(benchmark.name), room))}: {summary}"
    yield "\n".join(_numbers(benchmark, options.width, paint))
    found = view.charts(benchmark)
    if found:
        yield "\n\n".join("\n".join(_side_by_side(found[index : index + 2])) for index in range(0, len(found), 2))
    findings = report.findings(benchmark.name)
    yield "\n".join(_tasks(benchmark, findings, options.width, paint))
    if benchmark.items:
        yield "\n".join(_items(benchmark, options.width, paint))
    if None in findings:
        yield "\n".join([paint(_HEAD, "Findings of no task"), *_findings(findings[None], options.width)])


def _numbers(benchmark: BenchmarkScores, width: int, paint: Paint) -> Iterator[str]:
    """Write the four numbers: of the judges together, of each where there are several, of the offline reader."""
    readers = [("judged", benchmark.judged)]
    if len(benchmark.judges) > 1:
        readers += [(f"  {cut(visible(judge), _ID_CELLS)}", scores) for judge, scores in benchmark.judges.items()]
    if benchmark.offline is not None:
        readers.append(("offline reader", benchmark.offline))
    rows = []
    for kind in view.KINDS:
        label = f"{kind.label}, K = {benchmark.threshold}" if kind.field == "coverage" else kind.label
        for index, (reader, scores) in enumerate(readers):
            found = view.measure(scores, kind)
            if index and found.value is None:
                continue
            least = view.AT_LEAST if scores is benchmark.offline and found.value is not None else ""
            rows.append([label if not index else "", reader, least + view.shown(found), _extent(found)])
    columns = [Column(title) for title in ("", "", "95% interval in brackets", "with a verdict")]
    yield from table(columns, rows, paint)
    for line in (*view.agreements(benchmark), *view.reasons(benchmark)):
        yield from wrap(visible(line), max(width, _LEAST), subsequent_indent=_GAP)


def _extent(found: Measure) -> str:
    return view.extent(found) if found.value is not None else ""


def _side_by_side(found: Sequence[Chart]) -> Iterator[str]:
    drawn = [view.draw(chart).split("\n") for chart in found]
    width = max(cells(line) for line in drawn[0])
    for left, right in zip_longest(drawn[0], drawn[1] if len(drawn) > 1 else (), fillvalue=""):
        yield f"{left}{' ' * (width - cells(left))}{_GAP * 2}{right}".rstrip()


def _tasks(
    benchmark: BenchmarkScores, findings: dict[str | None, list[Row]], width: int, paint: Paint
) -> Iterator[str]:
    """Write a line a task, the worst first."""
    offline = benchmark.offline is not None
    judges = list(benchmark.judges)
    columns = [Column("task"), *(Column(title, ">") for title in ("description", "policy", "violations"))]
    columns += [Column("offline", ">")] if offline else []
    columns += [Column("findings")]
    rows = []
    for row in benchmark.tasks:
        counts = [row.violations, *([row.offline] if offline else [])]
        rows.append(
            [
                cut(visible(row.id), min(_ID_CELLS, width // 5)),
                *(_points(row, metric, judges) for metric in view.ALIGNMENTS),
                *(str(len(ids)) if ids is not None else _ABSENT for ids in counts),
                _worst(row, findings.get(row.id, [])),
            ]
        )
    yield from table(columns, rows, paint, width)
    if len(judges) > 1:
        yield from wrap(f"In brackets, in this order: {visible(', '.join(judges))}.", max(width, _LEAST))


def _points(row: TaskRow, metric: Metric, judges: Sequence[str]) -> str:
    score = row.scores.get(metric)
    if score is None:
        return _ABSENT
    each = f" ({view.per_judge(row, metric, judges)})" if len(judges) > 1 else ""
    return f"{view.points(score)}{each}"


def _worst(row: TaskRow, rows: Sequence[Row]) -> str:
    """Count a task's findings and name their rules, the worst first."""
    rules = dict.fromkeys(visible(item.finding.rule) for item in rows)
    return f"{view.severities(row.findings)}: {', '.join(rules)}" if rules else ""


def _items(benchmark: BenchmarkScores, width: int, paint: Paint) -> Iterator[str]:
    """Write a line a policy item, under its headings."""
    head, *rest = wrap(f"Policy items: {view.challenge_summary(benchmark)}", max(width, _LEAST))
    yield from (head.replace("Policy items", paint(_HEAD, "Policy items"), 1), *rest)
    offline = benchmark.offline is not None
    columns = [Column("challenged"), Column("judged", ">"), *([Column("offline", ">")] if offline else [])]
    columns += [Column("tasks"), Column("policy item")]
    lines = table(
        columns, [_item(item, benchmark.threshold, offline=offline) for item in benchmark.items], paint, width
    )
    yield next(lines)
    for headings, group in groupby(zip(benchmark.items, lines, strict=True), key=lambda pair: pair[0].headings):
        yield paint(_DIM, cut(visible(" > ".join(headings)), width))
        yield from (line for _, line in group)


def _item(item: ItemRow, threshold: int, *, offline: bool) -> list[str]:
    tasks = view.known(item)
    counts = [item.tasks, *([item.offline] if offline else [])]
    return [
        view.CHALLENGED[view.challenge(tasks, threshold)],
        *(str(len(ids)) if ids is not None else _ABSENT for ids in counts),
        cut(", ".join(map(visible, tasks or ())), _ID_CELLS),
        visible(item.text),
    ]


def _findings(rows: Iterable[Row], width: int) -> Iterator[str]:
    for row in rows:
        finding, place = row.finding, row.place
        at = f"{visible(place.path)}:{place.start_line}:{place.start_column}"
        yield cut(f"{at} {finding.severity.label} {visible(finding.rule)}: {visible(finding.message)}", width)

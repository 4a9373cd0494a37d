"""The report of what is linted, with what judges have said so far, as the page of `benchlint report --format html`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from benchlint.analysis.bench import Bench
    from benchlint.analysis.run import Result
    from benchlint.judges.metrics import BenchmarkScores
    from benchlint.reports.report import Row


def page(results: Iterable[Result], benches: Iterable[Bench]) -> str:
    """Return the page, "" where there is no benchmark. Verdicts of earlier texts count until there are newer ones."""
    from benchlint.api import report_of
    from benchlint.reports import scores
    from benchlint.reports.formats import Options
    from benchlint.reports.report import Report

    by_name = {bench.benchmark.name: bench for bench in benches}
    found: list[BenchmarkScores] = []
    reports = []
    for result in results:
        found += _scores(result, by_name)
        reports.append(report_of(result))
    if not found:
        return ""
    lint = Report(
        rows=tuple(_shown(row) for report in reports for row in report.rows),
        notes=tuple(dict.fromkeys(note for report in reports for note in report.notes)),
        problems=tuple(dict.fromkeys(problem for report in reports for problem in report.problems)),
    )
    return scores.render(scores.ScoreReport(tuple(found), lint), "html", Options())


def _scores(result: Result, benches: Mapping[str, Bench]) -> Iterator[BenchmarkScores]:
    from benchlint.analysis.scores import score
    from benchlint.api import shown_path
    from benchlint.config_schema import ThresholdConfig

    for benchmark in result.benchmarks:
        bench = benches.get(benchmark.name)
        answers, panel = _said(bench) if bench is not None else ({}, {})
        heard = bench.heard if bench is not None else None
        scores = score(
            benchmark,
            result.findings,
            answers,
            heard.offline if heard is not None else None,
            panel=panel,
            threshold=(heard.challengers if heard is not None else None) or ThresholdConfig().challengers,
            show=shown_path,
        )
        yield replace(scores, name=shown_path(scores.name))


def _shown(row: Row) -> Row:
    """Return a row with its benchmark's name as a report shows it: a server's are whole paths."""
    from msgspec.structs import replace

    from benchlint.api import shown_path

    finding = row.finding
    return replace(row, finding=replace(finding, benchmark=shown_path(finding.benchmark))) if finding.benchmark else row


def _said(bench: Bench) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Return the verdicts of single judges and those of a panel, by task id and metric."""
    from benchlint.analysis.standing import text_key
    from benchlint.judges.panel import PanelVerdict

    answers: dict[Any, Any] = {}
    panel: dict[Any, Any] = {}
    for task in bench.benchmark.tasks:
        for metric, answer in bench.answers.get(text_key(task), {}).items():
            if isinstance(answer, PanelVerdict):
                panel.setdefault((task.id, metric), answer)
            else:
                answers.setdefault((task.id, metric), [(answer.judge, answer)])
    return answers, panel

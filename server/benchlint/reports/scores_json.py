"""The numbers of benchmarks as one JSON object, in ASCII; `docs/output.md` describes it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from benchlint import __version__
from benchlint.catalogue.fingerprint import fingerprint, numbered
from benchlint.reports.json_report import dump, finding_object, run_object

if TYPE_CHECKING:
    from benchlint.judges.metrics import BenchmarkScores, ItemRow, TaskRow
    from benchlint.reports.formats import Options
    from benchlint.reports.scores import ScoreReport


def render(report: ScoreReport, options: Options) -> str:
    """Write the whole report as one object."""
    rows = report.lint.rows
    prints = numbered(fingerprint(row.finding, row.place.path) for row in rows)
    return (
        dump(
            {
                "version": __version__,
                "benchmarks": [_benchmark(benchmark) for benchmark in report.benchmarks],
                "findings": [
                    {"fingerprint": unique, **finding_object(row)} for row, unique in zip(rows, prints, strict=True)
                ],
                **run_object(report.lint),
            },
            indent=2,
        )
        + "\n"
    )


def _benchmark(benchmark: BenchmarkScores) -> dict[str, Any]:
    return {
        "name": benchmark.name,
        "items_reviewed": benchmark.reviewed,
        "threshold": benchmark.threshold,
        "judged": asdict(benchmark.judged),
        "offline": asdict(benchmark.offline) if benchmark.offline is not None else None,
        "judges": {judge: asdict(scores) for judge, scores in benchmark.judges.items()},
        "agreement": {metric: asdict(found) for metric, found in benchmark.agreement.items()},
        "tasks": [_task(row) for row in benchmark.tasks],
        "policy_items": [_item(row) for row in benchmark.items],
    }


def _task(row: TaskRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "path": row.path,
        "line": row.line,
        "scores": dict(row.scores),
        "by_judge": {metric: dict(scores) for metric, scores in row.by_judge.items()},
        "violations": _list(row.violations),
        "offline_violations": _list(row.offline),
        "missing": dict(row.missing),
        "findings": {level.label: count for level, count in sorted(row.findings.items(), reverse=True)},
    }


def _item(row: ItemRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "text": row.text,
        "headings": list(row.headings),
        "context": row.context,
        "tasks": _list(row.tasks),
        "offline_tasks": _list(row.offline),
    }


def _list(ids: tuple[str, ...] | None) -> list[str] | None:
    return list(ids) if ids is not None else None

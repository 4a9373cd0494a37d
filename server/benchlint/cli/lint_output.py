"""Where the outcome of `benchlint lint` goes: standard output, a file, standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchlint.api import shown_path
from benchlint.cli.terminal import tell, width, write, write_bytes
from benchlint.reports import formats
from benchlint.reports import statistics as counts

if TYPE_CHECKING:
    from benchlint.api import Outcome, Request
    from benchlint.benchmark.model import Benchmark

_READ = ("text", "concise")
"""The formats that are read at a terminal."""


def show(
    outcome: Outcome,
    request: Request,
    *,
    form: str,
    output: str | None,
    statistics: bool,
    color: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Write what was found, or the changes that fixes would make.

    Where a text from standard input was fixed, it goes to standard output
    and the report to standard error.
    """
    if verbose:
        for benchmark in outcome.result.benchmarks:
            tell(_description(benchmark, outcome.result.configs.get(benchmark.name)))
            if benchmark.items is not None:
                from benchlint.guards.guard_set import abstentions

                for line in abstentions(benchmark):
                    tell(line)
    text = "" if request.preview else _report(outcome, form, statistics=statistics, color=color, quiet=quiet)
    if output is not None:
        from benchlint.analysis.writing import replace_file

        replace_file(output, _diff(outcome) if request.preview else text.encode())
    elif request.preview:
        write_bytes(_diff(outcome))
    elif request.fix and request.documents:
        write(text, err=True)
        for document in request.documents:
            write_bytes(outcome.result.documents.get(document.path, document).data)
    else:
        write(text)
    if form in _READ or request.preview:
        for problem in outcome.report.problems:
            tell(problem)
    for line in (*(() if quiet else (*outcome.told, *_done(outcome, request))), *outcome.judging.lack):
        tell(line)


def _report(outcome: Outcome, form: str, *, statistics: bool, color: bool, quiet: bool) -> str:
    options = formats.Options(
        rules=outcome.result.rules,
        fail_on=outcome.result.fail_on,
        color=color,
        width=width(),
        concise=form == "concise",
        quiet=quiet,
        problems=form not in _READ,
    )
    if statistics:
        return counts.render(outcome.report, options)
    return formats.render(outcome.report, "text" if form in _READ else form, options)


def _diff(outcome: Outcome) -> bytes:
    from benchlint.text.diff import unified

    return b"".join(unified(shown_path(path), old.data, new.data) for path, (old, new) in outcome.changed.items())


def _done(outcome: Outcome, request: Request) -> list[str]:
    """Say what was written, and what could not be fixed."""
    lines = []
    if request.preview:
        lines.append(f"{_number(outcome.fixed, 'fix')} in {_number(len(outcome.changed), 'file')}; nothing was written")
    if outcome.known is not None:
        lines.append(f"{request.write_baseline} was written; it knows {_number(outcome.known, 'finding')}")
    for row, reason in outcome.refused:
        place = f"{row.place.path}:{row.place.start_line}:{row.place.start_column}"
        lines.append(f"{place} {row.finding.rule} was not fixed: {reason}")
    return lines


def _number(count: int, noun: str) -> str:
    plural = "es" if noun.endswith("x") else "s"
    return f"{count} {noun}{'' if count == 1 else plural}"


def _description(benchmark: Benchmark, config: str | None) -> str:
    layout = benchmark.layout
    parts = [f"format {benchmark.format or 'unknown'}", _number(len(benchmark.tasks), "task")]
    named = {
        "policy": layout.policy,
        "tools": layout.tools,
        "database": layout.database,
        "splits": (layout.splits,) if layout.splits else (),
        **({"items": layout.items} if layout.items else {}),
        "configuration": (config,) if config else (),
    }
    parts += [f"{name} {' '.join(paths) or 'none'}" for name, paths in named.items()]
    return f"{benchmark.name}: {', '.join(parts)}"

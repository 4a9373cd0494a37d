"""Findings for reading at a terminal.

    tasks.json:41:34 error unknown-tool: there is no tool get_ordr_details
       | task "12" /evaluation_criteria/actions/1/name
    41 |                     "name": "get_ordr_details",
       |                              ^^^^^^^^^^^^^^^^
       = related: tools.json:3:18 the tools of the domain
       = fix: Use get_order_details

The first line of a finding is the whole of it where `concise` is on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchlint.catalogue.finding import Severity
from benchlint.reports.excerpt import window
from benchlint.reports.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchlint.reports.formats import Options
    from benchlint.reports.report import Place, Report, Row, Summary

    Paint = Callable[[str, str], str]
    """Takes a style and a text, returns the text in that style."""

SEVERITY_STYLES: Final = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "bold yellow",
    Severity.INFORMATION: "bold blue",
    Severity.HINT: "bold cyan",
}
_PATH = "bold"
_RULE = "bold"
_GUTTER = "blue"
_DIM = "dim"
_GOOD = "bold green"


def render(report: Report, options: Options) -> str:
    """Write findings, then notes, problems and the summary; with `quiet`, findings alone."""
    parts = [findings(report, options), "" if options.quiet else run(report, options)]
    return _spaced(parts, options)


def findings(report: Report, options: Options) -> str:
    """Write the findings alone."""
    paint = painter(options.color)
    if options.concise:
        return "".join(f"{_headline(row, paint, concise=True)}\n" for row in report.rows)
    return "\n".join("".join(f"{line}\n" for line in _block(row, paint, options.width)) for row in report.rows)


def run(report: Report, options: Options) -> str:
    """Write what is told of the run as a whole: notes, problems and the summary."""
    told = notes(report, options) + (problems(report, options) if options.problems else "")
    return _spaced([told, summary(report, options)], options)


def notes(report: Report, options: Options) -> str:
    """Write what the run could not check, one line each."""
    paint = painter(options.color)
    return "".join(f"{paint('bold cyan', 'note')}: {visible(note)}\n" for note in report.notes)


def problems(report: Report, options: Options) -> str:
    """Write which inputs could not be read, one line each."""
    paint = painter(options.color)
    return "".join(f"{paint('bold red', 'problem')}: {visible(problem)}\n" for problem in report.problems)


def summary(report: Report, options: Options) -> str:
    """Write the closing lines: what was found in how much, and what to do about it."""
    paint = painter(options.color)
    counts = report.summary
    lines = []
    if counts.fixed:
        lines.append(f"Fixed {_number(counts.fixed, 'finding')}.")
    if report.rows:
        lines.append(f"Found {_severities(counts)} in {_extent(counts)}.")
    elif report.problems:
        lines.append(f"Nothing found in {_extent(counts)}; {_number(len(report.problems), 'input')} could not be read.")
    elif not counts.files:
        lines.append("Nothing to check: no benchmark was found.")
    elif counts.missing_verdicts:
        lines.append(f"Nothing found in {_extent(counts)}.")
    else:
        lines.append(f"{paint(_GOOD, 'All clean')}: {_extent(counts)}.")
    unsafe = sum(bool(row.finding.fixes) and not row.finding.fixes[0].safe for row in report.rows)
    fixes = [f"{counts.fixable} fixable with --fix"] if counts.fixable else []
    if unsafe:
        fixes.append(f"{unsafe} {'more ' if fixes else 'fixable '}with --unsafe-fixes")
    if counts.missing_verdicts:
        wanted = "wanted verdict is" if counts.missing_verdicts == 1 else "wanted verdicts are"
        lines.append(f"{counts.missing_verdicts:,} {wanted} missing: what judges would find there is not known.")
    hidden = [f"{counts.suppressed} suppressed"] if counts.suppressed else []
    hidden += [f"{counts.baselined} in the baseline"] if counts.baselined else []
    lines += [f"{', '.join(line)}." for line in (fixes, hidden) if line]
    return "".join(f"{line}\n" for line in lines)


def painter(color: bool) -> Paint:
    """Return what puts a text into a style: nothing without colour."""
    if not color:
        return lambda _style, text: text
    from rich.color import ColorSystem
    from rich.style import Style

    return lambda style, text: Style.parse(style).render(text, color_system=ColorSystem.STANDARD)


def _spaced(parts: list[str], options: Options) -> str:
    return ("" if options.concise else "\n").join(part for part in parts if part)


def _position(place: Place) -> str:
    return f"{visible(place.path)}:{place.start_line}:{place.start_column}"


def _headline(row: Row, paint: Paint, *, concise: bool = False) -> str:
    finding = row.finding
    severity = paint(SEVERITY_STYLES[finding.severity], finding.severity.label)
    line = f"{paint(_PATH, _position(row.place))} {severity} {paint(_RULE, visible(finding.rule))}"
    if concise and finding.fixes and finding.fixes[0].safe:
        line += f" {paint(_GOOD, '[*]')}"
    line += f": {visible(finding.message)}"
    if concise and finding.task is not None:
        line += f" ({_task(finding.task)})"
    return line


def _task(task: str) -> str:
    return f'task "{visible(task)}"'


def _block(row: Row, paint: Paint, width: int) -> Iterator[str]:
    finding, place = row.finding, row.place
    more = place.end_line - place.start_line
    number = str(place.start_line)
    margin = max(len(number), 3 if more and row.excerpt else 1)
    empty = " " * margin

    def line(head: str, mark: str, text: str = "") -> str:
        return f"{paint(_GUTTER, f'{head:>{margin}} {mark}')} {text}".rstrip()

    yield _headline(row, paint)
    context = [_task(finding.task)] if finding.task is not None else []
    if finding.pointer:
        context.append(visible(finding.pointer))
    if context or row.excerpt:
        yield line(empty, "|", paint(_DIM, " ".join(context)) if context else "")
    if row.excerpt:
        first = row.excerpt[0]
        start = place.start_column - row.excerpt_column
        end = len(first) if more else place.end_column - row.excerpt_column
        shown = window(first, start, end, width - margin - 3)
        yield line(number, "|", shown.line)
        yield line(empty, "|", paint(SEVERITY_STYLES[finding.severity], shown.carets))
        if more:
            yield line("...", "|", paint(_DIM, f"{_number(more, 'more line')}, to line {place.end_line}"))
    for message, other in row.related:
        yield line(empty, "=", f"{paint(_RULE, 'related')}: {_position(other)} {visible(message)}")
    if finding.policy_items:
        yield line(empty, "=", f"{paint(_RULE, 'policy')}: {visible(', '.join(finding.policy_items))}")
    for fix in finding.fixes[:1]:
        label, flag = ("fix", "") if fix.safe else ("unsafe fix", " (--unsafe-fixes)")
        yield line(empty, "=", f"{paint(_GOOD, label)}: {visible(fix.title)}{flag}")


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _severities(counts: Summary) -> str:
    names = {
        Severity.ERROR: "error",
        Severity.WARNING: "warning",
        Severity.INFORMATION: "informational finding",
        Severity.HINT: "hint",
    }
    return ", ".join(
        _number(counts.by_severity[level], name) for level, name in names.items() if counts.by_severity.get(level)
    )


def _extent(counts: Summary) -> str:
    return f"{_number(counts.files, 'file')} ({_number(counts.tasks, 'task')})"

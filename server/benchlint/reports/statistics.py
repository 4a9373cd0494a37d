"""How often each rule was found, the most frequent first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchlint.reports import text
from benchlint.reports.visible import visible

if TYPE_CHECKING:
    from benchlint.catalogue.finding import Severity
    from benchlint.reports.formats import Options
    from benchlint.reports.report import Report


def render(report: Report, options: Options) -> str:
    """Write a line for each rule and severity: count, rule, severity and fixability.

    `[*]` marks a rule whose findings all have a safe fix, `[-]` one where some
    have. Lines are sorted by count, then by severity and name. Notes, problems
    and the summary follow as in text, `quiet` leaves them out.
    """
    counts: dict[tuple[str, Severity], list[bool]] = {}
    for row in report.rows:
        finding = row.finding
        counts.setdefault((visible(finding.rule), finding.severity), []).append(
            bool(finding.fixes) and finding.fixes[0].safe
        )
    order = sorted(counts.items(), key=lambda item: (-len(item[1]), -item[0][1], item[0][0]))
    paint = text.painter(options.color)
    digits = max((len(str(len(fixable))) for fixable in counts.values()), default=0)
    longest = max((len(rule) for rule, _ in counts), default=0)
    marked = any(any(fixable) for fixable in counts.values())
    lines = []
    for (rule, severity), fixable in order:
        mark = "[*] " if all(fixable) else "[-] " if any(fixable) else "    "
        level = paint(text.SEVERITY_STYLES[severity], severity.label)
        lines.append(f"{len(fixable):>{digits}}  {mark if marked else ''}{rule:<{longest}}  {level}\n")
    parts = ["".join(lines), "" if options.quiet else text.run(report, options)]
    return "\n".join(part for part in parts if part)

"""Findings as JUnit XML: a suite a file, a case a finding.

A finding fails its case from `fail_on` upwards; a lesser one passes and
stands in the case's output. A run without findings is one case that passes.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

from benchlint.reports.visible import visible

if TYPE_CHECKING:
    from benchlint.catalogue.finding import Finding
    from benchlint.reports.formats import Options
    from benchlint.reports.report import Report, Row


def render(report: Report, options: Options) -> str:
    """Write one document in ASCII; characters that XML does not allow become escapes."""
    root = ET.Element("testsuites", name="benchlint")
    files: dict[str, list[Row]] = {}
    for row in report.rows:
        files.setdefault(row.place.path, []).append(row)
    for path, rows in files.items():
        suite = ET.SubElement(root, "testsuite", name=visible(path))
        for row in rows:
            _add_finding(suite, row, options)
    if report.problems or report.notes or report.summary.missing_verdicts or not files:
        suite = ET.SubElement(root, "testsuite", name="benchlint")
        for problem in report.problems:
            case = ET.SubElement(suite, "testcase", name="readable input", classname="benchlint")
            ET.SubElement(case, "error", type="problem", message=visible(problem))
        if report.summary.missing_verdicts:
            case = ET.SubElement(suite, "testcase", name="wanted verdicts", classname="benchlint")
            ET.SubElement(case, "skipped", message=f"{report.summary.missing_verdicts} are missing")
        for note in report.notes:
            _pass(ET.SubElement(suite, "testcase", name="note", classname="benchlint"), visible(note))
        if not files and not report.problems and not report.summary.missing_verdicts:
            ET.SubElement(suite, "testcase", name="no findings", classname="benchlint")
    for suite in (*root, root):
        for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            suite.set(name, str(sum(1 for _ in suite.iter(tag))))
    ET.indent(root)
    body = ET.tostring(root, encoding="us-ascii", xml_declaration=False).decode("ascii")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _add_finding(suite: ET.Element, row: Row, options: Options) -> None:
    finding, place = row.finding, row.place
    path = visible(place.path)
    case = ET.SubElement(suite, "testcase", name=_name(finding), classname=path, file=path, line=str(place.start_line))
    message, level = visible(finding.message), finding.severity.label
    position = f"{path}:{place.start_line}:{place.start_column}"
    lines = [f"{position} {level} {visible(finding.rule)}: {message}"]
    rule = options.rules.get(finding.rule)
    if rule is not None:
        lines.append(visible(" ".join(rule.summary.split())))
    if options.fail_on is None or finding.severity < options.fail_on:
        _pass(case, "\n".join(lines))
        return
    ET.SubElement(case, "failure", type=level, message=message).text = "\n".join(lines)


def _name(finding: Finding) -> str:
    """Return what tells a case from the others of its file, without lines, so that it lasts."""
    task = f'task "{finding.task}" ' if finding.task is not None else ""
    place = f"{task}{finding.pointer}".strip()
    return visible(f"{finding.rule}: {place}" if place else finding.rule)


def _pass(case: ET.Element, output: str) -> None:
    ET.SubElement(case, "system-out").text = output

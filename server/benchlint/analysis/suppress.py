"""Findings without those that are suppressed, and with the suppressions that hide nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchlint.analysis.suppressions import LASTING, UNUSED, collect

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from benchlint.analysis.suppressions import Scope, Suppression
    from benchlint.catalogue.finding import Finding
    from benchlint.catalogue.rule import Rule
    from benchlint.text.document import Document


def suppress(
    findings: Iterable[Finding],
    scope: Scope,
    documents: Mapping[str, Document],
    rules: Mapping[str, Rule],
    *,
    report_unused: bool = True,
) -> tuple[list[Finding], int]:
    """Return the findings that are left, and how many were suppressed.

    Suppressions that hide nothing are among the findings that are left.
    `documents` are the files in which comments are looked for.
    """
    suppressions = collect(scope, documents, rules)
    kept, hidden = _filter(findings, suppressions)
    if report_unused:
        unused = [item.finding(rules[UNUSED]) for item in suppressions if UNUSED not in item.rules]
        left, more = _filter((item for item in unused if item is not None), suppressions)
        own = [item.finding(rules[UNUSED]) for item in suppressions if UNUSED in item.rules]
        kept += left
        kept += [item for item in own if item is not None]
        hidden += more
    return kept, hidden


def _filter(findings: Iterable[Finding], suppressions: list[Suppression]) -> tuple[list[Finding], int]:
    by_rule: dict[str, list[Suppression]] = {}
    for item in suppressions:
        for rule in item.rules - LASTING:
            by_rule.setdefault(rule, []).append(item)
    kept = []
    hidden = 0
    for finding in findings:
        hiding = [item for item in by_rule.get(finding.rule, ()) if item.hides(finding)]
        for item in hiding:
            item.used = True
        if hiding:
            hidden += 1
        else:
            kept.append(finding)
    return kept, hidden

"""The rules of the catalogue, for reading."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from benchlint.catalogue.rule import by_alias
from benchlint.catalogue.selection import groups, named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchlint.catalogue.rule import Rule

_GAP = "  "
_LEAST = 20
"""The fewest cells that are left to a summary."""


def render_text(rules: Mapping[str, Rule], width: int) -> str:
    """Write a table: name, severity, what finds it, fix, summary; groups are headed by their names."""
    columns = [_cells(rule) for rule in rules.values()]
    widths = [max((len(row[index]) for row in columns), default=0) for index in range(4)]
    room = max(_LEAST, width - sum(widths) - len(_GAP) * len(widths))
    parts = []
    for group, members in groups(rules).items():
        lines = [f"{group}\n"]
        for rule in members:
            cells = _GAP.join(f"{cell:<{size}}" for cell, size in zip(_cells(rule), widths, strict=True))
            lines.append(f"{cells}{_GAP}{_shortened(_summary(rule), room)}".rstrip() + "\n")
        parts.append("".join(lines))
    return "\n".join(parts)


def render_json(rules: Mapping[str, Rule]) -> str:
    """Write a list of objects, one a rule."""
    found = [
        {
            "name": rule.name,
            "group": rule.group,
            "severity": rule.severity.label,
            "found_by": list(rule.found_by),
            "fix": rule.fix,
            "preview": rule.preview,
            "since": rule.since,
            "aliases": list(rule.aliases),
            "summary": rule.summary,
            "rubric": rule.rubric_hash or None,
        }
        for rule in rules.values()
    ]
    return json.dumps(found, indent=2) + "\n"


def render_page(rules: Mapping[str, Rule], name: str) -> str:
    """Write the page of a rule, or the summaries of a group's rules, as Markdown.

    Raises `UnknownRule`.
    """
    rule = by_alias(rules, name)
    if rule is None:
        members = named(rules, name)
        lines = [
            f"- `{item.name}` ({item.severity.label}): {item.summary}\n"
            for item in rules.values()
            if item.name in members
        ]
        return f"# {name}\n\n{''.join(lines)}"
    heading, _, rest = rule.page.strip().partition("\n")
    if not heading.startswith("# "):
        heading, rest = f"# {rule.name}", rule.page
    facts = [f"severity: {rule.severity.label}", f"found by: {', '.join(rule.found_by)}", f"fix: {rule.fix}"]
    facts.append(f"group: {rule.group}")
    if rule.rubric_hash:
        facts.append(f"rubric: {rule.rubric_hash}")
    if rule.since:
        facts.append(f"since: {rule.since}")
    if rule.preview:
        facts.append("preview")
    return f"{heading}\n\n*{' · '.join(facts)}*\n\n{rest.strip()}\n"


def _cells(rule: Rule) -> tuple[str, str, str, str]:
    fix = "" if rule.fix == "none" else f"{rule.fix} fix"
    return rule.name, rule.severity.label, "+".join(rule.found_by), fix


def _summary(rule: Rule) -> str:
    return f"(preview) {rule.summary}" if rule.preview else rule.summary


def _shortened(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1].rstrip() + "…"

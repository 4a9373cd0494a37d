"""The indexes of the rules, made from their pages: `python -m benchlint.catalogue.index`.

Writes `rules/index.json` and prints `docs/rules.md`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from benchlint.catalogue.rule import INDEX, index, load_rules, pages
from benchlint.catalogue.selection import groups

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchlint.catalogue.rule import Rule

_START = """# Rules

Made from the pages in `rules/` by `make docs`. `benchlint explain RULE` shows a page.
"""


def render(rules: Mapping[str, Rule]) -> str:
    """Write the index: one table a group, rules linked to their pages."""
    return "\n".join([_START, *(_table(group, members) for group, members in groups(rules).items())])


def _table(group: str, rules: list[Rule]) -> str:
    lines = [
        f"## {group}",
        "",
        "| rule | default | found by | fix | what it finds |",
        "| --- | --- | --- | --- | --- |",
    ]
    for rule in rules:
        link = f"[{rule.name}](../rules/{rule.group}/{rule.name}.md)"
        found_by = ", ".join(rule.found_by)
        summary = rule.summary.replace("|", "\\|")
        preview = " (preview)" if rule.preview else ""
        lines.append(f"| {link}{preview} | {rule.severity.label} | {found_by} | {rule.fix} | {summary} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    (pages() / INDEX).write_text(index(pages()), encoding="utf-8")
    sys.stdout.write(render(load_rules()))

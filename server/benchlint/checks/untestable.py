"""Policy items that have no word in common with the tools and the tasks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from benchlint.catalogue.finding import Anchor
from benchlint.checks.registry import Check
from benchlint.checks.vocabulary import task_text, telling_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Tools
    from benchlint.catalogue.finding import Finding
    from benchlint.checks.view import View

RULE: Final = "untestable-policy-item"

_LEAST: Final = 3
"""An item with fewer telling words leans on the sentences around it."""

_ROOT: Final = 4
"""So many letters at the beginning of two words make them related: "renter" and "rental"."""


def _check(view: View) -> Iterator[Finding]:
    known = _tool_words(view.tools)
    left = {}
    for item in view.policy.items:
        own = item.kind != "fact" and len(item.headings) > 1
        if own and len(_roots(item.text)) >= _LEAST:
            words = _roots(f"{item.context}\n{item.text}")
            if words.isdisjoint(known):
                left[item.id] = (item, words)
    for task in view.benchmark.tasks:
        if not left:
            return
        said = _roots(task_text(task))
        left = {name: pair for name, pair in left.items() if pair[1].isdisjoint(said)}
    for item, _ in left.values():
        message = "no tool and no task has anything to do with this item"
        yield view.file_finding(RULE, message, Anchor(item.path, item.start, item.end), quote=item.text)


def _tool_words(tools: Tools) -> set[str]:
    found: set[str] = set()
    for tool in tools.by_name.values():
        parameters = json.dumps({name: dict(item.schema) for name, item in tool.parameters.items()}, default=str)
        text = f"{tool.name} {tool.description} {parameters}".replace("_", " ")
        found |= _roots(text)
    return found


def _roots(text: str) -> set[str]:
    return {stem[:_ROOT] for stem, _ in telling_words(text)}


CHECKS = (Check((RULE,), _check, "benchmark", needs=("policy", "tools"), reads=("policy", "tools")),)

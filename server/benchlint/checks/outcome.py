"""Expectations that tell how a task ends and nothing of the way there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from benchlint.benchmark.model import Field
from benchlint.benchmark.sentences import sentences
from benchlint.checks.registry import Check
from benchlint.checks.traits import listed
from benchlint.checks.values import value_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Task
    from benchlint.catalogue.finding import Finding
    from benchlint.checks.view import View

RULE: Final = "outcome-only-behaviour"

_LEAST: Final = 3
"""So few tasks are no trait of a file."""

_ORDER = re.compile(
    r"\b(?:first(?:ly)?|then|next|before|after(?:wards)?|finally|once|until|prior to|followed by|step\w*"
    r"|if|when(?:ever)?|unless|in case|only after)\b",
    re.IGNORECASE,
)
_STEP = re.compile(
    r"\b(?:ask|obtain|collect|gather|request|verif|check|confirm|authenticat|identif|look|search|find|retriev|review"
    r"|explain|inform|tell|notif|mention|remind|clarif|list|read|propos|suggest|offer|determin|calculat|compar|validat"
    r"|apologi[sz]|advis|detect|recogni[sz]|notice|reali[sz]|investigat|guid|walk)\w*",
    re.IGNORECASE,
)
"""Stems of what an agent does on the way: it asks, checks, explains, confirms."""


def is_outcome_only(task: Task) -> bool:
    """Say whether an expectation tells an outcome and no workflow.

    Expected actions are a workflow, and so are several sentences of prose, a
    word of order or condition, and a step on the way. What cannot be read is
    not judged.
    """
    if task.actions or _has_unread_actions(task):
        return False
    if len(task.behaviour) > 1 or any(len(sentences(item.text)) > 1 for item in task.behaviour):
        return False
    told = [item.text for item in (*task.behaviour, *task.nl_assertions)]
    if any(_ORDER.search(text) or _STEP.search(text) for text in told):
        return False
    return bool(told or task.env_assertions or task.communicate_info)


def _has_unread_actions(task: Task) -> bool:
    """Say whether there are actions that the format's reader could not take for calls."""
    pointer = task.criteria_pointers.get("actions")
    return pointer is not None and bool(value_at(task.value, pointer))


def _check(view: View) -> Iterator[Finding]:
    tasks = view.benchmark.tasks
    hits = [task for task in tasks if is_outcome_only(task)]
    if len(hits) < _LEAST or 2 * len(hits) <= len(tasks):
        return
    share = f"{len(hits)} of {len(tasks)} tasks ({100 * len(hits) / len(tasks):.0f} %)"
    message = f"{share} expect an outcome and tell no workflow: {listed([task.id for task in hits])}"
    first = _first(hits[0])
    anchor = view.anchor(hits[0], first.pointer)
    yield view.file_finding(RULE, message, anchor, quote=first.text)


def _first(task: Task) -> Field:
    """Return the first text of an expectation, or of an assertion of the environment its name."""
    for item in (*task.behaviour, *task.nl_assertions, *task.communicate_info):
        return item
    return Field(task.env_assertions[0].name_pointer, task.env_assertions[0].name)


CHECKS = (Check((RULE,), _check, "benchmark"),)

"""Expected actions that their own tools refuse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from benchlint.catalogue.finding import Severity
from benchlint.checks.registry import Check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Call
    from benchlint.catalogue.finding import Finding
    from benchlint.checks.view import View
    from benchlint.replay.results import Failure, Step

_WORDS = 160
"""So many characters of a tool's own words are shown."""


def _failing(view: View) -> Iterator[Finding]:
    task, replayed = view.task, view.replayed(view.task)
    steps = replayed.steps if replayed is not None else ()
    for index, (call, step) in enumerate(zip(task.actions, steps, strict=False)):
        if step.failure is None:
            continue
        severity, why = Severity.ERROR, ""
        if step.failure.kind != "raised":
            severity = Severity.WARNING
        elif _is_lookup(view, call, step) and (told := _meant(view, index, steps)):
            severity, why = Severity.HINT, f"; {told}"
        message = f"{call.name} {_said(step.failure)}{why}"
        yield view.finding("failing-action", message, call.name_pointer, severity=severity, found_by="replay")


def _said(failure: Failure) -> str:
    text = failure.text if len(failure.text) <= _WORDS else f"{failure.text[: _WORDS - 1]}…"
    if failure.kind == "raised":
        return f"fails: {text}"
    if failure.kind == "timeout":
        return "does not return in the time that an action may take"
    if failure.kind == "memory":
        return "needs more memory than it may use"
    return f"ends the process of its environment{f': {text}' if text else ''}"


def _is_lookup(view: View, call: Call, step: Step) -> bool:
    tools = view.benchmark.tools
    tool = tools.get(call.requestor, call.name) if tools is not None else None
    return "read" in (step.effect, tool.effect if tool is not None else None)


def _meant(view: View, index: int, steps: tuple[Step, ...]) -> str:
    """Say why a lookup may fail on purpose; "" where nothing shows it."""
    task = view.task
    call = task.actions[index]
    told = _plain(task.text)
    values = [_plain(value) for value in _texts(call.arguments)]
    if values and all(value in told for value in values):
        return "the scenario gives these values, so the failure may be meant"
    for later in range(index + 1, len(steps)):
        other = task.actions[later]
        same = (other.requestor, other.name) == (call.requestor, call.name)
        if same and steps[later].failure is None:
            return f"expected action {later + 1} finds it with other values, so the failure may be meant"
    return ""


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, (str, int, float)):
        yield str(value)


def _plain(text: str) -> str:
    """Return the letters and digits of a text: "#W1" and "W1" are one id."""
    return re.sub(r"[\W_]+", "", text).casefold()


CHECKS = (Check(("failing-action",), _failing, "task", ("replay",), ("tools", "replay")),)

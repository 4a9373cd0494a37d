"""The quick fix of a judge's finding: its rewrite, or what the rule's own words promise."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from benchlint.analysis.passages import removed, rewritten
from benchlint.benchmark.sentences import sentences
from benchlint.checks.edits import rewriting
from benchlint.checks.values import value_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchlint.benchmark.model import Call, Field, Task
    from benchlint.catalogue.finding import Fix
    from benchlint.checks.view import View
    from benchlint.judges.protocol import JudgedFinding
    from benchlint.text.tree import Pointer

TITLES: Final[Mapping[str, str]] = {
    "missing-confirmation": "Ask for the confirmation first",
    "missing-information-collection": "Obtain the information first",
    "wrong-compensation": "Correct the amount",
    "forbidden-action": "Refuse in place of the forbidden step",
    "hallucinated-step": "Leave the unsupported step out",
}
"""What a rewrite does, by rule."""

_DELETIONS: Final[Mapping[str, str]] = {
    "wrong-compensation": "Delete the compensation",
    "forbidden-action": "Delete the forbidden step",
    "hallucinated-step": "Delete the unsupported step",
}
_NEEDLESS: Final = frozenset({"hallucinated-step", "forbidden-action"})
"""Rules whose expected actions are not to be there at all."""

_ADDITIONS: Final = frozenset({"missing-confirmation", "missing-information-collection"})
"""Rules that ask for a step more; a list of tool calls has no place for it."""

_CONFIRMATION: Final = "The agent should list the details and obtain the user's explicit confirmation."
_SHOWN: Final = 60
_WHOLE: Final = 0.8
"""The share of a sentence from which on a quote means all of it."""

_ARGUMENT = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*")
_COMMA = re.compile(r"\s*,")
_FIGURES = re.compile(r"\d+")


def mended(view: View, found: JudgedFinding, pointer: Pointer, span: tuple[int, int] | None) -> Fix | None:
    """Return the fix of a finding that was quoted word for word; None where there is none.

    `pointer` and `span` tell where the quote stands. All such fixes are
    unsafe: a judge is no author.
    """
    if found.quoted != "exact" or found.key:
        return None
    call = next((call for call in view.task.actions if pointer[: len(call.pointer)] == call.pointer), None)
    if call is not None:
        return _in_call(view, found, call, pointer, span)
    text = next((field.text for field in _prose(view.task) if field.pointer == pointer), None)
    if text is None:
        return None
    start, end = span or (0, len(text))
    rewrite = found.rewrite
    if rewrite is None:
        told = _own(found.rule, text, start, end)
        if told is None:
            return None
        start, end, rewrite = told
    return _in_prose(view, found.rule, pointer, text, (start, end), rewrite)


def _prose(task: Task) -> tuple[Field, ...]:
    """Return the texts of a task that people read."""
    ticket = (task.ticket,) if task.ticket is not None else ()
    told = (*task.scenario, *ticket, *task.purpose)
    return (*told, *task.behaviour, *task.communicate_info, *task.nl_assertions)


def _own(rule: str, text: str, start: int, end: int) -> tuple[int, int, str] | None:
    """Return a range and what is to stand there, for a judge that only names the fault."""
    around = next(((left, right) for left, right in sentences(text) if left <= start < right), None)
    if around is None:
        return None
    sentence = text[slice(*around)]
    if rule == "missing-confirmation":
        return *around, f"{_CONFIRMATION} {sentence}"
    is_whole = end <= around[1] and end - start >= _WHOLE * len(sentence)
    return (*around, "") if rule in _NEEDLESS and is_whole else None


def _in_prose(view: View, rule: str, pointer: Pointer, text: str, span: tuple[int, int], rewrite: str) -> Fix | None:
    """Return the fix that writes something in the place of words, or nothing."""
    start, end = span
    if rewrite.strip():
        title = TITLES.get(rule) or f'Write "{_clipped(rewrite)}"'
        if rule == "wrong-compensation" and _FIGURES.findall(text[start:end]) == _FIGURES.findall(rewrite):
            title = "Correct the compensation"
        return rewritten(view, title, pointer, text[:start] + rewrite + text[end:])
    title = _DELETIONS.get(rule) or f'Delete "{_clipped(text[start:end])}"'
    left, right = text[:start], text[end:]
    if not left.strip() or left.rstrip()[-1] in ".!?:;":
        right = right.lstrip(".!?")
    if not left or left[-1].isspace():
        right = right.lstrip()
    if right[:1] in (*".,;:!?", ""):
        left = left.rstrip()
    if (left + right).strip():
        return rewritten(view, title, pointer, left + right)
    return removed(view, title, pointer) if isinstance(pointer[-1], int) else None


def _in_call(
    view: View, found: JudgedFinding, call: Call, pointer: Pointer, span: tuple[int, int] | None
) -> Fix | None:
    """Return the fix that changes an argument of an expected action, or takes the action out."""
    if found.rule in _ADDITIONS:
        return None
    is_needless = found.rule in _NEEDLESS
    rewrite = (found.rewrite or "").strip()
    if rewrite:
        fix = _argument(view, found.rule, call, pointer, rewrite)
        if fix is None and not is_needless:
            fix = _in_argument(view, found.rule, call, pointer, span, rewrite)
        if fix is not None:
            return fix
    if is_needless or (found.rule == "wrong-compensation" and found.rewrite is not None and not rewrite):
        return removed(view, f"Remove the expected action {call.name}", call.pointer)
    return None


def _argument(view: View, rule: str, call: Call, pointer: Pointer, rewrite: str) -> Fix | None:
    """Return the fix that writes the one value that differs in `amount=100`, `100` or a whole call."""
    known = call.arguments or {}
    inner = rewrite.removeprefix(f"{call.name}(").removesuffix(")") if "(" in rewrite else rewrite
    new = {name: value for name, value in _named_values(inner) if name in known and known[name] != value}
    if len(new) == 1:
        ((name, value),) = new.items()
        return rewriting(view, _title(rule, name, value), (*call.arguments_pointer, name), value, safe=False)
    old, value = value_at(view.task.value, pointer), _value(rewrite)
    if value is None or pointer[: len(call.arguments_pointer)] != call.arguments_pointer or value == old:
        return None
    if type(value) is not type(old) and not {type(value), type(old)} <= {int, float}:
        return None
    return rewriting(view, _title(rule, str(pointer[-1]), value), pointer, value, safe=False)


def _in_argument(
    view: View, rule: str, call: Call, pointer: Pointer, span: tuple[int, int] | None, rewrite: str
) -> Fix | None:
    """Return the fix that writes other words into the text of an argument."""
    old = value_at(view.task.value, pointer)
    is_argument = pointer[: len(call.arguments_pointer)] == call.arguments_pointer
    if not isinstance(old, str) or not is_argument or any(_named_values(rewrite)):
        return None
    start, end = span or (0, len(old))
    value = old[:start] + rewrite + old[end:]
    return rewritten(view, _title(rule, str(pointer[-1]), value), pointer, value)


def _named_values(text: str) -> Iterator[tuple[str, Any]]:
    """Yield names and values of `name=value, ...`, as far as the text can be read."""
    at = 0
    while match := _ARGUMENT.match(text, at):
        try:
            value, at = _DECODER.raw_decode(text, match.end())
        except (ValueError, RecursionError):
            return
        yield match[1], value
        comma = _COMMA.match(text, at)
        if comma is None:
            return
        at = comma.end()


def _value(text: str) -> str | int | float | None:
    """Return the number, truth value or quoted string that a text writes; None where it writes none."""
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, (str, int, float)) else None


def _finite(constant: str) -> float:
    raise ValueError(f"{constant} is no number in JSON")


_DECODER = json.JSONDecoder(parse_constant=_finite)


def _title(rule: str, name: str, value: Any) -> str:
    shown = _clipped(json.dumps(value, ensure_ascii=False))
    return f"{TITLES['wrong-compensation']}: {shown}" if rule == "wrong-compensation" else f"Set {name} to {shown}"


def _clipped(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN].rsplit(' ', 1)[0]} …"

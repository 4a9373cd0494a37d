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

    from benchlint.benchmark.model import Call
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
_CONFIRMATION: Final = "The agent should list the details and obtain the user's explicit confirmation."
_SHOWN: Final = 60
_WHOLE: Final = 0.8
"""The share of a sentence from which on a quote means all of it."""

_ARGUMENT = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*")
_DECODER = json.JSONDecoder()


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
    text = value_at(view.task.value, pointer)
    if not isinstance(text, str):
        return None
    start, end = span or (0, len(text))
    rewrite = found.rewrite
    if rewrite is None:
        told = _own(found.rule, text, start, end)
        if told is None:
            return None
        start, end, rewrite = told
    return _in_prose(view, found.rule, pointer, text, (start, end), rewrite)


def _own(rule: str, text: str, start: int, end: int) -> tuple[int, int, str] | None:
    """Return a range and what is to stand there, for a judge that only names the fault."""
    around = next(((left, right) for left, right in sentences(text) if left <= start < right), None)
    if around is None:
        return None
    sentence = text[slice(*around)]
    if rule == "missing-confirmation":
        return *around, f"{_CONFIRMATION} {sentence}"
    is_whole = end <= around[1] and end - start >= _WHOLE * len(sentence)
    return (*around, "") if rule in ("hallucinated-step", "forbidden-action") and is_whole else None


def _in_prose(view: View, rule: str, pointer: Pointer, text: str, span: tuple[int, int], rewrite: str) -> Fix | None:
    """Return the fix that writes something in the place of words, or nothing."""
    start, end = span
    if rewrite.strip():
        title = TITLES.get(rule) or f'Write "{_clipped(rewrite)}"'
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
    """Return the fix that changes arguments of an expected action, or takes the action out."""
    rewrite = (found.rewrite or "").strip()
    if rewrite:
        fix = _arguments(view, found.rule, call, pointer, span, rewrite)
        if fix is not None:
            return fix
    needless = found.rule in ("hallucinated-step", "forbidden-action")
    if needless or (found.rule == "wrong-compensation" and found.rewrite is not None and not rewrite):
        return removed(view, f"Remove the expected action {call.name}", call.pointer)
    return None


def _arguments(
    view: View, rule: str, call: Call, pointer: Pointer, span: tuple[int, int] | None, rewrite: str
) -> Fix | None:
    """Return the fix that writes the values of a rewrite, `amount=100`, `100` or the whole call."""
    known = call.arguments or {}
    new = dict(_named_values(rewrite.removeprefix(f"{call.name}(").removesuffix(")") if "(" in rewrite else rewrite))
    differing = {name: value for name, value in new.items() if name in known and known[name] != value}
    if len(differing) == 1:
        ((name, value),) = differing.items()
        return rewriting(view, _title(rule, name, value), (*call.arguments_pointer, name), value, safe=False)
    old = value_at(view.task.value, pointer)
    if new or pointer[: len(call.arguments_pointer)] != call.arguments_pointer:
        return None
    if isinstance(old, str):
        start, end = span or (0, len(old))
        value = old[:start] + _unquoted(rewrite) + old[end:]
        return rewritten(view, _title(rule, str(pointer[-1]), value), pointer, value)
    try:
        value = json.loads(rewrite)
    except ValueError:
        return None
    if type(value) not in (int, float, bool, type(old)):
        return None
    return rewriting(view, _title(rule, str(pointer[-1]), value), pointer, value, safe=False)


def _named_values(text: str) -> Iterator[tuple[str, Any]]:
    """Yield names and values of `name=value, ...`, as far as the text can be read."""
    at = 0
    while match := _ARGUMENT.match(text, at):
        try:
            value, at = _DECODER.raw_decode(text, match.end())
        except ValueError:
            return
        yield match[1], value
        rest = re.match(r"\s*,", text[at:])
        if rest is None:
            return
        at += rest.end()


def _title(rule: str, name: str, value: Any) -> str:
    shown = _clipped(json.dumps(value, ensure_ascii=False))
    return f"{TITLES['wrong-compensation']}: {shown}" if rule == "wrong-compensation" else f"Set {name} to {shown}"


def _unquoted(text: str) -> str:
    """Return the text of a JSON string, or a text as it is."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, str) else text


def _clipped(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN].rsplit(' ', 1)[0]} …"

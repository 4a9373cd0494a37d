"""What is in a file, told by its beginning."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from benchlint.benchmark.formats.registry import is_run, recognise

if TYPE_CHECKING:
    from collections.abc import Callable

HEAD = 65_536
"""How many bytes are enough to tell what is in a file."""

LANGUAGES = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".py": "python",
    ".pickle": "pickle",
}
"""The language of a file by its suffix."""

_CONTAINER = "tasks"
_SIMULATIONS = re.compile(rb'"simulations"\s*:')
_WORDS = (b"user_scenario", b"evaluation_criteria", b"event_description", b"instruction", b"expected", b"benchlint")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}]')
_COLON = re.compile(r"\s*:\s*")
_START = re.compile(r"\s*([\[{])\s*")
_LINE_END = re.compile(r"\r\n|\n|\r")
_YAML_KEY = re.compile(r"""([ ]*)((?:-[ ]+)*)(?:([\w-]+)|"([^"\n]*)"|'([^'\n]*)')[ ]*:(?:[ ]|$)""")
_PYTHON = (re.compile(rb"\binstruction[\"']?\s*[=:]"), re.compile(rb"\bactions[\"']?\s*[=:]"))


class Glimpse(NamedTuple):
    """What a file holds: tasks of a format, runs of agents, or neither."""

    format: str | None = None
    single: bool = False
    """Whether the whole file is one task."""
    runs: bool = False


NOTHING = Glimpse()


def may_hold_tasks(head: bytes) -> bool:
    """Say whether a word stands in a file's beginning that all tasks have there."""
    return any(word in head for word in _WORDS)


def glimpse(language: str, head: bytes, whole: Callable[[], bytes]) -> Glimpse:
    """Tell what a file holds by its first `HEAD` bytes.

    `whole` returns the whole file; it is called where the beginning leaves
    open whether runs follow the tasks.
    """
    if language == "pickle":
        return Glimpse("intellagent") if b"event_description" in head else NOTHING
    if language == "python":
        return Glimpse("tau-bench") if all(pattern.search(head) for pattern in _PYTHON) else NOTHING
    text = head.decode("utf-8-sig", "replace")
    if language == "yaml":
        return _yaml(text)
    if language == "jsonl":
        line = next((line for line in _LINE_END.split(text) if line.strip()), "")
        return _told(_object(line, line.find("{")), None, single=False) if "{" in line else NOTHING
    return _json(text, whole)


def _json(text: str, whole: Callable[[], bytes]) -> Glimpse:
    start = _START.match(text)
    if start is None:
        return NOTHING
    if start[1] == "[":
        return _told(_object(text, start.end()), None, single=False)
    places: dict[str, int] = {}
    top = _object(text, start.start(1), places)
    if not isinstance(top.get(_CONTAINER), list):
        return _told(top, None, single=True)
    if {"timestamp", "info"} <= top.keys() or _SIMULATIONS.search(whole()):
        return Glimpse(runs=True)
    element = _START.match(text, places[_CONTAINER])
    first = _object(text, element.end()) if element else {}
    return _told(first, top, single=False)


def _told(value: dict[str, Any], header: dict[str, Any] | None, *, single: bool) -> Glimpse:
    if is_run(value, header):
        return Glimpse(runs=True)
    found = recognise(value, header)
    return Glimpse(found.name, single) if found else NOTHING


def _object(text: str, at: int, places: dict[str, int] | None = None) -> dict[str, Any]:
    """Return the keys of the JSON object at `at`, as far as the text goes.

    Values are empty ones of the right kind; `places` is told where they start.
    """
    keys: dict[str, Any] = {}
    if text[at : at + 1] != "{":
        return keys
    depth = 0
    for token in _TOKEN.finditer(text, at):
        sign = token[0][0]
        if sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if depth == 0:
                break
        elif depth == 1 and (colon := _COLON.match(text, token.end())):
            key = token[0][1:-1]
            keys[key] = {"{": {}, "[": [], '"': ""}.get(text[colon.end() : colon.end() + 1])
            if places is not None:
                places[key] = colon.end()
    return keys


def _yaml(text: str) -> Glimpse:
    """Tell by the keys at the left margin and by those of the first list element."""
    top: dict[str, Any] = {}
    first: dict[str, Any] = {}
    column: int | None = None
    for line in _LINE_END.split(text):
        match = _YAML_KEY.match(line)
        if match is None:
            continue
        at = len(match[1]) + len(match[2])
        if match[2]:
            if column is None and (not top or list(top)[-1] == _CONTAINER):
                column = at
            elif at == column:
                break
        value = {} if line[match.end() : match.end() + 1].strip() in ("", "{") else ""
        key = match[3] or match[4] or match[5] or ""
        if at == column:
            first[key] = value
        elif at == 0:
            top[key] = value
    return _told(first or top, top if first else None, single=not first)

"""A new element at the end of a list of tasks, written as the others are."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from benchlint.catalogue.finding import Anchor, Edit
from benchlint.text.document import Encoding

if TYPE_CHECKING:
    from benchlint.text.slices import Slice, Sliced

_WIDTH: Final = 120
_INDENT = re.compile(rb"[{\[](\r\n|\n|\r)([ \t]+)\S")


def insertion_of(source: Sliced, value: dict[str, Any]) -> Edit | None:
    """Return the edit that adds a task after the last one of a file; None where it cannot be written there."""
    last = source.slices[-1] if source.slices else None
    if last is None:
        return None
    if source.language == "yaml":
        return _yaml(source, last, value)
    end = last.end
    newline = _newline(source.document.data)
    raw = not source.document.data[source.document.bom :].isascii()
    if source.language == "jsonl":
        text = newline + json.dumps(value, ensure_ascii=not raw, separators=_separators(last.data))
    else:
        text = "," + _before(source, last) + _json(last, value, raw=raw, indent=_column(source, last), newline=newline)
    return Edit(Anchor(source.document.path, end, end), text)


def _json(last: Slice, value: dict[str, Any], *, raw: bool, indent: str, newline: str) -> str:
    """Write a value as the last task is written: on one line, or indented alike."""
    match = _INDENT.search(last.data)
    if match is None:
        return json.dumps(value, ensure_ascii=not raw, separators=_separators(last.data))
    inner = match[2].decode()
    step = inner.removeprefix(indent) if inner != indent and inner.startswith(indent) else "  "
    text = json.dumps(value, ensure_ascii=not raw, indent=step)
    return text.replace("\n", newline + indent)


def _separators(data: bytes) -> tuple[str, str]:
    return (",", ":") if re.search(rb'":["\[{\d]', data) else (", ", ": ")


def _before(source: Sliced, last: Slice) -> str:
    """Return what stands between two tasks after the comma."""
    data = source.document.data
    if len(source.slices) > 1:
        between = data[source.slices[-2].end : last.start].decode("utf-8", "replace")
    else:
        start = data.rfind(b"[", 0, last.start) + 1
        between = data[start : last.start].decode("utf-8", "replace")
    gap = between.partition(",")[2] if "," in between else between
    return gap if not gap.strip() else " "


def _column(source: Sliced, last: Slice) -> str:
    """Return the blanks before a task on its line."""
    line, _ = source.document.position(last.start, Encoding.UTF8)
    start, _ = source.document.line_range(line)
    before = source.document.data[start : last.start].decode("utf-8", "replace")
    return before if not before.strip() else ""


def _newline(data: bytes) -> str:
    match = re.search(rb"\r\n|\n|\r", data)
    return match[0].decode() if match else "\n"


def _yaml(source: Sliced, last: Slice, value: dict[str, Any]) -> Edit | None:
    """Write a task as an item of a block sequence; None in a sequence in brackets."""
    import yaml

    document = source.document
    line, column = document.position(last.start, Encoding.UTF8)
    start, _ = document.line_range(line)
    before = document.data[start : last.start].decode("utf-8", "replace")
    if not re.fullmatch(r" *(?:- +)?", before):
        return None
    dash = before.index("-") if "-" in before else max(column - 2, 0)
    newline = _newline(document.data)
    text = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=_WIDTH - dash, default_flow_style=False)
    inner = " " * (dash + 2)
    lines = [inner + item if item else item for item in text.rstrip("\n").split("\n")]
    lines[0] = " " * dash + "- " + lines[0][dash + 2 :]
    data = document.data
    end = last.start + len(last.data.rstrip())
    around = data[source.slices[-2].start : last.start] if len(source.slices) > 1 else b""
    gap = newline * 2 if re.search(rb"\n\s*\n", around) else newline
    return Edit(Anchor(document.path, end, end), gap + newline.join(lines))

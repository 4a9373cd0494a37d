"""A new element at the end of a list of tasks, written as the others are."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from benchlint.catalogue.finding import Anchor, Edit
from benchlint.text.document import Encoding
from benchlint.text.yaml_schema import resolve

if TYPE_CHECKING:
    from benchlint.text.slices import Slice, Sliced

_WIDTH: Final = 120
_LINE_ENDS = re.compile(rb"\r\n|\n|\r")
_ODD_BREAKS = re.compile("[\x85\u2028\u2029]")
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
    match = _LINE_ENDS.search(data)
    return match[0].decode() if match else "\n"


def _yaml(source: Sliced, last: Slice, value: dict[str, Any]) -> Edit | None:
    """Write a task as an item of a block sequence; None in a sequence in brackets."""
    document = source.document
    line, column = document.position(last.start, Encoding.UTF8)
    start, _ = document.line_range(line)
    before = document.data[start : last.start].decode("utf-8", "replace")
    if not re.fullmatch(r" *(?:- +)?", before):
        return None
    dash = before.index("-") if "-" in before else max(column - 2, 0)
    newline = _newline(document.data)
    text = _block(value, _WIDTH - dash)
    inner = " " * (dash + 2)
    lines = [inner + item if item else item for item in text.rstrip("\n").split("\n")]
    lines[0] = " " * dash + "- " + lines[0][dash + 2 :]
    data = document.data
    end = last.start + len(last.data.rstrip())
    if len(_LINE_ENDS.findall(data[end : last.end])) > 1:
        # Blank lines at the end of a text block may be part of the text.
        return Edit(Anchor(document.path, last.end, last.end), newline.join([*lines, ""]))
    end = _after_comments(data, end, dash)
    around = data[source.slices[-2].start : last.start] if len(source.slices) > 1 else b""
    gap = newline * 2 if re.search(rb"\n\s*\n", around) else newline
    return Edit(Anchor(document.path, end, end), gap + newline.join(lines))


def _after_comments(data: bytes, end: int, dash: int) -> int:
    """Return the end of the comments about what ends at an offset: on its line, and on those below, further in."""
    comments = re.compile(rb"(?:[ \t]+#[^\r\n]*)?(?:(?:\r\n|\n|\r) {%d,}#[^\r\n]*)*" % (dash + 1))
    found = comments.match(data, end)
    return found.end() if found is not None else end


def _block(value: dict[str, Any], width: int) -> str:
    """Write a value in block style; a text that YAML 1.1 and 1.2 read differently stands in quotation marks."""
    import yaml

    class Dumper(yaml.SafeDumper):
        pass

    def text_node(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if _needs_quotes(text) else None)

    Dumper.add_representer(str, text_node)
    return str(
        yaml.dump(value, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=width, default_flow_style=False)
    )


def _needs_quotes(text: str) -> bool:
    if _ODD_BREAKS.search(text):
        return True
    try:
        return not isinstance(resolve(text), str)
    except ValueError:
        return True

"""TOML: values by the standard parser, and the places of keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from benchlint.text.document import Encoding
from benchlint.text.slices import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.text.document import Document
    from benchlint.text.tree import Pointer

_PART = r"""(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_NAME = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*"
_LINE = re.compile(
    rf"[ \t]*(?:\[\[[ \t]*(?P<array>{_NAME})[ \t]*\]\]|\[[ \t]*(?P<table>{_NAME})[ \t]*\]|(?P<key>{_NAME})[ \t]*=)"
)
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def parse_toml(document: Document) -> tuple[dict[str, Any], Fault | None]:
    """Return a document's values, or nothing and the place where it does not parse."""
    import tomllib

    try:
        return tomllib.loads(document.data.decode("utf-8-sig").replace("\r\n", "\n")), None
    except UnicodeDecodeError as error:
        at = error.start + (document.bom if error.encoding == "utf-8-sig" else 0)
        return {}, _fault(document, at, "this byte is not UTF-8; save the file as UTF-8")
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = _PLACE.search(message)
        at = len(document.data)
        if place and place[1]:
            at = document.offset(int(place[1]) - 1, int(place[2]) - 1, Encoding.UTF32)
        message = message[: place.start()] if place else message
        return {}, _fault(document, at, f"the file is no TOML: {message[:1].lower()}{message[1:]}")
    except RecursionError:
        return {}, _fault(document, 0, "the values nest too deep to be read")
    except ValueError:
        return {}, _fault(document, 0, "a number in the file has more digits than can be read")


def key_range(document: Document, pointer: Pointer) -> tuple[int, int]:
    """Return the place of the key of a value; else of the closest key around it."""
    best: tuple[int, int, int] = (0, document.bom, document.bom)
    for path, start, end in _keys(document):
        if len(path) >= best[0] and path == pointer[: len(path)]:
            best = len(path), start, end
    depth, start, end = best
    if depth < len(pointer) and isinstance(pointer[depth], str):
        line_end = document.data.find(b"\n", end)
        name = re.escape(str(pointer[depth])).encode()
        inline = re.compile(rb"[{,][ \t]*[\"']?(%b)[\"']?[ \t]*[=.]" % name)
        match = inline.search(document.data, end, line_end if line_end >= 0 else len(document.data))
        if match:
            return match.span(1)
    return start, end


def _keys(document: Document) -> Iterator[tuple[Pointer, int, int]]:
    """Yield the pointer and the range of every key and table that starts a line."""
    counts: dict[Pointer, int] = {}
    table: Pointer = ()
    quote = ""
    for line in range(document.line_count):
        text = document.line_text(line)
        if quote:
            quote = "" if quote in text else quote
            continue
        match = _LINE.match(text)
        value = text
        if match:
            group = match.lastgroup or "key"
            parts = _parts(match[group])
            if group == "array":
                path = _resolved((), parts[:-1], counts)
                counts[(*path, parts[-1])] = counts.get((*path, parts[-1]), -1) + 1
            path = _resolved(table if group == "key" else (), parts, counts)
            start = document.line_range(line)[0]
            yield (
                path,
                *(start + len(text[: match.start(group)].encode()), start + len(text[: match.end(group)].encode())),
            )
            if group != "key":
                table = path
            value = text[match.end() :]
        quote = next((mark for mark in ('"""', "'''") if value.count(mark) % 2), "")


def _resolved(table: Pointer, parts: list[str], counts: dict[Pointer, int]) -> Pointer:
    """Return the pointer that a dotted name means, in the last element of each array."""
    path = table
    for part in parts:
        path = (*path, part)
        if path in counts:
            path = (*path, counts[path])
    return path


def _parts(name: str) -> list[str]:
    return [part[1:-1] if part[0] in "\"'" else part for part in re.findall(_PART, name)]


def _fault(document: Document, at: int, message: str) -> Fault:
    return Fault(at, min(at + 1, len(document.data)), message)

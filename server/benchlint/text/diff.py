"""Two versions of a file as a unified diff."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINE: Final = re.compile(rb"[^\n]*\n|[^\n]+")
_CONTEXT: Final = 3
_SURE: Final = 3
"""How many equal lines in a row end a change."""
_AHEAD: Final = 500
"""How many lines a change is followed before the rest of the file counts as changed."""

_Change = tuple[int, int, int, int]
"""The first line and the line after the last, in the old text and in the new."""


def unified(path: str, old: bytes, new: bytes) -> bytes:
    """Return a diff with three lines of context that `patch` and `git apply` take; b"" for equal texts.

    It takes time in proportion to the texts. Where much was changed it may
    tell more lines than the shortest diff would.
    """
    before, after = _LINE.findall(old), _LINE.findall(new)
    name = path.encode("utf-8", "surrogateescape")
    hunks = [_hunk(before, after, group) for group in _groups(_changes(before, after))]
    return b"".join([b"--- " + name + b"\n+++ " + name + b"\n", *hunks]) if hunks else b""


def _changes(before: list[bytes], after: list[bytes]) -> Iterator[_Change]:
    left = right = 0
    while True:
        while left < len(before) and right < len(after) and before[left] == after[right]:
            left, right = left + 1, right + 1
        if left == len(before) and right == len(after):
            return
        old_end, new_end = _resume(before, after, left, right)
        yield left, old_end, right, new_end
        left, right = old_end, new_end


def _resume(before: list[bytes], after: list[bytes], left: int, right: int) -> tuple[int, int]:
    """Return the nearest place behind a change at which both texts go on alike."""
    for distance in range(1, _AHEAD):
        for removed in range(distance + 1):
            old, new = left + removed, right + distance - removed
            if old > len(before) or new > len(after):
                continue
            rest = before[old : old + _SURE]
            if rest == after[new : new + _SURE] and (rest or (old == len(before) and new == len(after))):
                return old, new
    return len(before), len(after)


def _groups(changes: Iterator[_Change]) -> Iterator[list[_Change]]:
    """Join changes whose contexts touch."""
    group: list[_Change] = []
    for change in changes:
        if group and change[0] - group[-1][1] > 2 * _CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _hunk(before: list[bytes], after: list[bytes], group: list[_Change]) -> bytes:
    first, last = group[0], group[-1]
    lead = min(_CONTEXT, first[0])
    tail = min(_CONTEXT, len(before) - last[1])
    lines: list[bytes] = []
    at = first[0] - lead
    for old_start, old_end, new_start, new_end in group:
        lines += [b" " + line for line in before[at:old_start]]
        lines += [b"-" + line for line in before[old_start:old_end]]
        lines += [b"+" + line for line in after[new_start:new_end]]
        at = old_end
    lines += [b" " + line for line in before[at : at + tail]]
    old = _range(first[0] - lead, last[1] + tail)
    new = _range(first[2] - lead, last[3] + tail)
    head = f"@@ -{old} +{new} @@\n".encode()
    return head + b"".join(map(_ended, lines))


def _range(start: int, stop: int) -> str:
    count = stop - start
    return f"{start + 1 if count else start}" if count == 1 else f"{start + 1 if count else start},{count}"


def _ended(line: bytes) -> bytes:
    return line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"

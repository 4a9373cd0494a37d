"""The part of a source line that stands around a fault, cut to the terminal's width."""

from __future__ import annotations

from typing import NamedTuple

from benchlint.reports.visible import cells, visible

_TAB = "    "
_CUT = "…"
_SMALLEST = 20
_EMOJI_STYLE = "\ufe0f"
"""Makes the character before it an emoji, which may be one cell wider."""


class Window(NamedTuple):
    """A line in three parts; the texts are visible ones, a cut side ends in `…`."""

    before: str
    fault: str
    after: str

    @property
    def line(self) -> str:
        """What to print."""
        return self.before + self.fault + self.after

    @property
    def carets(self) -> str:
        """The marks that stand under the fault; one at least."""
        return " " * cells(self.before) + "^" * max(1, cells(self.fault))


def window(line: str, start: int, end: int, width: int) -> Window:
    """Show the characters from `start` to `end` of a line within `width` cells.

    What does not fit is cut: indentation first, then the side with more to
    spare, and the fault itself only where it is wider than most of the room.
    """
    width = max(width, _SMALLEST)
    start = max(0, min(start, len(line)))
    end = max(start, min(end, len(line)))
    # No more than `width` characters of a part can show, so a line of any length costs the same.
    before, fault, after = (
        line[max(0, start - width) : start],
        line[start:end][:width],
        line[end : end + width],
    )
    whole = start <= width and end - start <= width and len(line) - end <= width
    if whole and cells(_show(line)) <= width:
        return _window(_show(before), _show(fault), _show(after))
    if start <= width:
        before = before.lstrip(" \t")
    room = width - 2 * len(_CUT)
    left, middle, right = cells(_show(before)), cells(_show(fault)), cells(_show(after))
    left = min(left, max(room // 4, room - middle - right, (room - middle) // 2))
    middle = min(middle, room - left)
    right = room - left - middle
    shown_fault = _prefix(fault, middle)
    cut = len(shown_fault) < end - start
    shown_after = "" if cut else _prefix(after, right)
    shown_before = _prefix(before[::-1], left)[::-1]
    return _window(
        (_CUT if len(shown_before) < len(before) or start > width else "") + _show(shown_before),
        _show(shown_fault),
        _show(shown_after) + (_CUT if cut or len(shown_after) < len(line) - end else ""),
    )


def _show(text: str) -> str:
    return visible(text.replace("\t", _TAB))


def _prefix(text: str, width: int) -> str:
    """Return the longest start of a text whose visible form fits into `width` cells."""
    used = 0
    for index, character in enumerate(text):
        used += 1 if character == _EMOJI_STYLE else cells(_show(character))
        if used > width:
            return text[:index]
    return text


def _window(before: str, fault: str, after: str) -> Window:
    """Join the parts so that no command for a log comes about where they meet."""
    joined = before + fault + after
    if "##" in joined and visible(joined) != joined:
        before, fault, after = (part.replace("#", r"\x23") for part in (before, fault, after))
    return Window(before, fault, after)

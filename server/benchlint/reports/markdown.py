"""What reports in Markdown are written with; text that was read from files is made safe to stand in a line of it."""

from __future__ import annotations

import re

from benchlint.reports.visible import visible

_MARKUP = re.compile(r"[\\`*_\[\]<>|~$]")
_REFERENCE = re.compile(r"@|#(?=\d)|(?<=:)(?=//)|(?<=www)(?=\.)", re.IGNORECASE)
"""What a code host turns into a mention, a reference or a link."""
_BREAK = "&#8203;"


def escape(text: str) -> str:
    """Return text as one line of Markdown that shows it and does nothing else.

    Markup is escaped; a mention, a reference to an issue or an address is
    broken by a space of no width, so that nobody is notified and nothing
    links.
    """
    text = _MARKUP.sub(r"\\\g<0>", visible(text).replace("&", "&amp;"))
    return _REFERENCE.sub(lambda match: match[0] + _BREAK, text)


def clipped(text: str, longest: int = 160) -> str:
    """Escape a text, cut where it is long."""
    return escape(text if len(text) <= longest else text[: longest - 1].rstrip() + "…")


def table(titles: list[str], rows: list[list[str]]) -> str:
    """Write a table of cells that are Markdown already."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def folded(title: str, body: str) -> str:
    """Write a part that is unfolded by a click."""
    return f"<details>\n<summary>{title}</summary>\n\n{body.rstrip()}\n\n</details>\n"


def more(count: int, shown: int, noun: str) -> str:
    """Say how many are not shown, if any."""
    left = count - shown
    return f"\n{left} more {noun}{'' if left == 1 else 's'}.\n" if left > 0 else ""

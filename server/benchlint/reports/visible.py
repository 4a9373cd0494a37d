"""Text that was read from files, made safe to print.

A linted text may hold escape sequences that repaint the terminal, marks that
turn the direction of writing, or commands for the log of a CI service. What
is printed shows them instead of obeying them.
"""

from __future__ import annotations

import re

_UNSAFE = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\xad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f"
    "\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff\\ud800-\\udfff\\U000e0000-\\U000e007f]"
)
_SURROGATE = re.compile("[\\ud800-\\udfff]")
_NARROW = re.compile("[ -~\\xa0-\\u02ff…]*")
_LOG_COMMAND = re.compile(r"##(?=(?:\w+)?\[)")


def visible(text: str) -> str:
    r"""Return text as one line whose every character shows.

    Control and format characters, lone surrogates and what is no character become escapes
    (`\x1b`, `\u202e`); joiners, which emoji and some scripts need, stay.
    `##[` and `##word[`, which CI services read as commands anywhere in a
    line, become `#\x23[`.
    """
    if not text.isprintable():
        text = _UNSAFE.sub(lambda match: _escape(match[0]), text)
    return _LOG_COMMAND.sub(r"#\\x23", text) if "##" in text else text


def whole(text: str) -> str:
    r"""Return text that any encoding of Unicode can hold: lone surrogates become escapes (`\ud800`)."""
    return text if text.isascii() else _SURROGATE.sub(lambda match: _escape(match[0]), text)


def cells(text: str) -> int:
    """Return how many cells of a terminal a visible text takes."""
    if text.isascii() or _NARROW.fullmatch(text):
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _escape(character: str) -> str:
    return character.encode("unicode-escape", "surrogatepass").decode("ascii")

"""The tokens of a CEL expression."""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*)
    | (?P<string>[rRbB]{0,2}(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"
        |'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"))
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<number>0[xX][0-9a-fA-F]+u?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?u?)
    | (?P<sign>&&|\|\||==|!=|<=|>=|[-+*/%<>!?:.,()\[\]{}])
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """A token; `start` and `end` count characters of the expression."""

    kind: str
    text: str
    start: int
    end: int


class ExpressionError(ValueError):
    """An expression that cannot be used: what is wrong, and from where to where in its text."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end


def tokens(text: str) -> list[Token]:
    """Return the tokens of an expression without spaces and comments.

    Raises ExpressionError at a character that starts none.
    """
    found = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            what = "a text is not closed" if text[at] in "\"'" else f'"{text[at]}" cannot stand here'
            raise ExpressionError(what, at, at + 1)
        at = match.end()
        kind = match.lastgroup or ""
        if kind != "space":
            found.append(Token(kind, match[0], match.start(), at))
    return found


def is_sign(found: list[Token], index: int, text: str) -> bool:
    """Say whether a token is a certain sign; False where there is no such token."""
    return 0 <= index < len(found) and found[index].kind == "sign" and found[index].text == text


def closing(found: list[Token], opening: int) -> int:
    """Return the index of the bracket that closes another; ExpressionError where none does."""
    depth = 0
    for index in range(opening, len(found)):
        if found[index].kind == "sign":
            depth += (found[index].text in "([{") - (found[index].text in ")]}")
            if depth == 0:
                return index
    raise ExpressionError("the bracket is not closed", found[opening].start, found[opening].end)

"""The value of an arithmetic expression, read by hand: nothing is executed."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)|(?P<mark>[-+*/()]))")
_LONGEST = 400
_DEEPEST = 40


def evaluate(expression: str) -> float | None:
    """Return what a sum, difference, product or quotient of numbers comes to.

    None for anything else, for a division by zero, and for an expression
    too long or too deep to have been written by hand.
    """
    if len(expression) > _LONGEST:
        return None
    tokens: list[str] = []
    at = 0
    text = expression.replace("$", "").rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            return None
        tokens.append(match["number"] or match["mark"])
        at = match.end()
    try:
        value, rest = _sum(tokens, 0, 0)
    except (IndexError, ValueError, ZeroDivisionError, OverflowError):
        return None
    return value if rest == len(tokens) else None


def _sum(tokens: list[str], at: int, depth: int) -> tuple[float, int]:
    value, at = _product(tokens, at, depth)
    while at < len(tokens) and tokens[at] in "+-":
        term, after = _product(tokens, at + 1, depth)
        value = value + term if tokens[at] == "+" else value - term
        at = after
    return value, at


def _product(tokens: list[str], at: int, depth: int) -> tuple[float, int]:
    value, at = _factor(tokens, at, depth)
    while at < len(tokens) and tokens[at] in "*/":
        factor, after = _factor(tokens, at + 1, depth)
        value = value * factor if tokens[at] == "*" else value / factor
        at = after
    return value, at


def _factor(tokens: list[str], at: int, depth: int) -> tuple[float, int]:
    """Return a number, a sum in parentheses, or one of these with a sign; ValueError where there is none."""
    item = tokens[at]
    if depth > _DEEPEST:
        raise ValueError(item)
    if item in "+-":
        value, at = _factor(tokens, at + 1, depth + 1)
        return (-value if item == "-" else value), at
    if item == "(":
        value, at = _sum(tokens, at + 1, depth + 1)
        if tokens[at] != ")":
            raise ValueError(item)
        return value, at + 1
    return float(item), at + 1

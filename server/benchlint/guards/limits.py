"""What an expression may cost, checked before it is compiled.

The library recurses over an expression: too long a one ends the process, and
comprehensions multiply, so that a few of them never end.
"""

from __future__ import annotations

from typing import Final

from benchlint.guards.tokens import ExpressionError, Token, is_sign

MAX_BYTES: Final = 4096
MAX_DEPTH: Final = 32
MAX_COMPREHENSIONS: Final = 2
MAX_OPERATORS: Final = 256
"""How many operators may follow each other at one depth."""

MAX_LIST: Final = 1000
"""How many entries a list or an object in a view may have."""

COMPREHENSIONS: Final = frozenset(
    {"all", "exists", "exists_one", "existsOne", "filter", "map", "sortBy", "transformList", "transformMap"}
    | {"transformMapEntry"}
)
_OPERATORS = frozenset(("&&", "||", "==", "!=", "<=", ">=", "<", ">", "-", "+", "*", "/", "%", "!", "?", ".", "["))


def check_size(text: str) -> None:
    """Raise ExpressionError for a text that is too long to be read."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise ExpressionError(f"the expression has {size:,} bytes; {MAX_BYTES:,} are the most", 0, len(text))


def check_tokens(found: list[Token]) -> None:
    """Raise ExpressionError for brackets and comprehensions that nest too deep, and for chains that are too long."""
    frames = [_Frame(None, comprehension=False)]
    comprehensions = 0
    for index, token in enumerate(found):
        if token.kind != "sign" and token.text != "in":
            continue
        frame = frames[-1]
        if token.text in _OPERATORS or token.text == "in":
            frame.operators += 1
            frame.conditions += token.text == "?"
        if token.text == ",":
            frame.operators = frame.conditions = 0
        if token.text in ("(", "[", "{"):
            named = index >= 2 and found[index - 1].text in COMPREHENSIONS and is_sign(found, index - 2, ".")
            frames.append(_Frame(token, comprehension=token.text == "(" and named))
            comprehensions += frames[-1].comprehension
        elif token.text in (")", "]", "}"):
            if len(frames) == 1:
                raise ExpressionError("this bracket closes nothing", token.start, token.end)
            comprehensions -= frames.pop().comprehension
        depth = len(frames) - 1 + sum(item.conditions for item in frames)
        if depth > MAX_DEPTH:
            raise ExpressionError(f"the expression nests deeper than {MAX_DEPTH} levels", token.start, token.end)
        if comprehensions > MAX_COMPREHENSIONS:
            message = "a comprehension may stand inside one other, not deeper"
            raise ExpressionError(message, found[index - 1].start, found[index - 1].end)
        if frames[-1].operators > MAX_OPERATORS:
            message = f"more than {MAX_OPERATORS} operators follow each other here"
            raise ExpressionError(message, token.start, token.end)
    opening = frames[-1].opening
    if opening is not None:
        raise ExpressionError("the bracket is not closed", opening.start, opening.end)


class _Frame:
    """What stands inside one pair of brackets."""

    __slots__ = ("comprehension", "conditions", "opening", "operators")

    def __init__(self, opening: Token | None, *, comprehension: bool) -> None:
        self.opening = opening
        self.comprehension = comprehension
        self.operators = 0
        self.conditions = 0


def bounded(value: object) -> bool:
    """Say whether no list and no object in a value has more than `MAX_LIST` entries."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, (dict, list)):
            if len(item) > MAX_LIST:
                return False
            pending.extend(item.values() if isinstance(item, dict) else item)
    return True

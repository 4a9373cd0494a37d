"""An expression of a guard: checked, its records made lazy, compiled."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from benchlint.guards.helpers import HELPERS
from benchlint.guards.library import cel
from benchlint.guards.limits import COMPREHENSIONS, check_size, check_tokens
from benchlint.guards.tokens import ExpressionError, Token, closing, is_sign, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

VARIABLES: Final = ("action", "task", "before", "now", "db")
RECORD: Final = "record_of_db"
"""The function that stands in the place of `db.NAME[ID]` when an expression is compiled."""

_FUNCTIONS = frozenset(
    {"bool", "bytes", "contains", "double", "duration", "dyn", "endsWith", "has", "int", "matches", "max", "min"}
    | {"size", "startsWith", "string", "timestamp", "type", "uint", "getDate", "getDayOfMonth", "getDayOfWeek"}
    | {"getDayOfYear", "getFullYear", "getHours", "getMilliseconds", "getMinutes", "getMonth", "getSeconds"}
)
_KEYWORDS = frozenset(("true", "false", "null", "in"))
_PLACE = re.compile(r"<input>:(\d+):(\d+): (?:Syntax error: )?(.*)")


@dataclass(frozen=True, slots=True)
class Access:
    """A value of the database that an expression reads.

    `path` starts with the name of a collection; None stands for an id or
    index that is only known at evaluation. `optional` is True inside `has()`.
    `places` are the ranges of the parts, in characters of the expression.
    """

    path: tuple[str | None, ...]
    places: tuple[tuple[int, int], ...]
    optional: bool


@dataclass(frozen=True, slots=True)
class Expression:
    """A compiled expression and what it reads."""

    source: str
    program: Any
    accesses: tuple[Access, ...]
    arguments: tuple[tuple[str, int, int, bool], ...]
    """The arguments of the action that it reads: name, range, and whether inside `has()`."""
    names: frozenset[str]
    """The variables that it reads."""

    def evaluate(self, context: Any) -> Any:
        """Return the value; what the library raises is raised."""
        return self.program.execute(context)


@lru_cache(2048)
def compile_expression(source: str) -> Expression:
    """Compile an expression; ExpressionError where it cannot be used, with its place."""
    check_size(source)
    found = tokens(source)
    if not found:
        raise ExpressionError("the expression is empty", 0, len(source))
    check_tokens(found)
    reader = _Reader(source, found)
    try:
        _check_names(found)
        program = cel().compile(reader.lazy(0, len(found)))
    except ValueError as error:
        _check_syntax(source, found)
        raise error if isinstance(error, ExpressionError) else ExpressionError(str(error), 0, len(source)) from None
    names = frozenset(token.text for index, token in enumerate(found) if _is_variable(found, index))
    arguments = tuple(_arguments(found))
    return Expression(source, program, tuple(reader.accesses), arguments, names & set(VARIABLES))


def _check_syntax(source: str, found: Sequence[Token]) -> None:
    """Raise ExpressionError at the place where an expression is no CEL."""
    try:
        cel().compile(source)
    except ValueError as error:
        match = _PLACE.search(str(error))
        if match is None:
            raise ExpressionError(str(error).partition("\n")[0], 0, len(source)) from None
        lines = source.split("\n")
        line = min(int(match[1]), len(lines)) - 1
        at = sum(len(item) + 1 for item in lines[:line]) + int(match[2]) - 1
        if at >= found[-1].end:
            at = found[-1].start
        end = next((token.end for token in found if token.start == at), at + 1)
        message = re.sub(r" expecting \{.*", "", match[3]).replace("'<EOF>'", "the end")
        raise ExpressionError(f"the expression is no CEL: {message}", at, min(end, len(source))) from None


def _is_variable(found: list[Token], index: int) -> bool:
    """Say whether a token names a variable: no field, no function and no key of a literal."""
    token = found[index]
    return (
        token.kind == "name"
        and token.text not in _KEYWORDS
        and not is_sign(found, index - 1, ".")
        and not is_sign(found, index + 1, "(")
    )


def _check_names(found: list[Token]) -> None:
    """Raise ExpressionError for a variable or function that guards do not have."""
    bound = _bound(found)
    for index, token in enumerate(found):
        if _is_variable(found, index) and token.text not in VARIABLES and token.text not in bound:
            known = ", ".join(VARIABLES)
            raise ExpressionError(f'there is no "{token.text}" in a guard; there are {known}', token.start, token.end)
        is_call = token.kind == "name" and token.text not in _KEYWORDS and is_sign(found, index + 1, "(")
        if is_call and token.text not in _FUNCTIONS and token.text not in COMPREHENSIONS and token.text not in HELPERS:
            raise ExpressionError(f'there is no function "{token.text}"', token.start, token.end)


def _bound(found: list[Token]) -> set[str]:
    """Return the variables of comprehensions: the names before a comma after the opening bracket."""
    bound = set()
    for index, token in enumerate(found):
        if token.text in COMPREHENSIONS and is_sign(found, index - 1, ".") and is_sign(found, index + 1, "("):
            at = index + 2
            while at + 1 < len(found) and found[at].kind == "name" and is_sign(found, at + 1, ","):
                if found[at].text in VARIABLES:
                    raise ExpressionError(f'"{found[at].text}" is taken', found[at].start, found[at].end)
                bound.add(found[at].text)
                at += 2
    return bound


def _arguments(found: list[Token]) -> list[tuple[str, int, int, bool]]:
    names = []
    for index in range(len(found) - 4):
        if [token.text for token in found[index : index + 4]] == ["action", ".", "arguments", "."]:
            name = found[index + 4]
            inside = found[index - 1].text == "(" and index >= 2 and found[index - 2].text == "has"
            names.append((name.text, name.start, name.end, inside))
    return names


class _Reader:
    """Puts a function call in the place of each path that starts at `db`."""

    def __init__(self, source: str, found: list[Token]) -> None:
        self.accesses: list[Access] = []
        self._source = source
        self._found = found

    def lazy(self, start: int, end: int) -> str:
        """Return the text of tokens from `start` to `end`, with calls in the place of paths."""
        found, parts = self._found, []
        index = start
        while index < end:
            token = found[index]
            if token.text == "db" and _is_variable(found, index):
                text, index = self._path(index)
            else:
                text, index = token.text, index + 1
            parts.append(text)
        return " ".join(parts)

    def _path(self, start: int) -> tuple[str, int]:
        """Return the call for a path, and the index of the token after it."""
        found = self._found
        parts: list[tuple[str | None, str, int, int]] = []
        index = start + 1
        while True:
            field = found[index + 1] if index + 1 < len(found) else None
            if is_sign(found, index, ".") and field is not None and not is_sign(found, index + 2, "("):
                parts.append((field.text, f'"{field.text}"', index, index + 2))
                index += 2
            elif is_sign(found, index, "["):
                end = closing(found, index)
                inner = self.lazy(index + 1, end)
                known = found[index + 1] if end == index + 2 and found[index + 1].kind == "string" else None
                parts.append((known.text[1:-1] if known else None, inner, index, end + 1))
                index = end + 1
            else:
                break
        here = found[start]
        if not parts or parts[0][0] is None:
            raise ExpressionError("db is used as db.COLLECTION[ID]", here.start, here.end)
        if len(parts) == 1:
            name = parts[0][0]
            message = f"db.{name} is a whole collection; name one record of it, db.{name}[ID], or ask known()"
            raise ExpressionError(message, here.start, found[index - 1].end)
        optional = is_sign(found, start - 1, "(") and start >= 2 and found[start - 2].text == "has"
        last = ""
        taken = parts
        if optional and is_sign(found, parts[-1][2], "."):
            taken, last = parts[:-1], f".{parts[-1][0]}"
        places = tuple((found[first].start, found[after - 1].end) for _, _, first, after in parts)
        self.accesses.append(Access(tuple(part[0] for part in parts), places, optional))
        return f"{RECORD}({', '.join(part[1] for part in taken)}){last}", index

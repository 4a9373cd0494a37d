"""What can follow in an expression that is being typed: variables, helpers, fields, tools, values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchlint.guards.helpers import FUNCTIONS
from benchlint.guards.limits import COMPREHENSIONS, MAX_BYTES, MAX_DEPTH
from benchlint.guards.samples import FIELDS_OF_TIME, Samples, inside, members, sampled, texts_of
from benchlint.guards.tokens import ExpressionError, Token, is_sign, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchlint.benchmark.model import Tool

_VARIABLES: Final = {
    "action": "the action: name, arguments, requestor",
    "before": "the actions before it",
    "db": "the records: db.COLLECTION[ID].field",
    "task": "id, scenario and actions of the task",
    "now": "the time at which the tasks play",
}
_KNOWN: Final = "Say whether a collection has a record with an id."
_OF_CEL: Final = ("size", "has", "int", "double", "string", "duration")
_OF_LISTS: Final = ("all", "exists", "exists_one", "filter", "map")
_OF_TEXTS: Final = ("contains", "startsWith", "endsWith", "matches")
_FEW: Final = 30
"""So many values of a field are offered; more are no choice."""


class Continuation(NamedTuple):
    """Something that can stand at the end of an expression; `kind` is that of a completion."""

    text: str
    kind: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What an expression speaks of: the guard's own tools, all tools, and the values of the database."""

    own: Sequence[Tool] = ()
    tools: Sequence[Tool] = ()
    data: Mapping[str, Any] | None = None


def continuations(typed: str, about: About) -> list[Continuation]:
    """Return what can follow an expression that ends where it is typed; a name that is begun counts as not there.

    Of an expression that is too long nothing is known.
    """
    if len(typed) > MAX_BYTES:
        return []
    begun = len(typed) - len(typed.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"))
    if typed[len(typed) - begun :][:1].isdigit():
        return []
    return list(_Typed(typed[: len(typed) - begun], about).continuations())


class _Typed:
    """An expression up to the name that is being typed."""

    def __init__(self, text: str, about: About) -> None:
        self._about = about
        self._quoted = False
        self._is_odd = False
        try:
            self._found = tokens(text)
        except ExpressionError as error:
            self._quoted = text[error.start : error.start + 1] in ("'", '"')
            self._is_odd = not self._quoted
            self._found = tokens(text[: error.start])

    def continuations(self) -> Iterator[Continuation]:
        found = self._found
        if self._is_odd:
            return
        if self._quoted:
            yield from self._texts()
        elif is_sign(found, len(found) - 1, "."):
            yield from self._members()
        elif not found or (found[-1].kind == "sign" and found[-1].text not in ")]}") or found[-1].text == "in":
            yield from self._operands()

    def _operands(self) -> Iterator[Continuation]:
        """Yield what an operand can begin with."""
        for name, _ in self._bound(len(self._found)):
            yield Continuation(name, "variable", "an entry of the list")
        for name, what in _VARIABLES.items():
            yield Continuation(name, "variable", what)
        for name, function in FUNCTIONS.items():
            yield Continuation(f"{name}(", "function", (function.__doc__ or "").partition("\n")[0])
        yield Continuation("known(", "function", _KNOWN)
        for name in _OF_CEL:
            yield Continuation(f"{name}(", "function", "of CEL")
        for name in ("true", "false", "null"):
            yield Continuation(name, "value")

    def _members(self) -> Iterator[Continuation]:
        """Yield what can follow a point."""
        found = self._found
        if [token.text for token in found[-2:]] == ["now", "."] and not is_sign(found, len(found) - 3, "."):
            for name in FIELDS_OF_TIME:
                yield Continuation(f"{name}()", "function", "in UTC")
            return
        samples = self._value(len(found) - 1)
        for name, detail in members(samples):
            yield Continuation(name, "field", detail)
        if any(isinstance(value, list) for value in samples):
            for name in _OF_LISTS:
                yield Continuation(f"{name}(", "function", "of the list")
        elif any(isinstance(value, str) for value in samples):
            for name in _OF_TEXTS:
                yield Continuation(f"{name}(", "function", "of the text")

    def _texts(self) -> Iterator[Continuation]:
        """Yield what can stand in quotation marks: the values of what it is compared with."""
        found, at = self._found, len(self._found) - 1
        if is_sign(found, at, "(") and at and found[at - 1].text == "known":
            yield from (Continuation(name, "value", "a collection") for name in self._about.data or ())
            return
        if is_sign(found, at, "[") and at and not is_sign(found, at - 1, "(") and found[at - 1].text != "in":
            for value in self._value(at):
                if isinstance(value, dict):
                    yield from (Continuation(str(key), "id") for key in value)
            return
        while at >= 0 and (found[at].kind == "string" or is_sign(found, at, ",")):
            at -= 1
        if is_sign(found, at, "[") and at and found[at - 1].text == "in":
            at -= 1
        elif not (is_sign(found, at, "==") or is_sign(found, at, "!=")):
            return
        values = texts_of(self._value(at))
        if len(values) <= _FEW:
            yield from (Continuation(value, "enum") for value in values)

    def _value(self, end: int, depth: int = 0) -> Samples:
        """Return samples of the value whose expression ends before a token."""
        found, depth = self._found, depth + 1
        if end < 1 or depth > MAX_DEPTH:
            return []
        last = found[end - 1]
        if last.text in ("]", ")"):
            opening = self._opening(end - 1)
            before = found[opening - 1] if opening > 0 else None
            if opening < 0 or before is None:
                return []
            if last.text == "]":
                inner = found[opening + 1] if end - 1 == opening + 2 else None
                key = inner.text[1:-1] if inner is not None and inner.kind == "string" else None
                return inside(self._value(opening, depth), key)
            is_method = before.kind == "name" and is_sign(found, opening - 2, ".")
            return self._value(opening - 2, depth) if is_method and before.text in ("filter", "sortBy") else []
        if last.kind != "name":
            return []
        if is_sign(found, end - 2, "."):
            return inside(self._value(end - 2, depth), last.text, as_field=True)
        bound = next((before for name, before in self._bound(end) if name == last.text), None)
        return inside(self._value(bound, depth), None) if bound is not None else self._variable(last.text)

    def _bound(self, end: int) -> Iterator[tuple[str, int]]:
        """Yield the variables of the comprehensions around a token, inner ones first, with where their list ends."""
        found, closed = self._found, 0
        for index in range(end - 1, 1, -1):
            token = found[index]
            if token.kind != "sign" or token.text not in "()[]{}":
                continue
            closed += 1 if token.text in ")]}" else -1
            if closed < 0:
                closed = 0
                named = found[index - 1].text in COMPREHENSIONS and is_sign(found, index - 2, ".")
                if named and is_sign(found, index + 2, ",") and index + 2 < end:
                    yield found[index + 1].text, index - 2

    def _variable(self, name: str) -> Samples:
        about = self._about
        if name == "db":
            return [about.data] if about.data is not None else []
        if name == "action":
            return [sampled(tool) for tool in about.own or about.tools]
        actions = [sampled(tool) for tool in about.tools]
        if name == "before":
            return [actions]
        return [{"id": "", "scenario": "", "actions": actions}] if name == "task" else []

    def _opening(self, closing: int) -> int:
        """Return the index of the bracket that a token closes; -1 where there is none."""
        depth = 0
        for index in range(closing, -1, -1):
            token: Token = self._found[index]
            if token.kind == "sign":
                depth += (token.text in ")]}") - (token.text in "([{")
                if depth == 0:
                    return index
        return -1

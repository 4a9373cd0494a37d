"""A guard: compiled once, asked about actions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from benchlint.guards.expression import RECORD, compile_expression
from benchlint.guards.helpers import FUNCTIONS, shown, time
from benchlint.guards.library import cel
from benchlint.guards.tokens import ExpressionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from benchlint.benchmark.items import GuardText, ItemEntry, ItemsFile
    from benchlint.guards.expression import Expression
    from benchlint.guards.state import State
    from benchlint.text.tree import Pointer

_REASON = re.compile(r"Function '\w+' error: Python function call failed: (?:\w+: )?(.*?)\. Check function arguments")
PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
"""A part of a message: a written brace, or an expression in braces."""


class Broken(NamedTuple):
    """What is wrong in a guard: the pointer from its entry, a range of characters of that text, and the message."""

    pointer: Pointer
    span: tuple[int, int] | None
    message: str


class Violation(NamedTuple):
    """An action that a guard rejects."""

    guard: Guard
    message: str


class Abstention(NamedTuple):
    """An action about which a guard cannot say anything, and why."""

    guard: Guard
    reason: str


class Failure(NamedTuple):
    """A guard that went wrong for a reason that stands in itself, such as a division by zero."""

    guard: Guard
    reason: str


Outcome = Violation | Abstention | Failure


@dataclass(frozen=True, slots=True)
class Guard:
    """A compiled guard. `message` is made of texts and expressions in turn."""

    file: ItemsFile
    entry: ItemEntry
    text: GuardText
    violated: Expression
    message: tuple[str | Expression, ...]
    names: frozenset[str]
    """The variables that it reads."""

    @property
    def expressions(self) -> Iterator[tuple[Expression, Pointer, int]]:
        """The expressions, where each stands, and at which character it starts there."""
        yield self.violated, (*self.text.pointer, "violated"), 0
        at = 0
        for match in PLACEHOLDER.finditer(self.text.message):
            if match[1] is not None:
                found = [item for item in self.message if not isinstance(item, str)]
                yield found[at], (*self.text.pointer, "message"), match.start(1)
                at += 1

    def ask(self, context: Any) -> Outcome | None:
        """Return what the guard says of an action; None where it has nothing against it."""
        try:
            value = self.violated.evaluate(context)
            if value is not True:
                return None if value is False else Failure(self, "the expression gives neither true nor false")
            return Violation(self, self._told(context))
        except ZeroDivisionError as error:
            return Failure(self, str(error))
        except Exception as error:
            return Abstention(self, reason(error))

    def _told(self, context: Any) -> str:
        return "".join(part if isinstance(part, str) else shown(part.evaluate(context)) for part in self.message)


def reason(error: Exception) -> str:
    """Say why an expression could not be evaluated."""
    match = _REASON.search(str(error))
    if match is not None:
        return match[1]
    if isinstance(error, KeyError):
        return f"there is no {error}"
    return str(error).partition("\n")[0]


def compile_guard(file: ItemsFile, entry: ItemEntry, text: GuardText) -> Guard | Broken:
    """Compile a guard, or say where it is wrong."""
    pointer: Pointer = (*text.pointer, "violated")
    offset = 0
    try:
        violated = compile_expression(text.violated)
        pointer = (*text.pointer, "message")
        parts: list[str | Expression] = []
        at = 0
        for match in PLACEHOLDER.finditer(text.message):
            parts.append(text.message[at : match.start()])
            offset = match.start(1) if match[1] is not None else match.start()
            parts.append(compile_expression(match[1]) if match[1] is not None else match[0][0])
            at = match.end()
        parts.append(text.message[at:])
    except ExpressionError as error:
        return Broken(pointer, (error.start + offset, error.end + offset), error.message)
    names = violated.names.union(*(part.names for part in parts if not isinstance(part, str)))
    return Guard(file, entry, text, violated, tuple(parts), names)


class Situation:
    """What the guards of one action share.

    A value is handed to the library only where a guard asks for it: to
    convert the actions before this one takes longer than all guards.
    """

    def __init__(self, state: State, task: Mapping[str, Any]) -> None:
        self.state = state
        functions: dict[str, Callable[..., Any]] = {**FUNCTIONS, RECORD: state.at, "known": state.known}
        self.context = cel().Context(functions=functions)
        self._task = task
        self._has_task = False

    def set(
        self,
        guards: Sequence[Guard],
        action: Mapping[str, Any],
        before: Sequence[Mapping[str, Any]] = (),
        now: str | None = None,
    ) -> None:
        """Go on to another action, for some guards."""
        names: frozenset[str] = frozenset().union(*(guard.names for guard in guards))
        self.context.add_variable("action", action)
        if "before" in names:
            self.context.add_variable("before", list(before))
        if "now" in names and now is not None:
            self.context.add_variable("now", time(now))
        if "task" in names and not self._has_task:
            self.context.add_variable("task", self._task)
            self._has_task = True

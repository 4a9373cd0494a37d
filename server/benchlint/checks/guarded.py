"""Actions that the guards of a policy's items reject, and guards that cannot be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from benchlint.catalogue.finding import Anchor, Related, Severity
from benchlint.checks.registry import Check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.catalogue.finding import Finding
    from benchlint.checks.view import View
    from benchlint.guards.guard import Guard
    from benchlint.guards.guard_set import GuardSet

GUARDED = ("forbidden-action", "wrong-compensation", "missing-information-collection")
"""The rules that a guard may have."""

_BROKEN = "invalid-guard"


def _invalid_guard(view: View) -> Iterator[Finding]:
    """Report guards that do not compile, and fields that they misspell."""
    if view.benchmark.items is None:
        return
    from benchlint.guards.guard_set import guard_set

    found = guard_set(view.benchmark)
    for file, place, message in found.broken:
        yield _at(view, file.path, place, message, file.document.data)
    for guard in found.guards:
        if guard.text.rule not in GUARDED:
            place = guard.file.place(guard.entry.index, (*guard.text.pointer, "rule"))
            message = f'a guard cannot have the rule "{guard.text.rule}"; it has one of {", ".join(GUARDED)}'
            yield _at(view, guard.file.path, place, message, guard.file.document.data)


def _at(view: View, path: str, place: tuple[int, int], message: str, data: bytes) -> Finding:
    quote = data[slice(*place)].decode("utf-8", "replace")
    return view.file_finding(_BROKEN, message, Anchor(path, *place), quote=quote)


def _rejected(view: View) -> Iterator[Finding]:
    """Report the expected actions that a guard rejects."""
    if view.benchmark.items is None:
        return
    from benchlint.guards.guard import Failure, Violation
    from benchlint.guards.guard_set import guard_set

    guards = guard_set(view.benchmark)
    for index, outcome in guards.check(view.task, view.benchmark.replay):
        guard = outcome.guard
        if isinstance(outcome, Failure):
            place = guard.file.place(guard.entry.index, (*guard.text.pointer, "violated"))
            yield _at(view, guard.file.path, place, outcome.reason, guard.file.document.data)
        elif isinstance(outcome, Violation) and guard.text.rule in GUARDED:
            yield _violation(view, guards, guard, index, outcome.message)


def _violation(view: View, guards: GuardSet, guard: Guard, index: int, message: str) -> Finding:
    call = view.task.actions[index]
    pointer = call.name_pointer
    if guard.text.argument is not None and guard.text.argument in (call.arguments or {}):
        pointer = (*call.arguments_pointer, guard.text.argument)
    finding = view.finding(
        guard.text.rule,
        message,
        pointer,
        severity=Severity.ERROR,
        related=(_item(guards, guard),),
        found_by="guard",
    )
    return replace(finding, policy_items=(guard.entry.id,))


def _item(guards: GuardSet, guard: Guard) -> Related:
    """Point to the sentence of the policy; to the guard itself where the policy is not there."""
    item = guards.policy_items.get((guard.file.path, guard.entry.id))
    text = guard.entry.text or guard.entry.id
    if item is not None:
        return Related(text, Anchor(item.path, item.start, item.end))
    return Related(text, Anchor(guard.file.path, *guard.file.place(guard.entry.index, ("id",))))


CHECKS = (
    Check((_BROKEN,), _invalid_guard, "benchmark", reads=("items", "policy", "tools", "database")),
    Check((*GUARDED, _BROKEN), _rejected, reads=("items", "policy", "tools", "database", "replay"), by_guard=True),
)

"""Tasks in the same situation under one policy item, with opposite expectations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from benchlint.catalogue.finding import Anchor, Related
from benchlint.checks.registry import Check
from benchlint.checks.traits import listed
from benchlint.checks.values import title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.catalogue.finding import Finding
    from benchlint.checks.view import View
    from benchlint.guards.outcomes import Outcomes, Refusal

RULE: Final = "inconsistent-outcome"

_NAMED: Final = 10


def _check(view: View) -> Iterator[Finding]:
    """Report the expected actions that a guard rejects and that other tasks refuse in the same situation."""
    if view.benchmark.items is None:
        return
    from benchlint.guards.guard_set import guard_set
    from benchlint.guards.outcomes import opposite_outcomes

    guards = guard_set(view.benchmark)
    told: set[tuple[int, int]] = set()
    for found in opposite_outcomes(view.benchmark):
        if (id(found.task), found.action) not in told:
            told.add((id(found.task), found.action))
            item = guards.policy_items.get((found.guard.file.path, found.guard.entry.id))
            related = [_other(view, found, refusal) for refusal in found.refusals[:_NAMED]]
            if item is not None:
                related.append(Related(item.text, Anchor(item.path, item.start, item.end)))
            yield _finding(view, found, tuple(related))


def _finding(view: View, found: Outcomes, related: tuple[Related, ...]) -> Finding:
    call = found.task.actions[found.action]
    ids = listed([refusal.task.id for refusal in found.refusals])
    refuse = f"task {ids} refuses" if len(found.refusals) == 1 else f"tasks {ids} refuse"
    message = f"{call.name} is expected here, and {refuse} it in the same situation"
    finding = view.finding(RULE, message, call.name_pointer, task=found.task, related=related, found_by="guard")
    return replace(finding, policy_items=(found.guard.entry.id,))


def _other(view: View, found: Outcomes, refusal: Refusal) -> Related:
    name = found.task.actions[found.action].name
    message = f'task "{refusal.task.id}" refuses {name}'
    if refusal.field is None:
        pointer, part = title(refusal.task)
        return view.related(message, refusal.task, pointer, part)
    return view.related(message, refusal.task, refusal.field.pointer)


CHECKS = (Check((RULE,), _check, "benchmark", reads=("items", "policy", "tools", "database", "replay"), by_guard=True),)

"""Which new tasks would raise coverage most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchlint.judges.metrics import ItemRow

_TASKS: Final = 3
_ITEMS: Final = 4
"""So many items a new task may run into; more is no task that a person would write."""

_WEIGHT: Final[Mapping[str, float]] = {"prohibition": 1.0, "amount": 1.0, "permission": 0.6, "obligation": 0.4}
"""How well a request can run into an item of a kind: better into a limit than into what the agent must do anyway."""


class NewTask(NamedTuple):
    """A task to write: the phase that it is about, and the items that its request should run into."""

    phase: str
    items: Sequence[ItemRow]


def new_tasks(
    items: Sequence[ItemRow], counts: Mapping[str, int], kinds: Mapping[str, str], threshold: int
) -> list[NewTask]:
    """Return tasks that together bring as many items as they can nearer to K challengers.

    `counts` tells for each item how many tasks challenge it. A task is about
    one phase, that is, the items under one heading; those under the title
    alone are about every task, and count last. The same task may come twice:
    an item is covered only when `threshold` tasks run into it.
    """
    lacking = {item.id: threshold - counts.get(item.id, 0) for item in items if counts.get(item.id, 0) < threshold}
    phases: dict[str, list[ItemRow]] = {}
    for item in items:
        phases.setdefault(item.headings[-1] if len(item.headings) > 1 else "", []).append(item)
    found: list[NewTask] = []
    for _ in range(_TASKS):
        best: tuple[float, NewTask] | None = None
        for phase, members in phases.items():
            worth = {
                item.id: _WEIGHT.get(kinds.get(item.id, ""), _WEIGHT["obligation"]) / lacking[item.id]
                for item in members
                if lacking.get(item.id, 0) > 0
            }
            chosen = sorted((item for item in members if item.id in worth), key=lambda item: -worth[item.id])[:_ITEMS]
            gain = sum(worth[item.id] for item in chosen) * (1.0 if phase else 0.1)
            if chosen and (best is None or gain > best[0]):
                best = gain, NewTask(phase, [item for item in members if item in chosen])
        if best is None:
            break
        found.append(best[1])
        for item in best[1].items:
            lacking[item.id] -= 1
    return found

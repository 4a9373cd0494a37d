"""The offline judge: reads plain policy sentences and prose, and speaks only where it is sure.

It needs no model, is deterministic, and gives no scores. A policy is read
once (`read`), then each task against it (`assess`). Silence means nothing: of
most tasks it says nothing at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchlint.judges.offline.policy import read
from benchlint.judges.offline.reading import PolicyReading
from benchlint.judges.offline.verdict import OfflineVerdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Task
    from benchlint.judges.offline.scene import Scene
    from benchlint.judges.protocol import JudgedFinding

__all__ = ["RULES", "OfflineVerdict", "PolicyReading", "assess", "read"]

RULES: Final = (
    "missing-confirmation",
    "missing-information-collection",
    "wrong-compensation",
    "forbidden-action",
    "hallucinated-step",
)
"""The rules of which the offline judge may speak."""


def assess(reading: PolicyReading, task: Task) -> OfflineVerdict:
    """Read a task: findings in its expected behaviour, violations in its description.

    Prose is read for all five rules; of expected actions only what they show
    themselves.
    """
    from benchlint.judges.offline import actions, violations
    from benchlint.judges.offline.scene import Scene

    scene = Scene(reading, task)
    findings = (*_of_prose(scene), *actions.detect(reading, task))
    return OfflineVerdict(findings, tuple(violations.detect(scene)))


def _of_prose(scene: Scene) -> Iterator[JudgedFinding]:
    from benchlint.judges.offline import collection, compensation, confirmation, forbidden, hallucinated

    banned = list(forbidden.detect(scene))
    yield from banned
    yield from compensation.detect(scene)
    yield from hallucinated.detect(scene)
    for found in (*collection.detect(scene), *confirmation.detect(scene)):
        if not any(_is_same_step(found, other) for other in banned):
            yield found


def _is_same_step(found: JudgedFinding, other: JudgedFinding) -> bool:
    """Say whether two findings are about one step: what is forbidden needs no preparation."""
    return found.pointer == other.pointer and (other.quote in found.quote or found.quote in other.quote)

"""What a bare list of expected actions shows: too many of something, or a sum that the policy does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchlint.judges.offline import compensation, forbidden
from benchlint.judges.offline.verdict import clipped
from benchlint.judges.offline.words import stem, stem_set, words
from benchlint.judges.protocol import JudgedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Call, Task
    from benchlint.judges.offline.reading import PolicyReading

_SUMS: Final = stem_set("amount sum value")
_MOST: Final = 20
"""Up to how many units a sum may be for."""


def detect(reading: PolicyReading, task: Task) -> Iterator[JudgedFinding]:
    """Yield findings about arguments of expected actions. Never about what a list does not show."""
    for call in task.actions:
        if call.known and call.arguments:
            yield from _too_many(reading, call)
            yield from _wrong_sum(reading, call)


def _too_many(reading: PolicyReading, call: Call) -> Iterator[JudgedFinding]:
    for name, value in (call.arguments or {}).items():
        nouns = tuple(word.stem for word in words(name.replace("_", " ")))
        for limit in reading.limits:
            if isinstance(value, list) and not limit.families and nouns == limit.noun and len(value) > limit.number:
                reason = f'{name} has {len(value)} entries; the policy says "{clipped(limit.text)}".'
                pointer = call.name_pointer
                yield JudgedFinding(forbidden.RULE, call.name, reason, (limit.item,), 0.85, pointer=pointer)


def _wrong_sum(reading: PolicyReading, call: Call) -> Iterator[JudgedFinding]:
    about = {word.stem for word in words(call.name.replace("_", " "))}
    amounts = [amount for amount in reading.amounts if not about.isdisjoint(amount.things)]
    right = {amount.value * count for amount in amounts for count in range(1, _MOST + 1)}
    for name, value in (call.arguments or {}).items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or stem(name.lower()) not in _SUMS:
            continue
        below = any(amount.is_ceiling and value <= amount.value for amount in amounts)
        if not amounts or below or value in right:
            continue
        reason = f'{value:g} is no multiple of what the policy says: "{clipped(amounts[0].text)}".'
        items = tuple(dict.fromkeys(amount.item for amount in amounts))
        pointer = (*call.arguments_pointer, name)
        yield JudgedFinding(compensation.RULE, f"{value}", reason, items, 0.8, pointer=pointer)

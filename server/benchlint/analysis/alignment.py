"""Which tasks of a benchmark are those of an earlier run.

A task is the same while its value is the same object: an edited text keeps
the values of the slices that it did not touch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchlint.benchmark.model import Task


_FEW: Final = 16
"""So many new tasks at most are told from moved ones by their places alone."""

_IN_PLACE: Final[list[int]] = []
"""Stands for "every task is where it was"."""


class Alignment:
    """The tasks of one run, and where those of earlier runs are among them.

    It holds their values and no task, so that no earlier text is kept alive.
    `previous` is the alignment of the last run.
    """

    def __init__(self, tasks: Sequence[Task], previous: Alignment | None = None) -> None:
        self._values: list[Any] = [task.slice.value for task in tasks]
        self._ids = [task.id for task in tasks]
        self._against: dict[int, tuple[Alignment, list[int], list[int]]] = {}
        if previous is not None:
            previous._against.clear()
            self._compared(previous)

    def new(self, earlier: Alignment) -> list[int]:
        """Return the indices of the tasks that were not there in an earlier run."""
        return self._compared(earlier)[2]

    def now(self, earlier: Alignment, index: int) -> int | None:
        """Return the index that a task of an earlier run has now."""
        if earlier is self:
            return index
        _, places, new = self._compared(earlier)
        if places is _IN_PLACE:
            return None if index in new else index
        return places[index] if places[index] >= 0 else None

    def carried(self, earlier: Alignment, items: Sequence[Any]) -> list[Any]:
        """Return one item a task, those of an earlier run; None for new tasks."""
        if earlier is self:
            return list(items)
        if self._compared(earlier)[1] is _IN_PLACE:
            return list(items)
        carried: list[Any] = [None] * len(self._values)
        for item, now in zip(items, self._compared(earlier)[1], strict=True):
            if now >= 0:
                carried[now] = item
        return carried

    def _compared(self, earlier: Alignment) -> tuple[Alignment, list[int], list[int]]:
        """Return where the earlier tasks are now (-1: nowhere), and which tasks are new."""
        known = self._against.get(id(earlier))
        if known is None:
            known = self._against[id(earlier)] = (earlier, *self._compare(earlier))
        return known

    def _compare(self, earlier: Alignment) -> tuple[list[int], list[int]]:
        if earlier is self:
            return _IN_PLACE, []
        if len(self._values) == len(earlier._values):
            pairs = zip(self._values, earlier._values, self._ids, earlier._ids, strict=True)
            new = [at for at, (value, old, name, known) in enumerate(pairs) if value is not old or name != known]
            if len(new) <= _FEW:
                return _IN_PLACE, new
        places = {id(value): index for index, value in enumerate(self._values)}
        now = [places.get(id(value), -1) for value in earlier._values]
        for old, index in enumerate(now):
            if index >= 0 and earlier._ids[old] != self._ids[index]:
                now[old] = -1
        kept = set(now)
        return now, [index for index in range(len(self._values)) if index not in kept]

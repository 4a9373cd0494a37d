"""Plain values of a task, found by pointer, and where a task shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchlint.benchmark.model import Task
    from benchlint.text.locate import Part
    from benchlint.text.tree import Pointer


def value_at(value: Any, pointer: Pointer) -> Any:
    """Return what stands at a pointer; None where it leads nowhere."""
    for part in pointer:
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return None
    return value


def title(task: Task) -> tuple[Pointer, Part]:
    """Return the place that stands for a whole task: its id, or what it has instead."""
    if task.id_pointer:
        return task.id_pointer, "value"
    for item in (*task.scenario, *task.behaviour):
        return item.pointer[:1], "key"
    return (), "opening"

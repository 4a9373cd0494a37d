"""How deep values nest that come from outside."""

from __future__ import annotations

from typing import Any


def containers_at(value: Any, depth: int) -> list[Any]:
    """Return the lists and objects that lie so deep in a value; the value itself lies at 0."""
    level = [value]
    for at in range(depth + 1):
        if at:
            level = [item for inner in level for item in (inner.values() if isinstance(inner, dict) else inner)]
        level = [item for item in level if isinstance(item, (dict, list))]
    return level

"""The formats by name, and the one that a value is in."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchlint.benchmark.formats.base import Format

_MODULES = {
    "tau2": "tau2",
    "tau-bench": "tau_bench",
    "intellagent": "intellagent",
    "native": "native",
}
NAMES = tuple(_MODULES)
"""The formats that need no mapping, in the order in which they are recognised."""


def by_name(name: str) -> Format:
    """Return the format of a name of `NAMES`; KeyError for any other."""
    return cast("Format", import_module(f"benchlint.benchmark.formats.{_MODULES[name]}"))


def recognise(value: Any, header: Mapping[str, Any] | None = None) -> Format | None:
    """Return the format of a task's value, and of what stands beside the tasks."""
    if header and by_name("native").recognises(header):
        return by_name("native")
    return next((found for name in NAMES if (found := by_name(name)).recognises(value)), None)


def is_run(value: Any, header: Mapping[str, Any] | None = None) -> bool:
    """Say whether a value is a run of an agent, or a file of runs, and no task."""
    if header and "simulations" in header:
        return True
    if not isinstance(value, dict):
        return False
    keys = value.keys()
    return "simulations" in keys or ("task_id" in keys and ("reward" in keys or "reward_info" in keys))

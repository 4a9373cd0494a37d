"""What the groups of figures have in common."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from benchlint.audit.stats.estimate import Estimate


class Figures:
    """A group of figures: a dataclass that draws itself in a notebook.

    Its field `reason` says why the whole group is missing, where it is.
    """

    reason: str | None

    def _repr_html_(self) -> str:
        from benchlint.audit.report.html import fragment

        return fragment(self)


def plain(value: Any) -> Any:
    """Return figures as dictionaries, lists and numbers, under their own names."""
    if isinstance(value, Estimate):
        return {
            "value": value.value,
            "low": value.low,
            "high": value.high,
            "count": value.count,
            "reason": value.reason,
        }
    if is_dataclass(value):
        return {item.name: plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value

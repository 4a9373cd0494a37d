"""The settings of an audit as they are written on a command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchlint.audit.errors import AuditError
from benchlint.audit.options import Options

if TYPE_CHECKING:
    from collections.abc import Sequence


def settings(**given: Any) -> Options:
    """Make options of texts like `gate=4`; what is None keeps its default.

    Raises `AuditError` for a text that says nothing.
    """
    readers = {"kinds": str, "families": str, "scales": _scale, "thresholds": float, "prices": float}
    found: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        if name in readers:
            found[name] = {key: _read(readers[name], text, key) for key, text in _pairs(value)}
        else:
            found[name] = tuple(value) if isinstance(value, list) else value
    return Options(**found)


def _pairs(values: Sequence[str]) -> list[tuple[str, str]]:
    found = []
    for value in values:
        name, sign, text = value.rpartition("=")
        if not sign or not name.strip() or not text.strip():
            raise AuditError(f'"{value}" says nothing of a signal: it takes NAME=VALUE')
        found.append((name.strip(), text.strip()))
    return found


def _read(reader: Any, text: str, name: str) -> Any:
    try:
        return reader(text)
    except ValueError:
        raise AuditError(f'"{text}" is no value for {name}') from None


def _scale(text: str) -> tuple[float, float]:
    low, _, high = text.partition("..")
    return float(low), float(high)

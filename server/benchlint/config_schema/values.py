"""Values that several parts of the configuration have: texts, severities, sizes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Many = str | tuple[str, ...]
"""One text or several."""

SeverityName = Literal["error", "warning", "information", "hint"]

SCHEMA: dict[str, Any] = {
    "extra": "forbid",
    "use_attribute_docstrings": False,  # they are read from the source, which takes as long as all the rest
    "alias_generator": lambda name: name.replace("_", "-"),
}
"""How pydantic reads the dataclasses of all parts."""

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmg]?)(i?)b?", re.IGNORECASE)


def many(value: Many | Mapping[str, Any]) -> tuple[str, ...]:
    """Return one text or several as several; of a table its keys."""
    return (value,) if isinstance(value, str) else tuple(value)


def parse_size(value: int | str) -> int:
    """Return a size in bytes; ValueError where the text is none.

    `MB` is a million bytes, `MiB` 1,048,576.
    """
    if isinstance(value, int):
        if value <= 0:
            raise ValueError("the size must be greater than 0")
        return value
    match = _SIZE.fullmatch(value.strip())
    if match is None:
        raise ValueError(f'"{value}" is no size: write "100MB", "64KiB" or a number of bytes')
    unit = 1024 if match[3] else 1000
    return parse_size(int(float(match[1]) * unit ** " kmg".index(match[2].lower() or " ")))

"""An audit as one JSON object, under the names of its attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchlint import __version__
from benchlint.reports.json_report import dump

if TYPE_CHECKING:
    from benchlint.audit.audit import Audit


def render(audit: Audit, *, color: bool = False) -> str:
    """Write all figures as one object, in ASCII."""
    return dump({"version": __version__, **audit.as_dict()}, indent=2) + "\n"

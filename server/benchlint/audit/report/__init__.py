"""An audit as text, JSON, Markdown or one page of HTML."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final, Literal, Protocol, cast, get_args

if TYPE_CHECKING:
    from benchlint.audit.audit import Audit

FormatName = Literal["text", "json", "markdown", "html"]
FORMATS: Final[tuple[FormatName, ...]] = get_args(FormatName)


class Format(Protocol):
    """A module that writes audits."""

    def render(self, audit: Audit, *, color: bool = False) -> str:
        """Return the audit as text that ends in a line end."""


def render(audit: Audit, name: FormatName, *, color: bool = False) -> str:
    """Write an audit in the format of that name; `color` is for reading text at a terminal."""
    module = cast("Format", import_module(f"benchlint.audit.report.{name if name != 'json' else 'json_report'}"))
    return module.render(audit, color=color)

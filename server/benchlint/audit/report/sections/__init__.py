"""Each group of figures as a section for reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchlint.audit.report.sections import deciding, judging, running, validity

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from benchlint.audit.audit import Audit
    from benchlint.audit.report.outline import Section

    Writer = Callable[[Any], Section]

_WRITERS: dict[str, Writer] = {**validity.WRITERS, **deciding.WRITERS, **judging.WRITERS, **running.WRITERS}


def section_of(group: object) -> Section:
    """Return a group of figures as a section."""
    return _WRITERS[type(group).__name__](group)


def sections(audit: Audit) -> list[Section]:
    """Return all groups of an audit as sections, in the order of the report."""
    return [section_of(group) for group in audit.groups()]

"""An audit as one page: no network, no script, nothing outside of the file; or as a piece of a notebook."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Final

from benchlint import __version__
from benchlint.audit.report.numbers import ABSENT
from benchlint.audit.report.plots import drawings
from benchlint.audit.report.sections import section_of
from benchlint.audit.report.summary import summary
from benchlint.audit.report.svg import mark
from benchlint.reports.page import template

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchlint.audit.audit import Audit
    from benchlint.audit.figures.base import Figures

_MOST: Final = 80
"""How many rows of a table are shown: the JSON report has all."""


def render(audit: Audit, *, color: bool = False) -> str:
    """Write the page."""
    return _fill(audit.groups(), audit, page=True)


def fragment(shown: Audit | Figures) -> str:
    """Write an audit, or one group of its figures, for a cell of a notebook."""
    from benchlint.audit.audit import Audit

    if isinstance(shown, Audit):
        return _fill(shown.groups(), shown, page=False)
    return _fill([shown], None, page=False)


def _fill(groups: Sequence[Figures], audit: Audit | None, *, page: bool) -> str:
    page_template = template(
        "benchlint.audit.report", "audit.html.jinja", lambda text: text.replace(" %", "\N{NO-BREAK SPACE}%")
    )
    folder = files("benchlint.audit.report")
    found = [(section_of(group), drawings(group)) for group in groups]
    together = audit is not None
    return page_template.render(
        page=page,
        source=(audit.overview.source or "a table") if audit is not None else None,
        answer=summary(audit) if audit is not None else [],
        charts=[drawing for _, own in found for drawing in own] if together else [],
        sections=[(section, [] if together else own) for section, own in found],
        lacking=[section for section, _ in found if section.lacks is not None],
        style=folder.joinpath("audit.css").read_text("utf-8"),
        version=__version__,
        most=_MOST,
        mark=mark,
        shown=lambda cell: "–" if cell == ABSENT else cell,
    )

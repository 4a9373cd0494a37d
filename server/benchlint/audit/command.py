"""What `benchlint audit` does: read, compute, write."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchlint.audit.errors import AuditError
from benchlint.audit.libraries import require

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchlint.audit.options import Options
    from benchlint.audit.report import FormatName


@dataclass(frozen=True, slots=True)
class Outcome:
    """The report, and what is told beside it."""

    text: str
    told: tuple[str, ...] = ()


def perform(
    paths: Sequence[str],
    options: Options,
    *,
    scores: str | None = None,
    form: FormatName = "text",
    region: str | None = None,
    color: bool = False,
) -> Outcome:
    """Audit files and write the operating region where one is asked for.

    Raises `AuditError` for what cannot be audited, OSError for a file that
    cannot be read or written.
    """
    require()
    from benchlint.audit.audit import audit
    from benchlint.audit.data import read_frame
    from benchlint.audit.report import render

    found = audit(read_frame(paths, options, scores), options)
    told = []
    if region is not None:
        from benchlint.audit.region import write

        if found.region is None or found.region.reason is not None:
            why = found.region.reason if found.region is not None else "the table has counts only"
            raise AuditError(f"{region} was not written: {why}")
        write(found.region, found.overview.source, region)
        told.append(f"{region} was written")
    return Outcome(render(found, form, color=color), tuple(told))

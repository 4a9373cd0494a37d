"""The audit tells how far a judge's ranking of agents can be trusted.

`run` takes a table and returns an `Audit`, whose attributes are the figures.
It needs the extra `benchlint[audit]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchlint.audit.errors import AuditError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchlint.audit.audit import Audit
    from benchlint.audit.frame import Frame

__all__ = ["AuditError", "read", "run"]


def run(frame: Any, **options: Any) -> Audit:
    """Audit a table.

    `frame` is a polars or pandas data frame, a list of dictionaries, the
    path of a file or folder (or several), or what `read` returned.
    `options` are the fields of `benchlint.audit.options.Options`.

    Raises `AuditError` for data and options that cannot be audited and where
    the extra is not installed; OSError for a file that cannot be read.
    """
    from benchlint.audit.libraries import require

    require()
    from benchlint.audit.audit import audit
    from benchlint.audit.data import frame_of
    from benchlint.audit.options import Options

    try:
        settings = Options(**options)
    except TypeError as error:
        raise AuditError(str(error).replace("Options.__init__() got an ", "")) from None
    return audit(frame_of(frame, settings), settings)


def read(paths: str | Iterable[str], **options: Any) -> Frame:
    """Read tables or results of runs, of the formats that `docs/audit.md` lists. See `run` for what is raised."""
    from benchlint.audit.libraries import require

    require()
    from benchlint.audit.data import read_frame
    from benchlint.audit.options import Options

    return read_frame([paths] if isinstance(paths, str) else list(paths), Options(**options))

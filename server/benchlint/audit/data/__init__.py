"""Reading what is audited: one module a format."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import polars as pl

from benchlint.audit.data.files import Table, expand, read_file
from benchlint.audit.data.scores import with_scores
from benchlint.audit.errors import AuditError
from benchlint.audit.frame import Frame, build

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchlint.audit.options import Options


def read_frame(paths: Sequence[str], options: Options, scores: str | None = None) -> Frame:
    """Read files and folders as one table, and join the scores of another file to it.

    Raises `AuditError` for what is no such file, OSError for what cannot be
    read.
    """
    tables = [read_file(path) for path in expand(paths)]
    if not tables:
        raise AuditError("there is nothing to audit: no path was given")
    data = _together(tables)
    if scores is not None:
        data = with_scores(data, read_file(scores).data, scores)
    notes = tuple(dict.fromkeys(note for table in tables for note in table.notes))
    return build(data, options, source=", ".join(dict.fromkeys(table.source for table in tables)), notes=notes)


def frame_of(value: Any, options: Options) -> Frame:
    """Make a frame of a data frame (polars or pandas), rows as dictionaries, a path or several."""
    if isinstance(value, Frame):
        return value
    if isinstance(value, (str, os.PathLike)):
        return read_frame([os.fspath(value)], options)
    if isinstance(value, pl.DataFrame):
        return build(value, options)
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, (str, os.PathLike)) for item in value):
        return read_frame([os.fspath(item) for item in value], options)
    try:
        if hasattr(value, "to_dict"):
            value = value.to_dict(orient="list")
        return build(pl.DataFrame(value, strict=False, infer_schema_length=None), options)
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise AuditError(f"that is no table: {error}") from None


def _together(tables: list[Table]) -> pl.DataFrame:
    if len(tables) == 1:
        return tables[0].data
    try:
        return pl.concat([table.data for table in tables], how="diagonal_relaxed")
    except pl.exceptions.PolarsError as error:
        raise AuditError(f"the tables do not go together: {error}") from None

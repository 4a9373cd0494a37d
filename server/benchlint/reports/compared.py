"""The comparison of two reports of numbers, from their files to text."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchlint.reports.compare import compare
from benchlint.reports.scores_reading import WrittenReport, read_report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchlint.reports.formats import Options

FORMATS: Final[Mapping[str, str]] = {"text": "compare_text", "markdown": "compare_markdown"}
"""The name of each format and the module that writes it, imported on first use."""


def render(before: str, after: str, name: str, options: Options) -> str:
    """Write what has changed from one file to another.

    Raises OSError and UnreadableReportError.
    """
    module = import_module(f"benchlint.reports.{FORMATS[name]}")
    text: str = module.render(compare(_read(before), _read(after)), options)
    return text


def _read(path: str) -> WrittenReport:
    return read_report(Path(path).read_bytes(), path)

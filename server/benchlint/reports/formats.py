"""The forms in which a report can be written; each lives in a module of its own."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol, cast

from msgspec import Struct, field

from benchlint.catalogue.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchlint.reports.report import Report

FORMATS: Final[Mapping[str, str]] = {
    "text": "text",
    "json": "json_report",
    "jsonl": "jsonl",
    "sarif": "sarif",
    "github": "github",
    "gitlab": "gitlab",
    "junit": "junit",
}
"""The name of each format and the module that writes it, imported on first use."""


class RuleInfo(Protocol):
    """What reports need of a rule.

    `severity` is its default, `summary` its first paragraph, `page` all of
    its page in Markdown.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def severity(self) -> Severity: ...  # noqa: D102

    @property
    def summary(self) -> str: ...  # noqa: D102

    @property
    def page(self) -> str: ...  # noqa: D102


class Options(Struct, frozen=True):
    """How to write a report.

    `rules` are those of the catalogue, by name. `fail_on` is the severity at
    which a JUnit test case fails, None where none does. The others are for
    reading at a terminal: `color`, `width` in cells, `concise` (one line a
    finding, no excerpt), `quiet` (findings and nothing else, so that a clean
    run prints nothing), and `problems`, off where the caller prints
    unreadable inputs elsewhere.
    """

    rules: Mapping[str, RuleInfo] = field(default_factory=dict)
    fail_on: Severity | None = Severity.ERROR
    color: bool = False
    width: int = 120
    concise: bool = False
    quiet: bool = False
    problems: bool = True


class Format(Protocol):
    """A module that writes reports."""

    def render(self, report: Report, options: Options) -> str:
        """Return the report as text that ends in a line end, or "" for nothing to print."""


def load(name: str) -> Format:
    """Import the module of a format; KeyError where there is none."""
    return cast("Format", import_module(f"benchlint.reports.{FORMATS[name]}"))


def render(report: Report, name: str, options: Options) -> str:
    """Write a report in the format of that name."""
    return load(name).render(report, options)

"""What is reported, and when a run fails: `[lint]`, `[[ignore]]` and `[report]`."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from benchlint.config_schema.values import SCHEMA, SeverityName

FailOn = Literal["error", "warning", "information", "hint", "never"]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LintConfig:
    """What `benchlint lint` reports, and when it fails."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SCHEMA
    select: tuple[str, ...] = ()
    """The rules and groups of rules to check. Default: all."""
    ignore: tuple[str, ...] = ()
    """Rules and groups of rules to leave out."""
    min_severity: SeverityName = "hint"
    """Findings below this severity are not reported."""
    fail_on: FailOn = "error"
    """The severity from which on a finding makes the exit code 1."""
    baseline: str | None = None
    """A file of findings that are known and not reported again."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class IgnoreConfig:
    """A suppression: findings of one rule that are meant to stay."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SCHEMA
    rule: str
    """The rule."""
    reason: str
    """Why its findings are no faults here."""
    task: str | None = None
    """The id of the task; a pattern with * and ? fits several. Default: all tasks."""
    path: str | None = None
    """The file, relative to this one; a pattern fits several. Default: all files."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ReportConfig:
    """The least that `benchlint report` must find for the exit code 0."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SCHEMA
    min_description_alignment: float | None = None
    """S_desc, from 1 to 10."""
    min_policy_alignment: float | None = None
    """S_pol, from 1 to 10."""
    min_violations: float | None = None
    """S_vcount, violations a task."""
    min_coverage: float | None = None
    """S_vcov, from 0 to 1."""

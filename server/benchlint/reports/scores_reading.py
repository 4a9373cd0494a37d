"""Reads back what `scores_json` writes, as far as a comparison needs it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, ValidationError

from benchlint.judges.metrics import Scores  # noqa: TC001 (pydantic reads it)


class UnreadableReportError(ValueError):
    """A text that is no report of numbers: its name, and why."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class WrittenTask(_Part):
    """See `TaskRow`."""

    id: str
    scores: dict[str, float]
    violations: tuple[str, ...] | None
    offline_violations: tuple[str, ...] | None


class WrittenItem(_Part):
    """See `ItemRow`."""

    id: str
    text: str
    tasks: tuple[str, ...] | None
    offline_tasks: tuple[str, ...] | None


class WrittenBenchmark(_Part):
    """See `BenchmarkScores`."""

    name: str
    items_reviewed: bool
    threshold: int
    judged: Scores
    offline: Scores | None
    judges: dict[str, Scores]
    tasks: tuple[WrittenTask, ...]
    policy_items: tuple[WrittenItem, ...]


class WrittenPosition(_Part):
    """A line and a column, 1-based."""

    line: int
    column: int


class WrittenRange(_Part):
    """The start of a range."""

    start: WrittenPosition


class WrittenFinding(_Part):
    """See `Finding`."""

    fingerprint: str
    rule: str
    severity: str
    message: str
    path: str
    range: WrittenRange
    task: str | None
    pointer: str
    quote: str

    @property
    def place(self) -> str:
        """Path, line and column."""
        return f"{self.path}:{self.range.start.line}:{self.range.start.column}"


class WrittenReport(_Part):
    """A report as one file holds it."""

    version: str
    benchmarks: tuple[WrittenBenchmark, ...]
    findings: tuple[WrittenFinding, ...]


def read_report(data: str | bytes, name: str) -> WrittenReport:
    """Read a report; `name` is what messages call it. Raises UnreadableReportError."""
    try:
        return WrittenReport.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            raise UnreadableReportError(
                name, f"this is no JSON ({first['msg'].removeprefix('Invalid JSON: ')})"
            ) from None
        where = ".".join(map(str, first["loc"])) or "it"
        raise UnreadableReportError(
            name, f"this is no output of `benchlint report --format json`: {where}: {first['msg']}"
        ) from None

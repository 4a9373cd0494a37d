"""The numbers of benchmarks as a report, and the forms in which it can be written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol, cast

from benchlint.catalogue.finding import Severity
from benchlint.judges.metrics import NOT_ASKED, score_histogram, violation_histogram
from benchlint.reports.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from benchlint.judges.metrics import BenchmarkScores, ItemRow, Measure, Scores, TaskRow
    from benchlint.judges.protocol import Metric
    from benchlint.reports.formats import Options
    from benchlint.reports.report import Row

FORMATS: Final[Mapping[str, str]] = {
    "text": "scores_text",
    "json": "scores_json",
    "html": "scores_html",
    "markdown": "scores_markdown",
}
"""The name of each format and the module that writes it, imported on first use."""

NO_VERDICT: Final = "no verdict"

_BAR: Final = "█"
_BAR_CELLS: Final = 24

Challenge = Literal["challenged", "few", "unchallenged", "unknown"]
"""Whether K tasks violate a policy item, fewer do, none does, or nobody has looked."""


CHALLENGED: Final[Mapping[Challenge, str]] = {"challenged": "yes", "few": "few", "unchallenged": "no", "unknown": "-"}


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """Benchmarks with their numbers, and the lint report of the same run.

    The lint report's notes and problems are this one's too; its rows are the
    findings that stand beside the tasks.
    """

    benchmarks: tuple[BenchmarkScores, ...] = ()
    lint: Report = field(default_factory=Report)

    def findings(self, benchmark: str) -> dict[str | None, list[Row]]:
        """Return the findings of a benchmark by task; those of no task under None."""
        found: dict[str | None, list[Row]] = {}
        for row in self.lint.rows:
            if row.finding.benchmark == benchmark:
                found.setdefault(row.finding.task, []).append(row)
        for rows in found.values():
            rows.sort(key=lambda row: -row.finding.severity)
        return found

    def elsewhere(self) -> list[Row]:
        """Return the findings that belong to none of the benchmarks."""
        names = {benchmark.name for benchmark in self.benchmarks}
        return [row for row in self.lint.rows if row.finding.benchmark not in names]


class Format(Protocol):
    """A module that writes reports of numbers."""

    def render(self, report: ScoreReport, options: Options) -> str:
        """Return the report as text that ends in a line end."""


class Kind(NamedTuple):
    """One of the four numbers: its field in `Scores`, its name and its symbol in the paper."""

    field: str
    label: str
    symbol: str


KINDS: Final = (
    Kind("description_alignment", "description alignment", "S_desc"),
    Kind("policy_alignment", "policy alignment", "S_pol"),
    Kind("violations_per_task", "violations a task", "S_vcount"),
    Kind("coverage", "coverage", "S_vcov"),
)
AT_LEAST: Final = "≥ "
"""Stands before the offline reader's numbers: it speaks only where it is sure."""

ALIGNMENTS: Final[tuple[Metric, Metric]] = ("description_alignment", "policy_alignment")


class Chart(NamedTuple):
    """How many tasks have each value; `first` is the value of the first bar, `offline` whose reading it is."""

    title: str
    first: int
    counts: tuple[int, ...]
    offline: bool = False


def render(report: ScoreReport, name: str, options: Options) -> str:
    """Write a report in the format of that name; KeyError where there is none."""
    module = cast("Format", import_module(f"benchlint.reports.{FORMATS[name]}"))
    return module.render(report, options)


def measure(scores: Scores, kind: Kind) -> Measure:
    """Return one of the four numbers."""
    return cast("Measure", getattr(scores, kind.field))


def shown(found: Measure) -> str:
    """Write a number and its interval: `8.40 (7.80 to 9.00)`."""
    if found.value is None:
        return NO_VERDICT
    return f"{found.value:.2f}{interval(found, ' ({} to {})')}"


def interval(found: Measure, form: str = "{} to {}") -> str:
    """Write an interval, "" where there is none."""
    return form.format(f"{found.low:.2f}", f"{found.high:.2f}") if found.low is not None else ""


def extent(found: Measure) -> str:
    """Say how many tasks stand behind a number."""
    every = found.n + found.missing
    return number(every, "task") if not found.missing else f"{found.n} of {number(every, 'task')}"


def points(score: float) -> str:
    """Write a task's score."""
    return f"{score:.1f}".removesuffix(".0")


def per_judge(row: TaskRow, metric: Metric, judges: Iterable[str]) -> str:
    """Write the score of each judge: `6/7`, `-` where one gave none."""
    scores = row.by_judge.get(metric, {})
    return "/".join(points(scores[judge]) if judge in scores else "-" for judge in judges)


def charts(benchmark: BenchmarkScores) -> list[Chart]:
    """Return the distributions of which something is known."""
    found = [
        Chart(metric.replace("_", " "), 1, score_histogram(scores))
        for metric in ALIGNMENTS
        if (scores := [row.scores[metric] for row in benchmark.tasks if metric in row.scores])
    ]
    violations = ([row.violations for row in benchmark.tasks], [row.offline for row in benchmark.tasks])
    return found + [
        Chart("violations", 0, violation_histogram(known), offline)
        for offline, read in zip((False, True), violations, strict=True)
        if (known := [items for items in read if items is not None])
    ]


def draw(chart: Chart) -> str:
    """Draw a distribution, a line a value."""
    most = max(chart.counts)
    lines = [f"{chart.title}{', offline reader' if chart.offline else ''}, tasks"]
    for value, count in enumerate(chart.counts, chart.first):
        bar = _BAR * max(1, round(count / most * _BAR_CELLS)) if count else ""
        lines.append(f"{value:>4} |{bar}{f' {count}' if count else ''}")
    return "\n".join(lines)


def challenge(tasks: tuple[str, ...] | None, threshold: int) -> Challenge:
    """Say how well tasks challenge a policy item."""
    if tasks is None:
        return "unknown"
    return "unchallenged" if not tasks else "few" if len(tasks) < threshold else "challenged"


def challenge_summary(benchmark: BenchmarkScores) -> str:
    """Count the policy items by how well they are challenged: by the judges' reading where there is one."""
    counts = Counter(challenge(known(item), benchmark.threshold) for item in benchmark.items)
    many = f"{counts['challenged']} challenged by {benchmark.threshold} tasks or more"
    if benchmark.judged.coverage.value is not None:
        return f"{many}, {counts['few']} by fewer, {counts['unchallenged']} by none"
    if benchmark.offline is None:
        return NO_VERDICT
    return f"{many}, {counts['few']} by fewer, {counts['unknown']} unknown (as far as the offline reader speaks)"


def summary(benchmark: BenchmarkScores) -> str:
    """Say what a benchmark has: `30 tasks, 49 policy items, items not reviewed`."""
    if not benchmark.items:
        return f"{number(len(benchmark.tasks), 'task')}, no policy"
    items = number(len(benchmark.items), "policy item")
    reviewed = "items reviewed" if benchmark.reviewed else "items not reviewed"
    return f"{number(len(benchmark.tasks), 'task')}, {items}, {reviewed}"


def reasons(benchmark: BenchmarkScores) -> list[str]:
    """Say why judges gave no verdict: a sentence for each metric and reason, the most frequent first."""
    counts = Counter(
        (metric.replace("_", " "), reason)
        for row in benchmark.tasks
        for metric, reason in row.missing.items()
        if reason != NOT_ASKED
    )
    return [
        f"No verdict on {metric} for {number(count, 'task')}: {reason}."
        for (metric, reason), count in counts.most_common()
    ]


def agreements(benchmark: BenchmarkScores) -> list[str]:
    """Say how far judges agree: a sentence a metric and pair."""
    lines = []
    for metric, found in benchmark.agreement.items():
        label = metric.replace("_", " ")
        alphas = f"{_two(found.interval_alpha)}, ordinal {_two(found.ordinal_alpha)}"
        lines.append(f"Agreement on {label}: Krippendorff's alpha {alphas}.")
        lines += [
            f"{pair.first} and {pair.second} on {label}: rank correlation {_two(pair.spearman)}, "
            f"mean offset of the second {pair.offset:+.2f}, {number(pair.tasks, 'task')}."
            for pair in found.pairs
            if pair.offset is not None
        ]
    return lines


def _two(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"


def known(item: ItemRow) -> tuple[str, ...] | None:
    """Return the tasks that violate an item: the judges' reading, else the offline reader's; its silence is None."""
    return item.tasks if item.tasks is not None else item.offline or None


def number(count: int, noun: str) -> str:
    """Write a count and its noun."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def severities(counts: Mapping[Severity, int]) -> str:
    """Write counts by severity, the worst first: `2 errors, 1 hint`."""
    names = {
        Severity.ERROR: "error",
        Severity.WARNING: "warning",
        Severity.INFORMATION: "information",
        Severity.HINT: "hint",
    }
    return ", ".join(
        f"{count} information" if level is Severity.INFORMATION else number(count, name)
        for level, name in names.items()
        if (count := counts.get(level, 0))
    )


def by_severity(rows: Iterable[Row]) -> Counter[Severity]:
    """Count findings by severity."""
    return Counter(row.finding.severity for row in rows)

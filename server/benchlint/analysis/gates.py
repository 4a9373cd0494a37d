"""Limits of a benchmark's numbers, for CI."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from benchlint.config_schema import Config
    from benchlint.judges.metrics import BenchmarkScores, Measure

_SETTINGS = {
    "description_alignment": "min_description_alignment",
    "policy_alignment": "min_policy_alignment",
    "violations_per_task": "min_violations",
    "coverage": "min_coverage",
}


class Passed(NamedTuple):
    """Whether numbers keep their limits: some are below, or have no verdict; and a sentence for each."""

    is_missed: bool
    is_unknown: bool
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gates:
    """The least that each number must be; None leaves it to the configuration.

    Only what judges say counts: the offline reader's numbers are the least
    there is, and never mixed with theirs.
    """

    description_alignment: float | None = None
    policy_alignment: float | None = None
    violations_per_task: float | None = None
    coverage: float | None = None

    def check(self, benchmarks: Iterable[BenchmarkScores], settings: Mapping[str, Config]) -> Passed:
        """Compare the numbers of benchmarks with the limits; `settings` are configurations by benchmark."""
        lines = []
        is_missed = is_unknown = False
        for benchmark in benchmarks:
            config = settings.get(benchmark.name)
            for item in fields(self):
                least = getattr(self, item.name)
                if least is None and config is not None:
                    least = getattr(config.report, _SETTINGS[item.name])
                if least is None:
                    continue
                found: Measure = getattr(benchmark.judged, item.name)
                label = item.name.replace("_per_task", " a task").replace("_", " ")
                if found.value is None:
                    is_unknown = True
                    lines.append(f"{benchmark.name}: {label} has no verdict, and must be at least {least:g}")
                elif found.value < least:
                    is_missed = True
                    value = f"{found.value:.2f}" if round(found.value, 2) < least else f"{found.value:.6g}"
                    lines.append(f"{benchmark.name}: {label} is {value}, and must be at least {least:g}")
        return Passed(is_missed, is_unknown, tuple(lines))

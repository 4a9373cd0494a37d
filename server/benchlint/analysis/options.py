"""What a run is asked for beyond the configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from benchlint.catalogue.finding import Severity


class ReplayOptions(Struct, frozen=True, kw_only=True):
    """How to run expected actions; None leaves it to the configuration.

    Without `cache` the user's cache is neither read nor written.
    """

    environment: str | None = None
    python: str | None = None
    cache: bool = True


class Options(Struct, frozen=True, kw_only=True):
    """Options of a run; None and () leave it to the configuration.

    `select` takes the place of the configuration's `select` and `ignore`;
    `ignore` alone adds to them. `fail_on` is a severity's label, or "never"
    where no finding fails the run. `use_baseline` is False where all findings
    are wanted, `thorough` True where the errors of rules that are not shown
    are wanted too. `items` are items files in place of those that are found.
    With `replay` the expected actions are run. Folders that are not
    `trusted` are only read: their guards and their own rule pages are left
    out, and nothing of them is run.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    min_severity: Severity | None = None
    fail_on: str | None = None
    baseline: str | None = None
    use_baseline: bool = True
    thorough: bool = False
    items: tuple[str, ...] = ()
    replay: ReplayOptions | None = None
    trusted: bool = True


class JudgeOptions(Struct, frozen=True, kw_only=True):
    """Who is asked in a run; None and () leave it to the configuration.

    `judges` are model strings, "offline", "cached" or "none". Without
    `network` no model is asked: configured ones are replaced by their
    committed verdicts, or by the offline reader. Without `cache` the user's
    cache is neither read nor written. With `estimate` nothing is asked, and
    what a run would take is told. With `thorough` tasks are read also for
    what no finding follows from: the numbers of a report. `metrics` are those
    on which models are asked, of the configured ones; without some, all.
    """

    judges: tuple[str, ...] = ()
    network: bool = True
    cache: bool = True
    max_calls: int | None = None
    max_usd: float | None = None
    allow_missing: int | None = None
    estimate: bool = False
    thorough: bool = False
    metrics: tuple[str, ...] = ()

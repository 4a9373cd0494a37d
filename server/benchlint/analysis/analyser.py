"""One benchmark of a run: read, replayed and checked, or taken from what an earlier run left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from benchlint.analysis.engine import analyse
from benchlint.benchmark.loader import load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from benchlint.analysis.engine import Analysis
    from benchlint.analysis.kept import Kept, KeptBenchmark
    from benchlint.analysis.live_replay import LiveReplay
    from benchlint.analysis.options import Options
    from benchlint.analysis.reader import Reader
    from benchlint.benchmark.model import Benchmark, Layout
    from benchlint.catalogue.rule import Rule
    from benchlint.config_schema import Config
    from benchlint.replay.results import Replay


_ON_EFFECTS: Final = ("inaction-passes", "redundant-action", "undisclosed-argument")
"""Rules that leave alone what may be a write or a read."""


class Analysed(Struct, frozen=True):
    """A benchmark, what checks found in it, and what there is to say of its replay."""

    benchmark: Benchmark
    analysis: Analysis
    problems: Sequence[str] = ()
    notes: Sequence[str] = ()

    def unchecked(self, chosen: frozenset[str]) -> list[str]:
        """Say in a note which of the chosen rules were not checked, or say less, and why."""
        unsaid = [
            f"{_absence(self.benchmark, need)}, so {_listed(rules)} not checked"
            for need, names in self.analysis.unchecked.items()
            if need != "replay" and (rules := [name for name in names if name in chosen])
        ]
        quiet = [rule for rule in _ON_EFFECTS if rule in chosen]
        if quiet and _no_effects(self.benchmark):
            unsaid.append(
                f'no tool says whether it changes anything ("effect": "read" or "write"), '
                f"so {', '.join(quiet)} say{'s' if len(quiet) == 1 else ''} less"
            )
        return [f"{self.benchmark.name}: {'; '.join(unsaid)}"] if unsaid else []


class Analyser:
    """Reads and checks the benchmarks of a run, one after the other."""

    def __init__(
        self, rules: Mapping[str, Rule], options: Options, kept: Kept | None, replayed: LiveReplay | None
    ) -> None:
        self._rules = rules
        self._options = options
        self._kept = kept
        self._replayed = replayed

    def analyse(
        self, layout: Layout, config: Config, wanted: frozenset[str], read: Reader, cancelled: Callable[[], bool]
    ) -> Analysed:
        """Read a benchmark and check it for the wanted rules, or take what is kept of it; raises Unreadable."""
        if self._kept is None:
            benchmark = load(layout, read, config)
            said = self._replay(benchmark, config, cancelled)
            return Analysed(benchmark, analyse(benchmark, self._rules, wanted.__contains__, None, cancelled), *said)
        known = self._kept.benchmarks.get(layout.name)
        if (
            known is not None
            and known.analysis is not None
            and known.same(layout, config, wanted, read)
            and known.benchmark.replay is self._known_replay(known.benchmark, config)
        ):
            return Analysed(known.benchmark, known.analysis)
        # Of a run that was given up, not all is read: what is left would be read from the texts of then.
        known = _reread(self._kept, known, layout, config, wanted, read)
        said = self._replay(known.benchmark, config, cancelled)
        known.analysis = analyse(known.benchmark, self._rules, wanted.__contains__, known.memo, cancelled)
        return Analysed(known.benchmark, known.analysis, *said)

    def _replay(
        self, benchmark: Benchmark, config: Config, cancelled: Callable[[], bool]
    ) -> tuple[Sequence[str], Sequence[str]]:
        """Run the benchmark's expected actions, where that is asked for; return problems and notes."""
        if self._options.replay is None or not self._options.trusted:
            benchmark.replay = self._known_replay(benchmark, config)
            return (), ()
        from benchlint.analysis.replaying import replay_benchmark

        return replay_benchmark(benchmark, config, self._options.replay, cancelled)

    def _known_replay(self, benchmark: Benchmark, config: Config) -> Replay | None:
        """Return what is known of a benchmark's expected actions without running them."""
        if self._options.replay is not None:
            return benchmark.replay  # type: ignore[no-any-return]
        return self._replayed.of(benchmark, config) if self._replayed is not None and self._options.trusted else None


def _reread(
    kept: Kept,
    earlier: KeptBenchmark | None,
    layout: Layout,
    config: Config,
    wanted: frozenset[str],
    read: Reader,
) -> KeptBenchmark:
    from benchlint.analysis.kept import KeptBenchmark

    read.reads.clear()
    benchmark = load(layout, read, config, earlier.benchmark if earlier else None)
    known = KeptBenchmark(layout, config, benchmark, read.reads, wanted)
    if earlier is not None:
        known.memo = earlier.memo
    kept.benchmarks[layout.name] = known
    return known


def _no_effects(benchmark: Benchmark) -> bool:
    """Say whether there are tools, and of none it is known whether it reads or writes."""
    tools = benchmark.tools
    return (
        tools is not None and bool(tools.by_name) and all(tool.effect == "unknown" for tool in tools.by_name.values())
    )


def _absence(benchmark: Benchmark, need: str) -> str:
    """Say why a benchmark lacks something that checks need."""
    were = "were" if need == "tools" else "was"
    if getattr(benchmark.layout, need):
        return f"the {need} could not be read"
    return f"no {need} {were} found"


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names)} {'was' if len(names) == 1 else 'were'}"

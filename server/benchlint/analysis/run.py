"""One run: from paths, a snapshot and a configuration to the findings to show.

The command line, the Python interface and the editor all come through here,
so they cannot say different things.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from msgspec.structs import replace

from benchlint.analysis.analyser import Analyser
from benchlint.analysis.decide import Group, Judge, chosen_rules, weighed
from benchlint.analysis.options import Options
from benchlint.analysis.paths import full
from benchlint.analysis.reader import Reader
from benchlint.analysis.rulebook import named_rules, rulebook
from benchlint.analysis.snapshot import DEFAULT_LIMIT
from benchlint.analysis.suppressions import UNUSED
from benchlint.benchmark.discovery import discover
from benchlint.benchmark.loader import Unreadable
from benchlint.catalogue.finding import Severity
from benchlint.catalogue.rule import load_rules
from benchlint.checks.registry import all_checks
from benchlint.config_schema import Config

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from benchlint.analysis.changes import Changes
    from benchlint.analysis.judging import Judging
    from benchlint.analysis.kept import Kept
    from benchlint.analysis.live_replay import LiveReplay
    from benchlint.analysis.snapshot import Snapshot
    from benchlint.benchmark.discovery import Discovery
    from benchlint.benchmark.model import Benchmark, Layout
    from benchlint.catalogue.finding import Finding
    from benchlint.catalogue.rule import Rule
    from benchlint.text.document import Document

    Tick = Callable[[int, int, str], None]

__all__ = ["Options", "Result", "run"]

_DEFAULTS = Config()


class Result(Struct, frozen=True, kw_only=True):
    """What a run found.

    `findings` are those to show, sorted by path, place and rule. `everything`
    holds also what is suppressed, known or of no interest. `slices` are the
    offsets at which the slices of a file start. `failing` counts findings at
    or above `fail_on`. `configs` are the configuration files of benchmarks,
    by name, and `settings` what they say. `rules` are all that there are.
    `notes` are sentences about what was not checked,
    `problems` about inputs that could not be read.
    """

    findings: tuple[Finding, ...] = ()
    everything: tuple[Finding, ...] = ()
    benchmarks: tuple[Benchmark, ...] = ()
    documents: Mapping[str, Document] = field(default_factory=dict)
    slices: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    suppressed: int = 0
    baselined: int = 0
    failing: int = 0
    fail_on: Severity | None = Severity.ERROR
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    configs: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Config] = field(default_factory=dict)
    rules: Mapping[str, Rule] = field(default_factory=dict)


def run(
    paths: Sequence[str],
    snapshot: Snapshot,
    config_of: Callable[[str], Config | None],
    options: Options | None = None,
    *,
    kept: Kept | None = None,
    tick: Tick = lambda done, total, name: None,
    judging: Judging | None = None,
    changes: Changes | None = None,
    replayed: LiveReplay | None = None,
) -> Result:
    """Lint what is found under some paths.

    `kept` makes the run incremental: it holds what earlier runs over the same
    paths with the same options left, and this one adds to it. `tick` is told
    how many benchmarks are done, of how many, and which one is next; it is
    called often, and may raise to end the run. `judging` are the judges that
    read as well. With `changes` only what has changed is judged and shown.
    `replayed` knows what earlier replays of the same session found.

    Raises `ConfigError` for a configuration, `UnknownRule` for options,
    `BaselineError` for a baseline and `JudgeError` for judges that cannot be
    used.
    """
    return _Run(paths, snapshot, config_of, options or Options(), kept, tick, judging, changes, replayed).result()


ABOUT_POLICY: Final = frozenset({"contradictory-policy", "untestable-policy-item"})
"""Rules that speak of the policy alone; they read all its items, which takes as long as all else on a small file."""


class _Run:
    def __init__(
        self,
        paths: Sequence[str],
        snapshot: Snapshot,
        config_of: Callable[[str], Config | None],
        options: Options,
        kept: Kept | None,
        tick: Tick,
        judging: Judging | None,
        changes: Changes | None,
        replayed: LiveReplay | None,
    ) -> None:
        self.judging = judging
        self.changes = changes
        self.snapshot = snapshot
        self.config_of = config_of
        self.options = options
        self.kept = kept
        self.tick = tick
        self.rules: Mapping[str, Rule] = load_rules()
        self.roots = tuple(full(path) for path in paths if Path(path).is_dir())
        self.notes: list[str] = []
        self.problems: list[str] = []
        self.slices: dict[str, tuple[int, ...]] = {}
        self.groups: dict[int, Group] = {}
        self.layouts = self._discovered(paths)
        self.rulebooks: dict[int, Mapping[str, Rule]] = {}
        for layout in self.layouts:
            self._rules_of(self._config_of(layout))
        chosen_rules(self.rules, _DEFAULTS, options)
        self.analyser = Analyser(self.rules, options, kept, replayed)

    def result(self) -> Result:
        for index, layout in enumerate(self.layouts):
            self._check(layout, index)
        groups = self.groups.values()
        if self.judging is not None:
            for group in groups:
                found = self.judging.uncalibrated(group.config, group.benchmarks, group.chosen)
                group.found += weighed(found, self.rules, group.config)
        is_new = self.changes.has if self.changes is not None else lambda _: True
        judge = Judge(self.rules, self.options, self.slices, self.roots, self.snapshot.read, is_new)
        for group in groups:
            judge.decide(group)
        decision = judge.decision
        return Result(
            findings=tuple(decision.findings),
            everything=tuple(finding for group in groups for finding in group.found),
            benchmarks=tuple(benchmark for group in groups for benchmark in group.benchmarks),
            documents={path: document for group in groups for path, document in group.documents.items()},
            slices=self.slices,
            suppressed=decision.suppressed,
            baselined=decision.baselined,
            failing=decision.failing,
            fail_on=decision.fail_on,
            notes=tuple(dict.fromkeys([*self.notes, *decision.notes])),
            problems=tuple(dict.fromkeys(self.problems)),
            configs={
                benchmark.name: group.config.path
                for group in groups
                for benchmark in group.benchmarks
                if group.config.path is not None
            },
            rules=self.rules,
            settings={benchmark.name: group.config for group in groups for benchmark in group.benchmarks},
        )

    def _discovered(self, paths: Sequence[str]) -> tuple[Layout, ...]:
        found = self._search(paths)
        self.problems += [f"{path}: {reason}" for path, reason in found.problems]
        # A run that looked at nothing must not pass.
        nothing = not found.layouts and not self.problems
        (self.problems if nothing else self.notes).extend(found.notes)
        if not self.options.items and self.options.trusted:
            return found.layouts
        return tuple(replace(layout, items=self.options.items) for layout in found.layouts)

    def _search(self, paths: Sequence[str]) -> Discovery:
        if self.kept is None:
            return discover(paths, self.config_of, self._head)
        key = (tuple(paths), self.config_of, self.kept.glimpses(self.snapshot.given))
        if self.kept.discovery is None or self.kept.discovery[0] != key:
            self.kept.discovery = key, discover(paths, self.config_of, self._head)
        return self.kept.discovery[1]

    def _head(self, path: str, size: int | None) -> bytes:
        config = self.config_of(path)
        return self.snapshot.head(path, size, config.max_bytes if config else DEFAULT_LIMIT)

    def _config_of(self, layout: Layout) -> Config:
        return self.config_of(layout.config or layout.tasks[0]) or _DEFAULTS

    def _rules_of(self, config: Config) -> Mapping[str, Rule]:
        """Return the rules of a configuration; `rules` are those of all."""
        if id(config) not in self.rulebooks:
            own = self._own_rules(config) if config.rules else load_rules()
            self.rulebooks[id(config)] = own
            self.rules = {**self.rules, **own}
        return self.rulebooks[id(config)]

    def _own_rules(self, config: Config) -> Mapping[str, Rule]:
        """Return the rules of a configuration that has some of its own."""
        if not self.options.trusted:
            return named_rules(config)
        books = self.kept.rulebooks if self.kept is not None else {}
        name = config.path or ""
        if name not in books or not books[name].holds(config, self.snapshot.read):
            books[name] = rulebook(config, self.snapshot.read)
        return books[name].rules

    def _group(self, layout: Layout) -> Group:
        config = self._config_of(layout)
        group = self.groups.get(id(config))
        if group is None:
            chosen = chosen_rules(self.rules, config, self.options).intersection(self._rules_of(config))
            group = self.groups[id(config)] = Group(config, chosen)
            if config.document is not None:
                group.documents[config.document.path] = config.document
        return group

    def _covers_policy(self, layout: Layout) -> bool:
        """Say whether the policy lies in a folder that is linted, not only beside a file that is."""
        return any(full(path).is_relative_to(root) for path in layout.policy for root in self.roots)

    def _check(self, layout: Layout, index: int) -> None:
        group = self._group(layout)

        def cancelled() -> bool:
            self.tick(index, len(self.layouts), layout.name)
            return False

        read = Reader(layout, group.config, self.roots, self.snapshot, group.documents)
        wanted = frozenset(self.rules) if self.options.thorough else group.chosen
        if not self._covers_policy(layout):
            wanted -= ABOUT_POLICY.difference(self.options.select)
        try:
            analysed = self.analyser.analyse(layout, group.config, wanted, read, cancelled)
        except Unreadable as error:
            self.problems.append(str(error))
            return
        benchmark, analysis = analysed.benchmark, analysed.analysis
        self.problems += analysed.problems
        self.notes += analysed.notes
        for source in benchmark.sources:
            self.slices[source.document.path] = tuple(piece.start for piece in source.slices)
        unchecked = {rule for names in analysis.unchecked.values() for rule in names}
        group.ran[benchmark.name] = (group.chosen & wanted & (_checkable() | {UNUSED})) - unchecked
        group.benchmarks.append(benchmark)
        group.found += weighed(analysis.findings, self.rules, group.config)
        tasks, policy = None, True
        if self.changes is not None:
            tasks = self.changes.look(benchmark, group.config, read)
            policy = self.changes.has_policy(benchmark)
        if self.judging is not None:
            heard = self.judging.judge(
                benchmark,
                self._rules_of(group.config),
                group.chosen,
                group.config,
                analysis.findings,
                tasks,
                policy=policy,
            )
            group.found += weighed(heard.findings, self.rules, group.config)
            group.ran[benchmark.name] |= heard.ran
            self.notes += heard.notes
        self.problems += [f"{path}: {reason}" for path, reason in benchmark.unread]
        self.notes += [f"{benchmark.name}: {note}" for note in benchmark.notes]
        self.notes += analysed.unchecked(group.chosen)


@cache
def _checkable() -> frozenset[str]:
    """Return the rules that checks look for by themselves."""
    return frozenset(rule for check in all_checks() if not check.by_guard for rule in check.rules)

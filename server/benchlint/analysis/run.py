"""One run: from paths, a snapshot and a configuration to the findings to show.

The command line, the Python interface and the editor all come through here,
so they cannot say different things.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from benchlint.analysis import baseline as baselines
from benchlint.analysis.engine import Memo, analyse
from benchlint.analysis.snapshot import DEFAULT_LIMIT
from benchlint.analysis.suppress import LASTING, UNUSED, Scope, suppress
from benchlint.benchmark.discovery import discover
from benchlint.benchmark.loader import Unreadable, load
from benchlint.catalogue.finding import Severity
from benchlint.catalogue.rule import by_alias, load_rules
from benchlint.catalogue.selection import UnknownRule, choose
from benchlint.checks.registry import all_checks
from benchlint.config_schema import Config

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from benchlint.analysis.snapshot import Snapshot
    from benchlint.benchmark.model import Benchmark, Layout
    from benchlint.catalogue.finding import Anchor, Finding
    from benchlint.config import ConfigLookup
    from benchlint.text.document import Document

    Tick = Callable[[int, int, str], None]

_DEFAULTS = Config()


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a run is asked for beyond the configuration; None and () leave it as it is.

    `select` takes the place of the configuration's `select` and `ignore`;
    `ignore` alone adds to them. `fail_on` "never" lets no finding fail the
    run. `use_baseline` is False where all findings are wanted, `thorough`
    True where the errors of rules that are not shown are wanted too.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    min_severity: Severity | None = None
    fail_on: str | None = None
    baseline: str | None = None
    use_baseline: bool = True
    thorough: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a run found.

    `findings` are those to show, sorted by path, place and rule. `everything`
    holds also what is suppressed, known or of no interest. `slices` are the
    offsets at which the slices of a file start. `failing` counts findings at
    or above `fail_on`. `notes` are sentences about what was not checked,
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
    memos: Mapping[str, Memo] = field(default_factory=dict)


def run(
    paths: Sequence[str],
    snapshot: Snapshot,
    config_of: ConfigLookup,
    options: Options | None = None,
    *,
    previous: Result | None = None,
    tick: Tick = lambda done, total, name: None,
) -> Result:
    """Lint what is found under some paths.

    `previous` makes the run incremental. `tick` is told how many benchmarks
    are done, of how many, and which one is next; it is called often.

    Raises `ConfigError` for a configuration, `UnknownRule` for options and
    `BaselineError` for a baseline that cannot be used.
    """
    return _Run(paths, snapshot, config_of, options or Options(), previous, tick).result()


@dataclass(slots=True)
class _Group:
    """The benchmarks of one configuration and what was found in them."""

    config: Config
    chosen: frozenset[str]
    benchmarks: list[Benchmark] = field(default_factory=list)
    found: list[Finding] = field(default_factory=list)
    ran: dict[str, frozenset[str]] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)


class _Run:
    def __init__(
        self,
        paths: Sequence[str],
        snapshot: Snapshot,
        config_of: ConfigLookup,
        options: Options,
        previous: Result | None,
        tick: Tick,
    ) -> None:
        self.snapshot = snapshot
        self.config_of = config_of
        self.options = options
        self.previous = previous.memos if previous else {}
        self.tick = tick
        self.rules = load_rules()
        self.roots = tuple(Path(path).absolute() for path in paths if Path(path).is_dir())
        self.notes: list[str] = []
        self.problems: list[str] = []
        self.memos: dict[str, Memo] = {}
        self.slices: dict[str, tuple[int, ...]] = {}
        self.groups: dict[int, _Group] = {}
        self.layouts = self._discovered(paths)

    def result(self) -> Result:
        for index, layout in enumerate(self.layouts):
            self._check(layout, index)
        groups = self.groups.values()
        outcome = _Outcome()
        for group in groups:
            self._judge(group, outcome)
        documents = {path: document for group in groups for path, document in group.documents.items()}
        return Result(
            findings=tuple(self._sorted(outcome.findings)),
            everything=tuple(finding for group in groups for finding in group.found),
            benchmarks=tuple(benchmark for group in groups for benchmark in group.benchmarks),
            documents=documents,
            slices=self.slices,
            suppressed=outcome.suppressed,
            baselined=outcome.baselined,
            failing=outcome.failing,
            fail_on=outcome.fail_on,
            notes=tuple(dict.fromkeys(self.notes)),
            problems=tuple(dict.fromkeys(self.problems)),
            memos=self.memos,
        )

    def _discovered(self, paths: Sequence[str]) -> tuple[Layout, ...]:
        found = discover(paths, self.config_of, self._head)
        self.problems += [f"{path}: {reason}" for path, reason in found.problems]
        if found.layouts or self.problems:
            self.notes += found.notes
        else:
            self.problems += found.notes
        return found.layouts

    def _head(self, path: str, size: int | None) -> bytes:
        config = self.config_of(path)
        return self.snapshot.head(path, size, config.max_bytes if config else DEFAULT_LIMIT)

    def _group(self, layout: Layout) -> _Group:
        config = self.config_of(layout.config or layout.tasks[0]) or _DEFAULTS
        group = self.groups.get(id(config))
        if group is None:
            group = self.groups[id(config)] = _Group(config, self._chosen(config))
            if config.document is not None:
                group.documents[config.document.path] = config.document
        return group

    def _check(self, layout: Layout, index: int) -> None:
        group = self._group(layout)
        limit = group.config.max_bytes

        def cancelled() -> bool:
            self.tick(index, len(self.layouts), layout.name)
            return False

        def read(path: str) -> Document:
            document = self.snapshot.read(path, limit)
            group.documents[document.path] = document
            return document

        try:
            benchmark = load(layout, read, group.config)
        except Unreadable as error:
            self.problems.append(str(error))
            return
        for source in benchmark.sources:
            self.slices[source.document.path] = tuple(piece.start for piece in source.slices)
        wanted = frozenset(self.rules) if self.options.thorough else group.chosen
        analysis = analyse(
            benchmark,
            self.rules,
            wanted.__contains__,
            self.previous.get(benchmark.name),
            cancelled,
        )
        self.memos[benchmark.name] = analysis.memo
        unchecked = {rule for names in analysis.unchecked.values() for rule in names}
        group.ran[benchmark.name] = (group.chosen & (_checkable() | {UNUSED})) - unchecked
        group.benchmarks.append(benchmark)
        group.found += self._weighed(analysis.findings, group.config)
        self.problems += [f"{path}: {reason}" for path, reason in benchmark.unread]
        self.notes += [f"{benchmark.name}: {note}" for note in benchmark.notes]
        unsaid = [
            f"{_absence(benchmark, need)}, so {_listed(rules)} not checked"
            for need, names in analysis.unchecked.items()
            if (rules := [name for name in names if name in group.chosen])
        ]
        if unsaid:
            self.notes.append(f"{benchmark.name}: {'; '.join(unsaid)}")

    def _chosen(self, config: Config) -> frozenset[str]:
        """Return the rules that are to be reported."""
        try:
            chosen = choose(self.rules, config.lint.select, config.lint.ignore)
        except UnknownRule as error:
            key = "select" if error.name in config.lint.select else "ignore"
            raise config.error(("lint", key), f"lint.{key}: {error}") from None
        for name in config.severity:
            if by_alias(self.rules, name) is None:
                raise config.error(("severity", name), f"severity: {UnknownRule(self.rules, name)}")
        if self.options.select:
            return choose(self.rules, self.options.select, self.options.ignore)
        if self.options.ignore:
            return choose(self.rules, config.lint.select, (*config.lint.ignore, *self.options.ignore))
        return chosen

    def _weighed(self, findings: Iterable[Finding], config: Config) -> Iterable[Finding]:
        """Give findings the severity that the configuration wants.

        What a check reports as less than its rule's own severity is lowered,
        and never raised.
        """
        wanted = {}
        for name, label in config.severity.items():
            rule = by_alias(self.rules, name)
            if rule is not None and rule.name not in LASTING:
                wanted[rule.name] = Severity.parse(label)
        for finding in findings:
            severity = wanted.get(finding.rule)
            if severity is not None and finding.severity < self.rules[finding.rule].severity:
                severity = min(severity, finding.severity)
            yield finding if severity is None else replace(finding, severity=severity)

    def _judge(self, group: _Group, outcome: _Outcome) -> None:
        """Decide which findings of a group are shown, and which of them fail the run."""
        options, settings = self.options, group.config.lint
        found = self._distinct(item for item in group.found if item.rule in group.chosen | LASTING)
        scope = Scope(group.benchmarks, group.ran, group.config, self.roots)
        kept, hidden = suppress(found, scope, group.documents, self.rules, report_unused=UNUSED in group.chosen)
        kept = [*self._weighed((item for item in kept if item.rule == UNUSED), group.config)] + [
            item for item in kept if item.rule != UNUSED
        ]
        new = self._new(group, self._sorted(kept))
        least = options.min_severity or Severity.parse(settings.min_severity)
        shown = [finding for finding in new if finding.severity >= least]
        fail_on = options.fail_on or settings.fail_on
        if fail_on != "never":
            limit = Severity.parse(fail_on)
            outcome.failing += sum(finding.severity >= limit for finding in shown)
            outcome.fail_on = min(limit, outcome.fail_on or limit)
        outcome.findings += shown
        outcome.suppressed += hidden
        outcome.baselined += len(kept) - len(new)

    def _new(self, group: _Group, findings: list[Finding]) -> list[Finding]:
        """Return the findings that the baseline does not know."""
        if not self.options.use_baseline:
            return findings
        path = self.options.baseline
        if path is None and group.config.lint.baseline is not None:
            path = os.path.normpath(group.config.folder / group.config.lint.baseline)
        if path is None:
            return findings
        try:
            known = baselines.parse(path, self.snapshot.read(path).data)
        except Unreadable as error:
            message = f"{error}; --write-baseline {path} writes one"
            raise baselines.BaselineError(message) from None
        looked = {os.path.abspath(item) for item in group.documents}  # noqa: PTH100
        ran = frozenset().union(*group.ran.values())
        new, gone = known.apply(
            findings,
            lambda rule, item: rule in ran and os.path.abspath(item) in looked,  # noqa: PTH100
        )
        if gone:
            are = "finding of the baseline is" if gone == 1 else "findings of the baseline are"
            self.notes.append(f"{path}: {gone} {are} gone; write it anew")
        return new

    def _sorted(self, findings: Iterable[Finding]) -> list[Finding]:
        return sorted(findings, key=lambda item: (*self._place(item.anchor), item.rule, item.message))

    def _distinct(self, findings: Iterable[Finding]) -> list[Finding]:
        """Leave out what two benchmarks that share a file both say of it."""
        seen: dict[Hashable, Finding] = {}
        for finding in findings:
            seen.setdefault((finding.rule, self._place(finding.anchor), finding.message), finding)
        return list(seen.values())

    def _place(self, anchor: Anchor) -> tuple[str, int, int]:
        base = self.slices[anchor.path][anchor.slice] if anchor.slice is not None else 0
        return anchor.path, base + anchor.start, base + anchor.end


@dataclass(slots=True)
class _Outcome:
    findings: list[Finding] = field(default_factory=list)
    suppressed: int = 0
    baselined: int = 0
    failing: int = 0
    fail_on: Severity | None = None


@cache
def _checkable() -> frozenset[str]:
    """Return the rules that some check looks for."""
    return frozenset(rule for check in all_checks() for rule in check.rules)


def _absence(benchmark: Benchmark, need: str) -> str:
    """Say why a benchmark lacks something that checks need."""
    were = "were" if need == "tools" else "was"
    if getattr(benchmark.layout, need):
        return f"the {need} could not be read"
    return f"no {need} {were} found"


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names)} {'was' if len(names) == 1 else 'were'}"

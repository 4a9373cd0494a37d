"""Which findings are shown, what they weigh, and which of them fail the run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from benchlint.analysis.paths import full
from benchlint.analysis.suppress import suppress
from benchlint.analysis.suppressions import LASTING, UNUSED, Scope
from benchlint.benchmark.loader import Unreadable
from benchlint.catalogue.finding import Severity
from benchlint.catalogue.rule import by_alias
from benchlint.catalogue.selection import UnknownRule, choose

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from pathlib import Path

    from benchlint.analysis.options import Options
    from benchlint.benchmark.model import Benchmark
    from benchlint.catalogue.finding import Anchor, Finding
    from benchlint.catalogue.rule import Rule
    from benchlint.config_schema import Config
    from benchlint.text.document import Document


class Group(Struct, eq=False):
    """The benchmarks of one configuration and what was found in them.

    `chosen` are the rules to report, `ran` those that were checked in each
    benchmark, `documents` all files that were read.
    """

    config: Config
    chosen: frozenset[str]
    benchmarks: list[Benchmark] = field(default_factory=list)
    found: list[Finding] = field(default_factory=list)
    ran: dict[str, frozenset[str]] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)


class Decision(Struct, eq=False):
    """What is shown of the findings, and what became of the others.

    `failing` counts shown findings at or above `fail_on`, the least severity
    of all groups that fails a run; None where none does.
    """

    findings: list[Finding] = field(default_factory=list)
    suppressed: int = 0
    baselined: int = 0
    failing: int = 0
    fail_on: Severity | None = None
    notes: list[str] = field(default_factory=list)


def chosen_rules(rules: Mapping[str, Rule], config: Config, options: Options) -> frozenset[str]:
    """Return the rules to report.

    Raises `ConfigError` and `UnknownRule` for names that no rule has.
    """
    try:
        chosen = choose(rules, config.lint.select, config.lint.ignore)
    except UnknownRule as error:
        key = "select" if error.name in config.lint.select else "ignore"
        raise config.error(("lint", key), f"lint.{key}: {error}") from None
    for name in config.severity:
        if by_alias(rules, name) is None:
            raise config.error(("severity", name), f"severity: {UnknownRule(rules, name)}")
    if options.select:
        return choose(rules, options.select, options.ignore)
    if options.ignore:
        return choose(rules, config.lint.select, (*config.lint.ignore, *options.ignore))
    return chosen


def weighed(findings: Iterable[Finding], rules: Mapping[str, Rule], config: Config) -> list[Finding]:
    """Give findings the severity that the configuration wants.

    What a check reports as less than its rule's own severity is lowered, and
    never raised.
    """
    wanted = {}
    for name, label in config.severity.items():
        rule = by_alias(rules, name)
        if rule is not None and rule.name not in LASTING:
            wanted[rule.name] = Severity.parse(label)
    if not wanted:
        return list(findings)

    def weigh(finding: Finding) -> Finding:
        severity = wanted.get(finding.rule)
        if severity is None:
            return finding
        if finding.severity < rules[finding.rule].severity:
            severity = min(severity, finding.severity)
        return replace(finding, severity=severity)

    return [weigh(finding) for finding in findings]


class Judge:
    """Decides on groups, one after the other. `decision` is what came of all so far.

    `slices` are the offsets at which the slices of each file start, `roots`
    the folders that the run covers, in full. `read` returns the text of a
    baseline or raises `Unreadable`. `is_new` says whether a finding is to be
    shown at all.
    """

    def __init__(
        self,
        rules: Mapping[str, Rule],
        options: Options,
        slices: Mapping[str, Sequence[int]],
        roots: tuple[Path, ...],
        read: Callable[[str], Document],
        is_new: Callable[[Finding], bool] = lambda _: True,
    ) -> None:
        self.decision = Decision()
        self._is_new = is_new
        self._rules = rules
        self._options = options
        self._slices = slices
        self._roots = roots
        self._read = read

    def decide(self, group: Group) -> None:
        """Add a group to the decision. Raises `BaselineError`."""
        decision, settings = self.decision, group.config.lint
        kept, hidden = self._without_suppressed(group)
        new = self._without_known(group, kept)
        least = self._options.min_severity or Severity.parse(settings.min_severity)
        shown = [finding for finding in new if finding.severity >= least and self._is_new(finding)]
        fail_on = self._options.fail_on or settings.fail_on
        if fail_on != "never":
            limit = Severity.parse(fail_on)
            decision.failing += sum(finding.severity >= limit for finding in shown)
            decision.fail_on = min(limit, decision.fail_on or limit)
        decision.findings = self._sorted(self._distinct([*decision.findings, *shown]))
        decision.suppressed += hidden
        decision.baselined += len(kept) - len(new)

    def _without_suppressed(self, group: Group) -> tuple[list[Finding], int]:
        found = self._distinct(item for item in group.found if item.rule in group.chosen | LASTING)
        scope = Scope(group.benchmarks, group.ran, group.config, self._roots)
        kept, hidden = suppress(found, scope, group.documents, self._rules, report_unused=UNUSED in group.chosen)
        unused = weighed((item for item in kept if item.rule == UNUSED), self._rules, group.config)
        return self._sorted([*(item for item in kept if item.rule != UNUSED), *unused]), hidden

    def _without_known(self, group: Group, findings: list[Finding]) -> list[Finding]:
        """Return the findings that the baseline does not know."""
        path = self._options.baseline
        if path is None and group.config.lint.baseline is not None:
            path = os.path.normpath(group.config.folder / group.config.lint.baseline)
        if path is None or not self._options.use_baseline:
            return findings
        from benchlint.analysis import baseline as baselines

        try:
            known = baselines.parse(path, self._read(path).data)
        except Unreadable as error:
            raise baselines.BaselineError(f"{error}; --write-baseline {path} writes one") from None
        looked = set(map(full, group.documents))
        ran: frozenset[str] = frozenset().union(*group.ran.values())
        lasting = [item for item in findings if item.rule in LASTING]
        new, gone = known.apply(
            (item for item in findings if item.rule not in LASTING),
            lambda rule, item: rule in ran and full(item) in looked,
        )
        if gone:
            are = "finding of the baseline is" if gone == 1 else "findings of the baseline are"
            self.decision.notes.append(f"{path}: {gone} {are} gone; write it anew")
        return self._sorted([*lasting, *new])

    def _sorted(self, findings: Iterable[Finding]) -> list[Finding]:
        return sorted(findings, key=lambda item: (*self._place(item.anchor), item.rule, item.message))

    def _distinct(self, findings: Iterable[Finding]) -> list[Finding]:
        """Leave out what two benchmarks that share a file both say of it."""
        seen: dict[Hashable, Finding] = {}
        for finding in findings:
            seen.setdefault((finding.rule, self._place(finding.anchor), finding.message), finding)
        return list(seen.values())

    def _place(self, anchor: Anchor) -> tuple[str, int, int]:
        base = self._slices[anchor.path][anchor.slice] if anchor.slice is not None else 0
        return anchor.path, base + anchor.start, base + anchor.end

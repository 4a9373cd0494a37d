"""The pure function from a benchmark to its findings.

With a `Memo` only what changed is checked again: a finding of one task is
kept while the task's value stays the same object, and all else that its check
reads has the same hash. With or without a memo the result is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from benchlint.analysis.alignment import Alignment
from benchlint.catalogue.finding import Anchor, Finding, Severity
from benchlint.catalogue.rule import load_rules
from benchlint.checks.registry import Check, all_checks
from benchlint.checks.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.catalogue.rule import Rule
    from benchlint.checks.registry import Summary


class Memo(Struct):
    """What earlier runs over one benchmark found. A run reads it and writes to it."""

    found: dict[Check, _Found] = field(default_factory=dict)
    summaries: dict[Hashable, _Summarised] = field(default_factory=dict)
    alignment: Alignment | None = None


class _Found(Struct, frozen=True):
    """The findings of a check by the index of the task, of the tasks that have some."""

    tasks: Alignment
    inputs: Hashable
    summary: Any
    findings: dict[int, tuple[Finding, ...]]


class _Summarised(Struct, frozen=True):
    tasks: Alignment
    inputs: Hashable
    digests: list[Hashable]
    value: Any


class Analysis(Struct, frozen=True):
    """The findings of one benchmark, in the order of the checks.

    `unchecked` names, by the input that is missing, the rules that could not
    be checked.
    """

    findings: tuple[Finding, ...]
    unchecked: Mapping[str, tuple[str, ...]]


def analyse(
    benchmark: Benchmark,
    rules: Mapping[str, Rule] | None = None,
    wanted: Callable[[str], bool] = lambda _: True,
    memo: Memo | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Analysis:
    """Check a benchmark.

    `wanted` selects rules by name. `memo` makes the run incremental; it is
    None where no other run will follow. `cancelled` is asked between tasks; a
    cancelled run returns what it has.
    """
    return _Analyser(benchmark, dict(rules if rules is not None else load_rules()), memo, cancelled).analysis(wanted)


class _Analyser:
    def __init__(
        self, benchmark: Benchmark, rules: dict[str, Rule], memo: Memo | None, cancelled: Callable[[], bool]
    ) -> None:
        self.benchmark = benchmark
        self.rules = rules
        self.memo = memo
        self.cancelled = cancelled
        self.values: dict[str, Any] = {}
        self.tasks: Alignment | None = None
        if memo is not None:
            self.tasks = memo.alignment = Alignment(benchmark.tasks, memo.alignment)

    def analysis(self, wanted: Callable[[str], bool]) -> Analysis:
        found: list[Finding] = []
        unchecked: dict[str, list[str]] = {}
        for check in all_checks():
            names = [rule for rule in check.rules if rule in self.rules and wanted(rule)]
            if not names or self.cancelled():
                continue
            missing = next((need for need in check.needs if getattr(self.benchmark, need) is None), None)
            if missing is not None:
                unchecked.setdefault(missing, []).extend(names)
                continue
            found.extend(item for item in self._run(check) if item.rule in names or item.rule == "internal-error")
        return Analysis(tuple(found), {key: tuple(names) for key, names in unchecked.items()})

    def _run(self, check: Check) -> Iterable[Finding]:
        try:
            summary = self._summary(check, check.summary) if check.summary is not None else None
        except Exception as error:
            return [_crash(check, self.benchmark, None, error)]
        view = View(self.benchmark, self.rules, summary)
        if check.scope == "benchmark":
            return _guarded(check, view, None)
        if self.memo is None or self.tasks is None:
            return self._every(check, view)
        return self._changed(check, view, self.memo, self.tasks)

    def _every(self, check: Check, view: View) -> Iterator[Finding]:
        for task in self.benchmark.tasks:
            if self.cancelled():
                return
            yield from _guarded(check, view.of(task), task)

    def _changed(self, check: Check, view: View, memo: Memo, tasks: Alignment) -> Iterator[Finding]:
        """Check the tasks that are new, and take over what was found in the others."""
        benchmark = self.benchmark
        inputs = (benchmark.default_reward_basis, *self._hashes(check.reads))
        known = memo.found.get(check)
        findings: dict[int, tuple[Finding, ...]] = {}
        new: Sequence[int] = range(len(benchmark.tasks))
        if known is not None and known.inputs == inputs and known.summary == view.summary:
            for old, items in known.findings.items():
                now = tasks.now(known.tasks, old)
                if now is not None:
                    findings[now] = _moved(items, benchmark.tasks[now])
            new = tasks.new(known.tasks)
        for index in new:
            if self.cancelled():
                return
            task = benchmark.tasks[index]
            if items := tuple(_guarded(check, view.of(task), task)):
                findings[index] = items
        memo.found[check] = _Found(tasks, inputs, view.summary, findings)
        for index in sorted(findings):
            yield from findings[index]

    def _summary(self, check: Check, summary: Summary) -> Any:
        benchmark = self.benchmark
        if self.memo is None or self.tasks is None:
            if summary.name not in self.values:
                digests = [summary.digest(task, benchmark) for task in benchmark.tasks]
                self.values[summary.name] = summary.reduce(digests, benchmark)
            return self.values[summary.name]
        reads = dict.fromkeys((*summary.needs, *check.needs, *check.reads))
        inputs = (benchmark.default_reward_basis, *self._hashes(reads))
        key = (summary.name, check.needs, check.reads)
        known = self.memo.summaries.get(key)
        if known is None or known.inputs != inputs:
            digests = [summary.digest(task, benchmark) for task in benchmark.tasks]
        else:
            digests = self.tasks.carried(known.tasks, known.digests)
            for index in self.tasks.new(known.tasks):
                digests[index] = summary.digest(benchmark.tasks[index], benchmark)
            if digests == known.digests:
                self.memo.summaries[key] = replace(known, tasks=self.tasks)
                return known.value
        value = summary.reduce(digests, benchmark)
        self.memo.summaries[key] = _Summarised(self.tasks, inputs, digests, value)
        return value

    def _hashes(self, inputs: Iterable[str]) -> Iterator[Hashable]:
        return (getattr(getattr(self.benchmark, name), "hash", None) for name in inputs)


def _guarded(check: Check, view: View, task: Task | None) -> Sequence[Finding]:
    """Run a check; one that crashes is a finding, and the others go on."""
    try:
        return list(check.run(view))
    except Exception as error:
        return [_crash(check, view.benchmark, task, error)]


def _crash(check: Check, benchmark: Benchmark, task: Task | None, error: Exception) -> Finding:
    where = f' on task "{task.id}"' if task is not None else ""
    source = task.slice.document.path if task is not None else benchmark.sources[0].document.path
    return Finding(
        rule="internal-error",
        severity=Severity.ERROR,
        message=f"{', '.join(check.rules)} crashed{where}: {type(error).__name__}: {error}",
        anchor=Anchor(source, 0, 0, task.slice.index if task is not None else None),
        benchmark=benchmark.name,
        task=task.id if task is not None else None,
    )


def _moved(findings: tuple[Finding, ...], task: Task) -> tuple[Finding, ...]:
    """Return findings of a task at the place where its slice stands now."""
    path, index = task.slice.document.path, task.slice.index
    if all(finding.anchor.slice in (None, index) for finding in findings):
        return findings

    def here(anchor: Anchor) -> Anchor:
        if anchor.slice is None or anchor.slice == index or anchor.path != path:
            return anchor
        return replace(anchor, slice=index)

    return tuple(
        replace(
            finding,
            anchor=here(finding.anchor),
            related=tuple(replace(item, anchor=here(item.anchor)) for item in finding.related),
            fixes=tuple(
                replace(fix, edits=tuple(replace(edit, anchor=here(edit.anchor)) for edit in fix.edits))
                for fix in finding.fixes
            ),
        )
        for finding in findings
    )

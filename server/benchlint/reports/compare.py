"""What has changed between two reports of numbers, for a pull request."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from benchlint.reports.scores import KINDS, NO_VERDICT, interval, number, points

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from benchlint.judges.metrics import Measure, Scores
    from benchlint.reports.scores_reading import (
        WrittenBenchmark,
        WrittenFinding,
        WrittenReport,
    )

_OFFLINE: Final = "offline reader"


class NumberChange(NamedTuple):
    """One of the four numbers before and after; `apart` where the intervals do not touch."""

    label: str
    reader: str
    before: Measure
    after: Measure

    @property
    def change(self) -> float | None:
        """How much more it is now; None where one side has no verdict."""
        if self.before.value is None or self.after.value is None:
            return None
        return self.after.value - self.before.value

    @property
    def apart(self) -> bool:
        """Whether the two intervals have nothing in common."""
        before, after = self.before, self.after
        if before.low is None or before.high is None or after.low is None or after.high is None:
            return False
        return before.high < after.low or after.high < before.low


class TaskChange(NamedTuple):
    """A task's score, or how many policy items it violates, before and after; None is no verdict."""

    task: str
    metric: str
    before: float | None
    after: float | None

    @property
    def change(self) -> float:
        """How much more it is now; a lost verdict comes first and a new one last."""
        if self.after is None or self.before is None:
            return float("-inf") if self.after is None else float("inf")
        return self.after - self.before


class ItemChange(NamedTuple):
    """A policy item that comes to be challenged by K tasks, or no longer is: by how many, before and after."""

    text: str
    reader: str
    before: int
    after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkChange:
    """What has changed in one benchmark.

    `tasks` are sorted: what has fallen most comes first. `notes` say why
    numbers may differ although the benchmark does not.
    """

    name: str
    numbers: tuple[NumberChange, ...]
    tasks: tuple[TaskChange, ...]
    items: tuple[ItemChange, ...]
    new_tasks: tuple[str, ...]
    gone_tasks: tuple[str, ...]
    new_items: tuple[str, ...]
    gone_items: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What has changed between two reports. A change in place alone makes no finding new."""

    benchmarks: tuple[BenchmarkChange, ...]
    new_benchmarks: tuple[str, ...]
    gone_benchmarks: tuple[str, ...]
    new_findings: tuple[WrittenFinding, ...]
    gone_findings: tuple[WrittenFinding, ...]


class Part(NamedTuple):
    """A part of a comparison to write: a table, or lines where there are no titles.

    Texts are as they were read. `level` is 1 for a benchmark and 2 for what
    belongs to it or to no benchmark; `emphasis` are rows that matter most.
    """

    level: int
    title: str
    titles: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    emphasis: frozenset[int] = frozenset()


def compare(before: WrittenReport, after: WrittenReport) -> Comparison:
    """Compare two reports: benchmarks by name, tasks and policy items by id, findings by fingerprint.

    One benchmark on each side is the same one, whatever its name.
    """
    old = {benchmark.name: benchmark for benchmark in before.benchmarks}
    new = {benchmark.name: benchmark for benchmark in after.benchmarks}
    if len(old) == len(new) == 1:
        old = dict(zip(new, old.values(), strict=True))
    return Comparison(
        benchmarks=tuple(_benchmark(old[name], benchmark) for name, benchmark in new.items() if name in old),
        new_benchmarks=_added(old, new),
        gone_benchmarks=_added(new, old),
        new_findings=_without(after.findings, before.findings),
        gone_findings=_without(before.findings, after.findings),
    )


def _without(findings: tuple[WrittenFinding, ...], others: tuple[WrittenFinding, ...]) -> tuple[WrittenFinding, ...]:
    """Return the findings that are not among the others, be it at another place or in a renamed file."""
    prints = {finding.fingerprint for finding in others}
    own = {finding.fingerprint for finding in findings}
    moved = Counter(_content(finding) for finding in others if finding.fingerprint not in own)
    left = []
    for finding in findings:
        if finding.fingerprint in prints:
            continue
        if moved[_content(finding)]:
            moved[_content(finding)] -= 1
        else:
            left.append(finding)
    return tuple(left)


def _content(finding: WrittenFinding) -> tuple[str | None, ...]:
    return finding.rule, finding.task, finding.pointer, finding.quote


def parts(comparison: Comparison) -> Iterator[Part]:
    """Return what to write of a comparison; nothing where nothing has changed."""
    for benchmark in comparison.benchmarks:
        found = list(_parts(benchmark))
        if found:
            yield Part(1, benchmark.name)
            yield from found
    yield from _lines("New benchmarks", comparison.new_benchmarks)
    yield from _lines("Benchmarks gone", comparison.gone_benchmarks)
    yield from _findings("New findings", comparison.new_findings)
    yield from _findings("Findings gone", comparison.gone_findings)


def summary(comparison: Comparison) -> str:
    """Say in one line what has changed."""
    moved = [
        change for benchmark in comparison.benchmarks for change in benchmark.tasks if "violations" not in change.metric
    ]
    fell = sum(change.change < 0 for change in moved)
    said = [
        (len(comparison.new_findings), "new finding"),
        (len(comparison.gone_findings), "finding gone"),
        (fell, "score fell"),
        (len(moved) - fell, "score rose"),
    ]
    plural = {"finding gone": "findings gone", "score fell": "scores fell", "score rose": "scores rose"}
    listed = [f"{count} {noun if count == 1 else plural.get(noun, f'{noun}s')}" for count, noun in said if count]
    return ", ".join(listed) or (
        "Nothing has changed" if not any(parts(comparison)) else "No finding and no score has changed"
    )


def _benchmark(old: WrittenBenchmark, new: WrittenBenchmark) -> BenchmarkChange:
    old_tasks = {task.id: task for task in old.tasks}
    new_tasks = {task.id: task for task in new.tasks}
    old_items = {item.id: item.text for item in old.policy_items}
    new_items = {item.id: item.text for item in new.policy_items}
    return BenchmarkChange(
        name=new.name,
        numbers=tuple(_numbers(old, new)),
        tasks=tuple(sorted(_tasks(old, new), key=lambda change: change.change)),
        items=tuple(_items(old, new)),
        new_tasks=_added(old_tasks, new_tasks),
        gone_tasks=_added(new_tasks, old_tasks),
        new_items=tuple(new_items[key] for key in _added(old_items, new_items)),
        gone_items=tuple(old_items[key] for key in _added(new_items, old_items)),
        notes=tuple(_notes(old, new)),
    )


def _numbers(old: WrittenBenchmark, new: WrittenBenchmark) -> Iterator[NumberChange]:
    pairs: list[tuple[str, Scores, Scores]] = [("judged", old.judged, new.judged)]
    if old.offline is not None and new.offline is not None:
        pairs.append((_OFFLINE, old.offline, new.offline))
    for kind in KINDS:
        for reader, *sides in pairs:
            before, after = (getattr(scores, kind.field) for scores in sides)
            if before.value != after.value or (before.value is not None and before.n != after.n):
                yield NumberChange(kind.label, reader, before, after)


def _tasks(old: WrittenBenchmark, new: WrittenBenchmark) -> Iterator[TaskChange]:
    """Return the changes of tasks in both reports, for what was read in both."""
    known = {task.id: task for task in old.tasks}
    both = [(known[task.id], task) for task in new.tasks if task.id in known]
    for kind in KINDS[:2]:
        if _measure(old, kind.field).n and _measure(new, kind.field).n:
            for first, second in both:
                scores = first.scores.get(kind.field), second.scores.get(kind.field)
                if scores[0] != scores[1]:
                    yield TaskChange(second.id, kind.label, *scores)
    for field, label in (("violations", "violations"), ("offline_violations", f"violations, {_OFFLINE}")):
        if _known(old, field) and _known(new, field):
            for first, second in both:
                before, after = (
                    None if ids is None else len(ids) for ids in (getattr(first, field), getattr(second, field))
                )
                if before != after:
                    yield TaskChange(second.id, label, before, after)


def _items(old: WrittenBenchmark, new: WrittenBenchmark) -> Iterator[ItemChange]:
    """Return the policy items whose coverage has changed; none where K has, which says nothing of the tasks."""
    if old.threshold != new.threshold:
        return
    before = {item.id: item for item in old.policy_items}
    for field, reader in (("tasks", "judged"), ("offline_tasks", _OFFLINE)):
        for item in new.policy_items:
            first = getattr(before[item.id], field) if item.id in before else None
            second = getattr(item, field)
            if first is None or second is None:
                continue
            if (len(first) >= new.threshold) != (len(second) >= new.threshold):
                yield ItemChange(item.text, reader, len(first), len(second))


def _notes(old: WrittenBenchmark, new: WrittenBenchmark) -> Iterator[str]:
    if old.threshold != new.threshold:
        yield f"K was {old.threshold} and is {new.threshold}: the coverages do not compare."
    if old.judges.keys() != new.judges.keys():
        judges = [", ".join(sorted(side.judges)) or "nobody" for side in (old, new)]
        yield f"The judges differ: {judges[0]} before, {judges[1]} after."
    if (old.offline is None) != (new.offline is None):
        yield f"The offline reader read {'before' if new.offline is None else 'after'} only."
    if old.items_reviewed != new.items_reviewed:
        yield f"The policy items were reviewed {'before' if old.items_reviewed else 'after'} only."


def _measure(benchmark: WrittenBenchmark, field: str) -> Measure:
    found: Measure = getattr(benchmark.judged, field)
    return found


def _known(benchmark: WrittenBenchmark, field: str) -> bool:
    return any(getattr(task, field) is not None for task in benchmark.tasks)


def _added(old: Mapping[str, object], new: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(key for key in new if key not in old)


def _parts(benchmark: BenchmarkChange) -> Iterator[Part]:
    changed = benchmark.numbers
    if changed:
        yield Part(
            2,
            "Numbers",
            ("number", "reader", "before", "after", "change"),
            tuple(
                (item.label, item.reader, _shown(item.before), _shown(item.after), _difference(item))
                for item in changed
            ),
            frozenset(index for index, item in enumerate(changed) if item.apart),
        )
    yield from _lines("Mind", benchmark.notes)
    if benchmark.tasks:
        rows = tuple((item.task, item.metric, _points(item.before), _points(item.after)) for item in benchmark.tasks)
        yield Part(2, f"Tasks that moved: {len(rows)}", ("task", "number", "before", "after"), rows)
    if benchmark.items:
        rows = tuple((item.reader, str(item.before), str(item.after), item.text) for item in benchmark.items)
        yield Part(
            2,
            "Policy items that gained or lost their coverage",
            ("reader", "tasks before", "after", "policy item"),
            rows,
        )
    yield from _lines("New tasks", benchmark.new_tasks)
    yield from _lines("Tasks gone", benchmark.gone_tasks)
    yield from _lines("New policy items", benchmark.new_items)
    yield from _lines("Policy items gone", benchmark.gone_items)


def _lines(title: str, texts: Iterable[str]) -> Iterator[Part]:
    rows = tuple((text,) for text in texts)
    if rows:
        yield Part(2, title, (), rows)


def _findings(title: str, findings: tuple[WrittenFinding, ...]) -> Iterator[Part]:
    if findings:
        rows = tuple((item.severity, item.rule, item.task or "", item.place, item.message) for item in findings)
        yield Part(2, f"{title}: {len(findings)}", ("severity", "rule", "task", "place", "message"), rows)


def _shown(found: Measure) -> str:
    if found.value is None:
        return NO_VERDICT
    return f"{found.value:.2f}{interval(found, ' ({} to {})')}, {number(found.n, 'task')}"


def _difference(item: NumberChange) -> str:
    if item.change is None:
        return ""
    return f"{item.change:+.2f}{', intervals apart' if item.apart else ''}"


def _points(value: float | None) -> str:
    return NO_VERDICT if value is None else points(value)

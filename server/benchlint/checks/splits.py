"""Splits and tasks that do not know each other."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from benchlint.catalogue.finding import Anchor, Edit, Fix, Severity
from benchlint.checks.edits import element_range
from benchlint.checks.registry import Check
from benchlint.checks.traits import listed
from benchlint.checks.values import title
from benchlint.text.locate import locate
from benchlint.text.slices import UNPARSED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Field, Task
    from benchlint.benchmark.splits import Splits
    from benchlint.catalogue.finding import Finding
    from benchlint.checks.view import View
    from benchlint.text.tree import Tree

_SINGLY = 3
"""So many entries of a split, or tasks without one, are reported one by one."""


def _unknown_split_task(view: View) -> Iterator[Finding]:
    benchmark = view.benchmark
    splits = benchmark.splits
    if splits is None or not splits.by_name:
        return
    ids = {task.id for task in benchmark.tasks}
    if all(piece.value is not UNPARSED for source in benchmark.sources for piece in source.slices):
        for name, items in splits.by_name.items():
            yield from _unknown(view, splits, name, [item for item in items if item.text not in ids])
    known = {item.text for items in splits.by_name.values() for item in items}
    yield from _without_split(view, splits, [task for task in benchmark.tasks if task.id and task.id not in known])


def _unknown(view: View, splits: Splits, name: str, unknown: list[Field]) -> Iterator[Finding]:
    """Report the entries of a split that are the id of no task; at once, where there are many."""
    if not unknown:
        return
    tree = splits.tree()
    file = PurePath(view.benchmark.layout.tasks[0]).name
    if len(unknown) > _SINGLY:
        ids = listed([item.text for item in unknown])
        of = len(splits.by_name[name])
        message = f'{len(unknown)} of {of} entries of split "{name}" name tasks that {file} does not have: {ids}'
        anchor = Anchor(splits.path, *locate(tree, (name,), "key"))
        yield view.file_finding("unknown-split-task", message, anchor, quote=name)
        return
    for item in unknown:
        message = f'split "{name}" names task "{item.text}", which {file} does not have'
        anchor = Anchor(splits.path, *locate(tree, item.pointer))
        fixes = _without(splits, tree, item)
        yield view.file_finding("unknown-split-task", message, anchor, quote=item.text, fixes=fixes)


def _without(splits: Splits, tree: Tree, item: Field) -> tuple[Fix, ...]:
    place = element_range(tree, item.pointer)
    if place is None:
        return ()
    return (Fix(f'Remove "{item.text}" from split "{item.pointer[0]}"', (Edit(Anchor(splits.path, *place), ""),)),)


def _without_split(view: View, splits: Splits, tasks: list[Task]) -> Iterator[Finding]:
    """Report tasks that no split names; once, where there are many."""
    file = PurePath(splits.path).name
    if len(tasks) > _SINGLY:
        ids = listed([task.id for task in tasks])
        message = f"{len(tasks)} of {len(view.benchmark.tasks)} tasks are in no split of {file}: {ids}"
        anchor = view.anchor(tasks[0], *title(tasks[0]))
        yield view.file_finding("unknown-split-task", message, anchor, severity=Severity.HINT, quote=tasks[0].id)
        return
    for task in tasks:
        pointer, part = title(task)
        yield view.finding(
            "unknown-split-task",
            f'task "{task.id}" is in no split of {file}',
            pointer,
            part=part,
            task=task,
            severity=Severity.HINT,
        )


CHECKS = (Check(("unknown-split-task",), _unknown_split_task, "benchmark"),)

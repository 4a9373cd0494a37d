"""Text that does not parse, and tasks that their format does not allow."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from msgspec.structs import replace

from benchlint.catalogue.finding import Anchor
from benchlint.checks.naming import is_slip
from benchlint.checks.registry import Check
from benchlint.text.locate import locate
from benchlint.text.slices import UNPARSED
from benchlint.text.tree import format_pointer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Problem, Task
    from benchlint.catalogue.finding import Finding
    from benchlint.checks.view import View
    from benchlint.text.locate import Part
    from benchlint.text.slices import Fault, Slice, Sliced

_QUOTED = 500
"""How many bytes of a fault are quoted."""


def _invalid_syntax(view: View) -> Iterator[Finding]:
    """Report the faults of all files of the benchmark."""
    for source in view.benchmark.sources:
        if not source.faults:
            continue
        starts = [piece.start for piece in source.slices]
        ids = {task.slice.index: task.id for task in view.benchmark.tasks if task.slice.document is source.document}
        for fault in source.faults:
            yield _fault(view, source, starts, ids, fault)
    for document, fault in view.benchmark.faults:
        anchor = Anchor(document.path, fault.start, fault.end)
        quote = _quote(document.data, fault.start, fault.end)
        yield view.file_finding("invalid-syntax", fault.message, anchor, quote=quote)


def _fault(view: View, source: Sliced, starts: list[int], ids: dict[int, str], fault: Fault) -> Finding:
    """Report a fault at its place, in its slice where it stands in one."""
    path, data = source.document.path, source.document.data
    anchor = Anchor(path, fault.start, fault.end)
    index = bisect_right(starts, fault.start) - 1
    task = None
    if index >= 0 and _is_inside(fault, source.slices[index]):
        begin = starts[index]
        anchor = Anchor(path, fault.start - begin, fault.end - begin, index)
        task = ids.get(index) or None
    quote = _quote(data, fault.start, fault.end)
    finding = view.file_finding("invalid-syntax", fault.message, anchor, quote=quote)
    return replace(finding, task=task)


def _is_inside(fault: Fault, piece: Slice) -> bool:
    """Say whether a fault is a slice's own; at the end of one that parses it is the file's."""
    return fault.end < piece.end or (fault.end == piece.end and piece.value is UNPARSED)


def _quote(data: bytes, start: int, end: int) -> str:
    """Return the text at fault; of a long one, the start."""
    return data[start : min(end, start + _QUOTED)].decode("utf-8", "replace")


def _invalid_task(view: View) -> Iterator[Finding]:
    """Report what the format does not allow in a task or around the tasks."""
    if not view.benchmark.problems:
        return
    tasks = {(id(task.slice.document), task.slice.index): task for task in view.benchmark.tasks}
    for source, index, problem in view.benchmark.problems:
        task = tasks.get((id(source.document), index)) if index is not None else None
        if task is not None:
            yield _problem(view.of(task), task, problem)
        else:
            yield _outside(view, source, index, problem)


def _problem(view: View, task: Task, problem: Problem) -> Finding:
    fix = None
    if problem.replacement is not None:
        meant = problem.replacement
        part: Part = "key" if problem.part == "key" else "value"
        title = f'Rename the field to "{meant}"' if part == "key" else f'Change the value to "{meant}"'
        wrong = str(problem.pointer[-1]) if part == "key" else ""
        tree = view.benchmark.source_of(task).tree(task.slice.index)
        node = tree.find(problem.pointer)
        if part == "value" and node is not None and node.kind == "string":
            wrong = tree.decode(node).text
        fix = view.replacement(title, problem.pointer, meant, part=part, safe=is_slip(wrong, meant))
    return view.finding(
        "invalid-task", problem.message, problem.pointer, part=problem.part, fixes=(fix,) if fix else ()
    )


def _outside(view: View, source: Sliced, index: int | None, problem: Problem) -> Finding:
    """Report a problem in a slice that holds no task, or beside the slices."""
    tree = source.header_tree() if index is None else source.tree(index)
    start, end = locate(tree, problem.pointer, problem.part)
    anchor = Anchor(source.document.path, start, end, index)
    quote = _quote(tree.data, start, end)
    finding = view.file_finding("invalid-task", problem.message, anchor, quote=quote)
    return replace(finding, pointer=format_pointer(problem.pointer))


CHECKS = (
    Check(("invalid-syntax",), _invalid_syntax, "benchmark"),
    Check(("invalid-task",), _invalid_task, "benchmark"),
)

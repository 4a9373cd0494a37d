"""A new task at the end of a file of a benchmark."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from benchlint.analysis.task_forms import task_value
from benchlint.analysis.task_writing import insertion_of
from benchlint.checks.values import value_at
from benchlint.text.slices import UNPARSED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.analysis.task_forms import Contents
    from benchlint.benchmark.model import Benchmark, PolicyItem, Task
    from benchlint.catalogue.finding import Edit

_NEW: Final = "challenge"
_SLUG = re.compile(r"[^a-z0-9]+")


def form_of(benchmark: Benchmark) -> Task | None:
    """Return the task whose form a new one takes: the last one that fits, of a file that is written as a list.

    None where no task can be added: the files are pickles or Python, or hold
    a single task, or have faults.
    """
    form = None
    for task in benchmark.tasks:
        source = benchmark.source_of(task)
        if (
            source.language in ("json", "jsonl", "yaml")
            and task.slice.value is not UNPARSED
            and isinstance(task.slice.value, dict)
            and task.scenario
            and (task.slice.pointer or source.language == "jsonl")
            and not source.faults
            and (form is None or task.actions or not form.actions)
        ):
            form = task
    return form


def addition(benchmark: Benchmark, item: PolicyItem, contents: Contents) -> tuple[str, Edit] | None:
    """Return the id of a new task that challenges a policy item, and the edit that adds it; None where it cannot be."""
    form = form_of(benchmark)
    if form is None:
        return None
    name = _fresh_id(benchmark, form, item)
    edit = insertion_of(benchmark.source_of(form), task_value(form, item, name, contents))
    return (str(name), edit) if edit is not None else None


def _fresh_id(benchmark: Benchmark, form: Task, item: PolicyItem) -> int | str:
    """Return an id that no task has: the next number where ids are numbers, else a name."""
    taken = {task.id for task in benchmark.tasks}
    if taken and all(re.fullmatch(r"\d{1,9}", name) for name in taken):
        number = max(map(int, taken)) + 1
        is_number = value_at(form.slice.value, form.id_pointer).__class__ is int
        return number if is_number else str(number)
    words = "-".join(_SLUG.sub("-", item.text.lower()).strip("-").split("-")[:6])
    stem = f"{_NEW}-{words}" if words else _NEW
    return next(name for name in _numbered(stem) if name not in taken)


def _numbered(stem: str) -> Iterator[str]:
    yield stem
    number = 2
    while True:
        yield f"{stem}-{number}"
        number += 1

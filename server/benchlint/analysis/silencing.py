"""The edits that suppress a finding: in its task, in its file, or in its benchmark."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final

from benchlint.analysis.suppressions import LASTING
from benchlint.catalogue.finding import Anchor, Edit
from benchlint.catalogue.rule import load_rules
from benchlint.checks.edits import appending, insertion
from benchlint.checks.values import value_at
from benchlint.checks.view import View
from benchlint.config import NAME, PROJECT, TABLE, find_config
from benchlint.text.slices import UNPARSED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchlint.analysis.run import Result
    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.catalogue.finding import Finding, Fix
    from benchlint.text.document import Document
    from benchlint.text.tree import Pointer

REASON: Final = "say why"
"""What stands for the reason until the author writes it."""

_COMMENTS: Final = {".yaml": "# {}", ".yml": "# {}", ".py": "# {}", ".md": "<!-- {} -->", ".markdown": "<!-- {} -->"}
_AT: Final = ("annotations", "benchlint", "ignore")


@dataclass(frozen=True, slots=True)
class Silencing:
    """A way to suppress a finding. `creates` is a file that its edit makes; there is none yet."""

    title: str
    edits: tuple[Edit, ...]
    creates: str | None = None


def silencings(result: Result, finding: Finding, documents: Mapping[str, Document]) -> Iterator[Silencing]:
    """Yield the ways to suppress a finding of a result, the narrowest first.

    `documents` are the configuration files that are open, by path.
    """
    if finding.rule in LASTING or finding.rule not in result.rules:
        return
    benchmark = next((item for item in result.benchmarks if item.name == finding.benchmark), None)
    if benchmark is None:
        return
    configured = _Configured(result, benchmark, finding, documents)
    task = _task(benchmark, finding)
    if task is not None:
        name = f'{finding.rule} for task "{task.id}"' if task.id else f"{finding.rule} for this task"
        fix = _annotation(benchmark, task, finding, f"Suppress {name}")
        if fix is not None:
            yield Silencing(fix.title, fix.edits)
        elif task.id:
            yield from configured.entry(f"Suppress {name}", task=_literally(task.id))
    title = f"Suppress {finding.rule} in this file"
    comment = _comment(result, finding)
    if comment is not None:
        yield Silencing(title, (comment,))
    else:
        yield from configured.entry(title, path=finding.anchor.path)
    folder = str(Path(benchmark.layout.tasks[0]).parent)
    yield from configured.entry(f"Suppress {finding.rule} in this benchmark", folder=folder)


def _task(benchmark: Benchmark, finding: Finding) -> Task | None:
    """Return the task that a finding is about; one about many tasks stands in the first of them and is about none."""
    anchor = finding.anchor
    if anchor.slice is None or finding.task is None:
        return None
    here = (task for task in benchmark.tasks if task.slice.index == anchor.slice)
    return next((task for task in here if task.slice.document.path == anchor.path), None)


def _annotation(benchmark: Benchmark, task: Task, finding: Finding, title: str) -> Fix | None:
    """Return the edit that adds a rule to `annotations.benchlint.ignore` of a task."""
    if task.slice.value is UNPARSED or benchmark.source_of(task).language not in ("json", "jsonl", "yaml"):
        return None
    view = View(benchmark, load_rules()).of(task)
    ignored = value_at(task.value, _AT)
    if isinstance(ignored, list):
        return appending(view, title, _AT, finding.rule, safe=True)
    entry: dict[str, Any] = {finding.rule: REASON}
    pointer: Pointer = _AT
    while pointer and not isinstance(value_at(task.value, pointer), dict):
        if value_at(task.value, pointer) is not None or pointer[-1] in (value_at(task.value, pointer[:-1]) or {}):
            return None
        entry = {str(pointer[-1]): entry}
        pointer = pointer[:-1]
    return insertion(view, title, pointer, entry, safe=True)


def _comment(result: Result, finding: Finding) -> Edit | None:
    """Return the edit that adds a comment for a whole file, where its language has comments."""
    path = finding.anchor.path
    form = _COMMENTS.get(PurePath(path).suffix.lower())
    document = result.documents.get(path)
    if form is None or document is None:
        return None
    line = form.format(f"benchlint: ignore-file[{finding.rule}] {REASON}")
    if form.startswith("<"):
        end = len(document.data)
        start = "" if document.data.endswith(b"\n") or not document.data else "\n"
        return Edit(Anchor(path, end, end), f"{start}\n{line}\n")
    return Edit(Anchor(path, document.bom, document.bom), f"{line}\n")


def _literally(name: str) -> str:
    """Write a name as a pattern that fits nothing else."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in name)


class _Configured:
    """Entries for the configuration file of a benchmark; for a new one, where there is none."""

    def __init__(
        self, result: Result, benchmark: Benchmark, finding: Finding, documents: Mapping[str, Document]
    ) -> None:
        self._rule = finding.rule
        known = result.configs.get(benchmark.name)
        self._path = known or str(Path(benchmark.layout.tasks[0]).parent / NAME)
        self._document = (documents.get(self._path) or result.documents.get(self._path)) if known else None
        self._creates = not known
        # One that cannot be used counts as none, but a new one must not be put into it or in its place.
        self._is_broken = not known and find_config(benchmark.layout.tasks[0], documents) is not None

    @property
    def _table(self) -> tuple[str, ...]:
        return TABLE if Path(self._path).name == PROJECT else ()

    @property
    def _is_inline(self) -> bool:
        """Whether entries stand in a list in brackets, to which no table can be added."""
        if self._document is None:
            return False
        from benchlint.text.toml_text import parse_toml

        value: Any = parse_toml(self._document)[0]
        for name in (*self._table, "ignore"):
            value = value.get(name) if isinstance(value, dict) else None
        return value is not None

    def entry(
        self, title: str, *, task: str | None = None, path: str | None = None, folder: str | None = None
    ) -> Iterator[Silencing]:
        """Yield the edit that adds an entry, where one can be added at the end of the file."""
        if self._is_broken or self._creates == (self._document is not None):
            return
        data = self._document.data if self._document is not None else b""
        table = ".".join((*self._table, "ignore"))
        if self._is_inline and f"[[{table}]]".encode() not in data:
            return
        lines = [f"[[{table}]]", f"rule = {_quoted(self._rule)}"]
        if task is not None:
            lines.append(f"task = {_quoted(task)}")
        below = path or folder
        if below is not None:
            inside = os.path.relpath(below, Path(self._path).parent).replace(os.sep, "/")
            if inside.startswith(".."):
                return
            if inside != ".":
                lines.append(f"path = {_quoted(_literally(inside) + ('/*' if folder else ''))}")
        lines.append(f"reason = {_quoted(REASON)}")
        before = "" if not data else "\n" if data.endswith(b"\n") else "\n\n"
        text = before + "\n".join(lines) + "\n"
        edit = Edit(Anchor(self._path, len(data), len(data)), text)
        yield Silencing(title, (edit,), self._path if self._creates else None)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)

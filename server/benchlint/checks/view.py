"""What a check sees: a task or a benchmark, and the means to report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchlint.catalogue.finding import Anchor, Edit, Finding, Fix, Related
from benchlint.text.locate import locate
from benchlint.text.slices import UNPARSED
from benchlint.text.tree import format_pointer

if TYPE_CHECKING:
    from benchlint.benchmark.database import Database
    from benchlint.benchmark.model import Benchmark, Policy, Task, Tools
    from benchlint.catalogue.finding import FoundBy, Severity
    from benchlint.catalogue.rule import Rule
    from benchlint.replay.results import Replayed
    from benchlint.text.locate import Part
    from benchlint.text.slices import Sliced
    from benchlint.text.tree import Pointer


class View:
    """A benchmark and, in a check of tasks, one of its tasks."""

    def __init__(self, benchmark: Benchmark, rules: dict[str, Rule], summary: Any = None) -> None:
        self.benchmark = benchmark
        self.summary: Any = summary
        self._rules = rules
        self._task: Task | None = None

    def of(self, task: Task) -> View:
        """Return the view of one task; the object is reused."""
        self._task = task
        return self

    @property
    def task(self) -> Task:
        """The task in question."""
        assert self._task is not None
        return self._task

    @property
    def tools(self) -> Tools:
        """The tools of a benchmark that has some."""
        tools = self.benchmark.tools
        assert tools is not None
        return tools

    @property
    def database(self) -> Database:
        """The database of a benchmark that has one."""
        database = self.benchmark.database
        assert database is not None
        return database

    @property
    def policy(self) -> Policy:
        """The policy of a benchmark that has one."""
        policy = self.benchmark.policy
        assert policy is not None
        return policy

    def replayed(self, task: Task) -> Replayed | None:
        """Return what came of running a task's actions; None where they were not run."""
        return self.benchmark.replay.of(task) if self.benchmark.replay is not None else None

    def anchor(self, task: Task, pointer: Pointer, part: Part = "value", span: tuple[int, int] | None = None) -> Anchor:
        """Return the place of a value in a task. See `locate`."""
        source = self.benchmark.source_of(task)
        start, end = locate(source.tree(task.slice.index), pointer, part, span)
        return Anchor(source.document.path, start, end, task.slice.index)

    def header_anchor(self, source: Sliced, pointer: Pointer, part: Part = "value") -> Anchor:
        """Return the place of a value that stands beside the slices."""
        start, end = locate(source.header_tree(), pointer, part)
        return Anchor(source.document.path, start, end)

    def finding(
        self,
        rule: str,
        message: str,
        pointer: Pointer,
        *,
        part: Part = "value",
        span: tuple[int, int] | None = None,
        task: Task | None = None,
        severity: Severity | None = None,
        related: tuple[Related, ...] = (),
        fixes: tuple[Fix, ...] = (),
        found_by: FoundBy = "check",
    ) -> Finding:
        """Report a value of a task (of the view's own, unless one is given).

        `span` selects characters of a string; `severity` replaces the rule's
        own.
        """
        task = task or self.task
        anchor = self.anchor(task, pointer, part, span)
        data = task.slice.data[anchor.start : anchor.end]
        return Finding(
            rule=rule,
            severity=severity or self._rules[rule].severity,
            message=message,
            anchor=anchor,
            benchmark=self.benchmark.name,
            task=task.id,
            pointer=format_pointer(pointer),
            quote=data.decode("utf-8", "replace"),
            related=related,
            fixes=fixes,
            found_by=found_by,
        )

    def file_finding(
        self,
        rule: str,
        message: str,
        anchor: Anchor,
        *,
        severity: Severity | None = None,
        related: tuple[Related, ...] = (),
        fixes: tuple[Fix, ...] = (),
        quote: str = "",
    ) -> Finding:
        """Report a place that belongs to no single task."""
        return Finding(
            rule=rule,
            severity=severity or self._rules[rule].severity,
            message=message,
            anchor=anchor,
            benchmark=self.benchmark.name,
            quote=quote,
            related=related,
            fixes=fixes,
        )

    def related(
        self,
        message: str,
        task: Task,
        pointer: Pointer,
        part: Part = "value",
        span: tuple[int, int] | None = None,
    ) -> Related:
        """Point to another value, of this task or of another."""
        return Related(message, self.anchor(task, pointer, part, span))

    def replacement(self, title: str, pointer: Pointer, text: str, *, part: Part = "value", safe: bool) -> Fix | None:
        """Return a fix that writes another text in a string's place.

        None where the file's syntax has no place for it (a pickle).
        """
        source = self.benchmark.source_of(self.task)
        if source.language == "pickle" or self.task.slice.value is UNPARSED:
            return None
        tree = source.tree(self.task.slice.index)
        node = tree.find_key(pointer) if part == "key" else tree.find(pointer)
        if node is None or node.kind != "string":
            return None
        literal = _literal(source.language, text, tree.data[node.start : node.end])
        anchor = Anchor(source.document.path, node.start, node.end, self.task.slice.index)
        return Fix(title, (Edit(anchor, literal),), safe)


def _literal(language: str, text: str, old: bytes) -> str:
    """Write a string in the syntax of its file, in the style of the old one."""
    from benchlint.text.python_strings import encode_python
    from benchlint.text.strings import encode_json
    from benchlint.text.yaml_strings import encode_yaml

    if language in ("json", "jsonl"):
        return encode_json(text)
    if language == "yaml":
        return encode_yaml(text, old)
    return encode_python(text, "'" if old.startswith(b"'") else '"')

"""Suppressions: findings that somebody has decided to leave.

They stand in three places: `[[ignore]]` in the configuration,
`annotations.benchlint.ignore` in a task, and a comment:

    # benchlint: ignore[rule-a, rule-b] why       on the line at fault or above it
    # benchlint: ignore-file[rule] why            for the whole file

One that hides nothing is a finding itself.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from benchlint.analysis.paths import full
from benchlint.catalogue.finding import Anchor, Finding
from benchlint.catalogue.selection import UnknownRule, named
from benchlint.text.document import Encoding
from benchlint.text.locate import locate
from benchlint.text.tree import format_pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from benchlint.benchmark.model import Benchmark, Field, Task
    from benchlint.catalogue.rule import Rule
    from benchlint.config_schema import Config, IgnoreConfig
    from benchlint.text.comments import Comment
    from benchlint.text.document import Document
    from benchlint.text.slices import Sliced

UNUSED = "unused-suppression"
LASTING = frozenset(("internal-error",))
"""What cannot be suppressed: it says that the run is incomplete."""

_WORD = b"benchlint:"
_COMMENT = re.compile(r"(?:#|<!--)[ \t]*benchlint:[ \t]*ignore(-file)?\b[ \t]*(\[[^\]]*\])?")
_NAME = re.compile(r"[^\s,\[\]]+")


class Suppression(Struct):
    """A rule or group that is not to be reported somewhere.

    `rules` are the rules that `name` means, none where it means nothing.
    `hides` says whether a finding stands in its reach. `judged` says whether
    it is at fault when it hides nothing. `problem` is what is wrong with it
    whatever it hides.
    """

    name: str
    anchor: Anchor
    rules: frozenset[str]
    hides: Callable[[Finding], bool]
    judged: bool
    problem: str = ""
    benchmark: str = ""
    task: str | None = None
    pointer: str = ""
    used: bool = False

    def finding(self, rule: Rule) -> Finding | None:
        """Return what is wrong with it, if anything is."""
        message = self.problem
        if not message and not self.used and self.judged:
            message = f"nothing to ignore: there is no finding of {self.name} here"
        if not message:
            return None
        return Finding(
            rule=rule.name,
            severity=rule.severity,
            message=message,
            anchor=self.anchor,
            benchmark=self.benchmark,
            task=self.task,
            pointer=self.pointer,
            quote=self.name,
        )


class Scope(Struct, frozen=True):
    """Benchmarks that share a configuration.

    `ran` are the rules that were checked in each of them. `roots` are the
    folders that the run covers, in full.
    """

    benchmarks: Sequence[Benchmark]
    ran: Mapping[str, frozenset[str]]
    config: Config
    roots: tuple[Path, ...] = ()

    def covers(self, folder: Path) -> bool:
        """Say whether the run looked at every benchmark in a folder."""
        return any(full(folder).is_relative_to(root) for root in self.roots)


def collect(scope: Scope, documents: Mapping[str, Document], rules: Mapping[str, Rule]) -> list[Suppression]:
    """Return the suppressions of a scope; comments are looked for in `documents`."""
    return list(_Collector(scope, documents, rules).all())


class _Collector:
    """Finds the suppressions of a scope."""

    def __init__(self, scope: Scope, documents: Mapping[str, Document], rules: Mapping[str, Rule]) -> None:
        self.scope = scope
        self.documents = documents
        self.rules = rules

    @cached_property
    def sources(self) -> dict[str, Sliced]:
        """The task files by path."""
        return {source.document.path: source for benchmark in self.scope.benchmarks for source in benchmark.sources}

    @cached_property
    def ran_anywhere(self) -> frozenset[str]:
        """The rules that were checked in every benchmark of the scope."""
        return frozenset.intersection(*self.scope.ran.values()) if self.scope.ran else frozenset()

    def all(self) -> Iterator[Suppression]:
        """Yield those of the configuration, of tasks and of comments."""
        yield from self._configured()
        yield from self._annotated()
        for document in self.documents.values():
            yield from self._commented(document)

    def _meaning(self, name: str) -> tuple[frozenset[str], str]:
        """Return the rules of a name, or why there are none."""
        try:
            return named(self.rules, name), ""
        except UnknownRule as error:
            return frozenset(), str(error)

    def _configured(self) -> Iterator[Suppression]:
        config = self.scope.config
        if config.document is None:
            return
        for index, item in enumerate(config.ignore):
            rules, problem = self._meaning(item.rule)
            pointer = ("ignore", index, "rule")
            yield Suppression(
                name=item.rule,
                anchor=Anchor(config.document.path, *config.place(pointer)),
                rules=rules,
                hides=_Reach(item, full(config.folder)),
                judged=rules <= self.ran_anywhere and self._covers(item),
                problem=problem,
                pointer=format_pointer((*config.table, *pointer)),
            )

    def _covers(self, item: IgnoreConfig) -> bool:
        """Say whether the run looked everywhere where an ignore could hide something."""
        folder = self.scope.config.folder
        if item.path is not None and not any(mark in item.path for mark in "*?["):
            return any(matches(path, item.path, full(folder)) for path in self.sources)
        return self.scope.covers(folder)

    def _annotated(self) -> Iterator[Suppression]:
        seen: dict[tuple[Anchor, str], Suppression] = {}
        for benchmark in self.scope.benchmarks:
            for task in benchmark.tasks:
                for item in task.suppressions:
                    found = self._annotation(benchmark, task, item)
                    other = seen.setdefault((found.anchor, found.name), found)
                    if other is not found:
                        _join(other, found)
        yield from seen.values()

    def _annotation(self, benchmark: Benchmark, task: Task, item: Field) -> Suppression:
        rules, problem = self._meaning(item.text)
        path, index = task.slice.document.path, task.slice.index
        tree = benchmark.source_of(task).tree(index)
        named_by_key = isinstance(item.pointer[-1], str) and item.pointer[-1] == item.text
        start, end = locate(tree, item.pointer, "key" if named_by_key else "value")

        def hides(finding: Finding) -> bool:
            if finding.anchor.slice is not None:
                return finding.anchor.slice == index and finding.anchor.path == path
            return finding.task == task.id and finding.benchmark == benchmark.name

        return Suppression(
            name=item.text,
            anchor=Anchor(path, start, end, index),
            rules=rules,
            hides=hides,
            judged=rules <= self.scope.ran[benchmark.name],
            problem=problem,
            benchmark=benchmark.name,
            task=task.id,
            pointer=format_pointer(item.pointer),
        )

    def _commented(self, document: Document) -> Iterator[Suppression]:
        ran = [
            self.scope.ran[benchmark.name]
            for benchmark in self.scope.benchmarks
            if any(source.document is document for source in benchmark.sources)
        ]
        checked = frozenset.intersection(*ran) if ran else frozenset()
        if not ran and self.scope.covers(Path(document.path).parent):
            checked = self.ran_anywhere
        if document.path.endswith((".json", ".jsonl")) or _WORD not in document.data:
            return
        from benchlint.text.comments import comments

        for comment in comments(document, _WORD):
            for found in _COMMENT.finditer(comment.text):
                yield from self._comment(document, comment, found, checked)

    def _comment(
        self, document: Document, comment: Comment, found: re.Match[str], checked: frozenset[str]
    ) -> Iterator[Suppression]:
        def at(start: int, end: int) -> Anchor:
            first = comment.start + len(comment.text[:start].encode())
            return Anchor(document.path, first, first + len(comment.text[start:end].encode()))

        path = document.path
        lines = self._lines
        if found[1]:

            def hides(finding: Finding) -> bool:
                return finding.anchor.path == path
        else:

            def hides(finding: Finding) -> bool:
                return finding.anchor.path == path and any(line in comment.covers for line in lines(finding))

        names = list(_NAME.finditer(found[2] or ""))
        for name in names:
            rules, problem = self._meaning(name[0])
            offset = found.start(2)
            yield Suppression(
                name=name[0],
                anchor=at(offset + name.start(), offset + name.end()),
                rules=rules,
                hides=hides,
                judged=rules <= checked,
                problem=problem,
            )
        if not names:
            what = "ignore-file" if found[1] else "ignore"
            yield Suppression(
                name="",
                anchor=at(found.start(), found.end()),
                rules=frozenset(),
                hides=lambda _: False,
                judged=True,
                problem=f"the comment names no rule: write {what}[rule] and why",
            )

    def _lines(self, finding: Finding) -> Iterator[int]:
        """Yield the lines at which a comment speaks of a finding.

        They are the finding's own, and those where its value and the
        value's key start: a text of several lines has no room for comments.
        """
        anchor = finding.anchor
        document = self.documents[anchor.path]
        source = self.sources.get(anchor.path)
        base = source.slices[anchor.slice].start if source and anchor.slice is not None else 0
        offsets = [anchor.start]
        if source and anchor.slice is not None and finding.pointer:
            parts = finding.pointer.split("/")[1:]
            node = source.tree(anchor.slice).root
            for part in (part.replace("~1", "/").replace("~0", "~") for part in parts):
                keys = [key for key, _ in node.entries if key.key == part]
                child = node.child(int(part) if node.kind == "array" and part.isdecimal() else part)
                if child is None:
                    break
                offsets[1:] = [child.start, *(key.start for key in keys[-1:])]
                node = child
        for offset in offsets:
            yield document.position(base + offset, Encoding.UTF8)[0]


class _Reach:
    """What an ignore of the configuration hides."""

    def __init__(self, item: IgnoreConfig, folder: Path) -> None:
        self.item = item
        self.folder = folder
        self.paths: dict[str, bool] = {}

    def __call__(self, finding: Finding) -> bool:
        task = self.item.task
        if task is not None and (finding.task is None or not fnmatchcase(finding.task, task)):
            return False
        path = finding.anchor.path
        if self.item.path is not None and path not in self.paths:
            self.paths[path] = matches(path, self.item.path, self.folder)
        return self.item.path is None or self.paths[path]


def matches(path: str, pattern: str, folder: Path) -> bool:
    """Say whether a path fits a pattern that starts from a folder.

    `*` also stands for several folders. A pattern without a slash fits a
    file of that name in every folder.
    """
    wanted = full(path)
    if "/" not in pattern:
        return fnmatchcase(wanted.name, pattern) and wanted.is_relative_to(folder)
    if not wanted.is_relative_to(folder):
        return False
    return fnmatchcase(wanted.relative_to(folder).as_posix(), pattern.removeprefix("./"))


def _join(first: Suppression, second: Suppression) -> None:
    """Let one suppression of a file that two benchmarks share reach into both."""
    hides = first.hides
    first.hides = lambda finding: hides(finding) or second.hides(finding)
    first.judged = first.judged and second.judged

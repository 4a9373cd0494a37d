"""Fixes, applied until there are none left, and only where they do no harm."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from benchlint.catalogue.finding import Severity
from benchlint.catalogue.fingerprint import fingerprint
from benchlint.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from benchlint.analysis.run import Result
    from benchlint.analysis.snapshot import Snapshot
    from benchlint.catalogue.finding import Edit, Finding

ROUNDS: Final = 10
"""How often the fixed texts are checked and fixed again."""

_LINE_END = re.compile(rb"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Splice:
    """An edit in bytes of its whole file."""

    path: str
    start: int
    end: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Fixed:
    """What fixing came to.

    `before` is what was found at first, `result` what is found in the fixed
    texts, `changed` the old and the new text of each changed file, `count`
    the number of fixes applied. `refused` are findings of `result` whose fix
    was not applied, each with the reason.
    """

    before: Result
    result: Result
    changed: Mapping[str, tuple[Document, Document]]
    count: int
    refused: tuple[tuple[Finding, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Planned:
    finding: Finding
    splices: tuple[Splice, ...]


def fix(
    snapshot: Snapshot,
    lint: Callable[[Snapshot], Result],
    *,
    unsafe: bool = False,
) -> Fixed:
    """Apply the first fix of every finding that has one: the safe ones, or all of them.

    `lint` checks a snapshot. Nothing is written. A fix after which a text
    does not parse, or has an error that it did not have, is taken back.
    """
    return _Fixer(snapshot, lint, unsafe).run()


class _Fixer:
    def __init__(self, snapshot: Snapshot, lint: Callable[[Snapshot], Result], unsafe: bool) -> None:
        self.snapshot = snapshot
        self.lint = lint
        self.unsafe = unsafe
        self.result = lint(snapshot)
        self.count = 0
        self.refused: dict[str, str] = {}

    def run(self) -> Fixed:
        before = self.result
        planned = self._plan()
        for _ in range(ROUNDS):
            if not planned:
                break
            self._attempt(planned, [], self.snapshot, self.result.documents)
            planned = self._plan()
        for item in planned:
            self._refuse(item.finding, f"there is more to fix after {ROUNDS} rounds")
        after = self.result.documents
        changed = {
            path: (document, after[path])
            for path, document in before.documents.items()
            if path in after and after[path].data != document.data
        }
        marks = ((finding, fingerprint(finding)) for finding in self.result.findings)
        refused = tuple((finding, self.refused[mark]) for finding, mark in marks if mark in self.refused)
        return Fixed(before, self.result, changed, self.count, refused)

    def _plan(self) -> list[_Planned]:
        """Choose fixes whose edits do not touch each other."""
        planned = []
        taken: dict[str, list[tuple[int, int]]] = {}
        for finding in self.result.findings:
            if not finding.fixes or not (self.unsafe or finding.fixes[0].safe):
                continue
            if fingerprint(finding) in self.refused:
                continue
            try:
                splices = tuple(splice(edit, self.result) for edit in finding.fixes[0].edits)
            except ValueError as error:
                self._refuse(finding, str(error))
                continue
            if all(_claim(taken, item) for item in splices):
                planned.append(_Planned(finding, splices))
        return planned

    def _attempt(
        self,
        planned: Sequence[_Planned],
        accepted: list[_Planned],
        snapshot: Snapshot,
        documents: Mapping[str, Document],
    ) -> None:
        """Apply fixes on top of the accepted ones; where they do harm, find those that do it."""
        texts = _apply([*accepted, *planned], documents)
        changed = snapshot.with_documents(texts)
        after = self.lint(changed)
        harm = _harm(self.result, after)
        if harm is None:
            accepted += planned
            self.snapshot, self.result = changed, after
            self.count += len(planned)
        elif len(planned) == 1:
            self._refuse(planned[0].finding, harm)
        else:
            middle = len(planned) // 2
            self._attempt(planned[:middle], accepted, snapshot, documents)
            self._attempt(planned[middle:], accepted, snapshot, documents)

    def _refuse(self, finding: Finding, reason: str) -> None:
        self.refused[fingerprint(finding)] = reason


def splice(edit: Edit, result: Result) -> Splice:
    """Resolve an edit in the texts of a result; ValueError where it cannot be made."""
    anchor = edit.anchor
    document = result.documents.get(anchor.path)
    if document is None:
        raise ValueError(f"{anchor.path} is not among the files that were read")
    base = result.slices[anchor.path][anchor.slice] if anchor.slice is not None else 0
    try:
        data = edit.text.encode()
    except UnicodeEncodeError:
        raise ValueError("its text holds half of a character, which UTF-8 cannot write") from None
    found = _LINE_END.search(document.data)
    if found:
        data = _LINE_END.sub(lambda _: found[0], data)
    return Splice(anchor.path, base + anchor.start, base + anchor.end, data)


def _claim(taken: dict[str, list[tuple[int, int]]], splice: Splice) -> bool:
    """Take a range, unless it touches one that is taken."""
    ranges = taken.setdefault(splice.path, [])
    at = bisect_left(ranges, (splice.start, splice.end))
    if at and ranges[at - 1][1] >= splice.start:
        return False
    if at < len(ranges) and ranges[at][0] <= splice.end:
        return False
    ranges.insert(at, (splice.start, splice.end))
    return True


def _apply(planned: Iterable[_Planned], documents: Mapping[str, Document]) -> list[Document]:
    """Return the files as they are after the fixes."""
    by_path: dict[str, list[Splice]] = {}
    for item in planned:
        for splice in item.splices:
            by_path.setdefault(splice.path, []).append(splice)
    changed = []
    for path, splices in by_path.items():
        old = documents[path].data
        parts = []
        at = 0
        for splice in sorted(splices, key=lambda item: item.start):
            parts += [old[at : splice.start], splice.data]
            at = splice.end
        changed.append(Document(path, b"".join([*parts, old[at:]])))
    return changed


def _harm(before: Result, after: Result) -> str | None:
    """Say which error is new, if one is."""
    known = Counter(map(_identity, _errors(before)))
    for finding in _errors(after):
        key = _identity(finding)
        known[key] -= 1
        if known[key] < 0:
            return f"it would bring {finding.rule}: {finding.message}"
    return None


def _errors(result: Result) -> Iterable[Finding]:
    return (finding for finding in result.everything if finding.severity is Severity.ERROR)


def _identity(finding: Finding) -> Hashable:
    """Return what stays the same of an error when the text around it is fixed."""
    return finding.rule, finding.anchor.path, finding.anchor.slice, finding.pointer

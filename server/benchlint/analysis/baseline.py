"""A baseline: findings that were there before, and are not shown again."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchlint.catalogue.fingerprint import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from benchlint.catalogue.finding import Finding

_VERSION = 1


class BaselineError(ValueError):
    """A baseline that cannot be read: its path and the reason."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Findings with one fingerprint: how many, and for a reader which.

    `path` is relative to the baseline's folder, with forward slashes.
    """

    fingerprint: str
    count: int
    rule: str
    path: str
    task: str | None
    message: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """The findings of an earlier run. `path` is the file they are kept in."""

    path: str
    entries: tuple[Entry, ...]

    def apply(self, findings: Iterable[Finding], covers: Callable[[str, str], bool]) -> tuple[list[Finding], int]:
        """Return the findings that are new, and how many known ones are gone.

        Of several findings with one fingerprint the first ones are known.
        `covers` says of a rule and a path whether this run looked there.
        """
        left = {entry.fingerprint: entry.count for entry in self.entries}
        new = []
        for finding in findings:
            mark = fingerprint(finding, relative(finding.anchor.path, self.path))
            if left.get(mark, 0) > 0:
                left[mark] -= 1
            else:
                new.append(finding)
        folder = os.path.dirname(self.path)  # noqa: PTH120
        gone = sum(
            left[entry.fingerprint]
            for entry in self.entries
            if left[entry.fingerprint] and covers(entry.rule, os.path.join(folder, entry.path))  # noqa: PTH118
        )
        return new, gone


def relative(path: str, baseline: str) -> str:
    """Return a path as a baseline file names it."""
    try:
        shown = os.path.relpath(path, os.path.dirname(baseline) or os.curdir)  # noqa: PTH120
    except ValueError:  # another drive
        shown = os.path.abspath(path)  # noqa: PTH100
    return shown.replace(os.sep, "/")


def parse(path: str, data: bytes) -> Baseline:
    """Read a baseline; `BaselineError` where the text is none."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BaselineError(f"{path}: the baseline is no JSON: {error}") from None
    if not isinstance(value, dict) or not isinstance(value.get("findings"), list):
        raise BaselineError(f'{path}: the baseline must be an object with "version" and "findings"')
    if value.get("version") != _VERSION:
        raise BaselineError(
            f"{path}: the baseline has version {value.get('version')!r}, this benchlint reads {_VERSION}: write it anew"
        )
    return Baseline(path, tuple(_entry(path, index, item) for index, item in enumerate(value["findings"])))


def render(path: str, findings: Sequence[Finding]) -> str:
    """Write findings as the baseline that is to stand at `path`.

    The entries are sorted, so that two versions of the file differ where
    the findings do.
    """
    counts: Counter[str] = Counter()
    first: dict[str, Finding] = {}
    for finding in findings:
        mark = fingerprint(finding, relative(finding.anchor.path, path))
        counts[mark] += 1
        first.setdefault(mark, finding)
    entries = [
        {
            "fingerprint": mark,
            "count": counts[mark],
            "rule": finding.rule,
            "path": relative(finding.anchor.path, path),
            "task": finding.task,
            "message": finding.message,
        }
        for mark, finding in first.items()
    ]
    entries.sort(key=lambda item: (item["path"], item["rule"], item["task"] or "", item["fingerprint"]))
    return json.dumps({"version": _VERSION, "findings": entries}, indent=2) + "\n"


def write_baseline(path: str, findings: Sequence[Finding]) -> int:
    """Write findings as a baseline and return their number; `BaselineError` where that fails."""
    from benchlint.analysis.writing import replace_file

    try:
        replace_file(path, render(path, findings).encode())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BaselineError(f"{path}: the baseline cannot be written: {reason}") from None
    return len(findings)


def _entry(path: str, index: int, item: Any) -> Entry:
    types = {"fingerprint": str, "count": int, "rule": str, "path": str, "task": (str, type(None)), "message": str}
    for key, expected in types.items():
        if not isinstance(item, dict) or not isinstance(item.get(key), expected):  # type: ignore[arg-type]
            raise BaselineError(f'{path}: entry {index + 1} of the baseline has no valid "{key}"')
    return Entry(**{key: item[key] for key in types})

"""Findings of verdicts while a benchmark is edited: what did not change is the same finding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec.structs import replace

from benchlint.analysis.derived import derived
from benchlint.analysis.judged import Translator, distinct
from benchlint.checks.view import View

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from benchlint.analysis.hearing import Hearing
    from benchlint.analysis.spoken import Said
    from benchlint.benchmark.model import Benchmark
    from benchlint.catalogue.finding import Finding
    from benchlint.catalogue.rule import Rule

_DISAGREEMENT: Final = "judge-disagreement"
_OF_TASKS: Final = "low-alignment"
"""What follows from the verdicts on one task; all else that follows is about the whole."""


class Spoken(NamedTuple):
    """What was said, and what has changed since; "" where nothing has."""

    said: Said
    changed: str = ""


class _Kept(NamedTuple):
    """The findings of one verdict; the objects are held so that no other can take their place."""

    value: Any
    verdict: object
    told: tuple[tuple[Finding, float], ...]
    disagreements: tuple[Finding, ...]
    is_local: bool


class LiveFindings:
    """Turns what was said of one benchmark into findings, again and again."""

    def __init__(self) -> None:
        self._context: Hashable = None
        self._kept: dict[Hashable, _Kept] = {}

    def of(
        self,
        benchmark: Benchmark,
        spoken: Sequence[Spoken],
        hearing: Hearing,
        wanted: Mapping[str, Rule],
        static: Iterable[Finding],
    ) -> list[Finding]:
        """Return the findings of this very benchmark. See `judged_findings`."""
        translator = Translator(benchmark, wanted, hearing.trust, hearing.thresholds)
        policy = benchmark.policy.hash if benchmark.policy is not None else None
        context = (id(hearing), policy, tuple(wanted))
        kept = self._kept if context == self._context else {}
        self._context, self._kept = context, {}
        told: list[tuple[Finding, float]] = []
        split: list[Finding] = []
        for item in spoken:
            found = self._translated(translator, item, kept)
            told += found.told
            split += found.disagreements
        stale = {id(item.said.task): item.changed for item in spoken if item.changed}
        whole = next(iter(stale.values()), "")
        view = View(benchmark, dict(wanted))
        follows = derived(view, [item.said for item in spoken], hearing.thresholds, wanted)
        by_index = (
            {item.said.task.slice.index: id(item.said.task) for item in spoken if item.said.task} if stale else {}
        )
        return [
            *distinct(told, static),
            *(split if _DISAGREEMENT in wanted else ()),
            *(
                _marked(
                    item, stale.get(by_index.get(item.anchor.slice or 0, 0), "") if item.rule == _OF_TASKS else whole
                )
                for item in follows
            ),
        ]

    def _translated(self, translator: Translator, item: Spoken, kept: Mapping[Hashable, _Kept]) -> _Kept:
        task, verdict = item.said.task, item.said.verdict
        value, index = (task.value, task.slice.index) if task is not None else (None, None)
        path = task.slice.document.path if task is not None else ""
        key = (path, index, id(value), id(verdict), item.changed)
        known = kept.get(key)
        if known is None or known.value is not value or known.verdict is not verdict:
            told = tuple((_marked(found, item.changed), sure) for found, sure in translator.findings(item.said))
            split = tuple(_marked(found, item.changed) for found in translator.disagreements(item.said))
            known = _Kept(value, verdict, told, split, all(map(_is_local, (*(found for found, _ in told), *split))))
        if known.is_local:
            self._kept[key] = known
        return known


def _marked(finding: Finding, changed: str) -> Finding:
    """Return a finding that says what has changed since."""
    return replace(finding, message=f"{finding.message} (stale: {changed} changed since)") if changed else finding


def _is_local(finding: Finding) -> bool:
    """Say whether a finding speaks of its own task and the policy alone."""
    at = finding.anchor
    return all(
        anchor.slice is None or (anchor.path, anchor.slice) == (at.path, at.slice) for anchor in _others(finding)
    )


def _others(finding: Finding) -> Iterator[Any]:
    return (item.anchor for item in finding.related)

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from benchlint.catalogue.finding import Anchor, Edit, Finding, Fix, Related, Severity
from benchlint.reports.report import Report, count, row
from benchlint.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def found() -> Callable[..., Report]:
    """Return what makes a report: a text, and the words in it that are at fault."""

    def make(text: str | bytes, *faults: str, path: str = "tasks.json", notes=(), problems=(), **details) -> Report:
        data = text if isinstance(text, bytes) else text.encode()
        document = Document(path, data)
        rows = []
        for fault in faults:
            words = fault.encode()
            start = data.index(words)
            anchor = Anchor(path, start, start + len(words))
            given = {
                "rule": "unknown-tool",
                "severity": Severity.ERROR,
                "message": "there is no such tool",
            } | details
            rows.append(row(Finding(anchor=anchor, **given), {path: document}, {}, str))
        return Report(tuple(rows), count(rows, files=1, tasks=3, benchmarks=1), tuple(notes), tuple(problems))

    return make


@pytest.fixture
def full(found) -> Report:
    """Return a report in which every part of a finding occurs, with hostile text in it."""
    text = '{"näme": "get_ordr 🚀", "a": 1,\r\n "b": [\r\n1, 2]}\r\n'
    anchor = Anchor("täsks/a b.json", text.encode().index(b"get_"), text.encode().index(b'", "a"'))
    fix = Fix(
        "Use get_order",
        (Edit(anchor, "get_order"), Edit(Anchor("täsks/a b.json", 1, 1), '"x": "é", ')),
        safe=True,
    )
    first = found(
        text,
        "get_ordr 🚀",
        "[\r\n1, 2]",
        path="täsks/a b.json",
        message="no tool \x1b[31m\u202e \ud800 100%: a, b\n::error::forged",
        task="[x]|\udc80",
        benchmark="täsks",
        pointer="/näme",
        quote="get_ordr \ud83d",
        found_by="judge",
        related=(Related("thé tools", anchor),),
        policy_items=("return-items-1f",),
        fixes=(fix,),
        notes=("the policy is missing \x07",),
        problems=("b.json: not UTF-8",),
    )
    second = found("x\n", "x", rule="thin-cell", severity=Severity.HINT, message="few runs", path="täsks/b.json")
    rows = (*first.rows, *first.rows[:1], *second.rows)
    counts = count(rows, files=2, tasks=3, benchmarks=1, suppressed=4, baselined=5, fixed=6)
    return Report(rows, counts, first.notes, first.problems)


@pytest.fixture
def rules() -> dict[str, SimpleNamespace]:
    page = "# unknown-tool\n\nAn action calls a tool\nthat the domain lacks. It never passes.\n"
    rule = SimpleNamespace(
        name="unknown-tool",
        severity=Severity.WARNING,
        summary="An action calls a tool\nthat the domain lacks. It never passes.",
        page=page,
    )
    return {"unknown-tool": rule}

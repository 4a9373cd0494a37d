from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from benchlint.catalogue.finding import Anchor, Edit, Finding, Fix, Related, Severity
from benchlint.judges.agreement import agreement
from benchlint.judges.metrics import BenchmarkScores, ItemRow, Measure, Scores, TaskRow
from benchlint.reports.report import Report, count, row
from benchlint.reports.scores import ScoreReport
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


@pytest.fixture
def scored(found) -> ScoreReport:
    """Return numbers in which every part of a report occurs, with hostile text in them."""
    hostile = '<script>alert("1")</script>|@bob `#12` \x1b[31m\u202e \ud800 {{7*7}} https://evil.example'
    metrics = ("description_alignment", "policy_alignment")
    few = Measure(None, None, None, 0, 3)
    rows = (
        TaskRow(
            id=hostile,
            path="a.json",
            line=7,
            scores=dict.fromkeys(metrics, 2.5),
            by_judge={metric: {"gpt<b>": 2, "claude": 3} for metric in metrics},
            violations=("deny-1",),
            offline=("deny-1", "ask-2"),
            findings={Severity.ERROR: 1, Severity.HINT: 1},
        ),
        TaskRow(
            id="täsk 漢",
            path="a.json",
            line=1,
            scores={"policy_alignment": 9},
            by_judge={"description_alignment": {}, "policy_alignment": {"claude": 9}},
            violations=("deny-1",),
            missing={"description_alignment": f"the reply was cut {hostile}"},
        ),
        TaskRow(id="3", path="b.json", line=30, violations=("deny-1",), missing={"policy_alignment": "not asked"}),
    )
    benchmark = BenchmarkScores(
        name=f"airline {hostile}",
        tasks=rows,
        items=(
            ItemRow(
                id="deny-1",
                text=f"Deny {hostile}",
                headings=(hostile, "Book"),
                tasks=(hostile, "täsk 漢", "3"),
                offline=(hostile,),
            ),
            ItemRow(
                id="ask-2", text="Ask first.", headings=("P", "Book"), context=hostile, tasks=(), offline=(hostile,)
            ),
            ItemRow(id="few-3", text="Few.", tasks=("3",), offline=()),
        ),
        judged=Scores(
            Measure(2.5, None, None, 1, 2),
            Measure(5.75, 2.5, 9, 2, 1),
            Measure(1, 1, 1, 3, 0),
            Measure(1 / 3, 0, 1 / 3, 3, 0),
        ),
        judges={
            "claude": Scores(few, Measure(6, 3, 9, 2, 1), few, few),
            "gpt<b>": Scores(few, Measure(2, None, None, 1, 2), few, few),
        },
        agreement={"policy_alignment": agreement({"claude": [3, 9], "gpt<b>": [2, None]})},
        offline=Scores(few, few, Measure(2 / 3, 0, 2, 3, 0), Measure(0, 0, 0, 3, 0)),
    )
    lint = found(
        f'"{hostile}"'.encode("utf-8", "backslashreplace"),
        "alert",
        message=f"wrong {hostile}",
        benchmark=benchmark.name,
        task=hostile,
        notes=(f"note {hostile}",),
        problems=(f"problem {hostile}",),
    )
    other = found("x", "x", rule="thin-cell", severity=Severity.HINT, benchmark=benchmark.name, task=hostile)
    policy = found("x", "x", rule="untestable-policy-item", severity=Severity.HINT, benchmark=benchmark.name)
    nobody = found("x", "x", rule="uncalibrated-judge", severity=Severity.HINT, benchmark="elsewhere")
    found_rows = (*other.rows, *lint.rows, *policy.rows, *nobody.rows)
    counts = count(found_rows, files=1, tasks=3, benchmarks=1)
    return ScoreReport((benchmark,), Report(found_rows, counts, lint.notes, lint.problems))

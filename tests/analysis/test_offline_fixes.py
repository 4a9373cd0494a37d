"""The fixes of what the offline reader finds leave nothing for it to find, whatever the tasks are written in."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from benchlint.analysis.judged import judged_findings
from benchlint.analysis.snapshot import Snapshot
from benchlint.analysis.spoken import said_offline
from benchlint.benchmark.discovery import discover
from benchlint.benchmark.loader import load
from benchlint.catalogue.rule import load_rules
from benchlint.judges.offline import RULES, assess, read
from benchlint.text.document import Document
from benchlint.trust.trust import Trust

if TYPE_CHECKING:
    from benchlint.benchmark.model import Benchmark

PLANTED = Path(__file__).parents[2] / "fixtures" / "hotel-planted"
ROUNDS = 3


def planted() -> list[dict]:
    """Return the planted tasks as plain values, under the names of a format that all languages share."""
    return [
        {"id": task.id, "event_description": task.text, "expected_behaviour": task.behaviour[0].text}
        for task in hotel().tasks
    ]


def blocks(style: str) -> str:
    """Write the tasks in YAML, their texts in one style."""

    class Text(str):
        __slots__ = ()

    class Dumper(yaml.SafeDumper):
        pass

    Dumper.add_representer(Text, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style))
    tasks = [{key: Text(value) for key, value in task.items()} for task in planted()]
    return yaml.dump(tasks, Dumper=Dumper, sort_keys=False, width=80)


WRITTEN = {
    "json": lambda: json.dumps(planted(), indent=2),
    "json on one line": lambda: json.dumps(planted()),
    "json with another line end": lambda: "\ufeff" + json.dumps(planted(), indent=2).replace("\n", "\r\n"),
    "jsonl": lambda: "".join(json.dumps(task) + "\n" for task in planted()),
    "yaml plain": lambda: yaml.dump(planted(), sort_keys=False),
    "yaml folded": lambda: blocks(">"),
    "yaml literal": lambda: blocks("|"),
    "yaml in double quotes": lambda: blocks('"'),
    "yaml in single quotes": lambda: blocks("'"),
    "yaml with another line end": lambda: blocks(">").replace("\n", "\r\n"),
}


def hotel() -> Benchmark:
    (layout,) = discover([str(PLANTED / "tasks.yaml")]).layouts
    return load(layout, Snapshot().read)


def found_in(benchmark: Benchmark):
    reading = read(benchmark.policy)
    spoken = []
    for task in benchmark.tasks:
        verdict = assess(reading, task)
        spoken += said_offline(task, verdict.findings, verdict.violations)
    return judged_findings(benchmark, spoken, load_rules(), Trust())


def fixed(benchmark: Benchmark, findings) -> bytes:
    """Return the text of the tasks after all fixes that do not touch each other."""
    (source,) = benchmark.sources
    edits = []
    for finding in findings:
        (edit,) = finding.fixes[0].edits
        start = source.slices[edit.anchor.slice].start
        place = (start + edit.anchor.start, start + edit.anchor.end)
        if not any(place[0] <= end and begin <= place[1] for begin, end, _ in edits):
            edits.append((*place, edit.text))
    data = source.document.data
    for start, end, text in sorted(edits, reverse=True):
        data = data[:start] + text.encode() + data[end:]
    return data


@pytest.mark.parametrize("written", WRITTEN)
def test_the_planted_defects_are_mended(written, tmp_path):
    name = f"tasks.{written.split()[0]}"
    path = tmp_path / name
    path.write_bytes(WRITTEN[written]().encode())
    (tmp_path / "policy.md").write_bytes((PLANTED / "policy.md").read_bytes())
    (layout,) = discover([str(path)]).layouts
    benchmark = load(layout, Snapshot().read)
    findings = found_in(benchmark)
    assert {finding.rule for finding in findings} == set(RULES)
    assert all(len(finding.fixes) == 1 and not finding.fixes[0].safe for finding in findings)
    assert all(finding.found_by == "offline" and "(offline reader)" in finding.message for finding in findings)
    before = [task.value["event_description"] for task in benchmark.tasks]
    for _ in range(ROUNDS):
        if not findings:
            break
        benchmark = load(layout, Snapshot([Document(str(path), fixed(benchmark, findings))]).read)
        assert not benchmark.sources[0].faults
        findings = found_in(benchmark)
    assert [(finding.task, finding.rule, finding.message) for finding in findings] == []
    assert [task.value["event_description"] for task in benchmark.tasks] == before


def test_the_fixes_say_all_that_the_rules_promise():
    titles = {finding.rule: finding.fixes[0].title for finding in found_in(hotel())}
    promised = {
        "missing-confirmation": "Ask for the confirmation first",
        "missing-information-collection": "Obtain the information first",
        "wrong-compensation": "Correct the (amount|compensation)|Delete the compensation",
        "forbidden-action": "Refuse in place of the forbidden step|Delete the forbidden step",
        "hallucinated-step": "Delete the unsupported step|Leave the unsupported step out",
    }
    assert titles.keys() == promised.keys()
    assert all(re.fullmatch(promised[rule], title) for rule, title in titles.items())

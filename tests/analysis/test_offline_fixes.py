"""The fixes of what the offline reader finds leave nothing for it to find, whatever the tasks are written in."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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


def planted(odd: str = "") -> list[dict]:
    """Return the planted tasks as plain values, under the names of a format that all languages share.

    `odd` stands in brackets before each behaviour.
    """
    before = f"({odd}) " if odd else ""
    return [
        {"id": task.id, "event_description": task.text, "expected_behaviour": before + task.behaviour[0].text}
        for task in hotel().tasks
    ]


def blocks(style: str, tasks: list[dict]) -> str:
    """Write tasks in YAML, their texts in one style."""

    class Text(str):
        __slots__ = ()

    class Dumper(yaml.SafeDumper):
        pass

    Dumper.add_representer(Text, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style))
    values = [{key: Text(value) for key, value in task.items()} for task in tasks]
    return yaml.dump(values, Dumper=Dumper, sort_keys=False, width=80, allow_unicode=True)


def python(tasks: list[dict]) -> str:
    """Write tasks as a Python file, their texts as literals that stand beside each other."""

    def literal(text: str) -> str:
        return "(\n" + "".join(f"            {text[at : at + 60]!r}\n" for at in range(0, len(text), 60)) + "        )"

    lines = ["".join(f"        {key!r}: {literal(value)},\n" for key, value in task.items()) for task in tasks]
    return "tasks = [\n" + "".join(f"    {{\n{line}    }},\n" for line in lines) + "]\n"


WRITTEN = {
    "json": lambda tasks: json.dumps(tasks, indent=2, ensure_ascii=False),
    "json on one line": json.dumps,
    "json with another line end": lambda tasks: "\ufeff" + json.dumps(tasks, indent=2).replace("\n", "\r\n"),
    "jsonl": lambda tasks: "".join(json.dumps(task, ensure_ascii=False) + "\n" for task in tasks),
    "yaml plain": lambda tasks: yaml.dump(tasks, sort_keys=False),
    "yaml folded": lambda tasks: blocks(">", tasks),
    "yaml literal": lambda tasks: blocks("|", tasks),
    "yaml in double quotes": lambda tasks: blocks('"', tasks),
    "yaml in single quotes": lambda tasks: blocks("'", tasks),
    "yaml with another line end": lambda tasks: blocks(">", tasks).replace("\n", "\r\n"),
    "py": python,
    "py with another line end": lambda tasks: python(tasks).replace("\n", "\r\n"),
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


def mended(path: Path, text: str) -> tuple[set[str], list[tuple[str | None, str, str]]]:
    """Write tasks and mend all that is found in them; return the rules of that, and what is left at the end."""
    path.write_bytes(text.encode())
    (path.parent / "policy.md").write_bytes((PLANTED / "policy.md").read_bytes())
    (layout,) = discover([str(path)]).layouts
    benchmark = load(layout, Snapshot().read)
    findings = first = found_in(benchmark)
    assert all(len(finding.fixes) == 1 and not finding.fixes[0].safe for finding in findings)
    assert all(finding.found_by == "offline" and "(offline reader)" in finding.message for finding in findings)
    before = [task.value["event_description"] for task in benchmark.tasks]
    for _ in range(ROUNDS):
        if not findings:
            break
        benchmark = load(layout, Snapshot([Document(str(path), fixed(benchmark, findings))]).read)
        assert not benchmark.sources[0].faults
        findings = found_in(benchmark)
    assert [task.value["event_description"] for task in benchmark.tasks] == before
    return {finding.rule for finding in first}, [(item.task, item.rule, item.message) for item in findings]


@pytest.mark.parametrize("written", WRITTEN)
def test_the_planted_defects_are_mended(written, tmp_path):
    rules, left = mended(tmp_path / f"tasks.{written.split()[0]}", WRITTEN[written](planted()))
    assert rules == set(RULES)
    assert left == []


@pytest.mark.parametrize("written", WRITTEN)
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(odd=st.text("éü中🎈\u2028\u00a0\"'\\\\{}#:%[]<>&-\t |>", min_size=1, max_size=12))
def test_odd_characters_before_a_defect_move_no_fix(written, tmp_path, odd):
    rules, left = mended(tmp_path / f"tasks.{written.split()[0]}", WRITTEN[written](planted(odd)))
    assert rules == set(RULES)
    assert left == []


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

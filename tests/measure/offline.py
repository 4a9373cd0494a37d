"""How right the offline judge is, and how much it finds: `python -m tests.measure.offline [--list]`.

Measured on the tasks of ../shared/data/intellagent that reference_sample.json
labels, and on the hotel fixtures. A finding is true where an annotator has
quoted the same place under the same rule: the two ranges of the task's text
share at least half of the shorter one's characters. Recall is the share of
labels (a task and a rule) that have a true finding.

Baselines are measured in the same way: the rule said of every task, the whole
behaviour quoted; and, for each rule, the word that does best by F1 when every
sentence that holds it is reported, and when every behaviour that does is.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

from benchlint.benchmark.discovery import discover
from benchlint.benchmark.loader import load
from benchlint.benchmark.sentences import sentences
from benchlint.config import ConfigLookup
from benchlint.judges.offline import RULES, assess, read
from benchlint.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.judges.protocol import JudgedFinding

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "data" / "intellagent"
FIXTURES = ROOT / "fixtures"
SAMPLE = "reference_sample.json"

Said = list[tuple[str, str]]
"""Tasks and quotes."""


@dataclass
class Label:
    """A rule that at least two annotators report of a task, and all their quotes."""

    task: str
    rule: str
    quotes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Row:
    """What was said under a rule, how much of it is true, and how many of the labels it finds."""

    findings: int
    true: int
    found: int
    labels: int

    @property
    def precision(self) -> float:
        return self.true / self.findings if self.findings else 0.0

    @property
    def recall(self) -> float:
        return self.found / self.labels if self.labels else 0.0

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def benchmark(path: Path) -> Benchmark:
    """Load the one benchmark of a file."""
    (layout,) = discover([str(path)], ConfigLookup()).layouts
    return load(layout, lambda name: Document(name, Path(name).read_bytes()))


def findings(path: Path) -> dict[str, tuple[Task, tuple[JudgedFinding, ...]]]:
    """Return the tasks of a file and what the offline judge finds in each, by id."""
    loaded = benchmark(path)
    assert loaded.policy is not None
    reading = read(loaded.policy, loaded.tools)
    return {task.id: (task, assess(reading, task).findings) for task in loaded.tasks}


def text_of(task: Task) -> str:
    """Return the text in which quotes are looked for."""
    return "\n".join(item.text for item in (*task.scenario, *task.behaviour))


def overlap(text: str, first: str, second: str) -> bool:
    """Say whether two quotes share at least half of the shorter one."""
    start, other = text.find(first), text.find(second)
    if start < 0 or other < 0:
        return False
    shared = min(start + len(first), other + len(second)) - max(start, other)
    return 2 * shared >= min(len(first), len(second))


def intellagent() -> dict[str, tuple[Task, tuple[JudgedFinding, ...]]]:
    """Return the 38 tasks and what is found, under ids such as `airline_run0-1`."""
    files = ("airline_run0", "airline_run1")
    return {f"{name}-{key}": value for name in files for key, value in findings(SHARED / f"{name}.json").items()}


def labels() -> tuple[set[str], list[Label]]:
    """Return the labelled tasks, and their labels under the rules that the offline judge knows."""
    sample = json.loads((SHARED / SAMPLE).read_text(encoding="utf-8"))
    found = [
        Label(entry["task"], item["rule"], [evidence["quote"] for evidence in item["evidence"]])
        for entry in sample
        for item in entry["findings"]
        if item["rule"] in RULES
    ]
    return {entry["task"] for entry in sample}, found


def score(said: Said, wanted: list[Label], texts: dict[str, str]) -> Row:
    """Compare what was said under a rule with the labels of that rule."""
    true, found = 0, set()
    for task, quote in said:
        hits = [
            index
            for index, label in enumerate(wanted)
            if label.task == task and any(overlap(texts[task], quote, other) for other in label.quotes)
        ]
        true += bool(hits)
        found.update(hits)
    return Row(len(said), true, len(found), len(wanted))


def best_keyword(
    behaviours: dict[str, str], wanted: list[Label], texts: dict[str, str], *, whole: bool
) -> tuple[str, Row]:
    """Return the word that gives the best F1, where it says the rule of its sentence, or of the whole behaviour."""
    split = {
        task: [text] if whole else [text[start:end] for start, end in sentences(text)]
        for task, text in behaviours.items()
    }
    vocabulary = sorted({word for text in behaviours.values() for word in re.findall(r"[a-z]{3,}", text.lower())})
    best = ("", Row(0, 0, 0, len(wanted)))
    for word in vocabulary:
        said = [(task, line) for task, lines in split.items() for line in lines if word in line.lower()]
        row = score(said, wanted, texts)
        if row.f1 > best[1].f1:
            best = (word, row)
    return best


def together(rows: Iterable[Row]) -> Row:
    listed = list(rows)
    return Row(
        sum(row.findings for row in listed),
        sum(row.true for row in listed),
        sum(row.found for row in listed),
        sum(row.labels for row in listed),
    )


def measure() -> dict[str, dict[str, Row]]:
    """Return a row for each rule for `reader` and for the baselines `always`, `keyword` and `task keyword`."""
    every = intellagent()
    sampled, wanted = labels()
    tasks = {key: task for key, (task, _) in every.items() if key in sampled}
    texts = {key: text_of(task) for key, task in tasks.items()}
    behaviours = {key: "\n".join(item.text for item in task.behaviour) for key, task in tasks.items()}
    table: dict[str, dict[str, Row]] = {"reader": {}, "always": {}, "keyword": {}, "task keyword": {}}
    for rule in RULES:
        of_rule = [label for label in wanted if label.rule == rule]
        said = [(key, item.quote) for key in tasks for item in every[key][1] if item.rule == rule]
        table["reader"][rule] = score(said, of_rule, texts)
        table["always"][rule] = score(list(behaviours.items()), of_rule, texts)
        for name in ("keyword", "task keyword"):
            word, row = best_keyword(behaviours, of_rule, texts, whole=name == "task keyword")
            table[name][f"{rule} ({word})"] = row
    return table


def planted() -> tuple[dict[str, Row], int, int]:
    """Return a row for each rule of the planted defects, and the findings in their twins and in the good tasks."""
    defects = findings(FIXTURES / "hotel-planted" / "tasks.yaml")
    wanted = [
        Label(key, task.value["annotations"]["planted"], [task.value["annotations"]["words"]])
        for key, (task, _) in defects.items()
    ]
    texts = {key: text_of(task) for key, (task, _) in defects.items()}
    rows = {
        rule: score(
            [(key, item.quote) for key, (_, found) in defects.items() for item in found if item.rule == rule],
            [label for label in wanted if label.rule == rule],
            texts,
        )
        for rule in RULES
    }
    noise = [
        sum(len(found) for _, found in findings(FIXTURES / folder / name).values())
        for folder, name in (("hotel-planted", "clean.yaml"), ("hotel", "tasks.yaml"))
    ]
    return rows, noise[0], noise[1]


def speed() -> tuple[float, float]:
    """Return the milliseconds of processor time for reading the policy, and for a task at the median of five rounds."""
    loaded = [benchmark(SHARED / f"{name}.json") for name in ("airline_run0", "airline_run1")]
    policy = loaded[0].policy
    assert policy is not None
    start = process_time()
    reading = read(policy)
    once = process_time() - start
    tasks = [task for item in loaded for task in item.tasks]
    rounds = []
    for _ in range(5):
        start = process_time()
        for task in tasks:
            assess(reading, task)
        rounds.append((process_time() - start) / len(tasks))
    return once * 1000, sorted(rounds)[2] * 1000


def show(title: str, rows: dict[str, Row]) -> None:
    print(f"\n{title:<56}findings  true  precision  recall")
    for name, row in (*rows.items(), ("all", together(rows.values()))):
        precision = f"{row.precision:.2f}" if row.findings else "-"
        recall = f"{row.recall:.2f} ({row.found}/{row.labels})"
        print(f"  {name:<54}{row.findings:>8}{row.true:>6}{precision:>11}  {recall}")


def main() -> int:
    if not SHARED.is_dir():
        print("../shared/data/intellagent is not there; only the fixtures are measured")
    else:
        titles = {
            "reader": "the offline judge on the reference sample",
            "always": "baseline: the rule said of every task",
            "keyword": "baseline: the best keyword, its sentences",
            "task keyword": "baseline: the best keyword, its behaviours",
        }
        for name, rows in measure().items():
            show(titles[name], rows)
        policy, task = speed()
        print(f"\n{policy:.1f} ms of processor time for the policy, {task:.1f} ms a task")
    rows, twins, good = planted()
    show("planted defects of fixtures/hotel-planted", rows)
    print(f"\n{twins} findings in their clean twins, {good} in the good tasks of fixtures/hotel")
    if "--list" in sys.argv and SHARED.is_dir():
        sampled, _ = labels()
        for key, (_, found) in intellagent().items():
            for item in found:
                note = "" if key in sampled else " (not labelled)"
                print(f"\n{key}{note}: {item.rule}\n  {item.quote}\n  {item.reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

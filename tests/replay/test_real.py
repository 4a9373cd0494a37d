"""The expected actions of tau2-bench's own tasks, run by its own tools."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchlint.analysis.options import ReplayOptions
from benchlint.analysis.run import Options, run
from benchlint.analysis.snapshot import Snapshot
from benchlint.benchmark.discovery import discover
from benchlint.benchmark.loader import load
from benchlint.catalogue.finding import Severity
from benchlint.config import ConfigLookup
from benchlint.config_schema import Config
from benchlint.guards.guard_set import abstentions
from benchlint.replay.replay import replay
from benchlint.replay.settings import settings_of

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data" / "tau2"
PYTHON = ROOT / ".replay-venv" / "bin" / "python"

pytestmark = [
    pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here"),
    pytest.mark.skipif(not PYTHON.exists(), reason="`make .replay-venv` installs the tau2 package"),
]

FAILING = {
    "retail": {
        **dict.fromkeys(("2", "3", "4", "12", "13", "35", "37", "38", "39", "54", "55", "64", "68", "105"), 1),
        **dict.fromkeys(("46", "47", "67"), 2),
        "21": 3,
    },
    "airline": {},
}
UNCHANGED = {
    "retail": {10, 12, 24, 25, 50, 57, 62, 65, 67, 68, 105},
    "airline": {0, 1, 3, 4, 5, 6, 10, 13, 26, 28, 31, 34, 36, 41, 43, 45, 46, 47, 48, 49},
}
ERRORS = {
    "12": "return_delivered_order_items fails: Payment method should be the original payment method",
    "13": "return_delivered_order_items fails: Payment method should be the original payment method",
    "64": "exchange_delivered_order_items fails: Non-delivered order cannot be exchanged",
    "105": "exchange_delivered_order_items fails: Insufficient gift card balance to pay for the price difference",
}


def benchmark(domain: str, name: str = "tasks.json"):
    (layout,) = [item for item in discover([str(DATA / domain)]).layouts if Path(item.tasks[0]).name == name]
    return load(layout, Snapshot().read)


def replayed(loaded):
    found = replay(loaded, settings_of(loaded.layout, Config(), "tau2", str(PYTHON)), use_cache=False)
    assert found.problem is None
    results = {task.id: found.of(task) for task in loaded.tasks}
    assert [result.problem for result in results.values() if result is not None and result.problem] == []
    return results


@pytest.mark.parametrize("domain", ["retail", "airline"])
def test_replay_equals_the_known_table(domain):
    loaded = benchmark(domain)
    results = replayed(loaded)
    failing = Counter(
        task for task, result in results.items() if result is not None for step in result.steps if step.failure
    )
    assert failing == FAILING[domain]
    unchanged = {int(task.id) for task in loaded.tasks if not task.actions or results[task.id].unchanged}
    assert unchanged == UNCHANGED[domain]


@pytest.mark.slow
def test_all_tasks_of_telecom_are_replayed():
    loaded = benchmark("telecom", "tasks_full.json")
    results = replayed(loaded)
    assert len(results) == 2285
    assert [task for task, result in results.items() if result and any(step.failure for step in result.steps)] == []
    prepared = [results[task.id] for task in loaded.tasks if task.value.get("initial_state") and results[task.id]]
    assert prepared
    assert all(result.prepared for result in prepared)


@pytest.fixture(scope="module")
def retail():
    wanted = Options(replay=ReplayOptions(environment="tau2", python=str(PYTHON), cache=False))
    return run([str(DATA / "retail" / "tasks.json")], Snapshot(), ConfigLookup(), wanted)


def test_the_errors_of_retail_are_writes_that_the_tool_refuses(retail):
    found = [item for item in retail.findings if item.rule == "failing-action"]
    assert {item.task: item.message for item in found if item.severity is Severity.ERROR} == ERRORS
    assert len(found) == 23
    assert {item.severity for item in found} == {Severity.ERROR, Severity.HINT}


def test_the_tasks_that_change_nothing_and_score_nothing_else_pass_by_inaction(retail):
    tasks = {task.id: task for task in retail.benchmarks[0].tasks}
    expected = {str(task) for task in UNCHANGED["retail"] if not tasks[str(task)].communicate_info}
    found = [item.task for item in retail.findings if item.rule == "inaction-passes"]
    assert sorted(found) == sorted(expected)
    assert "12" in found, "its only write fails, which no reading can know"


def test_the_corrected_tasks_are_clean():
    wanted = Options(replay=ReplayOptions(environment="tau2", python=str(PYTHON), cache=False))
    result = run([str(DATA / "retail" / "tasks.corrected.json")], Snapshot(), ConfigLookup(), wanted)
    assert not result.problems
    assert [item for item in result.findings if item.rule == "failing-action" and item.severity is Severity.ERROR] == []


GUARDED = {
    "airline": {"2", "7", "9", "27", "29", "33", "37", "38", "39", "44"},
    "retail": {"12", "13", "18", "64", "91", "105", "107"},
}
"""The tasks that the example guards reject where they see what earlier actions did; each was checked by hand.

Besides those that need no replay: airline 7 cancels a basic economy booking that it has upgraded to economy, two weeks
old and without insurance; airline 33 charges a gold member for two bags of the three that are free in economy.
"""


@pytest.mark.parametrize("domain", GUARDED)
def test_guards_see_the_real_records_and_never_abstain(domain):
    items = str(ROOT / "fixtures" / "guards" / f"{domain}.items.yaml")
    wanted = Options(
        select=("forbidden-action", "wrong-compensation", "missing-information-collection", "invalid-guard"),
        items=(items,),
        replay=ReplayOptions(environment=f"tau2:{domain}", python=str(PYTHON), cache=False),
    )
    result = run([str(DATA / domain / "tasks.json")], Snapshot(), ConfigLookup(), wanted)
    assert not result.problems
    assert {item.task for item in result.findings} == GUARDED[domain]
    assert list(abstentions(result.benchmarks[0])) == []
    messages = [item.message for item in result.findings if item.task == "7"]
    assert sum("XEHM4B is cancelled" in message for message in messages) == (domain == "airline")
    corrected = run([str(DATA / domain / "tasks.corrected.json")], Snapshot(), ConfigLookup(), wanted)
    assert not corrected.problems
    assert corrected.findings == ()

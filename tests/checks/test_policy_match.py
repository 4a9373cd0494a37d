"""Tasks beside the policy of another domain, on the real files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchlint.analysis.run import Options, run
from benchlint.analysis.snapshot import Snapshot
from benchlint.config import ConfigLookup

ROOT = Path(__file__).parents[2]
SHARED = ROOT / "../shared/data"
pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data is not there")
AIRLINE, RETAIL, INTELLAGENT = "tau2/airline", "tau2/retail", "intellagent"


def found(*paths: Path) -> list[tuple[str, str]]:
    options = Options(select=("mismatched-policy", "impossible-constraint"))
    result = run([str(path) for path in paths], Snapshot(), ConfigLookup(), options)
    assert not result.problems
    return [(finding.rule, finding.anchor.path) for finding in result.findings]


@pytest.mark.parametrize(
    ("tasks", "policy", "count"),
    [
        (f"{AIRLINE}/tasks.json", RETAIL, 1),
        (f"{RETAIL}/tasks.json", AIRLINE, 1),
        (f"{RETAIL}/tasks.corrected.json", INTELLAGENT, 1),
        (f"{INTELLAGENT}/airline_run0.json", RETAIL, 1),
        (f"{INTELLAGENT}/airline_run1.json", RETAIL, 1),
        (f"{INTELLAGENT}/airline_run0.json", AIRLINE, 0),
        (f"{AIRLINE}/tasks.json", INTELLAGENT, 0),
    ],
)
def test_tasks_beside_another_policy(tmp_path, tasks, policy, count):
    shutil.copyfile(SHARED / tasks, tmp_path / "tasks.json")
    shutil.copyfile(SHARED / policy / "policy.md", tmp_path / "policy.md")
    assert found(tmp_path) == [("mismatched-policy", str(tmp_path / "tasks.json"))] * count


def test_real_domains_and_our_own_are_silent():
    assert found(SHARED / "tau2", SHARED / INTELLAGENT, ROOT / "fixtures") == []

"""Tasks beside the policy of another domain, on the real files."""

from __future__ import annotations

import json
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


RENTAL = """# Car rental policy

- Each customer has a profile with e-mail, licence and rentals. Each rental has a car class, a branch and drivers.
- The renter must be at least twenty-one. Young drivers pay a driver fee per day.
- Reserved rentals can be changed: class, branch, extras. Active rentals can only be returned at another branch.
- Each extra is paid per day. Additional drivers are paid per day; a spouse is free.
- Cancelled and returned rentals cannot be changed.
"""
CALLS = [
    "You are Amara Diallo (amara.diallo@example.org) and want to pick up your compact downtown. You accept a fee.",
    "You are Amara Diallo, amara.diallo@example.org. Add your husband Sékou Diallo to the rental on the 4th.",
    "You are Bo Lindqvist, bo.lindqvist@example.org. Cancel the reservation for tomorrow. You want the refund told.",
    "You are Bo Lindqvist (bo.lindqvist@example.org). Upgrade the car for tomorrow, paid by gift card, if possible.",
    "You are Wei Chen, chen.wei@example.org. Keep the car two days longer. You accept the charge.",
    "You are Wei Chen (chen.wei@example.org). Cancel the compact in Aspen and accept a refusal.",
]


def test_a_few_tasks_that_repeat_names_and_addresses_are_no_strangers(tmp_path):
    (tmp_path / "policy.md").write_text(RENTAL, encoding="utf-8")
    tasks = [{"id": str(at), "user_scenario": {"instructions": said}} for at, said in enumerate(CALLS)]
    (tmp_path / "tasks.json").write_text(json.dumps(tasks), encoding="utf-8")
    assert found(tmp_path) == []


@pytest.mark.parametrize("count", [5, 8, 13])
@pytest.mark.parametrize("domain", [AIRLINE, RETAIL])
def test_some_tasks_of_a_domain_belong_to_its_policy_as_well(tmp_path, domain, count):
    tasks = json.loads((SHARED / domain / "tasks.json").read_text())
    shutil.copyfile(SHARED / domain / "policy.md", tmp_path / "policy.md")
    for start in range(0, 40, 8):
        (tmp_path / "tasks.json").write_text(json.dumps(tasks[start : start + count]))
        assert found(tmp_path) == []

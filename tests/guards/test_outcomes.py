"""Tasks in one situation under one item, with opposite expectations: planted, and their clean twins."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.guards.test_guards import SETS, SHARED, shared

from benchlint.analysis.kept import Kept
from benchlint.analysis.run import Options, run
from benchlint.analysis.snapshot import Snapshot
from benchlint.config import ConfigLookup
from benchlint.guards.guard_set import GuardSet
from benchlint.text.document import Document

if TYPE_CHECKING:
    from pathlib import Path

POLICY = "# Café\n\n- Orders that are not pending cannot be cancelled.\n- A sum above 90 € cannot be paid back.\n"
DATABASE = {
    "orders": {
        "O-11": {"order_id": "O-11", "status": "sent", "day": "2026-03-01", "sum": 20, "lines": ["I-1"]},
        "O-12": {"order_id": "O-12", "status": "sent", "day": "2026-04-02", "sum": 30, "lines": ["I-2"]},
        "O-13": {"order_id": "O-13", "status": "returned", "day": "2026-04-02", "sum": 30, "lines": []},
        "O-14": {"order_id": "O-14", "status": "pending", "day": "2026-04-02", "sum": 30, "lines": ["I-1"]},
        "O-15": {"order_id": "O-15", "status": "sent", "day": "2026-04-02", "sum": 30, "lines": ["I-1", "I-2"]},
    },
    "items": {"I-1": {"kind": "cake"}, "I-2": {"kind": "cake"}},
}
TOOLS = [
    {"name": name, "description": name, "effect": effect, "parameters": {
        "type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}}
    for name, effect in (("get_order", "read"), ("cancel_order", "write"), ("ship_order", "write"))
]  # fmt: skip
STATUS = 'db.orders[action.arguments.order_id].status != "pending"'
ITEMS = """\
items:
- id: cancelling
  text: Orders that are not pending cannot be cancelled.
  guard:
    tools: [cancel_order]
    violated: {violated}
    message: it is cancelled
"""


def calls(*names: str, order: str) -> list[dict]:
    return [
        {"action_id": str(number), "name": name, "arguments": {"order_id": order}} for number, name in enumerate(names)
    ]


def task(name: str, said: str, *actions: dict, asserted: str = "") -> dict:
    criteria = {"actions": list(actions), "nl_assertions": [asserted] if asserted else []}
    return {"id": name, "user_scenario": {"instructions": said}, "evaluation_criteria": criteria}


DONE = task("done", "You want to cancel order O-11.", *calls("get_order", "cancel_order", order="O-11"))


def refusing(order: str = "O-12", asserted: str = "", said: str = "You want to cancel order {}.", *more: dict) -> dict:
    return task("other", said.format(order), *calls("get_order", order=order), *more, asserted=asserted)


def write(folder: Path, *tasks: dict, violated: str = STATUS) -> Path:
    (folder / "tasks.json").write_text(json.dumps(tasks, indent=1), encoding="utf-8")
    (folder / "policy.md").write_text(POLICY, encoding="utf-8")
    (folder / "db.json").write_text(json.dumps(DATABASE))
    (folder / "tools.json").write_text(json.dumps(TOOLS))
    (folder / "policy.items.yaml").write_text(ITEMS.format(violated=json.dumps(violated)), encoding="utf-8")
    return folder


OPTIONS = Options(select=("inconsistent-outcome", "internal-error"))


def found(folder: Path, *items: str):
    return run([str(folder)], Snapshot(), ConfigLookup(), Options(select=OPTIONS.select, items=items)).findings


PLANTED = {
    "nothing is expected to change": refusing(),
    "a criterion with the id": refusing(asserted="The agent does not cancel O-12.", said="Hello, I am back."),
    "a criterion about all": refusing(asserted="Agent should not cancel any order."),
    "another verb of refusal": refusing(asserted="The agent refuses to cancel O-12."),
    "beside another write": refusing(
        "O-12", "The agent doesn’t cancel order O-12.", "Cancel O-12.", *calls("ship_order", order="O-14")
    ),
}


@pytest.mark.parametrize("other", PLANTED.values(), ids=PLANTED)
def test_opposite_expectations_are_found(tmp_path, other):
    (finding,) = found(write(tmp_path, other, DONE))
    assert (finding.rule, finding.task, finding.found_by) == ("inconsistent-outcome", "done", "guard")
    assert finding.pointer == "/evaluation_criteria/actions/1/name"
    assert finding.message == 'cancel_order is expected here, and task "other" refuses it in the same situation'
    first, item = finding.related
    assert first.message == 'task "other" refuses cancel_order'
    assert first.anchor.slice == 0
    assert item.anchor.path.endswith("policy.md")


CLEAN = {
    "another situation": refusing("O-13"),
    "it is allowed": refusing("O-14"),
    "both do it": task("other", "Cancel O-12.", *calls("get_order", "cancel_order", order="O-12")),
    "nobody asks for it": refusing(said="You want to see order {}."),
    "another order is refused": refusing(asserted="The agent does not cancel O-14.", said="Cancel my orders."),
    "only once": refusing("O-12", "The agent does not cancel O-12 twice.", "Hello", *calls("ship_order", order="O-14")),
    "after a question": refusing(
        "O-12", "The agent does not cancel O-12 without a yes.", "Hello", *calls("ship_order", order="O-14")
    ),
    "a state and no refusal": refusing(
        "O-12", "The agent sees that O-12 was not cancelled.", "Hello", *calls("ship_order", order="O-14")
    ),
    "the record is not looked up": task("other", "You want to cancel order O-12."),
    "no id and no criterion": refusing(said="You want to cancel an order."),
}


@pytest.mark.parametrize("other", CLEAN.values(), ids=CLEAN)
def test_nothing_is_found_in_the_clean_twins(tmp_path, other):
    assert found(write(tmp_path, DONE, other)) == ()


def test_ids_and_times_do_not_make_a_situation_but_all_else_does(tmp_path):
    lines = 'db.orders[action.arguments.order_id].lines.exists(i, db.items[i].kind == "cake")'
    assert len(found(write(tmp_path, DONE, refusing("O-12"), violated=f"{STATUS} && {lines}"))) == 1
    old = 'now - time(db.orders[action.arguments.order_id].day) > duration("1h")'
    write(tmp_path, DONE, refusing("O-12"), violated=f"{STATUS} && {old}")
    items = tmp_path / "policy.items.yaml"
    items.write_text('now: "2026-05-01"\n' + items.read_text(encoding="utf-8"), encoding="utf-8")
    assert len(found(tmp_path)) == 1
    amount = "db.orders[action.arguments.order_id].sum > 5"
    assert found(write(tmp_path, DONE, refusing("O-12"), violated=f"{STATUS} && {amount}")) == ()


def test_a_guard_that_reads_the_scenario_knows_no_two_equal_situations(tmp_path):
    said = f'{STATUS} && task.scenario.contains("cancel")'
    assert found(write(tmp_path, DONE, refusing(), violated=said)) == ()


def test_a_change_in_one_task_is_seen_and_the_others_are_not_asked_again(tmp_path, monkeypatch):
    write(tmp_path, DONE, refusing(), *[{**refusing("O-13"), "id": f"x{n}"} for n in range(5)])
    path = tmp_path / "tasks.json"
    kept, snapshot, config_of = Kept(), Snapshot(), ConfigLookup()

    def edited(old: str, new: str):
        document = Document(str(path), text.replace(old, new).encode())
        return run([str(tmp_path)], snapshot.with_documents([document]), config_of, OPTIONS, kept=kept).findings

    text = path.read_text(encoding="utf-8")
    assert len(edited("", "")) == 1
    asked = []
    real = GuardSet.moments
    monkeypatch.setattr(GuardSet, "moments", lambda self, task, *a: asked.append(task.id) or real(self, task, *a))
    assert edited("to cancel order O-12.", "to see order O-12.") == ()
    assert set(asked) <= {"done", "other"}
    assert len(edited("to cancel order O-12.", "really to cancel order O-12.")) == 1
    assert set(asked) <= {"done", "other"}


@shared
@pytest.mark.parametrize(
    ("path", "guards", "tasks"),
    [
        ("airline/tasks.json", "airline", {"9": ["41"], "37": ["41"]}),
        ("airline/tasks.corrected.json", "airline", {}),
        ("retail/tasks.json", "retail", {}),
        ("retail/tasks.corrected.json", "retail", {}),
    ],
)
def test_real_benchmarks(path, guards, tasks):
    """Tasks 9 and 37 cancel a reservation that was flown; maintainers have corrected both."""
    told = {item.task: item.message for item in found(SHARED / path, str(SETS / f"{guards}.items.yaml"))}
    assert told.keys() == tasks.keys()
    assert all(f'"{other}"' in told[name] for name, others in tasks.items() for other in others)

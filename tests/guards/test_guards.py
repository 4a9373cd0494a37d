"""Guards: what they find, where they are silent, and what a bad one does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from benchlint.analysis.run import Options, run
from benchlint.analysis.snapshot import Snapshot
from benchlint.benchmark.discovery import discover
from benchlint.benchmark.items import ItemsFile
from benchlint.benchmark.loader import load
from benchlint.config import ConfigLookup
from benchlint.guards.examples import run_examples
from benchlint.guards.expression import compile_expression
from benchlint.guards.guard import reason
from benchlint.guards.guard_set import abstentions, guard_set
from benchlint.guards.helpers import money, pairs, shown, time, total, unique
from benchlint.guards.limits import MAX_LIST
from benchlint.guards.state import MissingError, PlainRecords, State
from benchlint.guards.tokens import ExpressionError
from benchlint.text.document import Document

ROOT = Path(__file__).parents[2]
SHARED = ROOT / "../shared/data/tau2"
SETS = ROOT / "fixtures" / "guards"
RULES = ("forbidden-action", "wrong-compensation", "missing-information-collection", "invalid-guard", "invalid-syntax")
shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data is not there")

POLICY = "# Policy\n\n- Orders that are not pending cannot be cancelled.\n- Café orders are paid with €.\n"
DATABASE = {
    "orders": {
        f"O{n}": {"order_id": f"O{n}", "user_id": "ann", "status": s} for n, s in enumerate(["pending", "sent"], 1)
    },
    "users": {"ann": {"user_id": "ann", "orders": ["O1", "O2"], "level": "gold", "balance": 5}},
}
GUARD = """\
items:
- id: cancelling
  text: Orders that are not pending cannot be cancelled.
  guard:
    tools: [cancel]
    argument: order_id
    violated: {violated}
    message: "order {{action.arguments.order_id}} is cancelled"
"""
PENDING = 'db.orders[action.arguments.order_id].status != "pending"'


def write(folder: Path, items: str, *calls: tuple[str, dict]) -> Path:
    actions = [{"action_id": str(n), "name": name, "arguments": given} for n, (name, given) in enumerate(calls)]
    task = {"id": "1", "user_scenario": {"instructions": "Be ann."}, "evaluation_criteria": {"actions": actions}}
    (folder / "tasks.json").write_text(json.dumps([task]))
    (folder / "policy.md").write_text(POLICY, encoding="utf-8")
    (folder / "db.json").write_text(json.dumps(DATABASE))
    (folder / "policy.items.yaml").write_text(items, encoding="utf-8")
    return folder


def lint(path: Path, *items: Path):
    options = Options(select=RULES, items=tuple(map(str, items)))
    return run([str(path)], Snapshot(), ConfigLookup(), options)


def benchmark(path: Path, *items: Path):
    layout = discover([str(path)]).layouts[0]
    if items:
        layout = replace(layout, items=tuple(map(str, items)))
    return load(layout, lambda name: Snapshot().read(name, 10**9))


def test_a_guard_finds_what_the_record_forbids(tmp_path):
    write(tmp_path, GUARD.format(violated=PENDING), ("cancel", {"order_id": "O2"}), ("cancel", {"order_id": "O1"}))
    result = lint(tmp_path)
    (found,) = result.findings
    assert (found.rule, found.message, found.found_by) == ("forbidden-action", "order O2 is cancelled", "guard")
    assert found.severity.label == "error"
    assert found.pointer == "/evaluation_criteria/actions/0/arguments/order_id"
    (item,) = found.related
    assert item.anchor.path.endswith("policy.md")
    assert POLICY.encode()[item.anchor.start : item.anchor.end] == b"Orders that are not pending cannot be cancelled."


def test_a_guard_of_a_sentence_that_the_policy_does_not_have_is_left_out(tmp_path):
    items = GUARD.format(violated='"true"').replace("not pending", "not new")
    write(tmp_path, items, ("cancel", {"order_id": "O2"}))
    assert not lint(tmp_path).findings
    assert [line for line in abstentions(benchmark(tmp_path)) if "no sentence of item cancelling" in line]


@pytest.mark.parametrize(
    ("calls", "why"),
    [
        ([("cancel", {"order_id": "O9"})], 'there is no "O9"'),
        (
            [("ship", {"order_id": "O2"}), ("cancel", {"order_id": "O2"})],
            "an earlier action of the task may have changed O2; --replay would tell",
        ),
        ([("cancel", {"id": "O2"})], "there is no 'order_id'"),
    ],
)
def test_a_guard_abstains_where_it_cannot_know(tmp_path, calls, why):
    write(tmp_path, GUARD.format(violated=PENDING), *calls)
    assert not lint(tmp_path).findings
    (line,) = abstentions(benchmark(tmp_path))
    assert line.endswith(why)


def test_a_lookup_changes_nothing(tmp_path):
    write(tmp_path, GUARD.format(violated=PENDING), ("get_order", {"order_id": "O2"}), ("cancel", {"order_id": "O2"}))
    assert len(lint(tmp_path).findings) == 1


BAD = {
    "a bracket": ("size(action", "(", "the bracket is not closed"),
    "an operator": ("1 + ", "+", "is no CEL"),
    "a field": (
        'db.orders["O1"].state == ""',
        "state",
        'no record of orders has a field "state": did you mean "status"?',
    ),
    "a collection": ('db.order["O1"].status == ""', "order", 'the database has no collection "order"'),
    "a variable": ("acton.name == ''", "acton", 'there is no "acton" in a guard'),
    "a function": ("sice(action.name) > 0", "sice", 'there is no function "sice"'),
    "a whole collection": ("size(db.orders) > 0", "db.orders", "db.orders is a whole collection"),
    "too deep": ("[1].all(a, [1].all(b, [1].all(c, true)))", "all", "a comprehension may stand inside one other"),
    "brackets": ("(" * 40 + "true" + ")" * 40, "(", "nests deeper than 32 levels"),
    "too long": (" + ".join(["1"] * 20_000) + " > 0", None, "bytes; 4,096 are the most"),
    "a long chain": ("||".join(["true"] * 300), "||", "more than 256 operators"),
    "a division": ("1 / 0 == 1", "1 / 0 == 1", "division by zero"),
    "no truth": ("1 + 1", "1 + 1", "neither true nor false"),
    "accents": ("'é' == 'é' && café", "café", '"é" cannot stand here'),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_guard_is_told_at_its_place_and_the_others_work(tmp_path, name):
    violated, quote, message = BAD[name]
    good = GUARD.format(violated=PENDING).partition("items:\n")[2].replace("id: cancelling", "id: other")
    items = GUARD.format(violated=json.dumps(violated, ensure_ascii=False)) + good
    write(tmp_path, items, ("cancel", {"order_id": "O2"}))
    broken, found = sorted(lint(tmp_path).findings, key=lambda item: item.rule != "invalid-guard")
    assert (broken.rule, found.rule) == ("invalid-guard", "forbidden-action")
    assert message in broken.message
    data = (tmp_path / "policy.items.yaml").read_bytes()
    assert data[broken.anchor.start : broken.anchor.end].decode() == broken.quote
    assert data.index(b"violated:") < broken.anchor.start
    assert quote is None or broken.quote in quote or quote in broken.quote


def test_a_file_that_does_not_parse_is_told_and_the_rest_works(tmp_path):
    items = GUARD.format(violated=PENDING) + "- id: [\n- id: last\n  text: x\n  guard: 3\n"
    write(tmp_path, items, ("cancel", {"order_id": "O2"}))
    rules = [finding.rule for finding in lint(tmp_path).findings]
    assert rules.count("forbidden-action") == 1
    assert "invalid-syntax" in rules


@pytest.mark.parametrize(
    "text", ["", "- 1\n", "items: 3\n", "items: []\n", "\ufeffitems:\r\n- id: a\r\n", "x", "items:\n- {}\n"]
)
def test_any_items_file_can_be_read(tmp_path, text):
    write(tmp_path, text, ("cancel", {"order_id": "O2"}))
    assert not [
        finding for finding in lint(tmp_path).findings if finding.rule not in ("invalid-syntax", "invalid-guard")
    ]


@given(st.text(alphabet="abdx.()[]{}'\"!&|?:,<>=+-/ 01\n\\", max_size=80) | st.text(max_size=40))
def test_any_expression_compiles_or_is_told(text):
    caught = None
    try:
        compile_expression(text)
    except ExpressionError as error:
        caught = error
    if caught is not None:
        assert 0 <= caught.start <= caught.end <= max(len(text), caught.start + 1)
        assert caught.message


@pytest.mark.parametrize(
    "text", ["'a" + "\\n" * 10, "'''", '"\ud800"', "a" * 5000, "[" * 4000, "!" * 4000, "-" * 4000, "1?" * 2000]
)
def test_the_process_outlives_any_expression(text):
    code = (
        "import sys; from benchlint.guards.expression import *\n"
        "try: compile_expression(eval(sys.argv[1]))\n"
        "except ExpressionError: pass"
    )
    assert subprocess.run([sys.executable, "-c", code, ascii(text)], check=False).returncode == 0


def test_records_are_asked_for_one_by_one():
    expression = compile_expression(
        'db.users[db.orders[action.arguments.order_id].user_id].level == "gold" && has(db.users["a"].x)'
    )
    assert [access.path for access in expression.accesses] == [
        ("orders", None, "user_id"),
        ("users", None, "level"),
        ("users", "a", "x"),
    ]
    assert [access.optional for access in expression.accesses] == [False, False, True]
    assert expression.names == {"action", "db"}


def test_what_an_earlier_write_names_is_changed_and_balances_behind_it():
    state = State(PlainRecords(DATABASE))
    state.written({"order_id": "O1"})
    assert state.at("users", "ann", "level") == "gold"
    assert state.at("orders", "O2", "status") == "sent"
    for path in (("orders", "O1", "status"), ("users", "ann", "balance"), ("users", "ann", "orders")):
        with pytest.raises(MissingError, match="may have changed"):
            state.at(*path)


def test_a_replay_shows_what_an_earlier_write_did():
    state = State(PlainRecords(DATABASE))
    state.written({"order_id": "O1"})
    state.replayed(PlainRecords({"orders": {"O1": {"status": "sent"}}}))
    assert state.at("orders", "O1", "status") == "sent"
    state.replayed(None)
    with pytest.raises(MissingError, match="may have changed"):
        state.at("orders", "O1", "status")


def test_a_long_list_is_not_read():
    state = State(PlainRecords({"users": {"a": {"all": list(range(MAX_LIST + 1)), "few": [1]}}}))
    assert state.at("users", "a", "few") == [1]
    with pytest.raises(MissingError, match="too long"):
        state.at("users", "a", "all")


def test_helpers():
    assert money("$1,250.5") == 1250.5
    assert money(3) == 3.0
    assert total([0.1, "0.20", 1]) == 1.3
    assert pairs([1, 2], ["a", "b"]) == [[1, "a"], [2, "b"]]
    assert unique([1, 2])
    assert not unique(["a", "a"])
    assert time("2024-05-15 15:00:00 EST") == time("2024-05-15T15:00:00Z")
    assert (shown(2.0), shown(["a", 1.5]), shown(time("2024-05-01"))) == ("2", "a, 1.50", "2024-05-01 00:00")
    with pytest.raises(ValueError, match="no date"):
        time("tomorrow")
    assert reason(KeyError("x")) == "there is no 'x'"


@pytest.mark.parametrize("name", ["airline", "retail"])
def test_guard_sets_have_examples_that_hold(name):
    path = SETS / f"{name}.items.yaml"
    file = ItemsFile(Document(str(path), path.read_bytes()))
    assert not file.faults
    assert sum(len(entry.guards) for entry in file.entries) >= 20
    assert [(tested.entry.id, tested.problem) for tested in run_examples(file) if tested.problem] == []


def test_examples_that_do_not_hold_are_told():
    text = GUARD.format(violated='"true"') + "    compliance:\n    - action: {cancel: {order_id: O1}}\n"
    file = ItemsFile(Document("x.items.yaml", text.encode()))
    assert sorted(tested.problem for tested in run_examples(file)) == [
        "the guard finds a violation here: order O1 is cancelled",
        "the guard has no violation example",
    ]


FOUND = {
    ("airline", "wrong-compensation"): {"2", "27", "38"},
    ("airline", "forbidden-action"): {"7", "9", "29", "37", "39", "44"},
    ("retail", "wrong-compensation"): {"12", "13"},
    ("retail", "forbidden-action"): {"18", "64", "91", "105", "107"},
}
"""The tasks with errors; each was checked by hand against the policy and the records."""


@shared
@pytest.mark.parametrize("domain", ["airline", "retail"])
def test_the_released_tasks(domain):
    result = lint(SHARED / domain / "tasks.json", SETS / f"{domain}.items.yaml")
    found = {(domain, rule): {item.task for item in result.findings if item.rule == rule} for rule in RULES[:2]}
    assert found == {key: tasks for key, tasks in FOUND.items() if key[0] == domain}
    assert {item.rule for item in result.findings} <= set(RULES[:2])


@shared
@pytest.mark.parametrize("domain", ["airline", "retail"])
def test_the_corrected_tasks_are_clean(domain):
    assert not lint(SHARED / domain / "tasks.corrected.json", SETS / f"{domain}.items.yaml").findings


@shared
def test_guards_of_another_policy_say_nothing():
    assert not lint(SHARED / "airline" / "tasks.json", SETS / "retail.items.yaml").findings
    assert not guard_set(benchmark(SHARED / "airline" / "tasks.json", SETS / "retail.items.yaml")).guards

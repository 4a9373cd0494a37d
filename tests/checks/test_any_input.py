"""No text makes a check crash."""

from __future__ import annotations

import copy
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from benchlint.analysis.engine import analyse
from benchlint.benchmark.loader import load
from benchlint.benchmark.model import Layout
from benchlint.text.document import Document

TASK = {
    "id": "1",
    "description": {"purpose": "Cancel on 2024-05-15."},
    "user_scenario": {
        "persona": None,
        "instructions": {
            "domain": "shop",
            "reason_for_call": "Cancel order #W1 for $100.",
            "task_instructions": "You are Mia Li.",
            "known_info": "zip 19122",
        },
    },
    "initial_state": {
        "initialization_data": {"agent_data": {"users": {"mia_li_1": {"zip": "19122"}}}},
        "initialization_actions": [{"env_type": "user", "func_name": "toggle", "arguments": {}}],
    },
    "evaluation_criteria": {
        "actions": [
            {"action_id": "0", "name": "get_order", "arguments": {"order_id": "#W1"}},
            {"action_id": "1", "name": "get_order", "arguments": {"order_id": "#W1"}},
            {"action_id": "2", "name": "set_zip", "arguments": {"user_id": "mia_li_1", "zip": "19122"}},
            {"action_id": "3", "name": "swap", "arguments": {"item_ids": ["1"], "new_item_ids": ["1"]}},
            {"action_id": "4", "name": "calculate", "arguments": {"expression": "100"}, "compare_args": []},
            {"action_id": "5", "name": "toggle", "arguments": {}, "requestor": "user"},
        ],
        "env_assertions": [{"env_type": "user", "func_name": "is_on", "arguments": {}, "assert_value": True}],
        "communicate_info": ["100"],
        "nl_assertions": ["The agent cancels order #W1 on May 16."],
        "reward_basis": ["DB", "COMMUNICATE"],
    },
    "user_tools": ["toggle"],
    "annotations": None,
}
TOOLS = [
    {"name": "get_order", "effect": "read", "parameters": {"properties": {"order_id": {"type": "string"}}}},
    {"name": "set_zip", "effect": "write", "parameters": {"properties": {"user_id": {}, "zip": {"type": "string"}}}},
    {
        "name": "swap",
        "effect": "write",
        "parameters": {
            "properties": {
                "item_ids": {"type": "array", "items": {"type": "string"}},
                "new_item_ids": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
            }
        },
    },
    {"name": "calculate", "effect": "generic", "parameters": {"properties": {"expression": {"type": "string"}}}},
    {"name": "toggle", "effect": "write", "requestor": "user", "parameters": {}},
]
DATABASE = {
    "users": {"mia_li_1": {"user_id": "mia_li_1", "zip": "19122"}, "noah_ito_2": {"user_id": "noah_ito_2", "zip": "1"}},
    "orders": {"#W1": {"order_id": "#W1", "total": 100}, "#W2": {"order_id": "#W2", "total": 7}},
}
SPLITS = {"train": ["1"], "test": ["2"]}
ODD = (
    st.none()
    | st.booleans()
    | st.integers(-2, 10**20)
    | st.floats(allow_nan=False)
    | st.sampled_from(["", "é 😀\u2028", "#W1", "mia_li_1", "100", "DB", "get_order"])
    | st.just([])
    | st.just({})
    | st.just([None, 1, "x", {}])
    | st.just({"é": None, "order_id": {"a": []}})
)


def places(value, path=()):
    """Yield the way to every value inside a value."""
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))


@st.composite
def mutated(draw, value):
    """Return a value in which some parts are odd, gone or there twice."""
    value = copy.deepcopy(value)
    for _ in range(draw(st.integers(0, 3))):
        path = draw(st.sampled_from([path for path in places(value) if path]))
        inner = value
        for part in path[:-1]:
            inner = inner[part]
        change = draw(st.sampled_from(["odd", "gone", "twice"]))
        if change == "odd":
            inner[path[-1]] = copy.deepcopy(draw(ODD))
        elif change == "gone":
            del inner[path[-1]]
        elif isinstance(inner, list):
            inner.append(copy.deepcopy(inner[path[-1]]))
        if not any(places(value)):
            break
    return value


@settings(max_examples=60, deadline=None)
@given(mutated([TASK, {**TASK, "id": "2"}]), mutated(TOOLS), mutated(DATABASE), mutated(SPLITS), st.integers(0, 4000))
def test_no_check_crashes(tasks, tools, database, splits, cut):
    texts = {"tasks.json": tasks, "tools.json": tools, "db.json": database, "split_tasks.json": splits}
    documents = {name: Document(name, json.dumps(value, indent=1).encode()) for name, value in texts.items()}
    if cut > 3000:
        documents["tasks.json"] = Document("tasks.json", documents["tasks.json"].data[: cut - 3000])
    layout = Layout("shop", ("tasks.json",), (), ("tools.json",), ("db.json",), "split_tasks.json", "tau2")
    benchmark = load(layout, documents.__getitem__)
    found = analyse(benchmark).findings
    assert [item.message for item in found if item.rule == "internal-error"] == []
    for item in found:
        for anchor in (item.anchor, *(related.anchor for related in item.related)):
            source = next((source for source in benchmark.sources if source.document.path == anchor.path), None)
            whole = documents[anchor.path].data
            data = source.slices[anchor.slice].data if source and anchor.slice is not None else whole
            assert 0 <= anchor.start <= anchor.end <= len(data)

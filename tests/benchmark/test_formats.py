"""What all formats hold to, and those of the benchmarks."""

import json
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.benchmark.format_cases import KEYS, messages, piece, read, texts

from benchlint.benchmark.formats import intellagent, tau2, tau_bench
from benchlint.benchmark.formats.registry import NAMES, by_name, is_run, recognise
from benchlint.text.document import Document
from benchlint.text.json_text import slice_json
from benchlint.text.locate import locate
from benchlint.text.slices import UNKNOWN, UNPARSED


@pytest.mark.parametrize("name", NAMES)
def test_every_format_offers_what_the_protocol_says(name):
    found = by_name(name)
    assert found.name == name
    assert isinstance(found.default_reward_basis, tuple)
    assert hasattr(found, "header")
    assert found.read(piece(UNPARSED)) == (None, [])
    for value in (None, [], "x", 3):
        assert not found.recognises(value)
        task, problems = found.read(piece(value))
        assert task is None
        assert len(problems) == 1


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.just(UNKNOWN),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.sampled_from(NAMES),
    st.recursive(
        JUNK,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
        max_leaves=20,
    ),
)
def test_no_value_breaks_a_format(name, value):
    recognise(value)
    is_run(value)
    task, problems = by_name(name).read(piece(value))
    if task is not None:
        for field in (*task.scenario, *task.behaviour, *task.communicate_info, *task.nl_assertions, *task.cites):
            found = value
            for part in field.pointer:
                found = found[part]
            assert found == field.text
    assert all(isinstance(problem.message, str) for problem in problems)


class TestTauBench:
    TASK: ClassVar = {
        "annotator": "0",
        "user_id": "ana",
        "instruction": "You are Ana.",
        "actions": [
            {"name": "cancel", "kwargs": {"id": "#W1"}},
            {"name": "respond", "kwargs": {"content": "done"}},
            {"name": "find", "arguments": {"name": "Ana"}},
        ],
        "outputs": ["54.04"],
    }

    def test_reads(self):
        task, problems = read(tau_bench, self.TASK, 7)
        assert problems == []
        assert (task.id, task.id_pointer) == ("7", ())
        assert texts(task.scenario) == [(("instruction",), "You are Ana.")]
        assert [(call.name, call.arguments, call.arguments_pointer) for call in task.actions] == [
            ("cancel", {"id": "#W1"}, ("actions", 0, "kwargs")),
            ("find", {"name": "Ana"}, ("actions", 2, "arguments")),
        ]
        assert texts(task.communicate_info) == [(("outputs", 0), "54.04")]
        assert task.criteria_pointers == {"actions": ("actions",), "communicate_info": ("outputs",)}
        assert task.reward_basis is None
        assert recognise(self.TASK) is tau_bench

    def test_what_is_unknown_is_no_finding(self):
        task, problems = read(
            tau_bench,
            {
                "annotator": UNKNOWN,
                "instruction": UNKNOWN,
                "outputs": UNKNOWN,
                "actions": [UNKNOWN, {"name": UNKNOWN, "kwargs": UNKNOWN}, {"name": "a", "kwargs": UNKNOWN}],
            },
        )
        assert problems == []
        assert [(call.name, call.arguments, call.known) for call in task.actions] == [
            ("", None, False),
            ("", None, False),
            ("a", None, False),
        ]
        task, problems = read(tau_bench, {"instruction": "x", "actions": UNKNOWN})
        assert (problems, [call.known for call in task.actions]) == ([], [False])
        assert read(tau_bench, UNKNOWN) == (None, [])

    def test_problems(self):
        assert messages(tau_bench, {"instruction": "x", "action": [], "outputs": [1]}) == [
            (("action",), '"action" is no field of a task, and "actions" is missing'),
            (("outputs", 0), 'entry 1 of "outputs" must be a string, not a number'),
        ]
        assert messages(tau_bench, {"instruction": "x"}) == [((), '"actions" is missing: a task must have it')]


class TestIntellAgent:
    TASK: ClassVar = {
        "id": 1,
        "event_description": "A user cancels.",
        "expected_behaviour": "The agent refuses.",
        "policies": [{"flow": "Cancel", "policy": "Refuse.", "score": 2}, {"policy": "Be brief."}],
        "challenge_level": 4,
        "scenario": "Ana cancels.",
        "relevant_rows": ["Table: users."],
    }

    def test_reads(self):
        task, problems = read(intellagent, self.TASK)
        assert problems == []
        assert task.id == "1"
        assert texts(task.scenario) == [(("event_description",), "A user cancels."), (("scenario",), "Ana cancels.")]
        assert texts(task.behaviour) == [(("expected_behaviour",), "The agent refuses.")]
        assert texts(task.cites) == [(("policies", 0, "policy"), "Refuse."), (("policies", 1, "policy"), "Be brief.")]
        assert task.initial_data == ["Table: users."]
        assert (task.actions, task.criteria_pointers) == ((), {})

    def test_problems(self):
        assert messages(intellagent, {**self.TASK, "policies": [{"flow": 1}], "scenario": None, "levl": 1}) == [
            (("policies", 0), '"policy" is missing: a policy must have it'),
            (("policies", 0, "flow"), '"flow" must be a string, not a number'),
            (("levl",), '"levl" is no field of a task'),
        ]


@pytest.mark.parametrize(
    ("value", "header", "name"),
    [
        ({"id": "1", "user_scenario": {}}, {}, "tau2"),
        ({"id": "1", "evaluation_criteria": {}}, {}, "tau2"),
        ({"instruction": "x", "actions": []}, {}, "tau-bench"),
        ({"event_description": "x"}, {}, "intellagent"),
        ({"id": "1", "description": "x", "expected": {}}, {}, "native"),
        ({"id": "1", "description": "x", "expected": {}, "input": 1}, {}, None),
        ({"id": "1", "description": "x", "expected": "y"}, {}, None),
        ({"id": "1"}, {"benchlint": 1}, "native"),
        ({"id": "1"}, {}, None),
        (None, {}, None),
        ("x", {}, None),
    ],
)
def test_recognised(value, header, name):
    found = recognise(value, header)
    assert (found.name if found else None) == name


def test_tau2_accepts_what_the_framework_does():
    task = {
        "id": "1",
        "description": {"purpose": None, "relevant_policies": None, "notes": None},
        "user_scenario": {
            "persona": None,
            "instructions": {
                "domain": "x",
                "reason_for_call": "x",
                "known_info": None,
                "unknown_info": None,
                "task_instructions": "x",
            },
        },
        "ticket": None,
        "initial_state": {
            "initialization_data": {"agent_data": {}, "user_data": None},
            "initialization_actions": [{"env_type": "user", "func_name": "f", "arguments": {}}],
            "message_history": [{"role": "user", "content": "x"}],
        },
        "evaluation_criteria": {
            "actions": [{"action_id": "a", "requestor": "user", "name": "f", "arguments": {}, "compare_args": None}],
            "env_assertions": [
                {"env_type": "user", "func_name": "f", "arguments": {}, "assert_value": True, "message": None}
            ],
            "communicate_info": None,
            "nl_assertions": None,
            "reward_basis": ["DB", "ENV_ASSERTION", "NL_ASSERTION", "ACTION", "COMMUNICATE"],
        },
        "issues": [{"id": "1"}],
        "user_tools": None,
        "required_documents": ["x"],
    }
    assert messages(tau2, task) == []
    for optional in ("description", "initial_state", "evaluation_criteria"):
        assert messages(tau2, {**task, optional: None}) == []


@given(st.text(alphabet='aé🙂\u2028\u00a0"\\ ', max_size=8), st.booleans(), st.booleans())
def test_every_pointer_cuts_out_its_text(text, is_crlf, has_bom):
    """The places of a task's texts are right in a file with what real files lack."""
    value = [{**TestIntellAgent.TASK, "scenario": f"x{text}"}, {**TestTauBench.TASK, "instruction": f"y{text}"}]
    data = json.dumps(value, ensure_ascii=False, indent=1)
    data = ("\ufeff" if has_bom else "") + (data.replace("\n", "\r\n") if is_crlf else data)
    sliced = slice_json(Document("tasks.json", data.encode()))
    for index, reader in enumerate((intellagent, tau_bench)):
        task, _ = reader.read(sliced.slices[index])
        tree = sliced.tree(index)
        for field in (*task.scenario, *task.behaviour, *task.cites, *task.communicate_info):
            start, end = locate(tree, field.pointer)
            assert json.loads(b'"%b"' % tree.data[start:end]) == field.text

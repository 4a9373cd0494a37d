import json
import re
from pathlib import Path
from typing import ClassVar

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from benchlint.benchmark.formats import intellagent, native, tau2, tau_bench
from benchlint.benchmark.formats.mapped import MappedFormat
from benchlint.benchmark.formats.registry import NAMES, by_name, is_run, recognise
from benchlint.benchmark.shape import Optional, Record
from benchlint.config_schema import FieldMapping
from benchlint.text.document import Document
from benchlint.text.json_text import slice_json
from benchlint.text.locate import locate
from benchlint.text.slices import UNKNOWN, UNPARSED, Slice

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((Path(native.__file__).parent / "native.schema.json").read_text(encoding="utf-8"))


def piece(value, index=0):
    return Slice(Document("tasks.json", b""), index, 0, 0, value, (index,))


def read(reader, value, index=0):
    return reader.read(piece(value, index))


def messages(reader, value):
    return [(problem.pointer, problem.message) for problem in read(reader, value)[1]]


def texts(fields):
    return [(field.pointer, field.text) for field in fields]


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
KEYS = sorted(
    {
        *("id", "user_scenario", "instructions", "evaluation_criteria", "actions", "name", "arguments", "kwargs"),
        *("initial_state", "initialization_actions", "message_history", "reward_basis", "annotations", "benchlint"),
        *("event_description", "expected_behaviour", "policies", "policy", "scenario", "instruction", "outputs"),
        *("description", "expected", "behaviour", "say", "assertions", "calls", "data", "tasks", "ignore"),
    }
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
            ((), '"actions" is missing: a task must have it'),
            (("action",), '"action" is no field of a task'),
            (("outputs", 0), 'entry 1 of "outputs" must be a string, not a number'),
        ]


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


class TestNative:
    TASK: ClassVar = {
        "id": "a",
        "description": {"scenario": "You want a refund.", "persona": "Brief.", "known": ["Your id: 1"], "purpose": "P"},
        "initial_state": {"data": {"orders": {}}, "calls": [{"name": "log_in"}]},
        "expected": {
            "behaviour": ["Refuse.", "Explain."],
            "actions": [{"name": "note", "arguments": {"text": "x"}, "requestor": "user"}, {"name": "stop"}],
            "say": ["no"],
            "assertions": ["The agent refuses."],
            "reward_basis": ["DB"],
        },
        "annotations": {"benchlint": {"ignore": {"unknown-tool": "on purpose"}}},
    }

    def test_reads(self):
        task, problems = read(native, self.TASK)
        assert problems == []
        assert texts(task.scenario) == [
            (("description", "persona"), "Brief."),
            (("description", "scenario"), "You want a refund."),
            (("description", "known", 0), "Your id: 1"),
        ]
        assert texts(task.purpose) == [(("description", "purpose"), "P")]
        assert texts(task.behaviour) == [
            (("expected", "behaviour", 0), "Refuse."),
            (("expected", "behaviour", 1), "Explain."),
        ]
        assert [(call.name, call.arguments, call.requestor) for call in task.actions] == [
            ("note", {"text": "x"}, "user"),
            ("stop", {}, "assistant"),
        ]
        assert [call.name_pointer for call in task.initial_calls] == [("initial_state", "calls", 0, "name")]
        assert task.initial_data == {"orders": {}}
        assert (task.reward_basis, task.reward_basis_pointer) == (("DB",), ("expected", "reward_basis"))
        assert task.criteria_pointers == {
            "actions": ("expected", "actions"),
            "communicate_info": ("expected", "say"),
            "nl_assertions": ("expected", "assertions"),
        }
        assert [field.text for field in task.suppressions] == ["unknown-tool"]

    def test_a_description_may_be_one_text(self):
        task, problems = read(native, {"id": 1, "description": "You want it.", "expected": {"behaviour": "Refuse."}})
        assert (problems, task.id) == ([], "1")
        assert texts(task.scenario) == [(("description",), "You want it.")]
        assert texts(task.behaviour) == [(("expected", "behaviour"), "Refuse.")]

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"id": None}, '"id" must be a string, not null'),
            ({"description": 1}, '"description" must be a string or an object, not a number'),
            ({"description": {}}, '"scenario" is missing: a description must have it'),
            ({"expected": {"behaviour": 1}}, '"behaviour" must be a string or a list, not a number'),
            ({"expected": {"behaviour": [1]}}, 'entry 1 of "behaviour" must be a string, not a number'),
            ({"expected": {"actions": [{"nam": "x"}]}}, '"name" is missing: a call must have it'),
            ({"expected": {"reward_basis": ["BD"]}}, '"BD" is unknown here: use DB, ACTION, COMMUNICATE, NL_ASSERTION'),
            ({"expcted": {}}, '"expcted" is no field of a task'),
        ],
    )
    def test_problems(self, change, message):
        assert message in [found for _, found in messages(native, {**self.TASK, **change})]

    def test_the_object_around_the_tasks(self):
        assert messages(native, {"benchlint": 2, "policy": 1, "tasks": {}}) == [
            (("benchlint",), '"benchlint" is the version of the format: 1 is the only one'),
            (("policy",), '"policy" must be a string or a list, not a number'),
            (("tasks",), '"tasks" must be a list, not an object'),
        ]

    def test_the_documented_examples(self):
        page = (ROOT / "docs" / "native-format.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```(\w+)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        (whole,) = [yaml.safe_load(text) for kind, text in blocks if kind == "yaml" and "benchlint: 1" in text]
        assert list(native.FILE.problems(whole, ())) == []
        assert Draft202012Validator(SCHEMA).is_valid(whole)
        (line,) = [json.loads(text) for kind, text in blocks if kind == "json"]
        assert list(native.TASK.problems(line, ())) == []
        assert native.recognises(line)
        tables = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
        fields = {*native.FILE.fields, *native.TASK.fields, *native.TASK.fields["expected"].fields}
        assert set(tables) == fields

    def test_the_schema_has_the_fields_of_the_shape(self):
        Draft202012Validator.check_schema(SCHEMA)
        compare(native.FILE, SCHEMA)

    @given(st.data())
    def test_the_schema_and_the_shape_agree(self, data):
        value = data.draw(mutated({"benchlint": 1, "policy": "p.md", "tools": ["t.json"], "tasks": [self.TASK]}))
        assert Draft202012Validator(SCHEMA).is_valid(value) == (list(native.FILE.problems(value, ())) == [])
        assert native.FILE.fits(value) == (list(native.FILE.problems(value, ())) == [])


def compare(shape, schema):
    """Check that an object of the schema has the fields and requirements of a shape, and so inside."""
    while isinstance(shape, Optional):
        shape = shape.shape
    schema = SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")] if "$ref" in schema else schema
    if isinstance(shape, Record):
        assert set(schema["properties"]) == set(shape.fields)
        assert set(schema.get("required", ())) == set(shape.required)
        assert schema["additionalProperties"] is False
        for name, inner in shape.fields.items():
            compare(inner, schema["properties"][name])
    elif hasattr(shape, "item"):
        compare(shape.item, schema["items"])
    elif hasattr(shape, "shape"):
        compare(shape.shape, schema["oneOf"][1])


@st.composite
def mutated(draw, value):
    """Draw a value that differs from another in one place."""
    path = []
    inner = value
    while isinstance(inner, (dict, list)) and inner and draw(st.integers(0, 4)):
        key = draw(st.sampled_from(list(inner) if isinstance(inner, dict) else range(len(inner))))
        path.append(key)
        inner = inner[key]
    kinds = st.sampled_from([None, True, 1, 1.5, "DB", "x", [], ["x"], [1], {}, {"name": "x"}, {"scenario": "x"}])
    result = json.loads(json.dumps(value))
    if not path:
        return draw(kinds)
    holder = result
    for key in path[:-1]:
        holder = holder[key]
    change = draw(st.sampled_from(["replace", "remove", "add"]))
    if change == "replace":
        holder[path[-1]] = draw(kinds)
    elif change == "remove":
        del holder[path[-1]]
    elif isinstance(holder, dict):
        holder[draw(st.sampled_from([*KEYS, "purpose", "known", "policy"]))] = draw(kinds)
    return result


class TestMapped:
    MAPPING = FieldMapping(
        id="uid",
        description=("scenario.text", "scenario.persona"),
        behaviour="gold.text",
        actions="gold.calls",
        action_name="tool",
        action_arguments="args",
        action_requestor="by",
        communicate="gold.say",
        assertions="gold.checks",
        reward_basis="gold.basis",
    )
    TASK: ClassVar = {
        "uid": 5,
        "scenario": {"text": "You want it.", "persona": ["Brief.", "Rude."]},
        "gold": {
            "text": "Refuse.",
            "calls": [{"tool": "note", "args": {"x": 1}, "by": "user"}, {"tool": "stop", "args": {}}],
            "say": ["no"],
            "checks": "The agent refuses.",
            "basis": ["DB"],
        },
        "annotations": {"benchlint": {"ignore": "unknown-tool"}},
    }

    def test_reads(self):
        task, problems = read(MappedFormat(self.MAPPING), self.TASK)
        assert problems == []
        assert (task.id, task.id_pointer) == ("5", ("uid",))
        assert texts(task.scenario) == [
            (("scenario", "text"), "You want it."),
            (("scenario", "persona", 0), "Brief."),
            (("scenario", "persona", 1), "Rude."),
        ]
        assert texts(task.behaviour) == [(("gold", "text"), "Refuse.")]
        assert [(call.name, call.arguments, call.requestor, call.name_pointer) for call in task.actions] == [
            ("note", {"x": 1}, "user", ("gold", "calls", 0, "tool")),
            ("stop", {}, "assistant", ("gold", "calls", 1, "tool")),
        ]
        assert texts(task.communicate_info) == [(("gold", "say", 0), "no")]
        assert texts(task.nl_assertions) == [(("gold", "checks"), "The agent refuses.")]
        assert (task.reward_basis, task.reward_basis_pointer) == (("DB",), ("gold", "basis"))
        assert task.criteria_pointers == {
            "actions": ("gold", "calls"),
            "communicate_info": ("gold", "say"),
            "nl_assertions": ("gold", "checks"),
        }
        assert [field.text for field in task.suppressions] == ["unknown-tool"]

    def test_lists_by_index(self):
        task, problems = read(
            MappedFormat(FieldMapping(description="turns.0.text")), {"id": "1", "turns": [{"text": "Hello."}]}
        )
        assert (texts(task.scenario), problems) == ([(("turns", 0, "text"), "Hello.")], [])

    @pytest.mark.parametrize(
        ("change", "problems"),
        [
            ({"uid": None}, [(("uid",), "uid must be a string, not null")]),
            (
                {"scenario": {"txt": "x"}},
                [
                    (
                        ("scenario",),
                        '"text" is missing in scenario, and scenario.persona too: the task has no description',
                    )
                ],
            ),
            ({"gold": {"say": None}}, []),
            ({"gold": {"text": 3}}, [(("gold", "text"), "gold.text must be a string, not a number")]),
            (
                {"gold": {}},
                [
                    (
                        ("gold",),
                        '"text" is missing in gold, and gold.calls, gold.say and gold.checks too:'
                        " the task has no expected behaviour",
                    )
                ],
            ),
            ({"gold": {"calls": {}}}, [(("gold", "calls"), "gold.calls must be a list, not an object")]),
            (
                {"gold": {"calls": [1, {"args": {}}, {"tool": 1}, {"tool": "x", "args": []}]}},
                [
                    (("gold", "calls", 0), "an action must be an object, not a number"),
                    (("gold", "calls", 1), '"tool" is missing: an action must have it'),
                    (("gold", "calls", 2, "tool"), '"tool" must be a string, not a number'),
                    (("gold", "calls", 3, "args"), '"args" must be an object, not a list'),
                ],
            ),
            (
                {"gold": {"say": ["x", 1]}},
                [(("gold", "say", 1), "entry 2 of gold.say must be a string, not a number")],
            ),
            ({"gold": {"say": 1}}, [(("gold", "say"), "gold.say must be a list of strings, not a number")]),
        ],
    )
    def test_problems_of_one_task(self, change, problems):
        assert messages(MappedFormat(self.MAPPING), {**self.TASK, **change}) == problems

    def test_a_missing_id(self):
        task = {key: value for key, value in self.TASK.items() if key != "uid"}
        assert messages(MappedFormat(self.MAPPING), task) == [((), '"uid" is missing')]

    @pytest.mark.parametrize(
        ("change", "found"),
        [
            ({}, None),
            ({"id": "uidd"}, ("id", "uidd", "uid")),
            (
                {"description": ("scenario.text", "scenario.person")},
                ("description", "scenario.person", "scenario.persona"),
            ),
            ({"behaviour": "gold.txt"}, ("behaviour", "gold.txt", "gold.text")),
            ({"communicate": "say"}, ("communicate", "say", "gold.say")),
            ({"reward_basis": "zzzzzzzzz"}, ("reward-basis", "zzzzzzzzz", None)),
            ({"action_name": "tol"}, ("action-name", "tol", "tool")),
        ],
    )
    def test_paths_that_find_nothing_in_any_task(self, change, found):
        from dataclasses import replace

        mapped = MappedFormat(replace(self.MAPPING, **change))
        assert mapped.unfound([{"uid": 1}, self.TASK]) == found
        assert mapped.unfound([]) is None


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

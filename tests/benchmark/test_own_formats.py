"""The formats for files of one's own: native, and mapped by the configuration."""

import json
import re
from pathlib import Path
from typing import ClassVar

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tests.benchmark.format_cases import KEYS, messages, read, texts

from benchlint.benchmark.formats import native
from benchlint.benchmark.formats.mapped import MappedFormat
from benchlint.benchmark.shape import Optional, Record
from benchlint.config_schema import FieldMapping

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((Path(native.__file__).parent / "native.schema.json").read_text(encoding="utf-8"))


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
            ({"expected": {"actions": [{"nam": "x"}]}}, '"nam" is no field of a call, and "name" is missing'),
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

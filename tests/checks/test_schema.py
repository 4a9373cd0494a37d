from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from benchlint.checks.schema import fits, mismatches, placeholder
from benchlint.text.slices import UNKNOWN


def wrong(schema, value):
    return [(item.pointer, item.message) for item in mismatches(schema, value, ("arguments", "x"))]


def one(schema, value):
    (item,) = mismatches(schema, value, ("x",))
    return item


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({}, {"any": [1]}),
        ({"type": "any"}, 3),
        ({"type": 5}, 3),
        ({"type": "number"}, 3),
        ({"type": "integer"}, 3.0),
        ({"type": ["string", "null"]}, None),
        ({"type": "string", "nullable": True}, None),
        ({"properties": {"a": {"type": "string"}}}, {"a": None}),
        ({"enum": []}, "a"),
        ({"anyOf": [{"type": "object"}, {"type": "string"}]}, "a"),
        ({"type": "array"}, [1, "a"]),
        ({"type": "object", "additionalProperties": True}, {"a": 1}),
        ({"type": "object", "properties": {"a": {"type": "string"}}}, {"b": 1}),
        ({"type": "integer"}, UNKNOWN),
        ({"type": "array", "items": {"type": "integer"}}, [UNKNOWN, 1]),
        (True, 1),
        (None, 1),
    ],
)
def test_allowed(schema, value):
    assert wrong(schema, value) == []


@pytest.mark.parametrize(
    ("schema", "value", "pointer", "message"),
    [
        ({"type": "integer"}, "3", (), '"x" must be an integer, not the string "3"'),
        ({"type": "integer"}, True, (), '"x" must be an integer, not the boolean true'),
        ({"type": "number"}, None, (), '"x" must be a number, not null'),
        ({"type": "integer"}, float("inf"), (), '"x" must be an integer, not the number Infinity'),
        ({"type": ["string", "null"]}, 1, (), '"x" must be a string or null, not the number 1'),
        ({"enum": ["a", "b"]}, "c", (), '"x" must be one of "a" or "b", not "c"'),
        ({"enum": [1]}, True, (), '"x" must be 1, not true'),
        ({"const": "a"}, "b", (), '"x" must be "a", not "b"'),
        (
            {"type": "array", "items": {"type": "string"}},
            ["a", 2],
            (1,),
            'entry 2 of "x" must be a string, not the number 2',
        ),
        ({"prefixItems": [{"type": "string"}]}, [2, 2], (0,), 'entry 1 of "x" must be a string, not the number 2'),
        ({"type": "object", "required": ["a"]}, {}, (), '"x" lacks "a"'),
        (
            {"properties": {"a": {"properties": {"b": {"type": "null"}}}}},
            {"a": {"b": 1}},
            ("a", "b"),
            '"b" must be null, not the number 1',
        ),
        ({"properties": {}, "additionalProperties": False}, {"a": 1}, ("a",), '"x" has no field "a"'),
        ({"additionalProperties": {"type": "string"}}, {"a": 1}, ("a",), '"a" must be a string, not the number 1'),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 1, (), '"x" must be a string or null, not the number 1'),
        ({"oneOf": [{"enum": ["a"]}, {"enum": ["b"]}]}, "c", (), '"x" must be one of "a" or "b", not "c"'),
        (
            {"anyOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "null"}]},
            {"a": 1},
            ("a",),
            '"a" must be a string, not the number 1',
        ),
        (
            {"properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"a": None},
            ("a",),
            '"a" must be a string, not null',
        ),
        (
            {"anyOf": [{"required": ["iban"]}, {"required": ["account"]}]},
            {"name": "Ana"},
            (),
            '"x" has none of the forms that the tool allows: "x" lacks "iban" or "x" lacks "account"',
        ),
        ({"allOf": [{"type": "string"}, {"minLength": 2}]}, "a", (), '"x" must have at least 2 characters, not 1'),
        ({"minItems": 1}, [], (), '"x" must have at least 1 element, not 0'),
        ({"maximum": 3}, 4, (), '"x" must be at most 3, not 4'),
        ({"exclusiveMinimum": 0}, 0, (), '"x" must be more than 0, not 0'),
    ],
)
def test_not_allowed(schema, value, pointer, message):
    assert wrong(schema, value) == [(("arguments", "x", *pointer), message)]


def test_what_was_meant():
    assert (one({"type": "integer"}, "3").replacement, one({"type": "integer"}, "3").certain) == (3, True)
    assert one({"type": "number"}, "2.5").replacement == 2.5
    assert one({"type": "boolean"}, "True").replacement is True
    assert (one({"type": "string"}, 19122).replacement, one({"type": "string"}, 19122).certain) == ("19122", False)
    assert one({"type": "integer"}, "three").replacement is None
    assert one({"type": "integer"}, "007").replacement is None
    assert (one({"enum": ["economy", "business"]}, "Economy").replacement) == "economy"
    assert one({"enum": ["economy", "business"]}, "Economy").certain
    assert not one({"enum": ["basic_economy"]}, "economy_basic").certain


def test_long_values_and_lists_are_cut_in_messages():
    assert len(one({"enum": [f"value {number}" for number in range(99)]}, "x" * 999).message) < 300


def test_placeholders_fit_their_schema():
    for schema in (
        {"type": "string"},
        {"type": "integer"},
        {"type": ["boolean", "null"]},
        {"type": "array", "items": {"type": "string"}},
        {"type": "object"},
        {"enum": ["a", "b"]},
        {"type": "string", "default": "usa"},
        {},
    ):
        assert fits(schema, placeholder(schema, "zip"))
    assert placeholder({"type": "string"}, "zip") == "<zip>"


scalars = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "b", "1"]) | st.floats(-2, 2)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
names = st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null"])
schemas = st.recursive(
    st.fixed_dictionaries({}, optional={"type": names | st.lists(names, min_size=1, max_size=2, unique=True)})
    | st.fixed_dictionaries({"enum": st.lists(scalars, min_size=1, max_size=3)})
    | st.fixed_dictionaries({}, optional={"minimum": st.integers(-2, 2), "maxLength": st.integers(0, 2)}),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
            "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
            "additionalProperties": st.booleans() | inner,
            "items": inner,
            "minItems": st.integers(0, 2),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "allOf": st.lists(inner, min_size=1, max_size=2),
        },
    ),
    max_leaves=6,
)


@given(schemas, values)
def test_agrees_with_a_full_validator(schema, value):
    assert fits(schema, value) == Draft202012Validator(schema).is_valid(value)

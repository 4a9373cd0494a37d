from __future__ import annotations

import ast
import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from benchlint.benchmark.loader import cut
from benchlint.benchmark.model import Benchmark, Layout, Task
from benchlint.checks.edits import appending, insertion, removal, rewriting
from benchlint.checks.view import View
from benchlint.text.document import Document

INDENTS = st.sampled_from([None, 0, 2, "\t"])
TEXTS = st.text(st.characters(codec="utf-8"), max_size=4)
LISTS = st.lists(st.integers() | TEXTS, min_size=1, max_size=4)
OBJECTS = st.dictionaries(TEXTS, st.integers() | TEXTS | st.lists(st.integers(), max_size=2), max_size=4)


def view_of(text: str, name: str = "tasks.json") -> View:
    """Return the view of the first slice of a text."""
    source = cut(Document(name, text.encode("utf-8", "surrogatepass")))
    task = Task("1", ("id",), source.slices[0], source.slices[0].value)
    return View(Benchmark(Layout(name, (name,)), "tau2", [source], [task], []), {}).of(task)


def applied(view: View, fix) -> str:
    """Return the whole text after a fix."""
    data = view.task.slice.document.data
    (edit,) = fix.edits
    start, end = (view.task.slice.start + at for at in (edit.anchor.start, edit.anchor.end))
    return (data[:start] + edit.text.encode("utf-8", "surrogatepass") + data[end:]).decode("utf-8", "surrogatepass")


@given(LISTS, st.data(), INDENTS)
def test_removing_an_element(items, data, indent):
    index = data.draw(st.integers(0, len(items) - 1))
    view = view_of(json.dumps([{"id": "1", "é": items}], indent=indent, ensure_ascii=False))
    after = json.loads(applied(view, removal(view, "", ("é", index), safe=False)))
    assert after == [{"id": "1", "é": items[:index] + items[index + 1 :]}]


@given(LISTS | st.just([]), st.integers() | TEXTS, INDENTS)
def test_appending_an_element(items, value, indent):
    view = view_of(json.dumps([{"id": "1", "é": items}], indent=indent, ensure_ascii=False))
    after = json.loads(applied(view, appending(view, "", ("é",), value, safe=False)))
    assert after == [{"id": "1", "é": [*items, value]}]


@given(OBJECTS, OBJECTS, INDENTS)
def test_adding_entries(old, new, indent):
    new = {key: value for key, value in new.items() if key not in old} or {"neu ü": 1}
    view = view_of(json.dumps([{"id": "1", "é": old}], indent=indent, ensure_ascii=False))
    after = json.loads(applied(view, insertion(view, "", ("é",), new, safe=False)))
    assert after == [{"id": "1", "é": {**old, **new}}]


@given(st.integers() | TEXTS | st.booleans() | st.none(), st.integers() | TEXTS | st.booleans())
def test_rewriting_a_value(old, new):
    view = view_of(json.dumps([{"id": "1", "é": old}], ensure_ascii=False))
    after = json.loads(applied(view, rewriting(view, "", ("é",), new, safe=False)))
    assert after == [{"id": "1", "é": new}]


def test_added_entries_stand_like_the_others():
    view = view_of('[\n  {\n    "id": "1",\n    "a": {\n      "b": 1\n    }\n  }\n]\n')
    after = applied(view, insertion(view, "", ("a",), {"c": "x"}, safe=False))
    assert after == '[\n  {\n    "id": "1",\n    "a": {\n      "b": 1,\n      "c": "x"\n    }\n  }\n]\n'


@pytest.mark.parametrize(
    "text",
    [
        "- id: 1\n  a:\n    b: 1\n",
        "- id: 1\n  a: {b: 1}\n",
        "- id: 1\n  a:\n    - x\n    - b: 1\n",
    ],
)
def test_entries_are_added_to_yaml(text):
    view = view_of(text, "tasks.yaml")
    pointer = ("a", 1) if "- x" in text else ("a",)
    after = yaml.safe_load(applied(view, insertion(view, "", pointer, {"new key": ["é"], "c": 0}, safe=False)))
    inner = after[0]["a"][1] if "- x" in text else after[0]["a"]
    assert inner == {"b": 1, "new key": ["é"], "c": 0}


def test_python_is_written_as_python():
    text = 'TASKS = [Task(instruction="x", actions=[Action(name="a", kwargs={"b": True})], user_id="u")]\n'
    view = view_of(text, "tasks_test.py")
    pointer = ("actions", 0, "kwargs")
    after = applied(view, insertion(view, "", pointer, {"c": False, "d": "it's"}, safe=False))
    assert after == text.replace('{"b": True}', """{"b": True, 'c': False, 'd': "it's"}""")
    ast.parse(after)


def test_there_is_no_fix_where_a_comment_would_be_lost():
    view = view_of("- id: 1\n  a: [1, # one\n    2]\n", "tasks.yaml")
    assert removal(view, "", ("a", 1), safe=False) is None


def test_there_is_no_fix_in_block_lists_and_for_what_is_not_there():
    view = view_of("- id: 1\n  a:\n    - 1\n    - 2\n", "tasks.yaml")
    assert removal(view, "", ("a", 1), safe=False) is None
    assert appending(view, "", ("a",), 3, safe=False) is None
    assert insertion(view, "", ("nowhere",), {"a": 1}, safe=False) is None
    assert rewriting(view, "", ("a",), 1, safe=False) is None


def test_there_is_no_fix_in_text_that_does_not_parse():
    view = view_of('[{"id": "1", "a": [1, 2}]')
    assert removal(view, "", ("a", 1), safe=False) is None

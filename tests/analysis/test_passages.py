"""A changed string and a shortened list are read back as they were meant, in every syntax."""

from __future__ import annotations

import json
import re

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from benchlint.analysis.passages import removed, rewritten
from benchlint.benchmark.loader import cut
from benchlint.benchmark.model import Benchmark, Layout, Task
from benchlint.checks.view import View
from benchlint.text.document import Document
from benchlint.text.slices import UNPARSED

WORDS = st.sampled_from(
    ["The agent", "asks", "é", "😀", "\u2028", "it's", '"so"', "a: b", "#1", "- x", "\\", "yes.", "{}"]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)
PROSE = st.lists(st.sampled_from(["The agent asks.", "It waits", "é 😀", "and", "books it."]), min_size=1).map(" ".join)


def view_of(text: str, name: str) -> View:
    """Return the view of the first slice of a text."""
    source = cut(Document(name, text.encode("utf-8", "surrogatepass")))
    task = Task("1", ("id",), source.slices[0], source.slices[0].value)
    return View(Benchmark(Layout(name, (name,)), "tau2", [source], [task], []), {}).of(task)


def after(view: View, fix) -> bytes:
    """Return the whole text after a fix."""
    data = view.task.slice.document.data
    (edit,) = fix.edits
    start, end = (view.task.slice.start + at for at in (edit.anchor.start, edit.anchor.end))
    return data[:start] + edit.text.encode("utf-8", "surrogatepass") + data[end:]


def value(data: bytes, name: str):
    return cut(Document(name, data)).slices[0].value


def folded(text: str, style: str, width: int = 20) -> str:
    """Write a list with one task whose string is written in a style of YAML."""
    string = yaml.dump(text, default_style=style, width=width, allow_unicode=True)
    string = re.sub(r"\n(?=.)", "\n    ", string.removesuffix("...\n"))
    return f"- id: '1'\n  text: {string.rstrip(chr(10))}\n  more: 1\n"


@given(TEXTS, TEXTS)
def test_a_string_in_json(old, new):
    view = view_of(json.dumps([{"id": "1", "text": old}], ensure_ascii=False), "a.json")
    fix = rewritten(view, "", ("text",), new)
    assert (fix is None) == (old == new)
    if fix:
        assert json.loads(after(view, fix)) == [{"id": "1", "text": new}]


@given(TEXTS, TEXTS, st.sampled_from(['"', "'", "|", ">", None]))
def test_a_string_in_yaml(old, new, style):
    text = folded(old, style)
    view = view_of(text, "a.yaml")
    assume(view.task.slice.value is not UNPARSED)
    was = view.task.value["text"]
    fix = rewritten(view, "", ("text",), new)
    assert (fix is None) == (was == new)
    if fix:
        assert value(after(view, fix), "a.yaml") == {"id": "1", "text": new, "more": 1}


@given(PROSE, PROSE, st.sampled_from([repr, json.dumps, lambda text: f"(\"{text[:5]}\"\n   '{text[5:]}')"]))
def test_a_string_in_python(old, new, write):
    view = view_of(f"TASKS = [Task(instruction={write(old)}, actions=[], user_id='u')]\n", "tasks_test.py")
    fix = rewritten(view, "", ("instruction",), new)
    if fix:
        assert value(after(view, fix), "tasks_test.py")["instruction"] == new
    else:
        assert old == new


def test_only_what_differs_is_written():
    old = 'The agent asks. It cancels.\nIt "waits" é.'
    view = view_of(json.dumps([{"id": "1", "text": old}]), "a.json")
    (edit,) = rewritten(view, "", ("text",), old.replace("cancels", "obtains a yes and cancels")).edits
    assert (edit.anchor.end - edit.anchor.start, edit.text) == (0, "obtains a yes and ")


@pytest.mark.parametrize("style", [">", "|"])
def test_a_block_of_yaml_keeps_its_lines(style):
    text = f"- id: '1'\n  text: {style}-\n    The agent asks.\n    It cancels it: #1.\n"
    view = view_of(text, "a.yaml")
    new = view.task.value["text"].replace("It cancels", "It obtains a yes and cancels")
    assert after(view, rewritten(view, "", ("text",), new)).decode() == text.replace("It c", "It obtains a yes and c")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_sentence_is_taken_out_of_a_folded_block(newline):
    lines = ["- id: '1'", "  text: >-", "    The agent asks.", "    It sends a code.", "    It waits.", ""]
    view = view_of(newline.join(lines), "a.yaml")
    fix = rewritten(view, "", ("text",), "The agent asks. It waits.")
    assert after(view, fix).decode() == newline.join([*lines[:3], *lines[4:]])


@given(st.integers(1, 4), st.data(), st.sampled_from(["\n", "\r\n"]))
def test_an_element_of_a_block_list(count, data, newline):
    index = data.draw(st.integers(0, count - 1))
    items = [{"name": f"é{number}", "arguments": {"a": number}} for number in range(count)]
    listed = "".join(f"    - name: é{number}\n      arguments: {{a: {number}}}\n\n" for number in range(count))
    text = f"- id: '1'\n  actions:\n{listed}  more: 1\n- id: '2'\n".replace("\n", newline)
    view = view_of(text, "a.yaml")
    rest = after(view, removed(view, "", ("actions", index)))
    assert value(rest, "a.yaml") == {"id": "1", "actions": items[:index] + items[index + 1 :], "more": 1}
    assert len(cut(Document("a.yaml", rest)).slices) == 2


@pytest.mark.parametrize("index", [0, 1])
def test_an_element_at_the_end_of_a_file(index):
    view = view_of("tasks:\n- id: '1'\n  actions:\n  - a: |\n      é\n  - b: x", "a.yaml")
    rest = after(view, removed(view, "", ("actions", index)))
    assert value(rest, "a.yaml")["actions"] == [{"b": "x"} if index == 0 else {"a": "é\n"}][:1]


def test_comments_of_others_stay():
    text = "- id: '1'\n  actions:\n    - a # so\n    # why\n    - b\n    - c\n"
    view = view_of(text, "a.yaml")
    assert after(view, removed(view, "", ("actions", 1))).decode() == text.replace("    - b\n", "")
    assert removed(view, "", ("actions", 0)) is None


def test_there_is_no_fix_where_nothing_is():
    view = view_of('[{"id": "1", "text": 3}]', "a.json")
    assert rewritten(view, "", ("text",), "x") is None
    assert rewritten(view, "", ("nowhere",), "x") is None
    assert removed(view, "", ("nowhere", 0)) is None

"""Whatever is typed, what the server finds is what a fresh lint of the same text finds."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.analysis.conftest import TOOLS, task
from tests.lsp.conftest import broken, written

from benchlint.lsp.diagnostics import Bridge
from benchlint.lsp.linter import Linter
from benchlint.lsp.settings import Settings
from benchlint.lsp.world import World
from benchlint.text.document import Document, Encoding

POLICY = "# Policy\n\n- The agent must confirm é every visit.\n- A visit is free.\n"
TASKS = written(
    task(1),
    broken(2),
    task(3, "list_visits", annotations={"benchlint": {"ignore": {"vacuous-criterion": "x"}}}),
    task(2),
    task(5, ticket="🎈"),
    broken(6),
)
YAML = """\
benchlint: 1
tools: tools.json
tasks:
  - id: a
    description: "You want a visit é."
    expected:
      actions:
        - {name: bok_visit, arguments: {day: "2031-03-01"}}  # benchlint: ignore[unknown-tool] why
  - id: b
    description: You want 🎈 two.
    expected:
      actions:
        - name: book_visits
          arguments: {day: x}
  - id: a
    description: the third
    expected: {behaviour: none}
"""
JSONL = "".join(json.dumps(task(number, tool)) + "\n" for number, tool in ((1, "book_visit"), (2, "bok"), (2, "bok")))
FILES = {"tasks.json": TASKS, "tasks.yaml": YAML, "tasks.jsonl": JSONL}

SNIPPETS = st.sampled_from(
    ['"', "{", "}", "[", "]", ",", ":", "\n", " ", "x", "é", "🎈", "\\u00e9", "\r\n", "id", "- ", "null", "", "#", "2"]
)
EDITS = st.lists(
    st.tuples(st.integers(0, 10_000), st.integers(0, 40), SNIPPETS | st.text(max_size=4)), min_size=1, max_size=6
)


class Editor:
    """A linter that lives through all edits, and what a fresh one finds in the same texts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "tools.json").write_text(json.dumps(TOOLS), encoding="utf-8")
        (folder / "policy.md").write_text(POLICY, encoding="utf-8")
        self.linter = Linter(Bridge(Encoding.UTF16))
        self.documents: dict[str, Document] = {}
        self.revision = 0

    def set(self, document: Document) -> None:
        """Take up a text; the first one is on the disk as well."""
        path = Path(document.path)
        if not path.exists():
            path.write_bytes(document.data)
        self.documents[document.path] = document

    def type(self, path: str, start: int, end: int, text: str) -> None:
        data = text.encode("utf-8", "replace")
        self.set(self.documents[path].splice(start, end, data, self.revision))

    def world(self, documents: dict[str, Document]) -> World:
        self.revision += 1
        return World(
            revision=self.revision,
            documents=documents,
            roots=(str(self.folder),),
            settings=Settings(max_diagnostics=99),
        )

    def found(self) -> dict:
        return shown(self.linter, self.world(dict(self.documents)))

    def fresh(self) -> dict:
        anew = {path: Document(path, document.data) for path, document in self.documents.items()}
        return shown(Linter(Bridge(Encoding.UTF16)), self.world(anew))


def shown(linter: Linter, world: World) -> dict:
    linted = linter.lint(world, lambda: None, lambda _: None)
    return {path: found for path, found in linted.diagnostics.items() if found}


@pytest.mark.parametrize("name", FILES)
def test_a_task_typed_character_by_character(tmp_path, name):
    editor = Editor(tmp_path)
    path = str(tmp_path / name)
    text = FILES[name].encode()
    start = len(text) // 3
    end = start + 160
    while text[start] & 0xC0 == 0x80:
        start += 1
    editor.set(Document(path, text[:start] + text[end:]))
    assert editor.found() == editor.fresh()
    for at in range(start, end):
        if text[at] & 0xC0 == 0x80 or (at - start) % 5:
            continue
        stop = at + 5
        while stop < end and text[stop] & 0xC0 == 0x80:
            stop += 1
        document = editor.documents[path]
        here = len(document.data) - (len(text) - end)
        editor.type(path, here, here, text[len(document.data[:here]) : stop].decode("utf-8", "replace"))
        assert editor.found() == editor.fresh()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(sorted(FILES)), edits=EDITS)
def test_random_edits(tmp_path_factory, name, edits):
    editor = Editor(tmp_path_factory.mktemp("edits"))
    path = str(editor.folder / name)
    editor.set(Document(path, FILES[name].encode()))
    assert editor.found() == editor.fresh()
    for at, length, text in edits:
        data = editor.documents[path].data
        start = at % (len(data) + 1)
        while start < len(data) and data[start] & 0xC0 == 0x80:
            start += 1
        end = min(start + length, len(data))
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end += 1
        editor.type(path, start, end, text)
        assert editor.found() == editor.fresh()


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(["task", "tool", "policy", "copy", "cut", "swap"]), min_size=2, max_size=8))
def test_edits_of_all_that_belongs_together(tmp_path_factory, steps):
    editor = Editor(tmp_path_factory.mktemp("edits"))
    tasks, tools, policy = (str(editor.folder / name) for name in ("tasks.json", "tools.json", "policy.md"))
    editor.set(Document(tasks, TASKS.encode()))
    editor.set(Document(tools, json.dumps(TOOLS).encode()))
    editor.set(Document(policy, POLICY.encode()))
    for step in steps:
        data = editor.documents[tasks].data
        first, second = data.index(b"{"), data.index(b",\n  {") if b",\n  {" in data else None
        if step == "task":
            at = data.find(b"bok_visit")
            editor.type(tasks, max(at, 0), max(at, 0), "o")
        elif step == "tool":
            known = editor.documents[tools].data
            at = known.index(b"_visit")
            editor.type(tools, at, at, "o")
        elif step == "policy":
            editor.type(policy, 12, 12, "- The agent must not shout.\n")
        elif second is not None and step == "copy":
            editor.type(tasks, first, first, data[first:second].decode() + ",\n  ")
        elif second is not None and step == "cut":
            editor.type(tasks, first, second + 4, "")
        elif second is not None:
            editor.type(tasks, second, len(data), ",\n  " + data[first:second].decode() + "\n]\n")
        assert editor.found() == editor.fresh()


class GivenUpError(Exception):
    pass


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 120), st.sampled_from(["tools.json", "policy.md", "tasks.json"]))
def test_a_lint_that_is_given_up_leaves_nothing_wrong(tmp_path_factory, calls, name):
    editor = Editor(tmp_path_factory.mktemp("edits"))
    tasks, tools, policy = (str(editor.folder / name) for name in ("tasks.json", "tools.json", "policy.md"))
    for path, text in ((tasks, TASKS), (tools, json.dumps(TOOLS)), (policy, POLICY)):
        editor.set(Document(path, text.encode()))
    left = iter(range(calls))

    def check() -> None:
        if next(left, None) is None:
            raise GivenUpError

    with contextlib.suppress(GivenUpError):
        editor.linter.lint(editor.world(dict(editor.documents)), check, lambda _: None)
    path = str(editor.folder / name)
    at = editor.documents[path].data.index(b"_visit" if name.endswith("json") else b"confirm")
    editor.type(path, at, at, "o")
    assert editor.found() == editor.fresh()

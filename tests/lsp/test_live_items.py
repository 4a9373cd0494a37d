"""Whatever is typed into an items file, what the server finds is what a fresh lint finds."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.guards.test_guards import DATABASE, POLICY
from tests.lsp.test_items_file import ITEMS, TOOLS, task
from tests.lsp.test_live import Editor

from benchlint.text.document import Document

SNIPPETS = st.sampled_from(
    ["\n", "  ", "- ", ": ", "'", '"', "|", ">-", "db.", "[", "]", "}", "#", "é🎈", "\r\n", "&a", "*a"]
)
EDITS = st.lists(
    st.tuples(st.integers(0, 10_000), st.integers(0, 30), SNIPPETS | st.text(max_size=3)), min_size=1, max_size=5
)


@settings(max_examples=30, deadline=None)
@given(EDITS)
def test_random_edits_of_an_items_file(tmp_path_factory, edits):
    editor = Editor(tmp_path_factory.mktemp("items"))
    texts = {
        "tools.json": json.dumps(TOOLS),
        "policy.md": POLICY,
        "db.json": json.dumps(DATABASE),
        "tasks.json": json.dumps([task(1, "O1"), task(2, "O2")]),
        "policy.items.yaml": ITEMS,
    }
    for name, text in texts.items():
        editor.folder.joinpath(name).write_text(text, encoding="utf-8")
        editor.set(Document(str(editor.folder / name), text.encode()))
    assert editor.found() == editor.fresh()
    path = str(Path(editor.folder, "policy.items.yaml"))
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

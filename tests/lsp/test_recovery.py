"""Files that break, go and come back while the server runs: it lives, says it once, and recovers."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from tests.analysis.conftest import TOOLS
from tests.lsp.conftest import broken, codes, task, written
from tests.lsp.wire import PULL, PUSH, Client

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = '[[benchmark]]\ntasks = "tasks.json"\npolicy = "rules.md"\ntools = "tools.json"\ndatabase = "db.json"\n'


@dataclass
class Editor:
    """A client under which files change, told of it as its kind is: by an event, or because the server looks."""

    server: Client
    folder: Path
    pulls: bool

    def changed(self, *paths: Path) -> None:
        """Tell of files that changed, where the client does."""
        if self.pulls:
            changes = [{"uri": path.as_uri(), "type": 2 if path.exists() else 3} for path in paths]
            self.server.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def codes(self, path: Path, wanted: list[str]) -> None:
        """Wait for the codes of a file's diagnostics."""
        if self.pulls:
            everything = self.server.request("workspace/diagnostic", {"previousResultIds": []})["items"]
            found = [codes(item["items"]) for item in everything if item["uri"] == path.as_uri()]
            assert found == ([wanted] if wanted or found else [])
            return
        while codes(self.server.published(path.as_uri())) != wanted:
            pass

    def said(self, words: str) -> int:
        """Count the messages with some words, after all that is under way."""
        self.server.request("workspace/executeCommand", {"command": "benchlint.showReport"})
        messages = [item["params"] for item in self.server.notifications if item["method"] == "window/logMessage"]
        return sum(words in item["message"] for item in messages)


@pytest.fixture(params=["pull", "push"])
def editor(request, client, folder):
    (folder / "benchlint.toml").write_text(CONFIG)
    (folder / "rules.md").write_text("# Policy\n\n- A visit must be confirmed.\n")
    (folder / "db.json").write_text(json.dumps({"visits": {"v1": {"day": "2031-03-01"}}}))
    (folder / "tasks.json").write_text(written(broken(1), task(2)), encoding="utf-8")
    server = client()
    server.initialize(folder, capabilities=PULL if request.param == "pull" else PUSH)
    found = Editor(server, folder, request.param == "pull")
    found.codes(folder / "tasks.json", ["unknown-tool"])
    return found


@pytest.mark.parametrize("name", ["rules.md", "tools.json", "db.json"])
def test_an_input_that_goes_and_comes_back(editor, name):
    path, tasks = editor.folder / name, editor.folder / "tasks.json"
    text = path.read_text()
    known = ["unknown-tool"] if name != "tools.json" else []
    path.unlink()
    (editor.folder / "tasks.json").write_text(written(broken(1), task(2), broken(3)), encoding="utf-8")
    editor.changed(path, tasks)
    editor.codes(tasks, known * 2)
    path.write_text(text)
    (editor.folder / "tasks.json").write_text(written(task(1), broken(3)), encoding="utf-8")
    editor.changed(path, tasks)
    editor.codes(tasks, ["unknown-tool"])
    assert editor.said(name) <= 1


@pytest.mark.parametrize(("name", "half"), [("tools.json", '[{"name": "bok'), ("db.json", '{"visits": {"v1": ')])
def test_an_input_that_is_half_written(editor, name, half):
    path = editor.folder / name
    text = path.read_text()
    path.write_text(half)
    editor.changed(path)
    editor.codes(path, ["invalid-syntax"])
    path.write_text(text)
    editor.changed(path)
    editor.codes(path, [])


def test_a_file_of_tasks_that_goes_and_comes_back(editor):
    path = editor.folder / "tasks.json"
    text = path.read_text()
    path.unlink()
    editor.changed(path)
    editor.codes(path, [])
    path.write_text(text)
    editor.changed(path)
    editor.codes(path, ["unknown-tool"])


def test_an_open_file_that_is_deleted_on_the_disk_still_counts(editor):
    path = editor.folder / "tasks.json"
    text = path.read_text()
    uri = editor.server.open(path, text)
    editor.codes(path, ["unknown-tool"])
    path.unlink()
    editor.changed(path)
    editor.server.change(uri, 2, {"text": text.replace("bok_visit", "book_visit")})
    editor.codes(path, [])
    editor.server.change(uri, 3, {"text": text})
    editor.codes(path, ["unknown-tool"])
    editor.server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    editor.codes(path, [])


def test_a_configuration_that_breaks_on_the_disk(editor):
    path, tasks = editor.folder / "benchlint.toml", editor.folder / "tasks.json"
    for half in ('[lint\nignore = ["unknown-tool"]\n', '[lint]\nignore = ["no-such-rule"]\n'):
        path.write_text(half)
        editor.changed(path)
        editor.codes(path, ["configuration"])
        path.write_text(CONFIG + '[lint]\nignore = ["unknown-tool"]\n')
        editor.changed(path)
        editor.codes(tasks, [])
        path.write_text(CONFIG)
        editor.changed(path)
        editor.codes(tasks, ["unknown-tool"])
    path.unlink()
    tasks.write_text(written(broken(1), broken(2)), encoding="utf-8")
    editor.changed(path, tasks)
    editor.codes(tasks, ["unknown-tool"] * 2)
    assert editor.said("no-such-rule") == 1


def test_a_folder_that_is_renamed_and_another_that_takes_its_place(editor):
    path = editor.folder / "tasks.json"
    moved = editor.folder.with_name(f"{editor.folder.name}-elsewhere")
    editor.folder.rename(moved)
    editor.changed(path)
    editor.codes(path, [])
    shutil.copytree(moved, editor.folder)
    path.write_text(written(broken(1), broken(2)), encoding="utf-8")
    editor.changed(path)
    editor.codes(path, ["unknown-tool"] * 2)


def test_a_benchmark_that_appears_in_the_folder(editor):
    inner = editor.folder / "more"
    inner.mkdir()
    (inner / "tools.json").write_text(json.dumps(TOOLS))
    (inner / "tasks.json").write_text(written(broken(1)), encoding="utf-8")
    editor.changed(inner / "tasks.json")
    editor.codes(inner / "tasks.json", ["unknown-tool"])


def messages(server: Client) -> list[Any]:
    return [item["params"]["message"] for item in server.notifications if item["method"] == "window/logMessage"]


@pytest.mark.parametrize("capabilities", [PULL, PUSH], ids=["pull", "push"])
def test_a_task_typed_from_nothing_by_a_real_client(client, folder, capabilities):
    """The text grows by some characters at a time: every answer comes, the last one is that of a fresh lint."""
    text = written(task(1), broken(2))
    server = client()
    server.initialize(folder, capabilities=capabilities)
    uri = server.open(folder / "tasks.json", "")
    for version, end in enumerate(range(7, len(text) + 7, 7), 2):
        start = text[: end - 7]
        at = {"line": start.count("\n"), "character": len(start.rpartition("\n")[2].encode("utf-16-le")) // 2}
        server.change(uri, version, {"range": {"start": at, "end": at}, "text": text[end - 7 : end]})
        if capabilities is PULL and version % 5 == 0:
            server.pull(uri)
    last = server.pull(uri)["items"] if capabilities is PULL else server.published(uri, version)
    assert codes(last) == ["unknown-tool"]
    assert messages(server) == []

"""Files that change on the disk under a client that does not tell of it."""

from __future__ import annotations

import copy
import json
import os
from typing import TYPE_CHECKING

import pytest
from tests.lsp.conftest import broken, codes, task, written
from tests.lsp.wire import PULL, PUSH

from benchlint.lsp.polling import Poller

if TYPE_CHECKING:
    from pathlib import Path

ITEMS = """\
items:
- id: visits
  text: No visit can be booked on a holiday.
  guard:
    tools: [book_visit]
    violated: action.arguments.day == "2031-03-01"
    message: a visit is booked on a holiday
"""
POLICY = "# Policy\n\n- No visit can be booked on a holiday.\n"


def test_a_change_of_the_policy_is_seen_and_the_findings_change(client, folder):
    (folder / "policy.md").write_text(POLICY)
    (folder / "policy.items.yaml").write_text(ITEMS)
    text = written(task(1))
    (folder / "tasks.json").write_text(text)
    server = client()
    server.initialize(folder, capabilities=PUSH)
    uri = server.open(folder / "tasks.json", text)
    assert codes(server.published(uri, 1)) == ["forbidden-action"]
    (folder / "policy.md").write_text(POLICY.replace("No visit", "A visit"))
    assert server.published(uri, 1) == []
    (folder / "policy.md").write_text(POLICY)
    assert codes(server.published(uri, 1)) == ["forbidden-action"]


def test_files_that_come_and_go_are_seen(client, folder):
    tools = (folder / "tools.json").read_text()
    text = written(broken(1))
    (folder / "tasks.json").write_text(text)
    server = client()
    server.initialize(folder, capabilities=PUSH)
    uri = server.open(folder / "tasks.json", text)
    assert codes(server.published(uri, 1)) == ["unknown-tool"]
    (folder / "tools.json").unlink()
    assert server.published(uri, 1) == []
    (folder / "tools.json").write_text(tools)
    assert codes(server.published(uri, 1)) == ["unknown-tool"]
    (folder / "benchlint.toml").write_text('[lint]\nignore = ["unknown-tool"]\n')
    assert server.published(uri, 1) == []


def test_a_client_that_pulls_and_does_not_watch_is_asked_to_pull_again(client, folder):
    capabilities = copy.deepcopy(PULL)
    del capabilities["workspace"]["didChangeWatchedFiles"]
    text = written(broken(1))
    server = client()
    server.initialize(folder, capabilities=capabilities)
    uri = server.open(folder / "tasks.json", text)
    assert codes(server.pull(uri)["items"]) == ["unknown-tool"]
    tools = folder / "tools.json"
    tools.write_text(tools.read_text().replace("book_visit", "bok_visit"))
    server.wait_asked("workspace/diagnostic/refresh")
    assert server.pull(uri)["items"] == []


@pytest.mark.parametrize("watches", [True, False])
def test_only_a_client_that_cannot_watch_is_polled_for(client, folder, watches):
    server = client()
    server.initialize(folder, capabilities=PULL if watches else PUSH)
    text = written(task(1))
    uri = server.open(folder / "tasks.json", text)
    server.pull(uri) if watches else server.published(uri, 1)
    dump = json.loads(server.request("workspace/executeCommand", {"command": "benchlint.debugDump"}))
    assert dump["client"]["watches_files"] is watches
    assert ("poll" in dump["threads"]) is not watches


def test_a_change_is_told_once_whenever_it_came(tmp_path):
    path, other = tmp_path / "policy.md", tmp_path / "inner" / "tools.json"
    path.write_text("one")
    other.parent.mkdir()
    poller = Poller(lambda: None)

    def stamp(item: Path) -> tuple[int, int, int]:
        status = item.stat()
        return status.st_mtime_ns, status.st_size, status.st_ino

    read = {str(path): stamp(path), str(other): None}
    poller.watch(read, (str(tmp_path),))
    assert [poller.look(), poller.look()] == [False, False]
    path.write_text("another")
    assert [poller.look(), poller.look()] == [True, False]
    poller.watch(read, (str(tmp_path),))
    assert poller.look() is False, "what was told once is not told again"
    other.write_text("[]")
    assert [poller.look(), poller.look()] == [True, False]
    other.unlink()
    assert [poller.look(), poller.look()] == [True, False]
    late = tmp_path / "inner" / "late.json"
    late.write_text("1")
    poller.look()
    was = stamp(late)
    os.utime(late, ns=(1, 1))
    poller.watch({**read, str(late): was}, (str(tmp_path),))
    assert [poller.look(), poller.look()] == [True, False], "a change between the reading and the first look"


def test_a_folder_that_comes_is_looked_into(tmp_path):
    """However its files come: with it, later, deeper, one by one."""
    poller = Poller(lambda: None)
    poller.watch({}, (str(tmp_path),))
    assert poller.look() is False
    inner = tmp_path / "one" / "two"
    inner.mkdir(parents=True)
    assert [poller.look(), poller.look()] == [True, False]
    (inner / "tasks.json").write_text("[]")
    assert [poller.look(), poller.look()] == [True, False]
    (tmp_path / ".hidden").mkdir()
    assert [poller.look(), poller.look()] == [True, False]
    (tmp_path / ".hidden" / "tasks.json").write_text("[]")
    assert poller.look() is False
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    assert [poller.look(), poller.look()] == [True, False]
    (inner / "tasks.json").unlink()
    inner.rmdir()
    assert [poller.look(), poller.look()] == [True, False]

"""The server over its standard streams: what a client sees."""

from __future__ import annotations

import copy
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.analysis.conftest import TOOLS, task
from tests.lsp.conftest import actions, applied, broken, codes, inline, written
from tests.lsp.wire import PULL, PUSH, SECONDS

UTF8 = copy.deepcopy(PULL)
UTF8["general"]["positionEncodings"] = ["utf-8", "utf-16"]


def insertion(line: int, character: int, text: str) -> dict:
    at = {"line": line, "character": character}
    return {"range": {"start": at, "end": at}, "text": text}


def test_a_client_that_pulls_is_answered_and_gets_no_publishes(client, folder):
    text = written(broken(1), task(2))
    (folder / "tasks.json").write_text(text, encoding="utf-8")
    server = client()
    capabilities = server.initialize(folder)
    assert capabilities["diagnosticProvider"]["interFileDependencies"] is True
    uri = server.open(folder / "tasks.json", text)
    answer = server.pull(uri)
    assert codes(answer["items"]) == ["unknown-tool"]
    assert server.pull(uri, answer["resultId"]) == {"kind": "unchanged", "resultId": answer["resultId"]}
    everything = server.request("workspace/diagnostic", {"previousResultIds": []})["items"]
    assert [(item["uri"], codes(item["items"])) for item in everything if item["items"]] == [(uri, ["unknown-tool"])]
    assert not [item for item in server.notifications if item["method"] == "textDocument/publishDiagnostics"]


@pytest.mark.parametrize("refresh", [False, True])
def test_a_client_that_cannot_be_refreshed_is_pushed_each_version_once(client, folder, refresh):
    capabilities = copy.deepcopy(PUSH)
    if not refresh:
        capabilities["textDocument"]["diagnostic"] = {}
    text = written(broken(1), task(2))
    (folder / "tasks.json").write_text(text, encoding="utf-8")
    server = client()
    offered = server.initialize(folder, capabilities=capabilities)
    assert "diagnosticProvider" not in offered
    uri = server.open(folder / "tasks.json", text)
    assert codes(server.published(uri, 1)) == ["unknown-tool"]
    fixed = text.replace("bok_visit", "book_visit")
    server.change(uri, 2, {"text": fixed})
    assert server.published(uri, 2) == []
    server.request("workspace/executeCommand", {"command": "benchlint.showReport"})
    left = [item["params"] for item in server.notifications if item["method"] == "textDocument/publishDiagnostics"]
    assert [(item["uri"], item.get("version")) for item in left if item["uri"] == uri] == []


def test_a_diagnostic_says_what_a_finding_does(client, folder):
    text = written(task(1), task(1, "list_visits"))
    server = client()
    server.initialize(folder)
    uri = server.open(folder / "tasks.json", text)
    (found,) = [item for item in server.pull(uri)["items"] if item["code"] == "duplicate-task-id"]
    assert found["source"] == "benchlint"
    assert found["severity"] == 1
    page = Path(found["codeDescription"]["href"].removeprefix("file://"))
    assert "name: duplicate-task-id" in page.read_text(encoding="utf-8")
    (related,) = found["relatedInformation"]
    assert related["location"]["uri"] == uri
    assert related["location"]["range"]["start"]["line"] < found["range"]["start"]["line"]


@pytest.mark.parametrize("capabilities", [PULL, UTF8], ids=["utf-16", "utf-8"])
def test_a_quick_fix_after_accents_and_emoji_and_after_an_unsaved_edit_above(client, folder, capabilities):
    unit = capabilities["general"]["positionEncodings"][0]
    text = inline(written(broken(1), broken(2)))
    server = client()
    server.initialize(folder, capabilities=capabilities)
    uri = server.open(folder / "tasks.json", text)
    server.pull(uri)
    server.change(uri, 2, insertion(0, 1, "\n\n "))
    text = text.replace("[", "[\n\n ", 1)
    for version in (3, 4):
        found = server.pull(uri)["items"]
        assert codes(found) == ["unknown-tool"] * (5 - version)
        fix = actions(server, uri, found[0])[0]
        assert fix["isPreferred"] is True
        (change,) = fix["edit"]["documentChanges"]
        assert change["textDocument"] == {"uri": uri, "version": version - 1}
        new = applied(text, change["edits"], unit)
        assert new == text.replace("bok_visit", "book_visit", 1)
        changes = [{"range": edit["range"], "text": edit["newText"]} for edit in change["edits"]]
        server.change(uri, version, *changes)
        text = new
    assert server.pull(uri)["items"] == []


def test_a_quick_fix_for_a_client_that_counts_bytes_in_its_request(client, folder):
    text = inline(written(broken(1)))
    server = client()
    server.initialize(folder, capabilities=PUSH)
    uri = server.open(folder / "tasks.json", text)
    (found,) = server.published(uri, 1)
    found.pop("data")
    for end in ("start", "end"):
        found["range"][end]["character"] += 5
    edit = actions(server, uri, found)[0]["edit"]
    assert applied(text, edit["changes"][uri]) == text.replace("bok_visit", "book_visit")


def test_fix_all_makes_what_is_safe_and_is_resolved_lazily(client, folder):
    text = inline(written(broken(1), task(2), broken(3))).replace("\n", "\r\n")
    server = client()
    server.initialize(folder)
    uri = server.open(folder / "tasks.json", text)
    found = server.pull(uri)["items"]
    (action,) = actions(server, uri, found[0], only=["source.fixAll"])
    assert action["kind"] == "source.fixAll.benchlint"
    assert "edit" not in action
    resolved = server.request("codeAction/resolve", action)
    (change,) = resolved["edit"]["documentChanges"]
    (edit,) = change["edits"]
    assert edit["range"]["start"]["line"] == 1
    server.change(uri, 2, {"range": edit["range"], "text": edit["newText"]})
    assert server.pull(uri)["items"] == []
    report = server.request("workspace/executeCommand", {"command": "benchlint.showReport"})
    assert "no findings" in report.lower() or "0 " in report


@pytest.mark.parametrize("scope", ["for task", "in this file", "in this benchmark"])
def test_a_finding_can_be_suppressed(client, folder, scope):
    text = written(broken(1), task(2))
    (folder / "tasks.json").write_text(text, encoding="utf-8")
    server = client()
    server.initialize(folder)
    uri = server.open(folder / "tasks.json", text)
    (found,) = server.pull(uri)["items"]
    offered = actions(server, uri, found)
    action = next(item for item in offered if item["title"].startswith("Suppress") and scope in item["title"])
    changes = action["edit"]["documentChanges"]
    if scope == "for task":
        new = applied(text, changes[0]["edits"])
        assert json.loads(new)[0]["annotations"]["benchlint"]["ignore"] == {"unknown-tool": "say why"}
        server.change(uri, 2, {"text": new})
    else:
        assert changes[0]["kind"] == "create"
        (folder / "benchlint.toml").write_text(changes[1]["edits"][0]["newText"])
        server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": changes[0]["uri"], "type": 1}]})
    assert server.pull(uri)["items"] == []


def test_a_finding_about_many_tasks_is_not_suppressed_for_the_first_of_them(client, folder):
    def prose(number: int) -> dict:
        made = task(number, annotations=None)
        made["evaluation_criteria"]["nl_assertions"] = ["The agent books a visit."]
        return made

    text = written(*map(prose, range(1, 25)))
    (folder / "tasks.json").write_text(text, encoding="utf-8")
    server = client()
    server.initialize(folder)
    uri = server.open(folder / "tasks.json", text)
    (found,) = [item for item in server.pull(uri)["items"] if "24 of 24 tasks" in item["message"]]
    assert [item["title"] for item in actions(server, uri, found) if "Suppress" in item["title"]] == [
        "Suppress unscored-criterion in this file",
        "Suppress unscored-criterion in this benchmark",
    ]


@pytest.mark.parametrize(
    ("name", "text"), [("benchlint.toml", "rules = [\n"), ("pyproject.toml", "[tool.benchlint.lint]\nnope = false\n")]
)
def test_no_suppression_goes_into_a_configuration_that_cannot_be_used(client, folder, name, text):
    (folder / name).write_text(text)
    tasks = written(broken(1), task(2))
    server = client()
    server.initialize(folder)
    uri = server.open(folder / "tasks.json", tasks)
    (found,) = server.pull(uri)["items"]

    def offered() -> list[str]:
        return [item["title"] for item in actions(server, uri, found) if "Suppress" in item["title"]]

    assert offered() == ['Suppress unknown-tool for task "1"']
    (folder / name).write_text("")
    server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": (folder / name).as_uri(), "type": 2}]})
    server.pull(uri)
    assert len(offered()) == 3


@pytest.mark.parametrize(
    ("name", "text", "entry"),
    [
        ("benchlint.toml", "[lint]\nignore = []\n", "[[ignore]]"),
        (
            "pyproject.toml",
            "[tool.other]\nignore = 1\n\n[tool.benchlint.lint]\nignore = []\n",
            "[[tool.benchlint.ignore]]",
        ),
        ("benchlint.toml", 'ignore = [{rule = "duplicate-task-id", reason = "é"}]\n', None),
        ("pyproject.toml", "[tool.benchlint]\nignore = []\n", None),
    ],
)
def test_a_suppression_is_added_to_a_configuration_where_its_form_allows(client, folder, name, text, entry):
    (folder / name).write_text(text, encoding="utf-8")
    server = client()
    server.initialize(folder)
    uri = server.open(folder / "tasks.json", written(broken(1), task(2)))
    (found,) = server.pull(uri)["items"]
    edits = [item["edit"] for item in actions(server, uri, found) if "in this benchmark" in item["title"]]
    assert len(edits) == (entry is not None)
    for edit in edits:
        (change,) = edit["documentChanges"]
        server.open(folder / name, applied(text, change["edits"]))
        assert f"\n{entry}\n" in change["edits"][0]["newText"]
        assert server.pull(uri)["items"] == []


def test_an_unsaved_text_wins_for_all_that_read_it(client, folder):
    text = written(broken(1))
    (folder / "tasks.json").write_text(text, encoding="utf-8")
    server = client()
    server.initialize(folder)
    uri = server.open(folder / "tasks.json", text)
    assert codes(server.pull(uri)["items"]) == ["unknown-tool"]
    tools = server.open(folder / "tools.json", json.dumps(TOOLS))
    server.change(tools, 2, {"text": json.dumps(TOOLS).replace("book_visit", "bok_visit")})
    server.wait_asked("workspace/diagnostic/refresh")
    assert server.pull(uri)["items"] == []
    server.notify("textDocument/didClose", {"textDocument": {"uri": tools}})
    assert codes(server.pull(uri)["items"]) == ["unknown-tool"]


def test_a_file_that_changes_on_the_disk_is_read_again_and_the_client_refreshed(client, folder):
    text = written(broken(1))
    server = client()
    server.initialize(folder)
    watchers = server.wait_asked("client/registerCapability")["params"]["registrations"]
    assert {item["method"] for item in watchers} == {
        "workspace/didChangeWatchedFiles",
        "workspace/didChangeConfiguration",
    }
    uri = server.open(folder / "tasks.json", text)
    assert codes(server.pull(uri)["items"]) == ["unknown-tool"]
    tools = folder / "tools.json"
    tools.write_text(tools.read_text().replace("book_visit", "bok_visit"))
    server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": tools.as_uri(), "type": 2}]})
    server.wait_asked("workspace/diagnostic/refresh")
    assert server.pull(uri)["items"] == []
    tools.unlink()
    server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": tools.as_uri(), "type": 3}]})
    assert server.pull(uri)["items"] == []


def test_settings_count_from_the_start_and_change_live(client, folder):
    text = written(broken(1))
    server = client()
    server.settings = {"ignore": ["unknown-tool"]}
    server.initialize(folder, options={"ignore": ["unknown-tool"]})
    uri = server.open(folder / "tasks.json", text)
    assert server.pull(uri)["items"] == []
    server.wait_asked("workspace/configuration")
    server.settings = {"ignore": []}
    server.notify("workspace/didChangeConfiguration", {"settings": None})
    server.wait_asked("workspace/configuration")
    server.wait_asked("workspace/diagnostic/refresh")
    assert codes(server.pull(uri)["items"]) == ["unknown-tool"]
    server.settings = {"ignore": [], "select": ["no-such-rule"], "maxDiagnostics": 0}
    server.notify("workspace/didChangeConfiguration", {"settings": None})
    told = [server.wait(lambda item: item["method"] == "window/logMessage")["params"]["message"] for _ in range(2)]
    assert any("benchlint.maxDiagnostics" in item for item in told)
    assert any("no-such-rule" in item for item in told)
    assert codes(server.pull(uri)["items"]) == ["unknown-tool"]


def test_a_broken_configuration_is_said_once_and_the_last_good_one_counts(client, folder):
    config = folder / "benchlint.toml"
    good = '[lint]\nignore = ["unknown-tool"]\n'
    config.write_text(good)
    text = written(broken(1))
    server = client()
    server.initialize(folder)
    uri = server.open(folder / "tasks.json", text)
    assert server.pull(uri)["items"] == []
    other = server.open(config, good)
    server.change(other, 2, {"text": '[lint]\nignore = ["unknown-tool"\n'})
    (found,) = server.pull(other)["items"]
    assert found["code"] == "configuration"
    assert server.pull(uri)["items"] == []
    server.change(other, 3, {"text": '[lint]\nignore = ["no-such-rule"]\n'})
    (found,) = server.pull(other)["items"]
    assert "no-such-rule" in found["message"]
    assert found["range"]["start"]["line"] == 1
    server.change(other, 4, {"text": "[lint]\n"})
    assert server.pull(other)["items"] == []
    assert codes(server.pull(uri)["items"]) == ["unknown-tool"]
    told = [item["params"]["message"] for item in server.notifications if item["method"] == "window/logMessage"]
    assert len(told) == len(set(told)) == 2


def test_a_configuration_that_was_never_saved_counts_while_it_is_open(client, folder):
    text = written(broken(1), task(2))
    (folder / "tasks.json").write_text(text, encoding="utf-8")
    server = client()
    server.initialize(folder)
    uri = server.open(folder / "tasks.json", text)
    config = server.open(folder / "benchlint.toml", "[lint\n")
    assert codes(server.pull(config)["items"]) == ["configuration"]
    assert codes(server.pull(uri)["items"]) == ["unknown-tool"]
    server.change(config, 2, {"text": '[severity]\nunknown-tool = "hint"\n'})
    (found,) = server.pull(uri)["items"]
    assert found["severity"] == 4
    assert server.pull(config)["items"] == []
    (edit,) = [item["edit"] for item in actions(server, uri, found) if "in this benchmark" in item["title"]]
    assert [item["textDocument"] for item in edit["documentChanges"]] == [{"uri": config, "version": 2}]
    server.notify("textDocument/didClose", {"textDocument": {"uri": config}})
    (found,) = server.pull(uri)["items"]
    assert found["severity"] == 1


def test_a_half_typed_file_a_deleted_one_and_a_renamed_folder(client, folder):
    text = written(task(1), broken(2), task(3))
    (folder / "tasks.json").write_text(text, encoding="utf-8")
    (folder / "policy.md").write_text("# Policy\n\nThe agent must be kind.\n")
    server = client()
    server.initialize(folder)
    uri = server.open(folder / "tasks.json", text)
    assert codes(server.pull(uri)["items"]) == ["unknown-tool"]
    half = text.index('"book_visit"') + 4
    line, column = text.count("\n", 0, half), half - text.rindex("\n", 0, half) - 1
    server.change(uri, 2, insertion(line, column, '"'))
    assert codes(server.pull(uri)["items"]) == ["invalid-syntax", "unknown-tool"]
    end = {"line": line, "character": column + 1}
    server.change(uri, 3, {"range": {"start": {"line": line, "character": column}, "end": end}, "text": ""})
    assert codes(server.pull(uri)["items"]) == ["unknown-tool"]
    moved = folder.with_name("elsewhere")
    folder.rename(moved)
    event = {"changes": [{"uri": uri, "type": 3}, {"uri": (moved / "tasks.json").as_uri(), "type": 1}]}
    server.notify("workspace/didChangeWatchedFiles", event)
    assert server.pull(uri)["items"] == []
    moved.rename(folder)
    server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 1}]})
    assert codes(server.pull(uri)["items"]) == ["unknown-tool"]


def test_several_folders_several_benchmarks_and_files_without_a_folder(client, tmp_path):
    for name in ("one", "two/inner", "lonely"):
        path = tmp_path / name
        path.mkdir(parents=True)
        (path / "tools.json").write_text(json.dumps(TOOLS))
        (path / "tasks.json").write_text(written(broken(1)), encoding="utf-8")
        (path / "tasks_more.json").write_text(written(broken(1), broken(2)), encoding="utf-8")
    server = client()
    server.initialize(tmp_path / "one", tmp_path / "two")
    uri = server.open(tmp_path / "lonely" / "tasks_more.json", written(broken(1)))
    assert codes(server.pull(uri)["items"]) == ["unknown-tool"]
    reports = server.request("workspace/diagnostic", {"previousResultIds": []})["items"]
    counts = {Path(item["uri"]).relative_to(tmp_path.as_uri()): len(item["items"]) for item in reports if item["items"]}
    assert {str(path): count for path, count in counts.items()} == {
        "one/tasks.json": 1,
        "one/tasks_more.json": 2,
        "two/inner/tasks.json": 1,
        "two/inner/tasks_more.json": 2,
        "lonely/tasks_more.json": 1,
    }
    gone = {"uri": (tmp_path / "one").as_uri(), "name": "one"}
    server.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [gone]}})
    reports = server.request("workspace/diagnostic", {"previousResultIds": []})["items"]
    assert not any("/one/" in item["uri"] and item["items"] for item in reports)


def test_only_the_worst_are_shown_and_how_many_more_there_are(client, folder):
    text = written(*[broken(number, junk=1) for number in range(1, 10)], task(1))
    server = client()
    server.initialize(folder, options={"maxDiagnostics": 4})
    uri = server.open(folder / "tasks.json", text)
    items = server.pull(uri)["items"]
    assert len(items) == 5
    assert {item["severity"] for item in items[:4]} == {1}
    assert items[4]["code"] == "more-findings"
    assert "benchlint.maxDiagnostics is 4" in items[4]["message"]


def test_spellings_of_a_windows_uri_are_one_document(client, folder):
    server = client(cwd=folder)
    server.initialize()
    (folder / "c:").mkdir()
    for spelling, version in (
        ("file:///C:/tasks.json", 1),
        ("file:///c:/tasks.json", 2),
        ("file:///c%3A/tasks.json", 3),
    ):
        if version == 1:
            server.open(spelling, written(task(1), broken(2)))
        else:
            server.change(spelling, version, {"text": written(*[task(1)] * version)})
        assert len(server.pull(spelling)["items"]) == len(server.pull("file:///c%3a/tasks.json")["items"])
    dump = json.loads(server.request("workspace/executeCommand", {"command": "benchlint.debugDump"}))
    assert [item["version"] for item in dump["open"]] == [3]


def test_hover_completion_and_symbols(client, folder):
    text = written(task(1), broken(2))
    server = client()
    server.initialize(folder)
    uri = server.open(folder / "tasks.json", text)
    (found,) = server.pull(uri)["items"]
    at = {"textDocument": {"uri": uri}, "position": found["range"]["start"]}
    shown = server.request("textDocument/hover", at)
    assert "unknown-tool" in shown["contents"]["value"]
    assert shown["range"] == found["range"]
    offered = server.request("textDocument/completion", at)["items"]
    assert {item["label"] for item in offered} == {"book_visit", "list_visits"}
    chosen = next(item for item in offered if item["label"] == "book_visit")
    assert applied(text, [chosen["textEdit"]]) == text.replace("bok_visit", "book_visit")
    symbols = server.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert [item["name"] for item in symbols] == ["1", "2"]
    assert [item["name"] for item in symbols[1]["children"]] == ["bok_visit"]


def test_hover_on_a_finding_of_the_whole_file_after_a_byte_order_mark(client, folder):
    server = client()
    server.initialize(folder)
    uri = server.open(folder / "tasks.json", "\ufeff\n")
    (found,) = server.pull(uri)["items"]
    start = {"line": 0, "character": 0}
    assert found["range"]["start"] == start
    shown = server.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": start})
    assert found["code"] in shown["contents"]["value"]


def test_the_log_and_the_dump_hold_no_secret(client, folder, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-anyone")
    log = tmp_path / "server.log"
    text = written(task(1, note="a very private text"))
    server = client("--stdio", "--log-file", str(log))
    server.initialize(folder, options={"judge": {"key": "sk-not-for-anyone"}})
    uri = server.open(folder / "tasks.json", text)
    server.pull(uri)
    server.notify("textDocument/didChange", {"textDocument": {"uri": uri}, "contentChanges": "nonsense"})
    dump = server.request("workspace/executeCommand", {"command": "benchlint.debugDump"})
    assert server.stop() == 0
    for written_text in (dump, log.read_text(encoding="utf-8")):
        assert "sk-not-for-anyone" not in written_text
        assert "very private" not in written_text
    assert "serves" in log.read_text(encoding="utf-8")


def test_a_command_without_its_file_is_answered_with_an_error_and_nobody_is_alarmed(client, folder, tmp_path):
    server = client("--log-file", str(tmp_path / "log"))
    server.initialize(folder)
    for arguments in ([], [None], [{"uri": 5}], [1, 2]):
        number = server.send("workspace/executeCommand", {"command": "benchlint.judgeFile", "arguments": arguments})
        assert server.answer(number)["error"]["message"] == 'the command needs a file: {"uri": ...}'
    assert not [item for item in server.notifications if "error" in str(item["params"])]
    server.stop()
    assert "ERROR" not in (tmp_path / "log").read_text()


@pytest.mark.parametrize("half", [b"\\ud83c", b"\xff"], ids=["an escape", "a byte"])
def test_half_a_character_is_never_sent(client, folder, half):
    """Lua's and Rust's readers of JSON drop a whole message for half a character in it."""
    (folder / "tasks.json").write_bytes(written(task(1, "HALF_visit")).encode().replace(b"HALF", half))
    server = client()
    server.initialize(folder)
    answer = server.pull((folder / "tasks.json").as_uri())
    assert "unknown-tool" in codes(answer["items"])
    json.dumps(answer, ensure_ascii=False).encode()


def test_a_server_whose_client_is_gone_ends(client, folder):
    text = written(task(1))
    server = client()
    server.initialize(folder)
    server.pull(server.open(folder / "tasks.json", text))
    server.process.stdin.close()
    assert server.process.wait(SECONDS) is not None


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
def test_a_server_whose_parent_is_killed_ends_though_its_pipe_stays_open(folder):
    code = (
        "import os, sys, time\n"
        "from pathlib import Path\n"
        "from tests.lsp.wire import Client\n"
        "client = Client()\n"
        f"client.initialize(Path({str(folder)!r}))\n"
        "print(client.process.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    server = int(parent.stdout.readline())
    # The pipe to the server is held open by another process, as a shell would.
    kept = os.open(f"/proc/{server}/fd/0", os.O_WRONLY) if Path("/proc").is_dir() else None
    parent.send_signal(signal.SIGKILL)
    parent.wait(SECONDS)
    parent.stdout.close()
    deadline = time.monotonic() + SECONDS
    while Path(f"/proc/{server}").exists() and _runs(server):
        assert time.monotonic() < deadline, "the server is still there"
        time.sleep(0.05)
    if kept is not None:
        os.close(kept)


def _runs(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"

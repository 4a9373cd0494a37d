"""Judges in the editor: a real server, real litellm, and a loopback endpoint that speaks its protocol."""

from __future__ import annotations

import copy
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.cli.conftest import task
from tests.judges.conftest import POLICY, write_benchmark
from tests.judges.endpoint import Call, Endpoint, Reply, answer
from tests.lsp.conftest import actions, applied, codes
from tests.lsp.wire import PULL, PUSH, SECONDS, Client

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

METRICS = ["description_alignment", "policy_alignment", "violations", "ambiguity"]
CONFIG = """\
[judge]
models = "openai/judge"
base-url = "{url}"
metrics = {metrics}
{more}
"""
JUDGED = copy.deepcopy(PULL)
JUDGED["window"] = {"workDoneProgress": True}
JUDGED["workspace"]["codeLens"] = {"refreshSupport": True}
PRICE = "[judge.price]\ninput = 1.0\noutput = 2.0\n"


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as server:
        yield server


@pytest.fixture
def library(tmp_path: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A benchmark of four tasks whose configuration names the endpoint, and a cache of its own."""
    for name in [name for name in os.environ if name.endswith("_API_KEY")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "library"
    write_benchmark(folder, [task(number) for number in range(1, 5)])
    configure(folder, endpoint)
    return folder


def configure(folder: Path, endpoint: Endpoint, more: str = PRICE, metrics: list[str] = METRICS) -> None:
    text = CONFIG.format(url=endpoint.url, metrics=json.dumps(metrics), more=more)
    (folder / "benchlint.toml").write_text(text)


def start(
    client: Callable[..., Client], folder: Path, capabilities: Any = JUDGED, **options: Any
) -> tuple[Client, str]:
    """Start a server and open the tasks."""
    server = client()
    server.initialize(folder, capabilities=capabilities, options=options)
    uri = server.open(folder / "tasks.json", text_of(folder))
    return server, uri


def text_of(folder: Path) -> str:
    return (folder / "tasks.json").read_text(encoding="utf-8")


def command(server: Client, name: str, **argument: Any) -> dict[str, Any]:
    return server.request("workspace/executeCommand", {"command": f"benchlint.{name}", "arguments": [argument]})


def typed(server: Client, uri: str, text: str, version: int, old: str, new: str) -> str:
    """Replace a piece of the text; return the new one."""
    changed = text.replace(old, new, 1)
    assert changed != text
    server.change(uri, version, {"text": changed})
    return changed


def saved(server: Client, uri: str) -> None:
    server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})


def lens_titles(server: Client, uri: str) -> list[str]:
    found = server.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    return [item["command"]["title"] for item in found]


def progress(server: Client, kind: str) -> dict[str, Any]:
    """Return the next progress of a kind, with its token."""
    found = server.wait(lambda item: item["method"] == "$/progress" and item["params"]["value"]["kind"] == kind)
    return found["params"]


def unmet(call: Call) -> str:
    """Find fault with what a task's user is told."""
    if call.metric != "description_alignment":
        return answer(call)
    fault = {
        "rule": "unmet-request",
        "part": 1,
        "quote": "want to borrow the book",
        "reason": "nobody lends it",
        "policy_items": [],
        "confidence": 0.9,
        "rewrite": "would like to borrow the book",
    }
    return answer(call, findings=[fault], score=3)


def test_a_task_is_judged_by_command_and_shown_as_verdicts_arrive(client, library, endpoint):
    endpoint.script = unmet
    server, uri = start(client, library)
    assert server.pull(uri)["items"] == []
    done = command(server, "judgeTask", uri=uri, task="t2")
    assert done["verdicts"] == len(METRICS)
    assert done["calls"] == len(endpoint.calls) == len(METRICS)
    begun = progress(server, "begin")
    assert begun["value"]["title"] == "Judging task t2"
    assert begun["value"]["cancellable"] is True
    assert "in this session" in progress(server, "end")["value"]["message"]
    server.wait_asked("workspace/diagnostic/refresh")
    found = shown(server, uri, 2)
    assert {"unmet-request", "low-alignment"} <= {item["code"] for item in found}
    again = command(server, "judgeTask", uri=uri, task="t2")
    assert again["requests"] == again["calls"] == 0
    assert len(endpoint.calls) == len(METRICS)


def shown(server: Client, uri: str, count: int) -> list[dict[str, Any]]:
    """Return the diagnostics of a file, once there are so many."""
    while True:
        items = server.pull(uri)["items"]
        if len(items) >= count:
            return items
        server.wait_asked("workspace/diagnostic/refresh")


def test_only_what_was_changed_is_judged_on_saving(client, library, endpoint):
    server, uri = start(client, library)
    server.pull(uri)
    saved(server, uri)
    text = typed(server, uri, text_of(library), 2, "borrow the book b3", "borrow the books b3 and b4")
    server.pull(uri)
    assert endpoint.calls == []
    saved(server, uri)
    ended = progress(server, "end")
    assert f"{len(METRICS)} verdicts" in ended["value"]["message"]
    assert all("borrow the books b3 and b4" in call.user for call in endpoint.calls)
    assert sorted(call.metric for call in endpoint.calls) == sorted(METRICS)
    typed(server, uri, text, 3, "borrow the books b3 and b4", "borrow the book b3")
    saved(server, uri)
    server.pull(uri)
    command(server, "judgeTask", uri=uri, task="t1")
    assert len(endpoint.calls) == 2 * len(METRICS)


def test_in_manual_mode_nothing_is_judged_on_saving(client, library, endpoint):
    server, uri = start(client, library, judge={"when": "manual"})
    server.pull(uri)
    typed(server, uri, text_of(library), 2, "borrow the book b3", "borrow the books b3 and b4")
    saved(server, uri)
    server.pull(uri)
    command(server, "judgeTask", uri=uri, task="t1")
    assert {call.metric for call in endpoint.calls} == set(METRICS)
    assert len(endpoint.calls) == len(METRICS)


def test_a_hundred_keys_are_at_most_one_call_a_metric(client, library, endpoint):
    server, uri = start(client, library, judge={"when": "onType"})
    server.pull(uri)
    text = text_of(library)
    line = next(number for number, item in enumerate(text.split("\n")) if "borrow the book b2" in item)
    column = text.split("\n")[line].index("borrow")
    for key in range(100):
        at = {"line": line, "character": column + key}
        server.change(uri, key + 2, {"range": {"start": at, "end": at}, "text": "x"})
        server.pull(uri)
    progress(server, "end")
    assert sorted(call.metric for call in endpoint.calls) == sorted(METRICS)
    assert all("x" * 100 + "borrow" in call.user for call in endpoint.calls)


def test_a_judge_that_hangs_delays_no_check_and_can_be_cancelled(client, library, endpoint):
    def hang_but_once(call: Call) -> Reply | str:
        return answer(call) if call.metric == METRICS[0] else Reply(hang=True)

    endpoint.script = hang_but_once
    server, uri = start(client, library)
    server.pull(uri)
    asked = server.send(
        "workspace/executeCommand",
        {"command": "benchlint.judgeTask", "arguments": [{"uri": uri, "task": "t1"}]},
    )
    token = progress(server, "begin")["token"]
    server.wait(lambda item: item["method"] == "$/progress" and "1 of 4" in item["params"]["value"].get("message", ""))
    text = typed(server, uri, text_of(library), 2, "lend_book", "lend_bok")
    assert "unknown-tool" in codes(server.pull(uri)["items"])
    typed(server, uri, text, 3, "lend_bok", "lend_book")
    assert "unknown-tool" not in codes(server.pull(uri)["items"])
    calls = len(endpoint.calls)
    server.notify("window/workDoneProgress/cancel", {"token": token})
    done = server.answer(asked)["result"]
    assert done["cancelled"] is True
    assert done["verdicts"] == 1
    assert "cancelled" in progress(server, "end")["value"]["message"]
    assert endpoint.gone.wait(SECONDS)
    assert len(endpoint.calls) == calls
    endpoint.script = answer
    done = command(server, "judgeTask", uri=uri, task="t1")
    assert done["calls"] == len(METRICS) - 1


def test_after_a_change_of_the_policy_verdicts_are_stale_and_nobody_is_asked(client, library, endpoint):
    endpoint.script = unmet_and_missing
    server, uri = start(client, library)
    server.pull(uri)
    command(server, "judgeBenchmark", uri=uri)
    calls = len(endpoint.calls)
    shown(server, uri, 8)
    policy = server.open(library / "policy.md", POLICY)
    server.change(policy, 2, {"text": POLICY.replace("at most three loans", "at most four loans")})
    saved(server, policy)
    items = server.pull(uri)["items"]
    stale = {item["code"] for item in items if "stale: the policy has changed since" in item["message"]}
    assert "missing-confirmation" in stale
    assert "unmet-request" not in stale
    hover = server.request(
        "textDocument/hover",
        {
            "textDocument": {"uri": uri},
            "position": next(item for item in items if item["code"] == "missing-confirmation")["range"]["start"],
        },
    )
    assert "stale" in hover["contents"]["value"]
    while not any("judge 4 stale tasks again (about $" in title for title in lens_titles(server, policy)):
        server.wait_asked("workspace/codeLens/refresh")
    assert "judge 4 stale tasks again" in lens_titles(server, uri)[0]
    assert any(title.startswith("stale: ") for title in lens_titles(server, uri))
    offered = {item["title"] for item in at_line(server, policy, 0)}
    assert any(title.startswith("Judge 4 stale tasks again (about $") for title in offered)
    assert len(endpoint.calls) == calls
    server.change(policy, 3, {"text": POLICY})
    items = server.pull(uri)["items"]
    assert not any("stale" in item["message"] for item in items)
    server.change(policy, 4, {"text": POLICY.replace("at most three loans", "at most four loans")})
    done = command(server, "judgeBenchmark", uri=uri, stale=True)
    assert done["calls"] == 4 * (len(METRICS) - 1) == len(endpoint.calls) - calls


def at_line(server: Client, uri: str, line: int, only: list[str] | None = None) -> list[dict[str, Any]]:
    at = {"line": line, "character": 0}
    context: dict[str, Any] = {"diagnostics": [], **({"only": only} if only else {})}
    params = {"textDocument": {"uri": uri}, "range": {"start": at, "end": at}, "context": context}
    return server.request("textDocument/codeAction", params)


def unmet_and_missing(call: Call) -> str:
    if call.metric != "policy_alignment":
        return unmet(call)
    fault = {
        "rule": "missing-confirmation",
        "part": call.parts,
        "quote": "The agent lends",
        "reason": "nobody has said yes",
        "policy_items": [3],
        "confidence": 0.9,
        "rewrite": None,
    }
    return answer(call, findings=[fault])


def test_verdicts_of_an_earlier_session_come_from_the_cache(client, library, endpoint):
    endpoint.script = unmet
    first, uri = start(client, library)
    command(first, "judgeFile", uri=uri)
    first.stop()
    calls = len(endpoint.calls)
    server, uri = start(client, library)
    found = shown(server, uri, 8)
    assert [item["code"] for item in found].count("unmet-request") == 4
    assert len(endpoint.calls) == calls
    assert command(server, "judgeFile", uri=uri)["calls"] == 0


def test_the_editor_says_what_the_command_line_says(client, library, endpoint):
    endpoint.script = unmet_and_missing
    server, uri = start(client, library)
    command(server, "judgeBenchmark", uri=uri)
    there = {(item["code"], item["message"], item["range"]["start"]["line"] + 1) for item in shown(server, uri, 12)}
    program = [str(Path(sys.executable).parent / "benchlint"), "lint", "--format", "json", "."]
    done = subprocess.run(program, cwd=library, capture_output=True, text=True, check=False)
    rows = json.loads(done.stdout)["findings"]
    here = {(row["rule"], row["message"], row["range"]["start"]["line"]) for row in rows if row["path"] == "tasks.json"}
    assert there == here


def test_a_limit_of_the_session_is_kept_and_told_once(client, library, endpoint):
    server, uri = start(client, library, judge={"maxCalls": 3})
    server.pull(uri)
    done = command(server, "judgeFile", uri=uri)
    assert len(endpoint.calls) == 3
    assert "limit of 3 calls" in done["stopped"]
    command(server, "judgeFile", uri=uri)
    typed(server, uri, text_of(library), 2, "borrow the book b3", "borrow the books b3 and b4")
    saved(server, uri)
    server.pull(uri)
    server.request("workspace/executeCommand", {"command": "benchlint.showReport"})
    told = [item["params"]["message"] for item in server.notifications if item["method"] == "window/showMessage"]
    assert len(told) == 1
    assert "the limit of 3 calls" in told[0]
    assert len(endpoint.calls) == 3


def test_a_price_that_is_not_known_is_said_to_be_unknown(client, library, endpoint):
    configure(library, endpoint, more="")
    server, uri = start(client, library, status=True)
    while "judge 4 tasks (price unknown)" not in lens_titles(server, uri):
        server.wait_asked("workspace/codeLens/refresh")
    done = command(server, "judgeTask", uri=uri, task="t1")
    assert done["spent_usd"] is None
    assert "price unknown" in done["message"]
    status = server.wait(lambda item: item["method"] == "benchlint/status" and item["params"]["calls"])["params"]
    assert status["spent_usd"] is None
    assert status["calls"] == len(METRICS)


def test_nothing_is_sent_away_without_consent(client, library, endpoint):
    (library / "benchlint.toml").write_text('[judge]\nmodels = "openai/gpt-4o"\n')
    server, uri = start(client, library)
    server.pull(uri)
    typed(server, uri, text_of(library), 2, "borrow the book b3", "borrow the books b3 and b4")
    saved(server, uri)
    server.pull(uri)
    message = server.wait(lambda item: item["method"] == "window/showMessage")["params"]["message"]
    assert "would be sent to openai/gpt-4o" in message
    assert "share" in message
    assert not [item for item in server.notifications if item["method"] == "window/showMessage"]
    assert "share" in command(server, "judgeTask", uri=uri, task="t1")["stopped"]


def test_an_untrusted_workspace_is_not_judged(client, library, endpoint):
    server, uri = start(client, library, trusted=False)
    server.pull(uri)
    done = command(server, "judgeFile", uri=uri)
    assert "not trusted" in done["message"]
    assert lens_titles(server, uri) == []
    assert endpoint.calls == []
    server.notify("benchlint/trust", {"trusted": True})
    assert command(server, "judgeTask", uri=uri, task="t1")["calls"] == len(METRICS)


@pytest.mark.parametrize("previews", [False, True])
def test_a_rewrite_is_resolved_lazily_and_judged_again(client, library, endpoint, previews):
    endpoint.script = unmet
    server, uri = start(client, library, previewRewrites=previews)
    command(server, "judgeTask", uri=uri, task="t2")
    shown(server, uri, 2)
    text = typed(server, uri, text_of(library), 2, "[", "[\n\n")
    found = next(item for item in server.pull(uri)["items"] if item["code"] == "unmet-request")
    offered = next(item for item in actions(server, uri, found) if "would like" in item["title"])
    assert "edit" not in offered
    assert "command" not in offered
    resolved = server.request("codeAction/resolve", offered)
    if previews:
        assert "edit" not in resolved
        (argument,) = resolved["command"]["arguments"]
        assert resolved["command"]["command"] == "benchlint.previewRewrite"
        assert (argument["uri"], argument["version"], argument["task"]) == (uri, 2, "t2")
        edits = argument["edits"]
    else:
        (change,) = resolved["edit"]["documentChanges"]
        assert resolved["edit"]["changeAnnotations"]["review"]["needsConfirmation"] is True
        edits = change["edits"]
    new = applied(text, edits)
    assert new == text.replace("want to borrow the book b2", "would like to borrow the book b2")
    server.change(uri, 3, {"text": new})
    endpoint.script = answer
    saved(server, uri)
    while "unmet-request" in codes(server.pull(uri)["items"]) or "judge again" not in lens_titles(server, uri)[2]:
        server.wait_asked("workspace/codeLens/refresh")
    assert "description 9" in lens_titles(server, uri)[2]


def test_a_task_is_offered_to_be_judged_where_it_stands(client, library):
    server, uri = start(client, library, capabilities=PUSH)
    text = text_of(library)
    line = next(number for number, item in enumerate(text.split("\n")) if '"t3"' in item)
    offered = next(item for item in at_line(server, uri, line) if item["title"].startswith("Judge this task"))
    assert offered["command"]["command"] == "benchlint.judgeTask"
    assert offered["command"]["arguments"] == [{"uri": uri, "task": "t3"}]
    done = server.request("workspace/executeCommand", offered["command"])
    assert done["verdicts"] == len(METRICS)
    assert not any(item["title"].startswith("Judge this task") for item in at_line(server, uri, line))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
def test_no_process_is_left_where_the_parent_is_killed_during_a_call(library, endpoint):
    endpoint.script = lambda call: Reply(hang=True)
    code = (
        "import time\n"
        "from pathlib import Path\n"
        "from tests.lsp.test_judging import start\n"
        "from tests.lsp.wire import Client\n"
        f"server, uri = start(Client, Path({str(library)!r}))\n"
        "server.pull(uri)\n"
        "server.send('workspace/executeCommand',\n"
        "            {'command': 'benchlint.judgeFile', 'arguments': [{'uri': uri}]})\n"
        "print(server.process.pid, flush=True)\n"
        "while True: server._take()\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert parent.stdout is not None
    server = int(parent.stdout.readline())
    deadline = time.monotonic() + SECONDS
    while not endpoint.calls:
        assert time.monotonic() < deadline, "nothing was asked"
        threading.Event().wait(0.02)
    parent.send_signal(signal.SIGKILL)
    parent.wait(SECONDS)
    parent.stdout.close()
    assert endpoint.gone.wait(SECONDS)
    while Path(f"/proc/{server}").exists():
        if Path(f"/proc/{server}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            break
        assert time.monotonic() < deadline, "the server is still there"
        threading.Event().wait(0.02)

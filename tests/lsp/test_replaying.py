"""Expected actions that are run from the editor: where it is asked for, and what the findings say then."""

from __future__ import annotations

import copy
import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest
from tests.lsp.conftest import codes
from tests.lsp.wire import PULL, SECONDS
from tests.replay.conftest import ORDERS, Shop, call

ITEMS = """\
items:
- id: closed
  text: A closed order cannot be changed.
  guard:
    tools: [set_status]
    argument: order_id
    violated: db.orders[action.arguments.order_id].status == "closed"
    message: a closed order is changed
"""
PROGRESS = copy.deepcopy(PULL)
PROGRESS["window"] = {"workDoneProgress": True}
HANGING = {"hang": ("", "import time\ntime.sleep(600)")}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """A benchmark whose second action fails, and whose third is forbidden by what the first one did."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = Shop(tmp_path / "shop_benchmark")
    found.folder.mkdir()
    actions = [
        call("set_status", order_id="#W2", status="closed"),
        call("set_status", order_id="#W9", status="sent"),
        call("set_status", order_id="#W2", status="sent"),
    ]
    found.write(actions, [call("get_order", order_id="#W1")], scenario="You want to change order #W2.")
    (found.folder / "db.json").write_text(json.dumps({"orders": ORDERS}))
    (found.folder / "policy.md").write_text("# Policy\n\n- A closed order cannot be changed.\n")
    (found.folder / "policy.items.yaml").write_text(ITEMS)
    (found.folder / "benchlint.toml").write_text(
        f'[replay]\nenvironment = "shop"\npython = {json.dumps(sys.executable)}\n\n'
        '[lint]\nselect = ["failing-action", "forbidden-action"]\n'
    )
    return found


def opened(client, shop: Shop, **options):
    server = client()
    server.initialize(shop.folder, capabilities=PROGRESS, options=options)
    server.text = (shop.folder / "tasks.json").read_text()
    server.uri = server.open(shop.folder / "tasks.json", server.text)
    return server


def replay(server) -> dict:
    return server.request(
        "workspace/executeCommand", {"command": "benchlint.replay", "arguments": [{"uri": server.uri}]}
    )


def test_findings_follow_what_the_tools_did_and_go_where_a_task_changes(client, shop):
    server = opened(client, shop)
    assert server.pull(server.uri)["items"] == [], "nothing runs because a file is open"
    done = replay(server)
    assert done["message"] == "2 tasks were replayed; 1 action fails"
    assert codes(server.pull(server.uri)["items"]) == ["failing-action", "forbidden-action"]
    bars = [item["params"]["value"]["kind"] for item in server.notifications if item["method"] == "$/progress"]
    assert (bars[0], bars[-1]) == ("begin", "end")
    moved = server.text.replace("[", "[\n\n", 1)
    server.change(server.uri, 2, {"text": moved})
    assert codes(server.pull(server.uri)["items"]) == ["failing-action", "forbidden-action"]
    server.change(server.uri, 3, {"text": moved.replace("closed", "opened")})
    assert server.pull(server.uri)["items"] == [], "nothing is known of the task as it is now"
    server.change(server.uri, 4, {"text": moved})
    assert codes(server.pull(server.uri)["items"]) == ["failing-action", "forbidden-action"]
    server.change(server.uri, 5, {"text": moved.replace("closed", "opened")})
    replay(server)
    assert codes(server.pull(server.uri)["items"]) == ["failing-action"]


def test_trust_that_is_taken_back_takes_what_was_found_along(client, shop):
    server = opened(client, shop)
    replay(server)
    assert len(server.pull(server.uri)["items"]) == 2
    server.notify("benchlint/trust", {"trusted": False})
    assert server.pull(server.uri)["items"] == []
    assert replay(server)["problems"] == ["nothing is replayed: the workspace is not trusted"]


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ("", 'nothing says how to replay it: set "environment" in [replay]'),
        ('[replay]\nenvironment = "shop"\npython = "no-such-python"\n', "no-such-python cannot be started"),
        ('[replay]\nenvironment = "nowhere"\n', "cannot be"),
    ],
)
def test_what_cannot_be_replayed_is_told(client, shop, config, told):
    (shop.folder / "benchlint.toml").write_text(config)
    server = opened(client, shop)
    (problem,) = replay(server)["problems"]
    assert told in problem
    server.uri = (shop.folder / "elsewhere.json").as_uri()
    assert replay(server)["message"] == "nothing is replayed: the file belongs to no benchmark"


def test_a_tool_that_hangs_delays_no_check_and_can_be_cancelled(client, shop):
    shop.write([call("hang")], [call("get_order", order_id="#W1")], tools=HANGING)
    config = shop.folder / "benchlint.toml"
    config.write_text(config.read_text().replace("[replay]\n", "[replay]\ntimeout = 2\n"))
    server = opened(client, shop)
    number = server.send(
        "workspace/executeCommand", {"command": "benchlint.replay", "arguments": [{"uri": server.uri}]}
    )
    begun = server.wait(lambda item: item["method"] == "$/progress")["params"]
    server.change(server.uri, 2, {"text": server.text + " "})
    assert server.pull(server.uri)["items"] == []
    assert replay(server)["message"].startswith("a replay is running")
    server.notify("window/workDoneProgress/cancel", {"token": begun["token"]})
    assert server.answer(number)["result"]["cancelled"] is True
    assert server.pull(server.uri)["items"] == []


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="processes are not seen")
def test_nothing_is_left_where_the_server_is_killed_while_a_tool_runs(client, shop):
    shop.write([call("hang")], tools=HANGING)
    server = opened(client, shop)
    server.send("workspace/executeCommand", {"command": "benchlint.replay", "arguments": [{"uri": server.uri}]})
    started = _until(lambda: _children(server.process.pid))
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait(SECONDS)
    _until(lambda: not [pid for pid in started if _is_alive(pid)])


def _until(found):
    deadline = time.monotonic() + SECONDS
    while not (value := found()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return value


def _children(parent: int) -> list[int]:
    """Return the processes under another once the tool's own is among them."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    below = [pid for pid, above in parents.items() if above == parent]
    deeper = [pid for pid, above in parents.items() if above in below]
    return [*below, *deeper] if deeper else []


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False

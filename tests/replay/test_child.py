"""The child's way through a task where the system has no fork."""

from __future__ import annotations

import importlib.util
import os

from benchlint.replay.settings import MAIN


def part(name: str):
    spec = importlib.util.spec_from_file_location(f"replay_child_{name}", MAIN.parent / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Counter:
    def __init__(self):
        self.count = 0

    def prepare(self, initial):
        self.count += (initial or {}).get("by", 0)
        if self.count < 0:
            raise ValueError("it cannot be negative")

    def effect(self, requestor, name):
        return "write"

    def act(self, requestor, name, arguments):
        self.count += arguments["by"]

    def records(self):
        return {("assistant", "count"): b"%d" % self.count}


def task(by: int, initial=None):
    return {"initial": initial, "actions": [{"requestor": "assistant", "name": "add", "arguments": {"by": by}}]}


def test_without_fork_every_task_has_a_copy(monkeypatch):
    monkeypatch.delattr(os, "fork")
    told = []
    runner = part("tasks").Runner(Counter(), 1.0, lambda **message: told.append(message), 0)
    for message in (task(1), task(2), task(0), task(1, {"by": 5}), task(1, {"by": -1})):
        runner.run(message)
    changes = [message["changes"] for message in told if message["type"] == "step"]
    assert [[change["value"] for change in step] for step in changes] == [[1], [2], [], [6]]
    assert [message["unchanged"] for message in told if message["type"] == "end"] == [False, False, True, False]
    assert [message["changes"] for message in told if message["type"] == "start"][3][0]["value"] == 5
    assert told[-1] == {"type": "failed", "message": "it cannot be negative"}

"""Runs the actions of one task: in a fork where there is one, else on a deep copy."""

from __future__ import annotations

import copy
import json
import os
import select
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_WORDS = 500
"""So many characters of an error are told."""

_LONGEST = 16 << 20
"""The longest line in bytes that is taken from a task."""


class Runner:
    """Runs tasks on a loaded domain.

    `timeout` is in seconds, for each action. `requests` is where requests
    come from: while a task runs there is nothing to read but the end of
    whoever sends them, and then the task ends as well.
    """

    def __init__(self, domain: Any, timeout: float, answer: Callable[..., None], requests: int) -> None:
        self._domain = domain
        self._timeout = timeout
        self._answer = answer
        self._requests = requests
        self._fresh = domain.records()

    def run(self, message: dict[str, Any]) -> None:
        """Run a task, and answer for it."""
        if not hasattr(os, "fork"):
            for item in _replayed(copy.deepcopy(self._domain), self._fresh, message):
                self._answer(**item)
            return
        receiving, sending = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(receiving)
            _work(self._domain, self._fresh, message, sending)
        os.close(sending)
        try:
            last = self._relay(receiving)
        finally:
            os.close(receiving)
            status = sys.modules["benchlint_replay_limits"].end(pid)
        if last.get("reason") == "died":
            last["message"] = _how(status)
        self._answer(**last)  # not before all is ended: the answer may be the last that is wanted

    def _relay(self, receiving: int) -> dict[str, Any]:
        """Pass on what a task says until it ends; return the last that there is to say."""
        data = b""
        until = time.monotonic() + self._timeout
        while True:
            ready, _, _ = select.select([receiving, self._requests], [], [], max(0.0, until - time.monotonic()))
            if receiving not in ready:
                return {"type": "stopped", "reason": "died" if ready else "timeout"}
            some = os.read(receiving, 1 << 20)
            if not some or len(data) > _LONGEST:
                return {"type": "stopped", "reason": "died"}
            data += some
            *lines, data = data.split(b"\n")
            for line in lines:
                try:
                    item = json.loads(line)
                    kind = item["type"]
                except (ValueError, TypeError, KeyError):
                    return {"type": "stopped", "reason": "died"}
                if kind in ("end", "failed"):
                    return dict(item)
                self._answer(**item)
                until = time.monotonic() + self._timeout


def _how(status: int) -> str:
    if os.WIFSIGNALED(status):
        return f"signal {os.WTERMSIG(status)}"
    return f"exit code {os.WEXITSTATUS(status)}"


def _work(domain: Any, fresh: dict[Any, bytes], message: dict[str, Any], sending: int) -> None:
    """Be the fork: run the actions and end."""
    own = os.getpid()
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        for item in _replayed(domain, fresh, message):
            if os.getpid() != own:  # a fork that a tool made and let go on
                break
            data = (json.dumps(item, default=str) + "\n").encode()
            while data:
                data = data[os.write(sending, data) :]
    finally:
        os._exit(70 if sys.exc_info()[0] else 0)


def _replayed(domain: Any, fresh: dict[Any, bytes], message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what there is to say of a task: the start, each action, the end."""
    before = fresh
    try:
        domain.prepare(message.get("initial"))
        if message.get("initial"):
            before = domain.records()
    except BaseException as error:
        yield {"type": "failed", "message": _told(error)}
        return
    yield {"type": "start", "changes": _changes(fresh, before)}
    state = start = before
    looked = True
    for action in message["actions"]:
        effect = domain.effect(action["requestor"], action["name"]) or action.get("effect") or "unknown"
        failure = _tried(domain, action)
        changes: list[dict[str, Any]] = []
        looked = effect in ("write", "unknown")
        if looked:
            after = domain.records()
            changes = _changes(state, after)
            state = after
        yield {"type": "step", "failure": failure, "effect": effect, "changes": changes}
    if not looked:
        state = domain.records()
    yield {"type": "end", "unchanged": not _changes(start, state)}


def _tried(domain: Any, action: dict[str, Any]) -> dict[str, str] | None:
    """Run an action; return why it failed, or None."""
    try:
        refusal = domain.act(action["requestor"], action["name"], action["arguments"])
    except MemoryError:
        return {"kind": "memory", "text": ""}
    except Exception as error:
        return {"kind": "raised", "text": _told(error)}
    except BaseException as error:
        return {"kind": "exit", "text": _told(error)}
    return None if refusal is None else {"kind": "raised", "text": str(refusal)[:_WORDS]}


def _told(error: BaseException) -> str:
    """Return an error's own words, or its type where it has none."""
    try:
        words = " ".join(str(error).split())
    except Exception:
        words = ""
    name = type(error).__name__
    return (words if words and name == "ValueError" else f"{name}: {words}" if words else name)[:_WORDS]


def _changes(before: dict[Any, bytes], after: dict[Any, bytes]) -> list[dict[str, Any]]:
    """Return the records that are not the same; the order of keys is none of their content."""
    if before is after or before == after:
        return []
    changes = []
    for place, data in after.items():
        old = before.get(place)
        if old != data and (old is None or _content(old) != _content(data)):
            changes.append({"side": place[0], "path": place[1:], "value": json.loads(data)})
    gone = (place for place in before if place not in after)
    return [*changes, *({"side": place[0], "path": place[1:], "value": None, "removed": True} for place in gone)]


def _content(data: bytes) -> str:
    return json.dumps(json.loads(data), sort_keys=True)

"""Runs the expected actions of a benchmark's tasks with the domain's own tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from benchlint.replay.cache import ResultCache, task_key
from benchlint.replay.process import Child, ChildError
from benchlint.replay.results import Change, Failure, Replay, Replayed, Step

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.replay.results import FailureKind, Side
    from benchlint.replay.settings import Settings

PROTOCOL: Final = 1
_LOADING: Final = 120.0
"""Seconds that a domain may take to be loaded."""
_GRACE: Final = 5.0
"""Seconds that our own child may take to tell that a tool did not return."""
_RESTARTS: Final = 20
"""So often a child that ended is started anew."""

_KINDS = ("raised", "exit", "memory", "timeout", "died")


class _Unusable(Exception):  # noqa: N818
    """A domain that cannot be loaded, and why."""


def replay(
    benchmark: Benchmark,
    settings: Settings,
    *,
    use_cache: bool = True,
    cache_directory: Path | None = None,
    tick: Callable[[], object] = lambda: None,
) -> Replay:
    """Replay the tasks that expect actions.

    `tick` is called before each task, and may raise to end the run.
    """
    requests: dict[tuple[str, int], dict[str, Any]] = {}
    for task in benchmark.tasks:
        request = task_request(task, benchmark)
        if request is not None:
            requests[task.slice.document.path, task.slice.index] = request
    if not requests:
        return Replay()
    return _Run(settings, use_cache, cache_directory, tick).replay(requests)


def task_request(task: Task, benchmark: Benchmark) -> dict[str, Any] | None:
    """Return what a child is told of a task; None where it has no actions, or some that are not plain."""
    calls = task.actions
    if not calls or any(not call.known or call.arguments is None for call in calls):
        return None
    if not _is_json([call.arguments for call in calls]):
        return None
    if any(not isinstance(call.pointer[-1], int) or call.pointer[-1] != index for index, call in enumerate(calls)):
        return None  # an action in between is none
    known = benchmark.tools.by_name if benchmark.tools is not None else {}
    actions = []
    for call in calls:
        tool = known.get((call.requestor, call.name))
        effect = tool.effect if tool is not None else "unknown"
        actions.append({"requestor": call.requestor, "name": call.name, "arguments": call.arguments, "effect": effect})
    initial = _initial(task, benchmark.format)
    return {"type": "task", "initial": initial, "actions": actions} if _is_json(initial) else None


def _is_json(value: Any) -> bool:
    """Say whether a value has only what JSON has: the keys of YAML may be numbers."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_json(item) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return all(map(_is_json, value))
    return value is None or isinstance(value, (str, int, float))


def _initial(task: Task, form: str) -> Any:
    """Return a task's initial state as tau2 writes it."""
    if form == "tau2":
        return task.value.get("initial_state")
    state: dict[str, Any] = {}
    if task.initial_data:
        state["initialization_data"] = {"agent_data": task.initial_data}
    if task.initial_calls:
        state["initialization_actions"] = [
            {"env_type": call.requestor, "func_name": call.name, "arguments": call.arguments}
            for call in task.initial_calls
        ]
    return state or None


class _Run:
    def __init__(
        self, settings: Settings, use_cache: bool, cache_directory: Path | None, tick: Callable[[], object]
    ) -> None:
        self._settings = settings
        self._use_cache = use_cache
        self._cache_directory = cache_directory
        self._cache: ResultCache | None = None
        self._tick = tick
        self._child: Child | None = None
        self._started = 0
        self._loaded = False

    def replay(self, requests: dict[tuple[str, int], dict[str, Any]]) -> Replay:
        found: dict[tuple[str, int], Replayed] = {}
        cached = 0
        try:
            self._start()
            for place, request in requests.items():
                self._tick()
                key = task_key(request)
                messages = self._cache.get(key) if self._cache is not None else None
                known = parsed(messages, len(request["actions"])) if messages is not None else None
                if known is not None:
                    found[place] = known
                    cached += 1
                    continue
                messages, lasting = self._ask(request)
                result = parsed(messages, len(request["actions"]))
                found[place] = result or Replayed(problem="the environment's answer is not what the protocol asks for")
                if result is not None and lasting and self._cache is not None:
                    self._cache.put(key, messages)
        except _Unusable as error:
            return Replay(found, problem=str(error), cached=cached)
        finally:
            if self._child is not None:
                self._child.close()
            if self._cache is not None:
                self._cache.save()
        return Replay(found, cached=cached)

    def _start(self) -> None:
        """Start a child and ask who it is."""
        if self._child is not None:
            self._child.close()
        self._loaded = False
        self._started += 1
        shown = self._settings.shown
        if self._started > _RESTARTS:
            raise _Unusable(f"{shown} ended {_RESTARTS} times")
        try:
            self._child = Child(self._settings.command)
            self._child.send({"type": "identify", "protocol": PROTOCOL, "environment": self._settings.environment})
            answer = self._child.receive(_LOADING)
        except ChildError as error:
            raise _Unusable(f"{shown} cannot be replayed: {error}") from None
        if answer["type"] != "identity" or not isinstance(answer.get("identity"), str | None):
            raise _Unusable(f"{shown} cannot be replayed: {answer.get('message', 'it does not say what it is')}")
        identity = answer.get("identity")
        if self._cache is None and self._use_cache and identity:
            what = (self._settings.command, self._settings.environment, self._settings.timeout, identity)
            self._cache = ResultCache(repr(what), self._cache_directory)

    def _load(self) -> None:
        assert self._child is not None
        settings = self._settings
        request = {
            "type": "load",
            "environment": settings.environment,
            "timeout": settings.timeout,
            "memory": settings.memory,
        }
        try:
            self._child.send(request)
            answer = self._child.receive(_LOADING)
        except ChildError as error:
            raise _Unusable(f"{settings.shown} cannot be loaded: {error}") from None
        if answer["type"] != "loaded":
            raise _Unusable(f"{settings.shown} cannot be loaded: {answer.get('message', 'it does not say why')}")
        self._loaded = True

    def _ask(self, request: dict[str, Any]) -> tuple[list[dict[str, Any]], bool]:
        """Return the messages about a task, and whether they would be the same again."""
        if self._child is None:
            self._start()
        if not self._loaded:
            self._load()
        assert self._child is not None
        messages: list[dict[str, Any]] = []
        patience = self._settings.timeout + (_GRACE if self._settings.ours else 0.0)
        try:
            self._child.send(request)
            while not messages or messages[-1]["type"] in ("start", "step"):
                if len(messages) > len(request["actions"]) + 2:
                    raise ChildError("died", "it answered more than it was asked")
                messages.append(self._child.receive(patience))
        except ChildError as error:
            messages.append({"type": "stopped", "reason": error.kind, "message": str(error)})
            self._child.close()
            self._child = None
        return messages, messages[-1]["type"] in ("end", "failed")


def parsed(messages: list[dict[str, Any]], actions: int) -> Replayed | None:
    """Read the messages about a task; None where they are not as the protocol says."""
    try:
        return _parsed(messages, actions)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return None


def _parsed(messages: list[dict[str, Any]], actions: int) -> Replayed | None:
    *rest, last = messages
    prepared: tuple[Change, ...] = ()
    steps = []
    for index, message in enumerate(rest):
        if message["type"] == "start" and index == 0:
            prepared = _changes(message)
        elif message["type"] == "step" and index > 0:
            steps.append(_step(message))
        else:
            return None
    kind = last["type"]
    if kind == "failed" and not steps:
        return Replayed(problem=f"its initial state cannot be made: {_text(last)}")
    if kind == "end" and len(steps) == actions and rest:
        return Replayed(prepared, tuple(steps), bool(last["unchanged"]))
    if kind != "stopped" or len(steps) > actions:
        return None
    reason, text = last.get("reason"), _text(last)
    if not rest:
        how = "it does not return" if reason == "timeout" else f"the process ended ({text})"
        return Replayed(problem=f"its initial state cannot be made: {how}")
    if len(steps) == actions:
        return Replayed(prepared, tuple(steps), None, f"the process ended after the last action ({text})")
    steps.append(Step(Failure("timeout" if reason == "timeout" else "died", text)))
    return Replayed(prepared, tuple(steps), None, f"it stopped at action {len(steps)}")


def _step(message: dict[str, Any]) -> Step:
    failure = message.get("failure")
    found = None
    if failure is not None:
        if failure["kind"] not in _KINDS:
            raise ValueError(failure["kind"])
        found = Failure(cast("FailureKind", failure["kind"]), str(failure.get("text", "")))
    return Step(found, _changes(message), str(message.get("effect") or "unknown"))


def _changes(message: dict[str, Any]) -> tuple[Change, ...]:
    changes = []
    for item in message.get("changes") or ():
        side = item.get("side", "assistant")
        path = tuple(item["path"])
        if side not in ("assistant", "user") or not path or not all(isinstance(part, (str, int)) for part in path):
            raise ValueError("a change needs a path")
        changes.append(Change(path, item.get("value"), bool(item.get("removed")), cast("Side", side)))
    return tuple(changes)


def _text(message: dict[str, Any]) -> str:
    return " ".join(str(message.get("message", "")).split())[:500]

"""The guards of a benchmark over the expected actions of its tasks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from benchlint.guards.fields import unknown_fields
from benchlint.guards.guard import Broken, Failure, Guard, Outcome, Situation, Violation, compile_guard
from benchlint.guards.helpers import time
from benchlint.guards.state import CHANGED, State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.items import ItemEntry, Items, ItemsFile
    from benchlint.benchmark.model import Benchmark, Call, PolicyItem, Task
    from benchlint.guards.fields import Miss, Path
    from benchlint.guards.state import Replay
    from benchlint.text.tree import Pointer

_NOW = re.compile(r"\b(?:current|today'?s?)\b[^.\n]{0,40}?(\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?)", re.IGNORECASE)
_READS = ("get_", "find_", "list_", "search_", "lookup_", "check_", "calculate", "transfer_to_human", "think")


class BrokenGuard(NamedTuple):
    """A guard that cannot be used: its file, the range of the fault in bytes, and the message."""

    file: ItemsFile
    place: tuple[int, int]
    message: str


class Told(NamedTuple):
    """What a guard says of an action of a task: which one in their order."""

    action: int
    outcome: Outcome


class Moment(NamedTuple):
    """A task just before an expected action: which one, and all actions up to it, itself the last of them."""

    action: int
    situation: Situation
    before: list[dict[str, Any]]


class GuardSet:
    """The guards of a benchmark, by the tools that they look at.

    A guard belongs to a sentence of the policy. Where the benchmark has a
    policy without that sentence, the guard is left out, and `strangers`
    counts it. `items` take the place of the benchmark's own.
    """

    def __init__(self, benchmark: Benchmark, items: Items | None = None) -> None:
        self.guards: list[Guard] = []
        self.broken: list[BrokenGuard] = []
        self.strangers: list[tuple[ItemsFile, ItemEntry]] = []
        self.policy_items: dict[tuple[str, str], PolicyItem] = {}
        self._tools = benchmark.tools
        self._database = benchmark.database
        self._now: dict[str, str | None] = {}
        self._told: dict[str, tuple[Any, Replay | None, tuple[Told, ...]]] = {}
        self.memo: dict[Any, Any] = {}
        """What others make of the guards and tasks, kept with them."""
        items = benchmark.items if items is None else items
        if items is not None:
            self._compile(benchmark, items)
        self._by_tool: dict[str, dict[str | None, list[Guard]]] = {}
        for guard in self.guards:
            for tool in guard.text.tools:
                self._by_tool.setdefault(tool, {}).setdefault(self._now[guard.file.path], []).append(guard)

    def _compile(self, benchmark: Benchmark, items: Items) -> None:
        sentences = _Sentences(benchmark) if benchmark.policy is not None else None
        paths: dict[Path, Miss | None] = {}
        for file, entry in items.entries:
            if not entry.guards:
                continue
            if sentences is not None and entry.text:
                item = sentences.find(entry)
                if item is None and not sentences.has(entry):
                    self.strangers.append((file, entry))
                    continue
                if item is not None:
                    self.policy_items[file.path, entry.id] = item
            for text in (guard for guard in entry.guards if not guard.draft):
                made = compile_guard(file, entry, text)
                problem = made if isinstance(made, Broken) else next(unknown_fields(made, benchmark, paths), None)
                if problem is not None:
                    self.broken.append(BrokenGuard(file, _place(file, entry, problem), problem.message))
                elif isinstance(made, Guard):
                    self.guards.append(made)
        for file in items.files:
            self._now[file.path] = self._time(file, benchmark)

    def _time(self, file: ItemsFile, benchmark: Benchmark) -> str | None:
        """Return the time at which the tasks play: what the file says, else what the policy says."""
        if file.now is not None:
            try:
                time(file.now)
            except ValueError as error:
                self.broken.append(BrokenGuard(file, (0, 0), f"now: {error}"))
                return None
            return file.now
        match = _NOW.search(benchmark.policy.text) if benchmark.policy is not None else None
        return match[1] if match else None

    def check(self, task: Task, replay: Replay | None = None) -> tuple[Told, ...]:
        """Ask the guards about each expected action of a task; what they said last is kept.

        `replay` shows the records as each action finds them.
        """
        known = self._told.get(task.id)
        if known is None or known[0] is not task.value or known[1] is not replay:
            known = self._told[task.id] = task.value, replay, tuple(self._check(task, replay))
        return known[2]

    def _check(self, task: Task, replay: Replay | None) -> Iterator[Told]:
        if not any(call.name in self._by_tool for call in task.actions):
            return
        for moment in self.moments(task, replay):
            call = task.actions[moment.action]
            if not call.known or call.arguments is None:
                continue
            for now, guards in self._by_tool.get(call.name, {}).items():
                moment.situation.set(guards, moment.before[-1], moment.before[:-1], now)
                for guard in guards:
                    outcome = guard.ask(moment.situation.context)
                    if outcome is not None:
                        yield Told(moment.action, outcome)

    def moments(self, task: Task, replay: Replay | None = None) -> Iterator[Moment]:
        """Yield the moments of a task's expected actions, one after the other; the situation is the same one in all."""
        database = self._database
        state = State(database)
        situation = Situation(state, plain_task(task))
        before: list[dict[str, Any]] = []
        for index, call in enumerate(task.actions):
            if replay is not None and database is not None:
                state.replayed(replay.records_before(task, index, database))
            before.append({"name": call.name, "arguments": dict(call.arguments or {}), "requestor": call.requestor})
            yield Moment(index, situation, before)
            if self.writes(call):
                state.written(call.arguments or {})

    def now(self, guard: Guard) -> str | None:
        """Return the time at which a guard's tasks play."""
        return self._now[guard.file.path]

    def item_id(self, guard: Guard) -> str:
        """Return the id of a guard's item in the policy, its own where the policy is not there."""
        item = self.policy_items.get((guard.file.path, guard.entry.id))
        return item.id if item is not None else guard.entry.id

    def writes(self, call: Call) -> bool:
        """Say whether an action may change the database."""
        tool = self._tools.get(call.requestor, call.name) if self._tools is not None else None
        if tool is not None and tool.effect != "unknown":
            return tool.effect == "write"
        return not call.name.startswith(_READS)


def guard_set(benchmark: Benchmark) -> GuardSet:
    """Return the guards of a benchmark, compiled once for the same items, policy, tools and database."""
    assert benchmark.items is not None
    inputs = (benchmark.policy, benchmark.tools, benchmark.database)
    known = benchmark.items.made.get("guards")
    if known is None or any(one is not other for one, other in zip(known[0], inputs, strict=True)):
        known = benchmark.items.made["guards"] = (inputs, GuardSet(benchmark))
    found: GuardSet = known[1]
    return found


def known_guards(benchmark: Benchmark) -> GuardSet | None:
    """Return the guards of a benchmark as they were compiled last; None where nobody has asked for them."""
    known = benchmark.items.made.get("guards") if benchmark.items is not None else None
    return known[1] if known is not None else None


def abstentions(benchmark: Benchmark) -> Iterator[str]:
    """Yield a sentence for each action about which a guard could not say anything."""
    if benchmark.items is None:
        return
    found = guard_set(benchmark)
    for file in benchmark.items.files:
        drafts = sum(guard.draft for entry in file.entries for guard in entry.guards)
        if drafts:
            what = "1 guard is a draft and was" if drafts == 1 else f"{drafts} guards are drafts and were"
            yield f"{file.path}: {what} not used"
    for file, entry in found.strangers:
        yield f"{file.path}: the policy has no sentence of item {entry.id}, so its guards were not used"
    for task in benchmark.tasks:
        silent: dict[tuple[str, str], list[str]] = {}
        for told in found.check(task, benchmark.replay):
            if not isinstance(told.outcome, (Violation, Failure)):
                key = task.actions[told.action].name, told.outcome.reason
                silent.setdefault(key, []).append(told.outcome.guard.entry.id)
        for (name, why), ids in silent.items():
            guards = ids[0] if len(ids) == 1 else f"{len(ids)} guards ({ids[0]}, …)"
            more = "; --replay would tell" if benchmark.replay is None and why.startswith(CHANGED) else ""
            yield f"task {task.id}, {name}: {guards} abstained: {why}{more}"


def plain_task(task: Task) -> dict[str, Any]:
    """Return what expressions see of a task."""
    actions = [{"name": call.name, "arguments": dict(call.arguments or {})} for call in task.actions]
    return {"id": task.id, "scenario": task.text, "actions": actions}


def _place(file: ItemsFile, entry: ItemEntry, problem: Broken) -> tuple[int, int]:
    pointer: Pointer = problem.pointer
    return file.place(entry.index, pointer, problem.span)


class _Sentences:
    """The sentences of a policy, by id and by their words."""

    def __init__(self, benchmark: Benchmark) -> None:
        assert benchmark.policy is not None
        policy = benchmark.policy
        known = {item.id: item for item in (*policy.sentences, *policy.items)}
        self._by_id = known
        self._by_text = {" ".join(item.text.split()): item for item in known.values()}
        self._text = " ".join(benchmark.policy.text.split())

    def find(self, entry: ItemEntry) -> PolicyItem | None:
        """Return the policy's own item of an entry."""
        text = " ".join(entry.text.split())
        found = self._by_id.get(entry.id)
        if found is not None and " ".join(found.text.split()) == text:
            return found
        return self._by_text.get(text)

    def has(self, entry: ItemEntry) -> bool:
        """Say whether the words of an entry stand in the policy."""
        return " ".join(entry.text.split()) in self._text

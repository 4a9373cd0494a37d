"""The examples of guards, run as their tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from benchlint.guards.guard import Abstention, Broken, Failure, Situation, compile_guard
from benchlint.guards.state import PlainRecords, State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.items import Example, ItemEntry, ItemsFile
    from benchlint.guards.guard import Guard


class Tested(NamedTuple):
    """An example or a guard that was tested; `problem` is None where it holds. `place` is a range in bytes."""

    entry: ItemEntry
    place: tuple[int, int]
    problem: str | None


def run_examples(file: ItemsFile) -> Iterator[Tested]:
    """Run the examples of every guard in a file, drafts among them."""
    for entry in file.entries:
        yield from run_entry(file, entry)


def run_entry(file: ItemsFile, entry: ItemEntry) -> Iterator[Tested]:
    """Run the examples of the guards of one item."""
    for text in entry.guards:
        made = compile_guard(file, entry, text)
        if isinstance(made, Broken):
            yield Tested(entry, file.place(entry.index, made.pointer, made.span), made.message)
            continue
        for wanted, key in ((False, "compliance"), (True, "violation")):
            if not any(example.violates == wanted for example in text.examples):
                place = file.place(entry.index, text.pointer)
                yield Tested(entry, place, f"the guard has no {key} example")
        for example in text.examples:
            place = file.place(entry.index, (*example.pointer, "action"))
            yield Tested(entry, place, _problem(made, example, file.now))


def _problem(guard: Guard, example: Example, now: str | None) -> str | None:
    """Say what is wrong with an example; None where the guard answers as it should."""
    if example.name not in guard.text.tools:
        return f"the guard looks at {', '.join(guard.text.tools)}, not at {example.name}"
    action = {"name": example.name, "arguments": dict(example.arguments), "requestor": "assistant"}
    before = [
        {"name": name, "arguments": dict(arguments), "requestor": "assistant"} for name, arguments in example.before
    ]
    actions = [{"name": item["name"], "arguments": item["arguments"]} for item in (*before, action)]
    task = {"id": "example", "scenario": "", "actions": actions, **example.task}
    situation = Situation(State(PlainRecords(example.records)), task)
    situation.set([guard], action, before, example.now or now)
    outcome = guard.ask(situation.context)
    if isinstance(outcome, (Abstention, Failure)):
        return f"the guard cannot be evaluated: {outcome.reason}"
    if example.violates and outcome is None:
        return "the guard does not find this violation"
    if not example.violates and outcome is not None:
        return f"the guard finds a violation here: {outcome.message}"
    return None

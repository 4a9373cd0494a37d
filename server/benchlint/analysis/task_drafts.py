"""Tasks that a model drafts for a policy item: what it is asked, and what its answer adds to a file of tasks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from benchlint.analysis.draft_records import Lookup, find_records
from benchlint.analysis.new_tasks import addition, form_of
from benchlint.analysis.task_forms import Contents
from benchlint.benchmark.database_files import DatabaseError
from benchlint.checks.arguments import is_creating, scalars, words
from benchlint.judges.drafting import ask_task
from benchlint.judges.drafts import read_object
from benchlint.judges.facts import Records
from benchlint.judges.parts import description, expectation, render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchlint.benchmark.database import Database
    from benchlint.benchmark.model import Benchmark, Policy, PolicyItem
    from benchlint.catalogue.finding import Edit
    from benchlint.judges.drafts import TaskAnswer
    from benchlint.judges.prices import Price
    from benchlint.judges.prompt import Asked, Options

_EXAMPLES: Final = 2
_EXAMPLE: Final = 4000
"""So many of the last tasks a model is shown, and so many characters of each."""


class DraftError(Exception):
    """A draft that cannot be used, in a sentence without an end."""


def can_ask(benchmark: Benchmark, options: Options) -> bool:
    """Say whether a model may be asked for tasks: what they are made from must be what may be shared."""
    policy = benchmark.policy
    has_records = benchmark.database is None or "records" in options.share
    is_shown = "policy" in options.share and has_records
    return is_shown and policy is not None and bool(policy.items) and form_of(benchmark) is not None


def question(benchmark: Benchmark, policy: Policy, item: PolicyItem, options: Options, earlier: str = "") -> Asked:
    """Return the request for a task that challenges an item; `earlier` are drafts with their faults."""
    records = None
    if benchmark.database is not None:
        found = find_records(benchmark.database, benchmark.tools, item)
        identities = [one.id for one in (found.person, found.record) if one is not None]
        records = Records(benchmark.database, benchmark.tools).around(identities, options.records).text
    return ask_task(policy, item, benchmark.tools, records, _examples(benchmark, options), options, earlier)


def likely_usd(benchmark: Benchmark, policy: Policy, item: PolicyItem, options: Options, price: Price) -> float:
    """Return what a draft is likely to cost in US dollars, with as many records as fit; no database is read."""
    from benchlint.judges.budget import expected_usd

    records = " " * options.records if benchmark.database is not None else None
    asked = ask_task(policy, item, benchmark.tools, records, _examples(benchmark, options), options)
    return expected_usd(price, asked.request)


def drafted(benchmark: Benchmark, policy: Policy, item: PolicyItem, answer: TaskAnswer) -> tuple[str, Edit]:
    """Return the id of a drafted task and the edit that adds it. Raises DraftError where it cannot be."""
    number = policy.items.index(item) + 1
    if answer.item != number:
        raise DraftError(f"it is about item {answer.item}, not about item {number}")
    if not (answer.wants.strip() and (answer.behaviour or answer.actions)):
        reason = " ".join(answer.reason.split()).removesuffix(".")
        raise DraftError(f"it holds no task{f': {reason}' if reason else ''}")
    calls = [Lookup(call.action, _arguments(call.action, call.arguments)) for call in answer.actions]
    steps = [" ".join(step.split()) for step in answer.behaviour]
    contents = Contents(
        knows=answer.knows.strip(),
        wants=answer.wants.strip(),
        manner=answer.manner.strip(),
        behaviour=" ".join(steps),
        assertions=steps,
        must_say=[text.strip() for text in answer.must_say],
        calls=calls,
        changes=any(_changes(benchmark, call.name) for call in calls),
    )
    try:
        made = addition(benchmark, item, contents)
        if made is not None:
            made[1].text.encode()
    except UnicodeEncodeError:
        raise DraftError("it holds half a character") from None
    if made is None:
        raise DraftError("there is no file to which it can be added")
    return made


def unknown_ids(benchmark: Benchmark, answer: TaskAnswer) -> list[str]:
    """Return what names nothing in the database, in sentences: arguments called ids, up to a call that makes records.

    Checks learn from many tasks which arguments are ids, and say nothing
    where there are few. A draft has no such excuse: it was shown the records.
    """
    if benchmark.database is None:
        return []
    found: dict[str, None] = {}
    for call in answer.actions:
        if is_creating(call.action):
            break
        for _, argument, value in scalars(_arguments(call.action, call.arguments)):
            is_id = words(argument)[-1:] in (["id"], ["ids"])
            if is_id and isinstance(value, str) and not _is_known(benchmark.database, value):
                found[f"{argument} {value} of {call.action} is not in the database"] = None
    return list(found)


def with_faults(answer: TaskAnswer, faults: Sequence[str]) -> str:
    """Write a draft and what is wrong with it, for the model that wrote it."""
    draft = json.dumps(answer.model_dump(exclude={"items_read", "reason"}), ensure_ascii=False)
    return "\n".join([draft, "Its faults:", *(f"- {fault}" for fault in faults)])


def _arguments(action: str, text: str) -> dict[str, Any]:
    try:
        return read_object(text, f"the arguments of {action}")
    except ValueError as error:
        raise DraftError(str(error)) from None


def _is_known(database: Database, text: str) -> bool:
    try:
        return bool(database.collections_of(text)) or database.contains_value(text)
    except DatabaseError:
        return True


def _changes(benchmark: Benchmark, name: str) -> bool:
    tool = benchmark.tools.get("assistant", name) if benchmark.tools is not None else None
    return tool is None or not tool.changes_nothing


def _examples(benchmark: Benchmark, options: Options) -> list[str]:
    """Write the last tasks, as far as tasks may be shared."""
    chosen = benchmark.tasks[-_EXAMPLES:] if "task" in options.share else ()
    texts = (f"{render(description(task))}\nexpected:\n{render(expectation(task))}" for task in chosen)
    return [text if len(text) <= _EXAMPLE else f"{text[:_EXAMPLE]}..." for text in texts]

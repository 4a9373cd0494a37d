"""Criteria that decide nothing: never scored, always passed, or passed by doing nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from benchlint.checks.edits import appending, insertion, removal
from benchlint.checks.registry import Check, Summary
from benchlint.checks.traits import is_trait, joined, listed
from benchlint.checks.values import title, value_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.benchmark.model import Benchmark, CriterionKind, Task, Tools
    from benchlint.catalogue.finding import Finding, Fix, FoundBy, Related
    from benchlint.checks.view import View
    from benchlint.text.locate import Part
    from benchlint.text.tree import Pointer

_ENTRIES: dict[str, CriterionKind] = {
    "ACTION": "actions",
    "COMMUNICATE": "communicate_info",
    "ENV_ASSERTION": "env_assertions",
    "NL_ASSERTION": "nl_assertions",
}
"""What each entry of a reward basis counts; `DB` counts what the actions leave."""

_KNOWN = frozenset(("DB", *_ENTRIES))

_NONE: dict[CriterionKind, str] = {
    "actions": "no action is expected",
    "communicate_info": "nothing is to be communicated",
    "env_assertions": "the environment is not asserted",
    "nl_assertions": "nothing is asserted in words",
}
"""What is said of a task without any criteria of a kind."""

_HANDOFF = re.compile(r"transfer|escalat|hand_?(off|over)", re.IGNORECASE)
_HUMAN = re.compile(r"human|agent|representative|operator|supervisor|specialist|staff|support", re.IGNORECASE)
_TOLD_HANDOFF = re.compile(r"transfer|escalat|human|\bhand(s|ed|ing)?\b[^.]{0,40}\b(off|over)\b", re.IGNORECASE)

_FEW = 3
"""So many tasks with an entry that always passes are named one by one."""


def _basis(task: Task, benchmark: Benchmark) -> tuple[str, ...] | None:
    """Return what counts in a task; None where that is not known, or not in these words."""
    basis = benchmark.default_reward_basis or None if task.reward_basis is None else task.reward_basis
    return basis if basis is None or _KNOWN.issuperset(basis) else None


def _content(task: Task, kind: CriterionKind) -> Any:
    """Return the criteria of a kind as they stand in the task."""
    pointer = task.criteria_pointers.get(kind)
    return getattr(task, kind) if pointer is None else value_at(task.value, pointer)


class _Counts(NamedTuple):
    """What counts in a task, as far as it is known, by the entries of a reward basis.

    `having` are the entries whose criteria the task has, `unscored` those of
    them that do not count; `naming` are the entries that it names itself,
    `vacuous` those of them that have nothing to look at.
    """

    having: tuple[str, ...]
    unscored: tuple[str, ...]
    naming: tuple[str, ...]
    vacuous: tuple[str, ...]


def _count(task: Task, benchmark: Benchmark) -> _Counts:
    basis = _basis(task, benchmark)
    kinds = _ENTRIES.items() if basis is not None else ()
    having = tuple(entry for entry, kind in kinds if kind != "actions" and getattr(task, kind))
    naming = tuple(entry for entry in _ENTRIES if entry in (task.reward_basis or ()))
    return _Counts(
        having,
        tuple(entry for entry in having if entry not in (basis or ())),
        naming,
        tuple(entry for entry in naming if task.reward_basis_pointer and not _content(task, _ENTRIES[entry])),
    )


class _Tally(NamedTuple):
    """Of one entry: how many tasks have its criteria or name it, and the indices of those at fault."""

    having: int
    unscored: tuple[int, ...]
    naming: int
    vacuous: tuple[int, ...]


def _tally(digests: Sequence[_Counts], _: Benchmark) -> tuple[_Tally, ...]:
    """Return the tally of every entry, in their order."""
    return tuple(
        _Tally(
            sum(entry in counts.having for counts in digests),
            tuple(index for index, counts in enumerate(digests) if entry in counts.unscored),
            sum(entry in counts.naming for counts in digests),
            tuple(index for index, counts in enumerate(digests) if entry in counts.vacuous),
        )
        for entry in _ENTRIES
    )


_COUNTS = Summary("counted-criteria", _count, _tally)


def _unscored(view: View) -> Iterator[Finding]:
    """Report criteria that no entry of the reward basis counts."""
    for (entry, kind), tally in zip(_ENTRIES.items(), view.summary, strict=True):
        hits = [view.benchmark.tasks[index] for index in tally.unscored]
        if is_trait(len(hits), tally.having):
            yield _unscored_in_file(view, hits, kind)
        else:
            yield from (_unscored_in_task(view.of(task), task, entry, kind) for task in hits)


def _unscored_in_file(view: View, hits: list[Task], kind: CriterionKind) -> Finding:
    first = hits[0]
    reason = _counted(view, first)
    if any(_counted(view, task) != reason for task in hits):
        reason = "what their reward_basis counts is something else"
    place = _place(first, kind)
    message = f'"{place[-1]}" is never scored in {len(hits)} of {len(view.benchmark.tasks)} tasks: {reason}'
    related = _basis_place(view, first, kind)
    anchor = view.anchor(first, place, "key")
    return view.file_finding("unscored-criterion", message, anchor, related=related, quote=str(place[-1]))


def _unscored_in_task(view: View, task: Task, entry: str, kind: CriterionKind) -> Finding:
    fix = _counting(view, task, entry, kind)
    place = _place(task, kind)
    return view.finding(
        "unscored-criterion",
        f'"{place[-1]}" is never scored: {_counted(view, task)}',
        place,
        part="key",
        related=_basis_place(view, task, kind),
        fixes=(fix,) if fix else (),
    )


def _counted(view: View, task: Task) -> str:
    """Say what a task's reward basis, or the default, counts."""
    if task.reward_basis is None:
        return f"without a reward_basis only {joined(view.benchmark.default_reward_basis)} count"
    if not task.reward_basis:
        return "reward_basis is empty"
    return f"reward_basis counts only {joined(task.reward_basis)}"


def _place(task: Task, kind: CriterionKind) -> Pointer:
    pointer = task.criteria_pointers.get(kind)
    return getattr(task, kind)[0].pointer[:-1] if pointer is None else pointer


def _basis_place(view: View, task: Task, kind: CriterionKind) -> tuple[Related, ...]:
    if task.reward_basis_pointer is not None:
        return (view.related("what is scored", task, task.reward_basis_pointer, "key"),)
    around = _place(task, kind)[:-1]
    return (view.related("no reward_basis stands here", task, around, "key"),) if around else ()


def _counting(view: View, task: Task, entry: str, kind: CriterionKind) -> Fix | None:
    """Return the fix that makes the reward basis count an entry."""
    change = f"Add {entry} to reward_basis"
    if task.reward_basis_pointer is not None:
        return appending(view, change, task.reward_basis_pointer, entry, safe=False)
    if view.benchmark.format != "tau2":
        return None
    basis = [*view.benchmark.default_reward_basis, entry]
    return insertion(view, change, _place(task, kind)[:-1], {"reward_basis": basis}, safe=False)


def _handoffs(task: Task, benchmark: Benchmark) -> tuple[tuple[int, ...], bool]:
    """Return the indices of the actions that hand over to a human, and whether nothing scores them."""
    tools = benchmark.tools
    if tools is None:
        return (), False
    found = []
    for index, call in enumerate(task.actions):
        tool = tools.by_name.get((call.requestor, call.name))
        if tool is not None and tool.effect == "generic" and _is_handoff(tool.name):
            found.append(index)
    return tuple(found), bool(found) and _is_unscored(task, benchmark)


def _all_handoffs(
    digests: Sequence[tuple[tuple[int, ...], bool]], _: Benchmark
) -> tuple[int, tuple[tuple[int, int], ...]]:
    """Return how many handoffs there are, and the task and call of those that nothing scores."""
    places = ((index, call) for index, (calls, unscored) in enumerate(digests) if unscored for call in calls)
    return sum(len(calls) for calls, _ in digests), tuple(places)


_HANDOFFS = Summary("handoffs", _handoffs, _all_handoffs, ("tools",))


def _unscored_handoff(view: View) -> Iterator[Finding]:
    """Report handoffs to a human that only the actions name, and nothing scores."""
    benchmark = view.benchmark
    having, places = view.summary
    hits = [(benchmark.tasks[index], benchmark.tasks[index].actions[call]) for index, call in places]
    why = "it leaves no trace in the database, and ACTION does not count"
    if is_trait(len(hits), having):
        task, call = hits[0]
        message = f"{len(hits)} of {having} expected handoffs are never scored ({call.name}): {why}"
        anchor = view.anchor(task, call.name_pointer)
        yield view.file_finding("unscored-criterion", message, anchor, quote=call.name)
        return
    for task, call in hits:
        yield view.finding(
            "unscored-criterion",
            f"the handoff {call.name} is never scored: {why}",
            call.name_pointer,
            task=task,
            related=_basis_place(view, task, "actions"),
        )


def _is_handoff(name: str) -> bool:
    return bool(_HANDOFF.search(name) and _HUMAN.search(name))


def _is_unscored(task: Task, benchmark: Benchmark) -> bool:
    """Say whether nothing that counts asks for a handoff."""
    basis = _basis(task, benchmark)
    if basis is None or "ACTION" in basis:
        return False
    told = [item.text for item in task.nl_assertions if "NL_ASSERTION" in basis]
    told += [item.text for item in task.communicate_info if "COMMUNICATE" in basis]
    told += [call.name for call in task.env_assertions if "ENV_ASSERTION" in basis]
    return not any(map(_TOLD_HANDOFF.search, told))


def _vacuous(view: View) -> Iterator[Finding]:
    """Report entries of a reward basis that have nothing to look at."""
    for (entry, kind), tally in zip(_ENTRIES.items(), view.summary, strict=True):
        hits = [view.benchmark.tasks[index] for index in tally.vacuous]
        if len(hits) > _FEW and 2 * len(hits) >= tally.naming:
            ids = listed([task.id for task in hits])
            message = f"{entry} always passes in {len(hits)} of {tally.naming} tasks, where {_NONE[kind]}: {ids}"
            anchor = view.anchor(hits[0], _entry_place(hits[0], entry))
            yield view.file_finding("vacuous-criterion", message, anchor, quote=entry)
        else:
            yield from (_vacuous_in_task(view.of(task), task, entry, kind) for task in hits)


def _vacuous_in_task(view: View, task: Task, entry: str, kind: CriterionKind) -> Finding:
    pointer = _entry_place(task, entry)
    others = len(task.reward_basis or ()) > 1
    fix = removal(view, f"Remove {entry} from reward_basis", pointer, safe=False) if others else None
    empty = task.criteria_pointers.get(kind)
    return view.finding(
        "vacuous-criterion",
        f"{entry} always passes: {_NONE[kind]}",
        pointer,
        related=(view.related("empty here", task, empty, "key"),) if empty else (),
        fixes=(fix,) if fix else (),
    )


def _entry_place(task: Task, entry: str) -> Pointer:
    assert task.reward_basis_pointer is not None
    entries = value_at(task.value, task.reward_basis_pointer)
    return (*task.reward_basis_pointer, entries.index(entry))


def _inaction(view: View) -> Iterator[Finding]:
    """Report tasks whose criteria all hold before anything is done."""
    benchmark = view.benchmark
    hits = [(benchmark.tasks[index], reasons) for index, reasons in view.summary]
    if is_trait(len(hits), len(benchmark.tasks)):
        task, reasons = hits[0]
        count = f"{len(hits)} of {len(benchmark.tasks)} tasks"
        message = f"an agent that does nothing passes {count}; in the first, {joined(reasons)}"
        pointer, part = _inaction_place(task)
        anchor = view.anchor(task, pointer, part)
        yield view.file_finding("inaction-passes", message, anchor)
        return
    for task, reasons in hits:
        pointer, part = _inaction_place(task)
        message = f"an agent that does nothing passes the task: {joined(reasons)}"
        found_by: FoundBy = "check" if _replayed_unchanged(task, benchmark) is None else "replay"
        yield view.finding("inaction-passes", message, pointer, part=part, task=task, found_by=found_by)


def _holds_from_the_start(task: Task, benchmark: Benchmark) -> tuple[str, ...]:
    """Say why each counted criterion holds at the start; empty where one does not."""
    basis, tools = _basis(task, benchmark), benchmark.tools
    if basis is None or tools is None:
        return ()
    reasons = []
    for entry in basis:
        kind = _ENTRIES.get(entry)
        if kind is not None and not _content(task, kind):
            pointer = task.criteria_pointers.get(kind)
            reasons.append(f'"{pointer[-1]}" is empty' if pointer else _NONE[kind])
        elif entry == "DB" and _leaves_database(task, benchmark, tools):
            count = len(task.actions)
            if count > 1:
                reasons.append(f"none of its {count} expected actions changes the database")
            elif count:
                reasons.append("its one expected action does not change the database")
            else:
                reasons.append(_NONE["actions"])
        else:
            return ()
    return tuple(reasons) or ("reward_basis is empty",)


def _all_idle(digests: Sequence[tuple[str, ...]], _: Benchmark) -> tuple[tuple[int, tuple[str, ...]], ...]:
    return tuple((index, reasons) for index, reasons in enumerate(digests) if reasons)


_IDLE = Summary("idle-agent", _holds_from_the_start, _all_idle, ("tools",))


def _leaves_database(task: Task, benchmark: Benchmark, tools: Tools) -> bool:
    """Say whether the database is after the expected actions as before: replayed, or as far as their tools tell."""
    unchanged = _replayed_unchanged(task, benchmark)
    return not _writes(task, tools) if unchanged is None else unchanged


def _replayed_unchanged(task: Task, benchmark: Benchmark) -> bool | None:
    replayed = benchmark.replay.of(task) if benchmark.replay is not None else None
    return replayed.unchanged if replayed is not None else None


def _writes(task: Task, tools: Tools) -> bool:
    """Say whether an expected action may change the database."""
    actions = _content(task, "actions")
    if actions and not isinstance(actions, (list, tuple)):
        return True
    seen = {call.pointer[-1] for call in task.actions}
    for index, item in enumerate(actions or ()):
        if index not in seen and not (isinstance(item, dict) and isinstance(item.get("name"), str)):
            return True
    for call in task.actions:
        tool = tools.by_name.get((call.requestor, call.name))
        if tool is None or not tool.changes_nothing:
            return True
    return False


def _inaction_place(task: Task) -> tuple[Pointer, Part]:
    """Return the place that shows it best: the actions, the basis, or the task's id."""
    if "actions" in task.criteria_pointers:
        return task.criteria_pointers["actions"], "key"
    if task.reward_basis_pointer is not None:
        return task.reward_basis_pointer, "key"
    return title(task)


CHECKS = (
    Check(("unscored-criterion",), _unscored, "benchmark", summary=_COUNTS),
    Check(("unscored-criterion",), _unscored_handoff, "benchmark", reads=("tools",), summary=_HANDOFFS),
    Check(("vacuous-criterion",), _vacuous, "benchmark", summary=_COUNTS),
    Check(("inaction-passes",), _inaction, "benchmark", ("tools",), ("tools", "replay"), _IDLE),
)

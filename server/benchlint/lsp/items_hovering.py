"""What is shown of a guard, and of the guards of a policy item: by what was found last, nothing is evaluated."""

from __future__ import annotations

import re
from bisect import bisect_right
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from benchlint.guards.guard import PLACEHOLDER
from benchlint.guards.guard_set import known_guards
from benchlint.lsp.places import descend
from benchlint.text.slices import UNPARSED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.analysis.run import Result
    from benchlint.benchmark.items import GuardText, ItemEntry, ItemsFile
    from benchlint.benchmark.model import Benchmark, PolicyItem

_NAMED: Final = 20
"""So many tasks are named."""


def guards_at(result: Result, path: str, at: int) -> str | None:
    """Return Markdown for an offset of an items file: its guard, or those of the item; None where there is none."""
    readers = _readers(result, path)
    if not readers:
        return None
    file = readers[0][1]
    index = bisect_right([piece.start for piece in file.sliced.slices], at) - 1
    piece = file.sliced.slices[index] if index >= 0 else None
    entry = next((entry for entry in file.entries if entry.index == index), None)
    if piece is None or entry is None or piece.value is UNPARSED or at > piece.end:
        return None
    pointer, _, _ = descend(file.sliced.tree(index).root, at - piece.start)
    guards = [guard for guard in entry.guards if pointer[: len(guard.pointer)] == guard.pointer] or entry.guards
    parts = [f"> {_one_line(entry.text)}"] if entry.text else []
    parts += [_told(result, readers, entry, guard) for guard in guards]
    return "\n\n".join(parts) if guards else None


def guards_of(result: Result, item: PolicyItem) -> Iterator[str]:
    """Yield Markdown for each guard of a policy item."""
    seen = set()
    for benchmark in result.benchmarks:
        found = known_guards(benchmark)
        for guard in found.guards if found is not None else ():
            key = guard.file.path, guard.entry.index, guard.text.pointer
            if found is not None and found.item_id(guard) == item.id and key not in seen:
                seen.add(key)
                told = _told(result, _readers(result, guard.file.path), guard.entry, guard.text)
                yield f"A guard in `{PurePath(guard.file.path).name}`: {told}"


def _readers(result: Result, path: str) -> list[tuple[Benchmark, ItemsFile]]:
    """Return the benchmarks that read an items file, each with the file as it has read it."""
    return [
        (benchmark, file)
        for benchmark in result.benchmarks
        if benchmark.items is not None
        for file in benchmark.items.files
        if file.path == path
    ]


def _told(result: Result, readers: Sequence[tuple[Benchmark, ItemsFile]], entry: ItemEntry, guard: GuardText) -> str:
    tools = ", ".join(f"`{name}`" for name in guard.tools)
    lines = [f"**{guard.rule}** on {tools}"]
    if guard.draft:
        return "\n\n".join([*lines, "A draft: it says nothing about tasks."])
    for benchmark, _ in readers:
        name = f"{benchmark.name}: " if len(readers) > 1 else ""
        lines.append(name + _outcome(result, benchmark, entry, guard))
    return "\n\n".join(lines)


def _outcome(result: Result, benchmark: Benchmark, entry: ItemEntry, guard: GuardText) -> str:
    found = known_guards(benchmark)
    if found is None or all(known.entry.id != entry.id or known.text != guard for known in found.guards):
        is_strange = found is not None and any(item.id == entry.id for _, item in found.strangers)
        why = "the policy has no such sentence" if is_strange else "it cannot be evaluated"
        return f"Not used: {why}."
    tasks = list(_rejected(result, benchmark, entry, guard))
    if not tasks:
        return "Rejects no expected action."
    more = f" and {len(tasks) - _NAMED} more" if len(tasks) > _NAMED else ""
    count = "1 task" if len(tasks) == 1 else f"{len(tasks)} tasks"
    return f"Rejects expected actions of {count}: {', '.join(tasks[:_NAMED])}{more}."


def _rejected(result: Result, benchmark: Benchmark, entry: ItemEntry, guard: GuardText) -> Iterator[str]:
    """Yield the tasks whose actions a guard rejects. Of the guards of one item its message tells which it was."""
    message = _pattern(guard.message)
    tasks = {
        finding.task: None
        for finding in result.everything
        if finding.found_by == "guard"
        and finding.rule == guard.rule
        and finding.benchmark == benchmark.name
        and entry.id in finding.policy_items
        and message.fullmatch(finding.message)
    }
    yield from (task for task in tasks if task)


def _pattern(message: str) -> re.Pattern[str]:
    """Return what fits the texts that a message can become."""
    parts, at = [], 0
    for match in PLACEHOLDER.finditer(message):
        parts += [re.escape(message[at : match.start()]), ".*" if match[1] is not None else re.escape(match[0][0])]
        at = match.end()
    return re.compile("".join([*parts, re.escape(message[at:])]), re.DOTALL)


def _one_line(text: str) -> str:
    return " ".join(text.split())

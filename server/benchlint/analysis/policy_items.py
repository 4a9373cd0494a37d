"""Items files: written from policies, and the examples of their guards run."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchlint.benchmark.items import SUFFIX, ItemsFile
from benchlint.benchmark.items_writing import extract, items_path, read_items_file
from benchlint.benchmark.loader import Unreadable
from benchlint.text.document import Document, Encoding

if TYPE_CHECKING:
    from benchlint.analysis.judging import Tick
    from benchlint.analysis.options import JudgeOptions
    from benchlint.benchmark.model import Tools


@dataclass(frozen=True, slots=True)
class Written:
    """What became of an items file, in sentences. `missing` counts the answers that a model did not give."""

    changed: bool
    told: tuple[str, ...]
    missing: int = 0


@dataclass(frozen=True, slots=True)
class TestedItems:
    """How many guards and examples were tested, and a line for each that failed."""

    files: int
    guards: int
    examples: int
    failed: int
    told: tuple[str, ...]


def write_items(
    path: str,
    output: str | None,
    toolguard: tuple[str, ...] = (),
    *,
    preview: bool = False,
    judge: JudgeOptions | None = None,
    config: str | None = None,
    tick: Tick = lambda done, total, name: None,
) -> Written:
    """Write the items of a policy, with those of ToolGuard specifications.

    With `preview` nothing is written. `judge` names the model that splits
    compound sentences; with its `estimate` nothing is asked and nothing
    written. Raises Unreadable for a file that cannot be read or that does not
    parse, and what `Drafter` raises.
    """
    document = read_document(path)
    target = output or items_path(path)
    earlier = read_items_file(target)
    if earlier is not None and earlier.sliced.faults:
        fault = earlier.sliced.faults[0]
        raise Unreadable(target, f"{fault.message}; it is not written anew")
    tools = tools_beside(path)
    told: list[str] = []
    readings, missing = None, 0
    if judge is not None:
        from benchlint.analysis.drafter import Drafter
        from benchlint.analysis.item_drafts import read_items
        from benchlint.benchmark.policy import read_policy
        from benchlint.judges.drafting import ask_items

        drafter, policy = Drafter(path, judge, config), read_policy([document])
        asked = ask_items(policy.sentences, tools, drafter.prompts)
        drafted = drafter.ask(asked, tick)
        if not drafted.asked:
            return Written(False, drafted.told)
        read = read_items(asked, drafted.answers, policy.sentences, policy.text, tools)
        readings, missing = read.readings, read.missing
        told += [*read.told, *drafted.told]
    found = extract(document, tools, earlier, readings)
    told += [f"{target}: {name} stays: it was edited by hand, and a judge reads it otherwise" for name in found.kept]
    text = found.text
    if toolguard:
        from benchlint.benchmark.toolguard import add_toolguard

        for name in toolguard:
            text, count = add_toolguard(text, read_document(name), target)
            told.append(f"{name}: {count} new items")
    old = earlier.document.data if earlier is not None else b""
    changed = text.encode("utf-8", "replace") != old
    told += [f"{target}: {new} was {was}" for was, new in found.moved]
    own = {entry.id for entry in earlier.entries if not entry.extracted} if earlier is not None else set()
    gone = [name for name in found.vanished if name not in own]
    told += [f"{target}: the policy has no sentence of {name} any more" for name in gone]
    if changed and not preview:
        from benchlint.analysis.writing import replace_file

        replace_file(target, text.encode("utf-8", "replace"))
    verb = "would be written" if preview and changed else "was written" if changed else "is as it was"
    if earlier is not None and earlier.reviewed is not None and (found.added or found.moved or gone):
        told.append(f"{target} is marked as reviewed: look at what is new or gone, and renew the mark")
    told.append(f"{target} {verb}; {len(found.added)} new, {len(found.moved)} moved, {len(gone)} without a sentence")
    return Written(changed, tuple(told), missing)


def test_items(paths: tuple[str, ...]) -> TestedItems:
    """Run the examples in items files, and in those in folders. Raises Unreadable."""
    from benchlint.guards.examples import run_examples

    files = guards = examples = 0
    told = []
    for path in _items_files(paths):
        files += 1
        file = ItemsFile(read_document(path))
        guards += sum(len(entry.guards) for entry in file.entries)
        told += [_line(file, fault.start, fault.message) for fault in file.faults]
        for tested in run_examples(file):
            examples += 1
            if tested.problem is not None:
                told.append(_line(file, tested.place[0], f"{tested.entry.id}: {tested.problem}"))
    if not files:
        raise Unreadable(", ".join(paths), f"there is no items file; its name ends in {SUFFIX}")
    return TestedItems(files, guards, examples, len(told), tuple(told))


test_items.__test__ = False  # type: ignore[attr-defined]


def _line(file: ItemsFile, at: int, message: str) -> str:
    line, column = file.document.position(at, Encoding.UTF32)
    return f"{file.path}:{line + 1}:{column + 1} {message}"


def _items_files(paths: tuple[str, ...]) -> list[str]:
    found = []
    for path in paths:
        if not Path(path).is_dir():
            found.append(path)
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
            found += [os.path.normpath(Path(folder, name)) for name in sorted(names) if name.endswith(SUFFIX)]
    return found


def read_document(path: str) -> Document:
    """Read a file; Unreadable where that cannot be."""
    try:
        return Document(path, Path(path).read_bytes())
    except OSError as error:
        raise Unreadable(path, (error.strerror or str(error)).lower()) from None


def tools_beside(policy: str) -> Tools | None:
    """Return the tools beside a policy; Unreadable where they cannot be read."""
    from benchlint.benchmark.surroundings import listing, surroundings
    from benchlint.benchmark.tools import read_tools

    paths = surroundings(listing(str(Path(policy).parent))).tools
    documents = [read_document(path) for path in paths if Path(path).is_file()]
    return read_tools(documents) if documents else None

"""The text of an items file: written from a policy, and written anew without losing what was written by hand."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from benchlint.benchmark.items import SUFFIX, ItemsFile
from benchlint.benchmark.policy import read_policy
from benchlint.text.document import Encoding
from benchlint.text.yaml_strings import encode_yaml

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchlint.benchmark.model import PolicyItem, Tools
    from benchlint.text.document import Document

_SIMILAR = 80
_LINE = re.compile(r"^( *)(- )?(\w[\w-]*):", re.MULTILINE)
_OURS = ("id", "text", "place")
"""The keys that each extraction writes anew."""


class Extraction(NamedTuple):
    """The text of an items file, and what became of the entries that it had.

    `moved` are pairs of an old and a new id: the sentence was reworded.
    `vanished` are the ids of entries whose sentence is gone; they are kept.
    """

    text: str
    added: tuple[str, ...]
    moved: tuple[tuple[str, str], ...]
    vanished: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Block:
    """An entry as it is written: its lines, the first with the dash."""

    id: str
    text: str
    source: str


def items_path(policy: str) -> str:
    """Return where the items of a policy are written: `policy.items.yaml` for `policy.md`."""
    return str(PurePath(policy).with_suffix("")) + SUFFIX


def extract(policy: Document, tools: Tools | None = None, earlier: ItemsFile | None = None) -> Extraction:
    """Write the items of a policy as YAML.

    Entries of `earlier` keep all that extraction does not give: guards,
    notes, a kind or tools that were changed. An entry belongs to the item
    with its id, else to the one with its words, else to the most similar one
    that no other entry has.
    """
    items = read_policy([policy]).items
    blocks = _blocks(earlier) if earlier is not None else []
    owners = _owners(items, blocks)
    parts = [_header(policy, earlier)]
    added = []
    moved = []
    for item in items:
        block = owners.get(item.id)
        if block is None:
            added.append(item.id)
            parts.append(_fresh(policy, item, tools))
            continue
        if block.id != item.id:
            moved.append((block.id, item.id))
        parts.append(_again(policy, item, block))
    kept = {id(block) for block in owners.values()}
    gone = [block for block in blocks if id(block) not in kept]
    parts += [block.source for block in gone]
    if len(parts) == 1:
        parts.append("  []\n")
    return Extraction("".join(parts), tuple(added), tuple(moved), tuple(block.id for block in gone))


def _header(policy: Document, earlier: ItemsFile | None) -> str:
    if earlier is not None and any(piece.pointer for piece in earlier.sliced.slices):
        return earlier.document.data[: _entry_start(earlier, 0)].decode("utf-8", "replace")
    name = PurePath(policy.path).name
    return f"# The items of {name}. Guards, notes and corrections written here outlive a new extraction.\nitems:\n"


def _entry_start(file: ItemsFile, index: int) -> int:
    """Return where the line of an entry's dash starts; comments above it belong to it."""
    data, start = file.document.data, file.sliced.slices[index].start
    return data.rfind(b"\n", 0, start) + 1


def _blocks(file: ItemsFile) -> list[_Block]:
    starts = [_entry_start(file, piece.index) for piece in file.sliced.slices if piece.pointer]
    ends = [*starts[1:], len(file.document.data)][: len(starts)]
    known = {entry.index: entry for entry in file.entries}
    blocks = []
    for index, (start, end) in enumerate(zip(starts, ends, strict=True)):
        entry = known.get(index)
        source = file.document.data[start:end].decode("utf-8", "replace")
        if not source.endswith("\n"):
            source += "\n"
        blocks.append(_Block(entry.id if entry else "", entry.text if entry else "", source))
    return blocks


def _owners(items: Sequence[PolicyItem], blocks: list[_Block]) -> dict[str, _Block]:
    """Return the entry of each item that has one."""
    owners: dict[str, _Block] = {}
    free = list(blocks)

    def take(item: PolicyItem, found: _Block | None) -> None:
        if found is not None:
            owners[item.id] = found
            free.remove(found)

    for item in items:
        take(item, next((block for block in free if block.id == item.id), None))
    for item in items:
        if item.id not in owners:
            words = " ".join(item.text.split())
            take(item, next((block for block in free if " ".join(block.text.split()) == words), None))
    if free and len(owners) < len(items):
        from rapidfuzz import fuzz, process

        for item in items:
            texts = [block.text for block in free]
            near = process.extractOne(item.text, texts, scorer=fuzz.ratio, score_cutoff=_SIMILAR)
            if item.id not in owners and near is not None:
                take(item, free[near[2]])
    return owners


def _ours(policy: Document, item: PolicyItem) -> str:
    line, column = policy.position(item.start, Encoding.UTF32)
    end_line, end_column = policy.position(item.end, Encoding.UTF32)
    place = f"{line + 1}:{column + 1}-{end_line + 1}:{end_column + 1}"
    return f'- id: {item.id}\n  text: {encode_yaml(item.text)}\n  place: "{place}"\n'


def _fresh(policy: Document, item: PolicyItem, tools: Tools | None) -> str:
    lines = _ours(policy, item) + f"  kind: {item.kind}\n"
    concerned = _tools(item, tools)
    if concerned:
        lines += f"  tools: [{', '.join(concerned)}]\n"
    phases = item.headings[1:] or item.headings
    if phases:
        lines += f"  phases: [{', '.join(encode_yaml(phase) for phase in phases)}]\n"
    return lines


def _again(policy: Document, item: PolicyItem, block: _Block) -> str:
    """Return an entry with its id, text and place as they are now, and all else as it is written."""
    lines = block.source.splitlines(keepends=True)
    dash = next(index for index, line in enumerate(lines) if line.lstrip().startswith("-"))
    indent = len(lines[dash]) - len(lines[dash].lstrip())
    after = lines[dash].lstrip()[1:]
    column = indent + 1 + len(after) - len(after.lstrip())
    lines[dash] = " " * column + after.lstrip()
    kept: list[str] = []
    skipping = False
    for line in lines[dash:]:
        match = _LINE.match(line)
        if match is not None and len(match[1]) == column and not match[2]:
            skipping = match[3] in _OURS
        if not skipping:
            kept.append(line)
    ours = _ours(policy, item)
    shift = " " * indent
    head = "".join(shift + line for line in ours.splitlines(keepends=True))
    if column != indent + 2:
        kept = [
            line.replace(" " * column, " " * (indent + 2), 1) if line.startswith(" " * column) else line
            for line in kept
        ]
    return "".join(lines[:dash]) + head + "".join(kept)


def _tools(item: PolicyItem, tools: Tools | None) -> list[str]:
    """Return the writing tools whose words all stand in an item or above it."""
    if tools is None:
        return []
    words = {_stem(word) for word in re.findall(r"[a-z]+", " ".join((*item.headings, item.context, item.text)).lower())}
    found = []
    for tool in tools.by_name.values():
        named = re.findall(r"[a-z]+", tool.name.lower())
        if tool.effect != "read" and named and (tool.name in item.text or {_stem(word) for word in named} <= words):
            found.append(tool.name)
    return found


def _stem(word: str) -> str:
    return re.sub(r"(?:ations?|ing|ed|es|s|e)$", "", word) if len(word) > 4 else word


def read_items_file(path: str) -> ItemsFile | None:
    """Read an items file; None where there is none. OSError where it cannot be read."""
    from benchlint.text.document import Document

    if not os.path.lexists(path):
        return None
    return ItemsFile(Document(path, Path(path).read_bytes()))

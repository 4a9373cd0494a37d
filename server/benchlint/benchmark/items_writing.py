"""The text of an items file: written from a policy, and written anew without losing what was written by hand."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from benchlint.benchmark.item_parts import JUDGE, SIMILAR, Block, Unit, units
from benchlint.benchmark.items import SUFFIX, ItemsFile
from benchlint.benchmark.policy import read_policy
from benchlint.text.document import Encoding
from benchlint.text.yaml_strings import encode_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchlint.benchmark.item_parts import Reading
    from benchlint.benchmark.model import PolicyItem, Tools
    from benchlint.text.document import Document

_LINE = re.compile(r"^( *)(- )?(\w[\w-]*):", re.MULTILINE)
_PLACE = re.compile(r"^ *place:.*\n", re.MULTILINE)
_OURS = ("id", "text", "place")
"""The keys that each extraction writes anew."""


class Extraction(NamedTuple):
    """The text of an items file, and what became of the entries that it had.

    `moved` are pairs of an old and a new id: the sentence was reworded.
    `vanished` are the ids of entries whose sentence is gone; they are kept.
    `kept` are the ids of entries that were edited by hand, so that what a
    judge reads in their sentence was not written.
    """

    text: str
    added: tuple[str, ...]
    moved: tuple[tuple[str, str], ...]
    vanished: tuple[str, ...]
    kept: tuple[str, ...] = ()


def items_path(policy: str) -> str:
    """Return where the items of a policy are written: `policy.items.yaml` for `policy.md`."""
    return str(PurePath(policy).with_suffix("")) + SUFFIX


def extract(
    policy: Document,
    tools: Tools | None = None,
    earlier: ItemsFile | None = None,
    readings: Mapping[str, Sequence[Reading]] | None = None,
) -> Extraction:
    """Write the items of a policy as YAML.

    Entries of `earlier` keep all that extraction does not give: guards,
    notes, a kind or tools that were changed. An entry belongs to the sentence
    with its id, else to the one with its words, else to that of which its
    words are a part, else to the most similar one that no other entry has.
    `readings` are the rules that a judge reads in a sentence, by its id; they
    replace an entry only as long as nobody has touched it.
    """
    sentences = read_policy([policy]).sentences
    blocks = _blocks(earlier) if earlier is not None else []
    owners, free = _owners(sentences, blocks)
    kept = []
    readings = dict(readings or {})
    for sentence in sentences:
        block = owners.get(sentence.id)
        if block is not None and sentence.id in readings:
            if _is_untouched(policy, sentence, tools, block):
                del owners[sentence.id]
                blocks.remove(block)
            elif block.origin != JUDGE:
                kept.append(block.id)
    found = list(units(policy, sentences, owners, free, readings))
    missed = [block for block in free if all(block is not unit.block for unit in found)]
    found = [_adopted(unit, missed) for unit in found]
    parts = [_header(policy, earlier)]
    known = {block.id for block in blocks}
    for unit in found:
        own = unit.block
        parts.append(_fresh(policy, unit, tools) if own is None else _again(policy, unit.item, own))
    gone = [block for block in blocks if all(block is not unit.block for unit in found)]
    parts += [block.source for block in gone]
    if len(parts) == 1:
        parts.append("  []\n")
    return Extraction(
        "".join(parts),
        tuple(unit.item.id for unit in found if unit.block is None and unit.item.id not in known),
        tuple((unit.block.id, unit.item.id) for unit in found if unit.block and unit.block.id != unit.item.id),
        tuple(block.id for block in gone),
        tuple(kept),
    )


def _adopted(unit: Unit, missed: list[Block]) -> Unit:
    """Give a sentence without an entry the most similar one that is left."""
    if unit.block is not None or unit.reading is not None or not missed:
        return unit
    from rapidfuzz import fuzz, process

    texts = [block.text for block in missed]
    near = process.extractOne(unit.item.text, texts, scorer=fuzz.ratio, score_cutoff=SIMILAR)
    return unit._replace(block=missed.pop(near[2])) if near is not None else unit


def _is_untouched(policy: Document, sentence: PolicyItem, tools: Tools | None, block: Block) -> bool:
    """Say whether an entry is as extraction writes it, wherever its sentence stood then."""
    fresh = _fresh(policy, Unit(sentence), tools)
    return _PLACE.sub("", block.source).strip() == _PLACE.sub("", fresh).strip()


def _header(policy: Document, earlier: ItemsFile | None) -> str:
    if earlier is not None and any(piece.pointer for piece in earlier.sliced.slices):
        return earlier.document.data[: _entry_start(earlier, 0)].decode("utf-8", "replace")
    name = PurePath(policy.path).name
    return f"# The items of {name}. Guards, notes and corrections written here outlive a new extraction.\nitems:\n"


def _entry_start(file: ItemsFile, index: int) -> int:
    """Return where the line of an entry's dash starts; comments above it belong to it."""
    data, start = file.document.data, file.sliced.slices[index].start
    return data.rfind(b"\n", 0, start) + 1


def _blocks(file: ItemsFile) -> list[Block]:
    starts = [_entry_start(file, piece.index) for piece in file.sliced.slices if piece.pointer]
    ends = [*starts[1:], len(file.document.data)][: len(starts)]
    known = {entry.index: entry for entry in file.entries}
    blocks = []
    for index, (start, end) in enumerate(zip(starts, ends, strict=True)):
        entry = known.get(index)
        source = file.document.data[start:end].decode("utf-8", "replace")
        if not source.endswith("\n"):
            source += "\n"
        blocks.append(Block(entry.id, entry.text, source, entry.origin) if entry else Block("", "", source))
    return blocks


def _owners(items: Sequence[PolicyItem], blocks: list[Block]) -> tuple[dict[str, Block], list[Block]]:
    """Return the entry of each sentence that has one by its id or its words, and the other entries."""
    owners: dict[str, Block] = {}
    free = list(blocks)

    def take(item: PolicyItem, at: int | None) -> None:
        if at is not None:
            owners[item.id] = free.pop(at)

    for item in items:
        take(item, next((at for at, block in enumerate(free) if block.id == item.id), None))
    for item in items:
        if item.id not in owners:
            words = " ".join(item.text.split())
            take(item, next((at for at, block in enumerate(free) if " ".join(block.text.split()) == words), None))
    return owners, free


def _ours(policy: Document, item: PolicyItem) -> str:
    line, column = policy.position(item.start, Encoding.UTF32)
    end_line, end_column = policy.position(item.end, Encoding.UTF32)
    place = f"{line + 1}:{column + 1}-{end_line + 1}:{end_column + 1}"
    return f'- id: {item.id}\n  text: {encode_yaml(item.text)}\n  place: "{place}"\n'


def _fresh(policy: Document, unit: Unit, tools: Tools | None) -> str:
    """Return a new entry."""
    item, reading = unit.item, unit.reading
    lines = _ours(policy, item)
    if reading is not None and " ".join(reading.meaning.split()) != item.text:
        lines += f"  meaning: {encode_yaml(' '.join(reading.meaning.split()))}\n"
    lines += f"  kind: {reading.kind if reading is not None else item.kind}\n"
    concerned = reading.tools if reading is not None else _tools(item, tools)
    if concerned:
        lines += f"  tools: [{', '.join(map(encode_yaml, concerned))}]\n"
    phases = item.headings[1:] or item.headings
    if phases:
        lines += f"  phases: [{', '.join(encode_yaml(phase) for phase in phases)}]\n"
    return lines if reading is None else f"{lines}  origin: {JUDGE}\n"


def _again(policy: Document, item: PolicyItem, block: Block) -> str:
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

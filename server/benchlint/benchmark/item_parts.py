"""What an items file has entries for: the sentences of a policy, and the parts into which some were split."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from benchlint.benchmark.policy_items import item_id
from benchlint.benchmark.sentences import words
from benchlint.text.quotes import find_quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from benchlint.benchmark.model import PolicyItem
    from benchlint.text.document import Document

JUDGE = "judge"
"""The origin of an entry that a judge has written."""

SIMILAR = 80
"""How alike, from 0 to 100, words must be to be taken for those of an entry, reworded."""

_FEWEST = 3
"""So many words a part has at least, and so many telling ones its sentence must not have beside its parts."""

_GLUE = words(
    """
    a also an and as at be but by can either for from has have if in is it its may must neither nor of on or shall
    should so such than that the their them then they this to when where which while who will with
    """
)


_OPENING = re.compile(r"^(?:[,;:]\s*)?(?:(?:and|or|but|then|also)\b\s*)*", re.IGNORECASE)


class Reading(NamedTuple):
    """One rule of a sentence, as a judge reads it: its words there, and what they mean, understandable alone."""

    text: str
    meaning: str
    kind: str
    tools: tuple[str, ...] = ()


class Block(NamedTuple):
    """An entry as it is written: its lines, the first with the dash."""

    id: str
    text: str
    source: str
    origin: str = ""


class Unit(NamedTuple):
    """What has an entry: a sentence, or a part of one; and the entry that it has already, or how to write one."""

    item: PolicyItem
    block: Block | None = None
    reading: Reading | None = None


class _Split(NamedTuple):
    """A part of a sentence that has an entry already."""

    item: PolicyItem
    block: Block


def units(
    policy: Document,
    sentences: Sequence[PolicyItem],
    owners: Mapping[str, Block],
    free: Iterable[Block],
    readings: Mapping[str, Sequence[Reading]],
) -> Iterator[Unit]:
    """Yield what has an entry, in the order of the policy.

    `owners` are the entries of whole sentences by the sentences' ids, `free`
    those of none. An entry whose words are a part of a sentence is that part;
    of those that a judge wrote, also one whose words have changed a little.
    A sentence with parts needs no entry of its own. What people have split
    keeps the ids that they gave it. `readings` of a sentence
    count where it has none.
    """
    parts = _parts(policy, sentences, owners, free)
    used = {item.id for item in sentences}
    for sentence in sentences:
        block: Block | None = owners.get(sentence.id)
        split = sorted(parts.get(sentence.id, ()), key=lambda part: part.item.start)
        found_by: Sequence[Reading] = () if block is not None or split else readings.get(sentence.id, ())
        said = [part.item.text for part in split] + [reading.text for reading in found_by]
        if block is not None or not said or left_out(sentence.text, said):
            yield Unit(sentence, block)
        for part in split:
            yield Unit(_named(part.item, used) if part.block.origin == JUDGE else part.item, part.block)
        for reading in found_by:
            whole = " ".join(reading.text.split()) == " ".join(sentence.text.split())
            item = sentence if whole else _named(_piece(policy, sentence, reading.text), used)
            yield Unit(item, None, reading)


def _parts(
    policy: Document, sentences: Sequence[PolicyItem], owners: Mapping[str, Block], free: Iterable[Block]
) -> dict[str, list[_Split]]:
    """Return the entries that are parts of sentences, by the sentences' ids."""
    parts: dict[str, list[_Split]] = {}
    changed = []
    for block in free:
        found = _part(policy, sentences, owners, parts, block)
        if found is not None:
            parts.setdefault(found[0], []).append(_Split(found[1], block))
        elif block.origin == JUDGE:
            changed.append(block)
    for block in changed:
        found = _reworded(policy, sentences, parts, block)
        if found is not None:
            parts[found[0]].append(_Split(found[1], block))
    return parts


def left_out(sentence: str, parts: Iterable[str]) -> str:
    """Return the words of a sentence that stand in none of its parts; "" where they say nothing of their own."""
    rest = sentence
    for part in parts:
        found = find_quote(part, rest)
        if found is not None:
            rest = f"{rest[: found.start]} {rest[found.end :]}"
    telling = [word for word in re.findall(r"[^\W_]+", rest.lower()) if word not in _GLUE]
    return " ".join(rest.split()) if len(telling) >= _FEWEST else ""


def _named(item: PolicyItem, used: set[str]) -> PolicyItem:
    """Give a part an id that no other has."""
    name, count = item.id, 1
    while name in used:
        count += 1
        name = f"{item.id}-{count}"
    used.add(name)
    return replace(item, id=name)


def _part(
    policy: Document,
    sentences: Sequence[PolicyItem],
    owners: Mapping[str, Block],
    parts: Mapping[str, list[_Split]],
    block: Block,
) -> tuple[str, PolicyItem] | None:
    """Return the sentence of which an entry is a part, and the part; sentences without an entry come first."""
    if len(block.text.split()) < _FEWEST:
        return None
    for sentence in sorted(sentences, key=lambda item: item.id in owners):
        found = find_quote(block.text, sentence.text)
        if found is None or not found.exact:
            continue
        piece = _piece(policy, sentence, sentence.text[found.start : found.end])
        if block.origin != JUDGE:
            piece = replace(piece, id=block.id)
        taken = [part.item for part in parts.get(sentence.id, ())]
        if piece.end - piece.start < sentence.end - sentence.start and not any(_overlap(piece, it) for it in taken):
            return sentence.id, piece
    return None


def _reworded(
    policy: Document, sentences: Sequence[PolicyItem], parts: Mapping[str, list[_Split]], block: Block
) -> tuple[str, PolicyItem] | None:
    """Return the sentence with other parts of which the rest is like an entry, and that rest."""
    from rapidfuzz import fuzz

    for sentence in sentences:
        if sentence.id in parts:
            rest = _OPENING.sub("", left_out(sentence.text, [part.item.text for part in parts[sentence.id]]))
            if rest and rest in sentence.text and fuzz.ratio(rest, block.text) >= SIMILAR:
                return sentence.id, _piece(policy, sentence, rest)
    return None


def _piece(policy: Document, sentence: PolicyItem, part: str) -> PolicyItem:
    """Return some words of a sentence as an item, at their own place where the text shows it."""
    start, end = sentence.start, sentence.end
    source = policy.data[start:end].decode("utf-8", "replace")
    found = find_quote(part, source)
    if found is not None:
        end = start + len(source[: found.end].encode())
        start += len(source[: found.start].encode())
    return replace(sentence, id=item_id(" ".join(part.split())), text=" ".join(part.split()), start=start, end=end)


def _overlap(one: PolicyItem, other: PolicyItem) -> bool:
    return one.start < other.end and other.start < one.end

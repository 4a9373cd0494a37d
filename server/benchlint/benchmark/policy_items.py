"""The policy of a domain as items: one rule each, with its place."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from benchlint.benchmark.markdown import blocks, plain
from benchlint.benchmark.model import PolicyItem
from benchlint.benchmark.policy_kind import (
    announces,
    governs,
    has_duration,
    has_modal,
    is_conditional,
    is_statement,
    kind_of,
    label_end,
)
from benchlint.benchmark.sentences import sentences, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.benchmark.markdown import Block, Text
    from benchlint.benchmark.policy_kind import Kind
    from benchlint.text.document import Document

_STRONG = re.compile(r"(\*\*|__)[^*_]{1,80}\1:?")
_NUMBER_CELL = re.compile(r"\s*[^\w\s]?\d[\d.,]*\s*(?:%|\w+)?\s*")
_STOPS = tuple(".!?…。！？")
_STRONG_LEVEL = 7
"""The level of a heading that is only a paragraph in bold."""

_FINITE = re.compile(
    r"\b(?:am|are|be|been|did|do|does|had|has|have|is|was|were|will|would|disables?|restricts?|shows?|works?)\b",
    re.IGNORECASE,
)
_FRAGMENT_WORDS = 14
"""How many words an entry may have that only continues its list's opening."""

_STOP_WORDS = words(
    """
    a an and are as at be by for from has if in is it its of on or so that the their then there they this to
    was will with you your
    """
)
_SLUG_WORDS = 6
_WORD_LENGTH = 24


def read_items(documents: Sequence[Document]) -> Iterator[PolicyItem]:
    """Yield the items of the documents of a policy. See `read_policy`."""
    items: list[PolicyItem] = []
    for document in documents:
        is_python = PurePath(document.path).suffix.lower() == ".py"
        items += _python_items(document) if is_python else _Reader(document.path).items(blocks(document))
    return _numbered(items)


def item_id(text: str) -> str:
    """Return the id of an item: its first telling words and a hash of its text."""
    spaced = " ".join(text.split())
    hashed = blake2b(spaced.encode("utf-8", "replace"), digest_size=3).hexdigest()
    folded = unicodedata.normalize("NFKD", spaced).casefold()
    letters = "".join(character for character in folded if not unicodedata.combining(character))
    found = [word[:_WORD_LENGTH] for word in re.findall(r"[^\W_]+", re.sub("['’]", "", letters))]
    telling = [word for word in found if word not in _STOP_WORDS] or found
    return "-".join([*telling[:_SLUG_WORDS], hashed])


def _numbered(items: Sequence[PolicyItem]) -> Iterator[PolicyItem]:
    """Tell items with the same text apart by a number, in their order."""
    seen: Counter[str] = Counter()
    for item in items:
        seen[item.id] += 1
        count = seen[item.id]
        yield replace(item, id=f"{item.id}-{count}") if count > 1 else item


@dataclass(frozen=True, slots=True)
class _Opening:
    """A sentence that stands before what it is about, and the byte at which it starts.

    An `opening` is a part of what follows ("You must:"), a `parent` is a
    sentence with a list of its own, a `label` a name ("Refund:").
    """

    text: str
    start: int = 0
    role: Literal["opening", "parent", "label"] = "label"


class _Reader:
    """Finds the items of one document in its blocks."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.found: list[PolicyItem] = []
        self.headings: list[tuple[int, str]] = []

    def items(self, blocks: Sequence[Block]) -> list[PolicyItem]:
        """Return the items in the order of the text."""
        self._walk(blocks, ())
        return self.found

    def _walk(self, blocks: Sequence[Block], context: tuple[_Opening, ...]) -> None:
        """Find the items of blocks that follow each other."""
        opening: _Opening | None = None
        for index, block in enumerate(blocks):
            following = blocks[index + 1] if index + 1 < len(blocks) else None
            around = context if opening is None else (*context, opening)
            opening = None
            if block.kind == "heading":
                self._heading(block)
            elif block.kind == "paragraph":
                opening = self._paragraph(block, around, following)
            elif block.kind == "list":
                for entry in block.children:
                    self._walk(entry.children, around)
            elif block.kind == "table":
                self._table(block, around)

    def _heading(self, block: Block) -> None:
        """Open a section; a heading that is a sentence with a rule is an item, too."""
        text = plain(block.text.text)
        is_sentence = text.endswith((".", "!")) or (block.underlined and has_modal(text))
        is_rule = is_sentence and kind_of(text) != "fact"
        if is_rule:
            self._sentences(block.text, sentences(block.text.text), ())
        if not (is_rule and block.underlined):
            self._open_section(block.level, text)

    def _open_section(self, level: int, text: str) -> None:
        self.headings = [heading for heading in self.headings if heading[0] < level]
        self.headings.append((level, text.rstrip(":")))

    def _paragraph(self, block: Block, context: tuple[_Opening, ...], following: Block | None) -> _Opening | None:
        """Add the sentences of a paragraph; return the one that opens what follows."""
        text = block.text
        next_kind = following.kind if following is not None else ""
        if not context and next_kind != "list" and _STRONG.fullmatch(text.text):
            self._open_section(_STRONG_LEVEL, plain(text.text))
            return None
        ranges = sentences(text.text)
        if not ranges:
            return None
        start, end = ranges[-1]
        last = plain(text.text[start:end])
        opens = last.endswith(":") and next_kind in ("list", "table", "paragraph")
        opens = opens or (next_kind == "list" and not last.endswith(_STOPS) and announces(last))
        adjoins = next_kind == "list" and following is not None and following.first == block.last
        role: Literal["opening", "parent"] = "opening" if opens else "parent"
        opening = _Opening(last, text.range(start, end)[0], role) if opens or adjoins else None
        if opening is not None and following is not None and _continues(opening, following):
            self._sentences(text, ranges[:-1], context)
            self._enumeration(opening, following, context)
            following.children.clear()
            return None
        self._sentences(text, ranges[:-1] if opens else ranges, context)
        return opening

    def _enumeration(self, opening: _Opening, block: Block, context: tuple[_Opening, ...]) -> None:
        """Add a list of attributes and its opening as one item."""
        texts = [entry.children[0].text for entry in block.children]
        end = texts[-1].range(0, len(texts[-1].text))[1]
        attributes = "; ".join(plain(text.text).rstrip(".;,") for text in texts)
        self._add(f"{opening.text} {attributes}", opening.start, end, context, kind_of(opening.text))

    def _sentences(self, text: Text, ranges: Sequence[tuple[int, int]], context: tuple[_Opening, ...]) -> None:
        """Add sentences of one text; a label before the first is context of the others."""
        for index, (start, end) in enumerate(ranges):
            source = text.text[start:end]
            label = label_end(source)
            self._add(plain(source), *text.range(start, end), context, kind_of(plain(source[label:])))
            if index == 0 and label and start == ranges[0][0]:
                context = (*context, _Opening(plain(source[:label]).rstrip(" -–—")))

    def _table(self, block: Block, context: tuple[_Opening, ...]) -> None:
        """Add the rows of a table; its header is their context."""
        header, *rows = [row.text for row in block.children]
        context = (*context, _Opening(plain(header.text)))
        for row in rows:
            text = plain(row.text)
            if not any(character.isalnum() for character in text):
                continue
            kind = kind_of(text)
            if kind == "fact" and any(map(_NUMBER_CELL.fullmatch, row.text.split("|"))):
                kind = "amount"
            self._add(text, *row.range(0, len(row.text)), context, kind)

    def _add(self, text: str, start: int, end: int, context: tuple[_Opening, ...], kind: Kind) -> None:
        inner = next((opening for opening in reversed(context) if opening.role != "label"), None)
        if inner is not None and inner.role == "opening" and not is_statement(text):
            governing = governs(inner.text)
            if kind == "fact" or (kind == "obligation" and governing == "permission"):
                kind = governing
        if kind == "fact" and has_duration(text):
            kind = "amount"
        headings = tuple(heading for _, heading in self.headings)
        around = " ".join(opening.text for opening in context)
        self.found.append(PolicyItem(item_id(text), text, self.path, start, end, headings, kind, around))


def _continues(opening: _Opening, block: Block) -> bool:
    """Say whether the entries of a list only go on with its opening: mere attributes."""
    if block.kind != "list" or is_conditional(opening.text) or kind_of(opening.text) != "fact":
        return False
    entries = [entry.children for entry in block.children]
    return all(
        len(parts) == 1 and parts[0].kind == "paragraph" and _is_fragment(parts[0].text.text) for parts in entries
    )


def _is_fragment(text: str) -> bool:
    words = plain(text)
    return (
        len(words.split()) <= _FRAGMENT_WORDS
        and not words[:1].isdigit()
        and not label_end(text)
        and not words.endswith(":")
        and len(sentences(text)) == 1
        and not _FINITE.search(words)
        and not is_conditional(words)
        and kind_of(words) == "fact"
    )


def _python_items(document: Document) -> Iterator[PolicyItem]:
    """Yield an item for each text in the module-level lists of a Python file."""
    from benchlint.benchmark.python_syntax import PythonSource, content_range

    source = PythonSource(document)
    for name, value in source.values.items():
        if value is None or name.startswith("_") or value.type not in ("list", "tuple"):
            continue
        for node in value.named_children:
            text = source.literal(node) if node.type in ("string", "concatenated_string") else None
            if isinstance(text, str) and " " in text.strip():
                start, end = content_range(node)
                words = plain(text)
                yield PolicyItem(item_id(words), words, document.path, start, end, (), kind_of(words))

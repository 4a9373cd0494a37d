"""The structure of a Markdown text, each character with its place."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

    from benchlint.text.document import Document

_TAG_LINE = re.compile(r"^[ \t]*</?[A-Za-z][\w:.-]*(?:[ \t][^<>\n]*)?/?>[ \t]*$", re.MULTILINE)
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?:(?:[\w-]+[ \t]*:|[ \t#-]).*\n|\n)*?(?:---|\.\.\.)[ \t]*(?:\n|$)")
_NOT_LINE_END = re.compile(r"[^\n]")

_EMPHASIS = (
    re.compile(r"(?<![\w*\\])(\*{1,3})(?=[^\s*])(.{1,300}?)(?<=[^\s*])\1(?![\w*])", re.DOTALL),
    re.compile(r"(?<!\w)(_{1,2})(?=[^\s_])(.{1,300}?)(?<=[^\s_])\1(?!\w)", re.DOTALL),
)
_LINK = re.compile(r"!?\[([^\]\n]{1,500})\]\([^)\s]{0,2000}\)")
_TAG = re.compile(r"</?(?:b|br|code|div|em|i|p|span|strong|u)\b[^<>]{0,200}>", re.IGNORECASE)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_LONG = 20_000
"""How long a sentence may be in which emphasis is looked for."""


_KINDS = {
    "heading": "heading",
    "paragraph": "paragraph",
    "bullet_list": "list",
    "ordered_list": "list",
    "list_item": "entry",
    "table": "table",
}
"""The blocks that matter by the names of the Markdown parser."""


@dataclass(slots=True)
class Text:
    """A running text and the byte offset at which each character starts."""

    text: str
    starts: array[int]

    def range(self, start: int, end: int) -> tuple[int, int]:
        """Return the bytes of the characters from `start` to `end`."""
        return self.starts[start], self.starts[end - 1] + _width(self.text[end - 1])


@dataclass(slots=True)
class Block:
    """A part of the document's structure.

    `kind` is `heading`, `paragraph`, `list`, `entry`, `table`, `row` or
    `other` (code, a rule). `level` is a heading's, and `underlined` tells
    one whose mark is the line below. `first` and `last` are lines, the last
    one not included.
    """

    kind: str
    text: Text = field(default_factory=lambda: Text("", array("q")))
    level: int = 0
    underlined: bool = False
    first: int = 0
    last: int = 0
    children: list[Block] = field(default_factory=list)


def blocks(document: Document) -> list[Block]:
    """Return the blocks of a Markdown document.

    HTML comments, lines that are one tag, and front matter are left out.
    Indented text is a paragraph, not code: policies are prose.
    """
    return _Reader(document).blocks()


class _Reader:
    """Reads one document."""

    def __init__(self, document: Document) -> None:
        ranges = [document.line_range(line) for line in range(document.line_count)]
        self.line_starts = [start for start, _ in ranges]
        self.originals = [document.data[start:end].decode("utf-8", "surrogateescape") for start, end in ranges]
        source = _without_comments("\n".join(self.originals))
        for pattern in (_TAG_LINE, _FRONT_MATTER):
            source = pattern.sub(lambda match: _blank(match[0]), source)
        self.lines = source.split("\n")

    def blocks(self) -> list[Block]:
        from markdown_it import MarkdownIt

        parser = MarkdownIt("commonmark").enable("table")
        parser.disable(["code", "html_block", "inline", "text_join"], ignoreInvalid=True)
        return self._nested(parser.parse("\n".join(self.lines)))

    def _nested(self, tokens: Sequence[Token]) -> list[Block]:
        """Return the blocks of a sequence of tokens."""
        root = Block("root")
        pending = [root]
        for token in tokens:
            line, last = token.map or (0, 0)
            kind, _, side = token.type.rpartition("_")
            kind = _KINDS.get(kind, "")
            if token.type == "tr_open":
                pending[-1].children.append(Block("row", self._row(line)))
            elif token.type == "inline" and pending[-1].kind in ("heading", "paragraph"):
                pending[-1].text = self._text(token.content, line)
            elif token.type in ("fence", "hr"):
                pending[-1].children.append(Block("other"))
            elif kind and side == "open":
                block = Block(kind, first=line, last=last)
                if kind == "heading":
                    block.level, block.underlined = int(token.tag[1]), token.markup in ("-", "=")
                pending[-1].children.append(block)
                pending.append(block)
            elif kind and side == "close":
                pending.pop()
        return root.children

    def _text(self, content: str, line: int) -> Text:
        """Return the text of a block, whose content begins at a line, with its places."""
        pieces: list[str] = []
        starts = array("q")
        for number, piece in enumerate(content.split("\n"), line):
            source = self.lines[number]
            shown = piece if piece in source else source.strip()
            at = source.rfind(shown)
            original = self.originals[number]
            offset = self.line_starts[number] + _width(original[:at])
            if pieces:
                starts.append(self.line_starts[number] - 1)
            pieces.append(shown)
            widths = map(_width, original[at : at + len(shown)])
            starts.extend(accumulate(widths, initial=offset))
            starts.pop()
        return Text("\n".join(pieces), starts)

    def _row(self, line: int) -> Text:
        """Return the text of a table's row, between its outer bars."""
        return self._text(self.lines[line].strip().removeprefix("|").removesuffix("|").strip(), line)


def plain(text: str) -> str:
    """Return a text as a reader sees it: without emphasis marks, links and line ends."""
    for pattern in _EMPHASIS if len(text) <= _LONG else ():
        text = pattern.sub(r"\2", pattern.sub(r"\2", text))
    text = _TAG.sub(" ", _LINK.sub(r"\1", text))
    text = " ".join(_ESCAPE.sub(r"\1", text).split())
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _width(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))


def _blank(text: str) -> str:
    return _NOT_LINE_END.sub(" ", text)


def _without_comments(source: str) -> str:
    """Return a text with white space in the place of its HTML comments."""
    parts = []
    at = 0
    while (start := source.find("<!--", at)) >= 0 and (end := source.find("-->", start)) >= 0:
        parts += [source[at:start], _blank(source[start : end + 3])]
        at = end + 3
    return "".join((*parts, source[at:]))

"""Comments, in the languages that have them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.text.document import Document

_LANGUAGES: Final = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".py": "python",
    ".toml": "toml",
    ".md": "markdown",
    ".markdown": "markdown",
}
_HTML = re.compile(rb"<!--.*?-->", re.DOTALL)
_FENCED = re.compile(rb"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_TOML = re.compile(
    rb'"""(?:\\.|[^\\])*?(?:"{3,5}|\Z)'
    rb"|'''.*?(?:'{3,5}|\Z)"
    rb'|"(?:\\.|[^"\\\r\n])*"?'
    rb"|'[^'\r\n]*'?"
    rb"|(#[^\r\n]*)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment's bytes in its document, its marks included.

    `alone` says that nothing else stands on its first line. `covers` are the
    0-based lines that it speaks of: its own, and where it stands alone the
    next one that holds more than comments.
    """

    start: int
    end: int
    text: str
    alone: bool
    covers: range


def comments(document: Document, word: bytes) -> list[Comment]:
    """Return the comments of a document that hold a word; [] where its language has none."""
    language = _LANGUAGES.get(PurePath(document.path).suffix.lower())
    if language is None or word not in document.data:
        return []
    if language == "markdown":
        spans = _markdown(document.data)
    elif language == "toml":
        spans = (found.span(1) for found in _TOML.finditer(document.data) if found[1] is not None)
    else:
        spans = _parsed(document.data, language, word)
    return [_comment(document, start, end, language) for start, end in spans if word in document.data[start:end]]


def _comment(document: Document, start: int, end: int, language: str) -> Comment:
    data = document.data
    line = _line(document, start)
    last = _line(document, end)
    alone = not data[document.line_range(line)[0] : start].strip()
    alone = alone and not data[end : document.line_range(last)[1]].strip()
    stop = last + 1
    if alone:
        while stop < document.line_count and _passed_over(document, stop, language):
            stop += 1
        stop += 1
    return Comment(start, end, data[start:end].decode("utf-8", "replace"), alone, range(line, stop))


def _passed_over(document: Document, line: int, language: str) -> bool:
    """Say whether a comment above this line speaks of a later one."""
    start, end = document.line_range(line)
    text = document.data[start:end].strip()
    if language == "markdown":
        return not text or (text.startswith(b"<!--") and text.endswith(b"-->"))
    return text.startswith(b"#")


def _line(document: Document, offset: int) -> int:
    from benchlint.text.document import Encoding

    return document.position(offset, Encoding.UTF8)[0]


def _markdown(data: bytes) -> Iterator[tuple[int, int]]:
    fenced = [found.span() for found in _FENCED.finditer(data)]
    for found in _HTML.finditer(data):
        if not any(start <= found.start() < end for start, end in fenced):
            yield found.span()


def _parsed(data: bytes, language: str, word: bytes) -> Iterator[tuple[int, int]]:
    """Yield comments around the places of a word, as the parser sees them."""
    root = _parser(language).parse(data).root_node
    seen = -1
    for found in re.finditer(re.escape(word), data):
        node = root.descendant_for_byte_range(found.start(), found.end())
        if node is not None and node.type == "comment" and node.start_byte > seen:
            seen = node.start_byte
            yield node.start_byte, node.start_byte + len(data[node.start_byte : node.end_byte].rstrip(b"\r\n"))


@cache
def _parser(language: str) -> Any:
    from tree_sitter import Language, Parser

    if language == "yaml":
        import tree_sitter_yaml as grammar
    else:
        import tree_sitter_python as grammar  # type: ignore[no-redef]
    return Parser(Language(grammar.language()))

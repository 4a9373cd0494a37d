"""The texts that are open in the editor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchlint.lsp.uris import path_of
from benchlint.text.document import Document, difference

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lsprotocol.types import TextDocumentContentChangeEvent

    from benchlint.text.document import Encoding


@dataclass(frozen=True, slots=True)
class OpenText:
    """A text and the URI as the client spells it."""

    uri: str
    document: Document


class Texts:
    """The open texts by path; every change makes another document, and none is changed."""

    def __init__(self) -> None:
        self._open: dict[str, OpenText] = {}

    @property
    def documents(self) -> Mapping[str, Document]:
        """The documents by path."""
        return {path: text.document for path, text in self._open.items()}

    def uri(self, path: str) -> str | None:
        """Return the client's own URI of an open text."""
        text = self._open.get(path)
        return text.uri if text is not None else None

    def version(self, path: str) -> int | None:
        """Return the version of an open text."""
        text = self._open.get(path)
        return text.document.version if text is not None else None

    def open(self, uri: str, version: int, text: str) -> str | None:
        """Take up a text; return its path, None where it is no file's."""
        path = path_of(uri)
        if path is not None:
            self._open[path] = OpenText(uri, Document(path, _encoded(text), version))
        return path

    def change(
        self,
        uri: str,
        version: int,
        changes: Sequence[TextDocumentContentChangeEvent],
        encoding: Encoding,
    ) -> bool:
        """Apply changes in their order; False for a text that is not open."""
        path = path_of(uri)
        text = self._open.get(path) if path is not None else None
        if path is None or text is None:
            return False
        document = text.document
        for change in changes:
            data = _encoded(change.text)
            span = getattr(change, "range", None)
            if span is None:
                document = _replaced(document, data, version)
                continue
            start = document.offset(span.start.line, span.start.character, encoding)
            end = document.offset(span.end.line, span.end.character, encoding)
            document = document.splice(start, max(start, end), data, version)
        self._open[path] = OpenText(text.uri, document)
        return True

    def close(self, uri: str) -> str | None:
        """Let a text go; return its path."""
        path = path_of(uri)
        if path is not None:
            self._open.pop(path, None)
        return path


def _replaced(document: Document, data: bytes, version: int) -> Document:
    """Return a document of another text, as a change of what differs between the two."""
    start, end, stop = difference(document.data, data)
    return document.splice(start, end, data[start:stop], version)


def _encoded(text: str) -> bytes:
    """Write a text in UTF-8; half a character becomes a question mark, which is as wide."""
    return text.encode("utf-8", "replace")

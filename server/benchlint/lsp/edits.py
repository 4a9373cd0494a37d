"""Edits of files as the protocol writes them, for the version of the text that they are made for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchlint.analysis.fixing import Splice, splice
from benchlint.text.document import difference

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchlint.analysis.run import Result
    from benchlint.catalogue.finding import Edit
    from benchlint.lsp.capabilities import Client
    from benchlint.lsp.diagnostics import Bridge
    from benchlint.text.document import Document

_REVIEW: Final = "review"


class EditWriter:
    """Writes workspace edits for one client."""

    def __init__(self, client: Client, bridge: Bridge) -> None:
        self._client = client
        self._bridge = bridge

    def edit(
        self, result: Result, edits: Iterable[Edit], *, label: str, safe: bool, creates: str | None = None
    ) -> dict[str, Any] | None:
        """Return edits of a result's files; None where one cannot be made, or not by this client.

        An unsafe edit is annotated, so that the client asks before it makes
        it. `creates` is a file that does not exist yet.
        """
        if creates is not None:
            return self._created(creates, "".join(edit.text for edit in edits))
        by_path: dict[str, list[Splice]] = {}
        try:
            for item in edits:
                piece = splice(item, result)
                by_path.setdefault(piece.path, []).append(piece)
        except ValueError:
            return None
        changes = [self._changes(result.documents[path], pieces) for path, pieces in by_path.items()]
        return self._written(changes, None if safe else label)

    def plain(self, result: Result, edits: Iterable[Edit]) -> list[dict[str, Any]]:
        """Return edits of one file as ranges and new texts. Raises ValueError where one cannot be made."""
        pieces = [splice(item, result) for item in edits]
        found: list[dict[str, Any]] = self._changes(result.documents[pieces[0].path], pieces)["edits"]
        return found

    def replacement(self, old: Document, new: bytes) -> dict[str, Any]:
        """Return the edit that makes one text of another: one change of what differs."""
        data = old.data
        start, end, _ = difference(data, new)
        start, end = _whole(data, start), _whole(data, end, forward=True)
        text = new[start : len(new) - (len(data) - end)]
        return self._written([self._changes(old, [Splice(old.path, start, end, text)])], None)

    def _changes(self, document: Document, pieces: Iterable[Splice]) -> dict[str, Any]:
        return {
            "textDocument": {"uri": self._bridge.uri_of(document.path), "version": document.version},
            "edits": [
                {
                    "range": self._bridge.range(document, piece.start, piece.end),
                    "newText": piece.data.decode("utf-8", "replace"),
                }
                for piece in sorted(pieces, key=lambda piece: (piece.start, piece.end))
            ],
        }

    def _written(self, changes: list[dict[str, Any]], label: str | None) -> dict[str, Any]:
        if not self._client.versioned_edits:
            return {"changes": {item["textDocument"]["uri"]: item["edits"] for item in changes}}
        edit: dict[str, Any] = {"documentChanges": changes}
        if label is not None and self._client.annotated_edits:
            edit["changeAnnotations"] = {_REVIEW: {"label": label, "needsConfirmation": True}}
            for item in changes:
                item["edits"] = [{**change, "annotationId": _REVIEW} for change in item["edits"]]
        return edit

    def _created(self, path: str, text: str) -> dict[str, Any] | None:
        if not (self._client.versioned_edits and self._client.creates_files):
            return None
        uri = self._bridge.uri_of(path)
        start = {"line": 0, "character": 0}
        return {
            "documentChanges": [
                {"kind": "create", "uri": uri, "options": {"ignoreIfExists": True}},
                {
                    "textDocument": {"uri": uri, "version": None},
                    "edits": [{"range": {"start": start, "end": start}, "newText": text}],
                },
            ]
        }


def _whole(data: bytes, at: int, *, forward: bool = False) -> int:
    """Return the offset of a whole character at or beside an offset, never inside a line end."""
    while 0 < at < len(data) and (data[at] & 0xC0 == 0x80 or data[at - 1 : at + 1] == b"\r\n"):
        at += 1 if forward else -1
    return at

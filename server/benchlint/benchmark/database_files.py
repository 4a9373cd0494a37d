"""The values of one file of a database."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import msgspec

from benchlint.text.slices import Fault

if TYPE_CHECKING:
    from benchlint.text.document import Document


class DatabaseError(Exception):
    """A database that cannot be read: the file, and what is wrong where."""

    def __init__(self, path: str, fault: Fault) -> None:
        super().__init__(f"{path}: {fault.message}" if path else fault.message)
        self.path = path
        self.fault = fault


def parse(document: Document) -> Any:
    """Return a file's values; DatabaseError where it does not parse."""
    suffix = PurePath(document.path).suffix.lower()
    if suffix == ".json":
        # A good half of the standard parser's time; what it refuses that one may take, or tell the place.
        with suppress(msgspec.MsgspecError, RecursionError):
            return msgspec.json.decode(memoryview(document.data)[document.bom :])
    try:
        text = document.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = error.start + (document.bom if error.encoding == "utf-8-sig" else 0)
        raise _error(document, at, "this byte is not UTF-8; save the file as UTF-8") from None
    try:
        if suffix == ".toml":
            return _parse_toml(document)
        if suffix == ".csv":
            return _parse_csv(document, text)
        return _parse_json(document, text)
    except RecursionError:
        raise _error(document, 0, "the values nest too deep to be read") from None


def _parse_json(document: Document, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at = document.bom + len(text[: error.pos].encode())
        message = "the file is empty" if not text.strip() else f"the file is no JSON: {_lower(error.msg)}"
        raise _error(document, at, message) from None
    except ValueError:
        raise _error(document, 0, "a number in the file has more digits than can be read") from None


def _parse_toml(document: Document) -> Any:
    from benchlint.text.toml_text import parse_toml

    values, fault = parse_toml(document)
    if fault is not None:
        raise DatabaseError(document.path, fault)
    return values


def _parse_csv(document: Document, text: str) -> list[dict[str, str]]:
    """Return a row for each line after the header; the separator is what the header uses."""
    import csv
    import io

    header = text.partition("\n")[0]
    separator = max(",;\t", key=header.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        return [{key: value for key, value in row.items() if key and value is not None} for row in reader]
    except csv.Error as error:
        at = document.line_range(max(reader.reader.line_num - 1, 0))[0]
        raise _error(document, at, f"the file is no CSV: {_lower(str(error))}") from None


def _error(document: Document, at: int, message: str) -> DatabaseError:
    return DatabaseError(document.path, Fault(at, min(at + 1, len(document.data)), message))


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]

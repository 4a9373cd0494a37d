"""Files and folders, and the format of each."""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from benchlint.audit.errors import AuditError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SUFFIXES: Final = (".csv", ".tsv", ".parquet", ".jsonl", ".ndjson", ".json")
_RESULTS: Final = "results.json"
_TYPED_BY: Final = 10_000


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one file, under the names of the schema; not yet checked."""

    data: pl.DataFrame
    source: str
    notes: tuple[str, ...] = ()


def expand(paths: Iterable[str]) -> list[str]:
    """Replace each folder by what is in it: its `results.json`, or all files of a known format.

    Raises `AuditError` for a path that leads nowhere or a folder with nothing in it.
    """
    found = []
    for path in paths:
        place = Path(path)
        if not place.exists():
            raise AuditError(f"{path}: there is no such file or folder")
        if not place.is_dir():
            found.append(path)
        elif (place / _RESULTS).is_file():
            found.append(str(place / _RESULTS))
        else:
            inside = sorted(str(item) for item in place.iterdir() if item.suffix in _SUFFIXES and item.is_file())
            folders = sorted(str(item / _RESULTS) for item in place.iterdir() if (item / _RESULTS).is_file())
            if not inside and not folders:
                raise AuditError(f"{path}: there is no file of runs in it ({', '.join(_SUFFIXES)})")
            found += [*inside, *folders]
    return found


def read_file(path: str) -> Table:
    """Read one file. Raises `AuditError` where it is of no known format, OSError where it cannot be read."""
    suffix = Path(path).suffix.casefold()
    if suffix == ".json":
        return _json(path)
    if suffix not in _SUFFIXES:
        raise AuditError(f"{path}: files of runs end in {', '.join(_SUFFIXES)}")
    data = Path(path).read_bytes()
    name = _name(path)
    if not data[:4096].strip() and not data.strip():
        raise AuditError(f"{path} is empty")
    try:
        with _quiet():
            if suffix == ".parquet":
                return Table(pl.read_parquet(data), name)
            if suffix in (".jsonl", ".ndjson"):
                return Table(pl.read_ndjson(data.removeprefix(b"\xef\xbb\xbf"), infer_schema_length=None), name)
            return Table(_separated(data, "\t" if suffix == ".tsv" else ","), name)
    except (pl.exceptions.PolarsError, UnicodeDecodeError) as error:
        raise AuditError(f"{path}: {_short(error)}") from None
    except pl.exceptions.PanicException:
        raise AuditError(f"{path}: it is damaged") from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what the reader's own threads say of a damaged file from standard error: the caller says it."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _separated(data: bytes, separator: str) -> pl.DataFrame:
    """Read separated values; types are told by the first rows, or by all where those mislead."""
    try:
        return pl.read_csv(data, separator=separator, infer_schema_length=_TYPED_BY)
    except pl.exceptions.ComputeError:
        return pl.read_csv(data, separator=separator, infer_schema_length=None)


def _json(path: str) -> Table:
    from benchlint.audit.data import simulator_arena, tau2, tau_bench

    try:
        value: Any = json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise AuditError(f"{path}: it is no JSON: {_short(error)}") from None
    name = _name(path)
    for reader in (tau2, tau_bench, simulator_arena):
        if reader.recognises(value):
            rows, notes = reader.rows(value, path, name)
            if not rows:
                raise AuditError(f"{path}: there is no run in it")
            return Table(_table(rows, path), name, tuple(notes))
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        return Table(_table(value, path), name)
    raise AuditError(f"{path}: it is no file of runs: neither results of tau2-bench or tau-bench nor a list of rows")


def _table(rows: list[dict[str, Any]], path: str) -> pl.DataFrame:
    try:
        return pl.DataFrame(rows, infer_schema_length=None, strict=False)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError) as error:
        raise AuditError(f"{path}: {_short(error)}") from None


def _name(path: str) -> str:
    place = Path(path)
    return place.resolve().parent.name if place.name == _RESULTS else place.stem


def _short(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__

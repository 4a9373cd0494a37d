"""Fields that a guard reads and that neither the database nor the tools have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchlint.guards.guard import Broken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.database import Database
    from benchlint.benchmark.model import Benchmark
    from benchlint.guards.expression import Expression
    from benchlint.guards.guard import Guard
    from benchlint.text.tree import Pointer

Path = tuple[str | None, ...]
Miss = tuple[int, list[str]]
"""The part of a path that no value has, and the names that are there."""

_SAMPLE = 50
_SIMILAR = 70


def unknown_fields(guard: Guard, benchmark: Benchmark, known: dict[Path, Miss | None]) -> Iterator[Broken]:
    """Yield the fields of records and the arguments of actions that a guard misspells.

    `known` keeps what was found out about paths, for the next guard.
    """
    for expression, pointer, offset in guard.expressions:
        if benchmark.database is not None:
            yield from _records(expression, pointer, offset, benchmark.database, known)
        yield from _arguments(guard, expression, pointer, offset, benchmark)


def _records(
    expression: Expression, pointer: Pointer, offset: int, database: Database, known: dict[Path, Miss | None]
) -> Iterator[Broken]:
    for access in expression.accesses:
        if access.optional:
            continue
        if access.path not in known:
            found = _miss(access.path, database.data, sample=True)
            known[access.path] = found and _miss(access.path, database.data, sample=False)
        miss = known[access.path]
        if miss is not None:
            at, names = miss
            name = access.path[at] or ""
            what = "the database has no collection" if at == 0 else f"no record of {access.path[0]} has a field"
            end = access.places[at][1]
            message = f'{what} "{name}"{_meant(name, names)}'
            yield Broken(pointer, (offset + end - len(name), offset + end), message)


def _miss(path: Path, data: Any, *, sample: bool) -> Miss | None:
    """Return the index of the first part that no value has, and the names that are there."""
    values: list[Any] = [data]
    for index, part in enumerate(path):
        inside = [value for value in values if isinstance(value, (dict, list))]
        if part is not None and not any(isinstance(value, dict) for value in inside):
            return None
        below: list[Any] = []
        for value in inside:
            if part is None or isinstance(value, list):
                below.extend(value.values() if isinstance(value, dict) else value)
            elif part in value:
                below.append(value[part])
        if part is not None and not below:
            return index, list(dict.fromkeys(key for value in inside[:_SAMPLE] for key in value))
        values = below[:: -(-len(below) // _SAMPLE)] if sample and len(below) > _SAMPLE else below
    return None


def _arguments(
    guard: Guard, expression: Expression, pointer: Pointer, offset: int, benchmark: Benchmark
) -> Iterator[Broken]:
    if benchmark.tools is None:
        return
    tools = [tool for tool in benchmark.tools.by_name.values() if tool.name in guard.text.tools]
    if not tools or any(tool.open for tool in tools):
        return
    known = list(dict.fromkeys(name for tool in tools for name in tool.parameters))
    for name, start, end, optional in expression.arguments:
        if name not in known and not optional:
            message = f'{" and ".join(guard.text.tools)} has no argument "{name}"{_meant(name, known)}'
            yield Broken(pointer, (offset + start, offset + end), message)


def _meant(name: str, known: list[str]) -> str:
    from rapidfuzz import fuzz, process

    found = process.extractOne(name, known, scorer=fuzz.ratio, score_cutoff=_SIMILAR)
    return f': did you mean "{found[0]}"?' if found else ""

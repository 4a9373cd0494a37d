"""What can stand at a place of an items file: expressions of guards, rules, tools, arguments, keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchlint.benchmark.item_entry import keys_at
from benchlint.checks.guarded import GUARDED
from benchlint.guards.continuations import About, continuations
from benchlint.lsp.completing import Offer, offered
from benchlint.lsp.guard_places import typing_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.analysis.run import Result
    from benchlint.benchmark.model import Benchmark, Tool
    from benchlint.lsp.completing import Offered
    from benchlint.lsp.guard_places import Typing
    from benchlint.text.document import Document

_KINDS: Final = ("obligation", "prohibition", "permission", "fact", "amount")


def items_completions(result: Result, document: Document, offset: int) -> Offered | None:
    """Return what can stand at an offset of an items file, which may be newer than the result."""
    typing = typing_at(result, document, offset)
    if typing is None:
        return None
    word = document.data[typing.start : offset].decode("utf-8", "replace")
    if typing.expression is not None:
        about = _about(typing)
        offers = [Offer(*item) for item in continuations(typing.expression, about)]
        return offered(offers, word, typing.start, typing.end, plain=True)
    return offered(_offers(typing), word, typing.start, typing.end, is_key=typing.is_key, plain=not typing.is_key)


def _about(typing: Typing) -> About:
    benchmark = typing.benchmark
    return About(
        own=_own_tools(typing),
        tools=_tools(benchmark),
        data=benchmark.database.data if benchmark.database is not None else None,
    )


def _tools(benchmark: Benchmark) -> Sequence[Tool]:
    return list(benchmark.tools.by_name.values()) if benchmark.tools is not None else []


def _own_tools(typing: Typing) -> Sequence[Tool]:
    """Return the tools that a guard looks at: its own, else those of its item."""
    names: Any = None
    for value in (typing.guard, typing.value):
        names = names or (value.get("tools") if isinstance(value, dict) else None)
    wanted = [names] if isinstance(names, str) else names if isinstance(names, list) else []
    return [tool for tool in _tools(typing.benchmark) if tool.name in wanted]


def _offers(typing: Typing) -> Iterator[Offer]:
    """Yield keys, and the values of those that have a choice."""
    if typing.is_key:
        there = typing.value
        for part in typing.pointer[:-1]:
            is_there = isinstance(there, dict) or (isinstance(there, list) and isinstance(part, int))
            there = (there.get(part) if isinstance(there, dict) else there[part]) if is_there else None
        known = set(there) if isinstance(there, dict) else set()
        for key in keys_at(typing.pointer[:-1]):
            if key not in known - {typing.pointer[-1]}:
                yield Offer(key, "field")
        return
    keys = [part for part in typing.pointer if isinstance(part, str)]
    key = keys[-1] if keys else ""
    if key == "rule":
        yield from (Offer(name, "enum") for name in GUARDED)
    elif key == "kind":
        yield from (Offer(name, "enum") for name in _KINDS)
    elif key == "tools":
        yield from (Offer(tool.name, "tool", tool.effect) for tool in _tools(typing.benchmark))
    elif key == "argument":
        for tool in _own_tools(typing):
            yield from (Offer(name, "field") for name in tool.parameters)

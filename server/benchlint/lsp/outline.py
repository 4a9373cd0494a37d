"""The outline of a file: its tasks with their expected actions, or the items of a policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchlint.text.locate import locate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.analysis.run import Result
    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.lsp.diagnostics import Bridge
    from benchlint.lsp.world import Json
    from benchlint.text.document import Document

_TASK: Final = 5
_CALL: Final = 6
_ITEM: Final = 15
_SHOWN: Final = 80


def outline(result: Result, path: str, bridge: Bridge) -> list[Json]:
    """Return the symbols of a file, the inner ones in the outer ones."""
    document = result.documents.get(path)
    if document is None:
        return []
    for benchmark in result.benchmarks:
        if any(source.document is document for source in benchmark.sources):
            return [_task(benchmark, task, bridge) for task in benchmark.tasks if task.slice.document is document]
        if benchmark.policy is not None and path in benchmark.policy.paths:
            return list(_items(benchmark, document, bridge))
    return []


def _task(benchmark: Benchmark, task: Task, bridge: Bridge) -> Json:
    piece = task.slice
    tree = benchmark.source_of(task).tree(piece.index)
    detail = next((item.text for item in (*task.purpose, *task.scenario, *task.behaviour)), "")
    where = [locate(tree, task.id_pointer) if task.id_pointer else (0, 0)]
    where += [locate(tree, call.name_pointer) for call in task.actions]
    bounds = [_bounds(tree.find(call.pointer), at) for call, at in zip(task.actions, where[1:], strict=True)]
    document = piece.document

    def span(at: tuple[int, int]) -> Json:
        return bridge.range(document, piece.start + at[0], piece.start + at[1])

    return {
        "name": task.id or f"task {piece.index + 1}",
        "detail": _clipped(detail),
        "kind": _TASK,
        "range": bridge.range(document, piece.start, piece.end),
        "selectionRange": span(where[0]),
        "children": [
            {"name": call.name or "?", "kind": _CALL, "range": span(around), "selectionRange": span(at)}
            for call, at, around in zip(task.actions, where[1:], bounds, strict=True)
        ],
    }


def _bounds(node: object, at: tuple[int, int]) -> tuple[int, int]:
    start, end = getattr(node, "start", at[0]), getattr(node, "end", at[1])
    return min(start, at[0]), max(end, at[1])


def _items(benchmark: Benchmark, document: Document, bridge: Bridge) -> Iterator[Json]:
    assert benchmark.policy is not None
    for item in benchmark.policy.items:
        if item.path == document.path:
            at = bridge.range(document, item.start, item.end)
            yield {
                "name": _clipped(item.text),
                "detail": item.kind,
                "kind": _ITEM,
                "range": at,
                "selectionRange": at,
            }


def flat(symbols: list[Json], uri: str) -> Iterator[Json]:
    """Yield symbols one by one, for clients that know no others."""
    for symbol in symbols:
        yield {"name": symbol["name"], "kind": symbol["kind"], "location": {"uri": uri, "range": symbol["range"]}}
        yield from flat(symbol.get("children", []), uri)


def _clipped(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"

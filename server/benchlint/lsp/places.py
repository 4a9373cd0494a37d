"""What stands at a place of a text: its task, and where in the task."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from benchlint.benchmark.loader import recut

if TYPE_CHECKING:
    from benchlint.analysis.run import Result
    from benchlint.benchmark.model import Benchmark
    from benchlint.text.document import Document
    from benchlint.text.slices import Sliced
    from benchlint.text.tree import Node, Pointer, Tree


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a task.

    `pointer` leads from the task to the value, or to the value of the key, at
    the place; `part` tells which of the two it is. `node` is what stands
    there, None where nothing does; its offsets count from `base`, as those of
    `tree` do. A key that is only begun has the pointer of its object and "".
    """

    benchmark: Benchmark
    tree: Tree
    base: int
    pointer: Pointer
    part: Literal["key", "value"]
    node: Node | None


def earlier_offset(now: Document, then: Document, offset: int) -> int | None:
    """Return where an offset was in an earlier text; None where it was not there."""
    if now is then:
        return offset
    change = now.change_since(then)
    if change is None:
        return None
    start, old_end, new_end = change
    if offset < start:
        return offset
    return offset - new_end + old_end if offset >= new_end else None


def spot_at(result: Result, document: Document, offset: int) -> Spot | None:
    """Return what stands at an offset of a text, which may be newer than the result."""
    found = _source(result, document.path)
    if found is None:
        return None
    benchmark, source = found
    sliced = recut(source, document) if source.document is not document else source
    index = bisect_right([piece.start for piece in sliced.slices], offset) - 1
    if index < 0 or offset > sliced.slices[index].end:
        return None
    piece = sliced.slices[index]
    tree = sliced.tree(index)
    pointer, part, node = descend(tree.root, offset - piece.start)
    return Spot(benchmark, tree, piece.start, pointer, part, node)


def _source(result: Result, path: str) -> tuple[Benchmark, Sliced] | None:
    for benchmark in result.benchmarks:
        for source in benchmark.sources:
            if source.document.path == path:
                return benchmark, source
    return None


def descend(node: Node, at: int) -> tuple[Pointer, Literal["key", "value"], Node | None]:
    """Return the pointer to what stands at an offset of a tree, whether it is a key, and its node. See `Spot`."""
    pointer: Pointer = ()
    while True:
        inside: Node | None = None
        if node.kind == "object":
            before: tuple[Pointer, Node] | None = None
            for key, value in node.entries:
                name = key.key or ""
                if key.start <= at <= key.end:
                    return (*pointer, name), "key", key
                if value.start <= at <= value.end and (value.kind != "unknown" or value.start > key.end):
                    inside, step = value, name
                elif key.end < at and value.kind == "unknown":
                    before = (*pointer, name), value
                elif key.end < at:
                    before = None
            if inside is None:
                if before is not None:
                    return before[0], "value", before[1]
                return (*pointer, ""), "key", None
            pointer = (*pointer, step)
        elif node.kind == "array":
            for index, item in enumerate(node.items):
                if item.start <= at <= item.end:
                    inside = item
                    pointer = (*pointer, index)
                    break
            if inside is None:
                return (*pointer, len(node.items)), "value", None
        else:
            return pointer, "value", node
        node = inside

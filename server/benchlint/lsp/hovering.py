"""What is shown when the pointer rests on a place: its findings, its tool, its policy item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchlint.lsp.items_hovering import guards_at, guards_of
from benchlint.lsp.places import earlier_offset, spot_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchlint.analysis.run import Result
    from benchlint.benchmark.model import Benchmark, PolicyItem, Tool
    from benchlint.catalogue.finding import Finding
    from benchlint.lsp.coverage import Counts
    from benchlint.lsp.world import Linted
    from benchlint.text.document import Document

_NAMES = ("name", "func_name")

_READERS = {"judge": "a judge", "panel": "a panel of judges", "offline": "the offline reader"}


def hover(
    linted: Linted,
    document: Document,
    offset: int,
    coverage: Callable[[Benchmark], Counts | None] = lambda _: None,
) -> tuple[str, tuple[int, int] | None] | None:
    """Return Markdown for an offset of a text, and the range in the text that it speaks of.

    What was found last is shown, without waiting for what is being found;
    `coverage` returns what is known of the items that tasks challenge.
    """
    known = linted.found.get(document.path)
    if known is None:
        return None
    result, findings = known
    then = result.documents[document.path]
    at = earlier_offset(document, then, offset)
    parts: list[str] = []
    span: tuple[int, int] | None = None
    for finding in findings if at is not None else ():
        start, end = _range(result, finding)
        if at is not None and start <= at <= max(end, start):
            parts.append("\n\n".join(_told(result, finding, coverage)))
            span = (start + offset - at, max(end, start) + offset - at)
    guards = guards_at(result, document.path, at) if at is not None else None
    if guards is not None:
        parts.append(guards)
    for text in _beside(result, document, at, offset, coverage):
        parts.append(text)  # noqa: PERF402
    return ("\n\n---\n\n".join(parts), span) if parts else None


def _range(result: Result, finding: Finding) -> tuple[int, int]:
    anchor = finding.anchor
    base = result.slices[anchor.path][anchor.slice] if anchor.slice is not None else 0
    first = result.documents[anchor.path].bom
    return max(base + anchor.start, first), max(base + anchor.end, first)


def _told(result: Result, finding: Finding, coverage: Callable[[Benchmark], Counts | None]) -> Iterator[str]:
    """Yield the rule and the policy items; of a reader its reason too. A check's message is what the editor shows."""
    rule = result.rules.get(finding.rule)
    reader = _READERS.get(finding.found_by)
    by = f", read by {reader}" if reader is not None else ""
    yield f"**{finding.rule}** ({finding.severity.label}{by})" + (f": {finding.message}" if reader is not None else "")
    if rule is not None and rule.summary:
        yield rule.summary
    for benchmark, item in _items(result, finding):
        counts = coverage(benchmark)
        yield f"> {item.text}" + (f"\n\n{counts.of(item.id)}" if counts is not None and item.kind != "fact" else "")


def _items(result: Result, finding: Finding) -> Iterator[tuple[Benchmark, PolicyItem]]:
    for benchmark in result.benchmarks if finding.policy_items else ():
        if benchmark.name == finding.benchmark and benchmark.policy is not None:
            yield from ((benchmark, item) for item in benchmark.policy.items if item.id in finding.policy_items)


def _beside(
    result: Result,
    document: Document,
    at: int | None,
    offset: int,
    coverage: Callable[[Benchmark], Counts | None],
) -> Iterator[str]:
    """Yield what is known of a tool's name, or of an item of the policy."""
    tool = _tool(result, document, offset)
    if tool is not None:
        parameters = ", ".join(f"{item.name}{'' if item.required else '?'}" for item in tool.parameters.values())
        yield f"`{tool.name}({parameters})` ({tool.effect})" + (f"\n\n{tool.description}" if tool.description else "")
    for benchmark in result.benchmarks:
        policy = benchmark.policy
        if policy is None or document.path not in policy.paths or at is None:
            continue
        for item in policy.items:
            if item.path == document.path and item.start <= at <= item.end:
                yield f"**{item.kind}** · {' › '.join(item.headings)}" if item.headings else f"**{item.kind}**"
                counts = coverage(benchmark) if item.kind != "fact" else None
                if counts is not None:
                    yield str(counts.of(item.id))
                yield from guards_of(result, item)
                return


def _tool(result: Result, document: Document, offset: int) -> Tool | None:
    spot = spot_at(result, document, offset)
    if spot is None or spot.part != "value" or not spot.pointer or spot.pointer[-1] not in _NAMES:
        return None
    tools = spot.benchmark.tools
    if tools is None or spot.node is None or spot.node.kind != "string":
        return None
    name = spot.tree.decode(spot.node).text
    return tools.get("assistant", name) or tools.get("user", name)

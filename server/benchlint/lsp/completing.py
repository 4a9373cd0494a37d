"""What can stand at a place: tools, arguments, values, ids of the database, fields of the format."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from benchlint.benchmark.shape import Either, ListOf, OneOf, Optional, Record
from benchlint.benchmark.sniff import LANGUAGES
from benchlint.lsp.guard_places import items_file
from benchlint.lsp.places import spot_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchlint.analysis.run import Result
    from benchlint.benchmark.model import Benchmark, Requestor, Tool
    from benchlint.benchmark.shape import Shape
    from benchlint.lsp.places import Spot
    from benchlint.lsp.session import Session
    from benchlint.text.document import Document
    from benchlint.text.tree import Node, Pointer

MOST: Final = 200
"""How many entries are offered at once; more come as more is typed."""

_NAMES: Final = ("name", "func_name")
_ARGUMENTS: Final = ("arguments", "kwargs")
_SIDES: Final = ("requestor", "env_type")
_KINDS: Final = {"tool": 3, "function": 3, "field": 5, "variable": 6, "value": 12, "enum": 20, "id": 18}


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that can stand at a place: the value, or the name of a key."""

    value: Any
    kind: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Offered:
    """What is offered, and the range of the text that it takes the place of.

    `complete` is False where more is known than is offered. In an expression
    offers are written `plain`, as they are.
    """

    offers: tuple[Offer, ...]
    start: int
    end: int
    is_key: bool
    complete: bool
    plain: bool = False


def completions(result: Result, document: Document, offset: int) -> Offered | None:
    """Return what can stand at an offset of a text, which may be newer than the result."""
    if items_file(result, document.path) is not None:
        from benchlint.lsp.items_completing import items_completions

        return items_completions(result, document, offset)
    spot = spot_at(result, document, offset)
    if spot is None:
        return None
    typed, start, end = _typed(spot, offset)
    return offered(_offers(spot), typed, start, end, is_key=spot.part == "key")


def offered(
    offers: Iterable[Offer], typed: str, start: int, end: int, *, is_key: bool = False, plain: bool = False
) -> Offered | None:
    """Return the offers that fit what is typed, each once; None where there are none."""
    fitting = [item for item in offers if _fits(item, typed)]
    unique = list({json.dumps(item.value): item for item in fitting}.values())
    return Offered(tuple(unique[:MOST]), start, end, is_key, len(unique) <= MOST, plain) if unique else None


def _typed(spot: Spot, offset: int) -> tuple[str, int, int]:
    """Return what is typed before an offset of a value or key, and the range of all of it."""
    node = spot.node
    if node is None or node.kind not in ("string", "scalar"):
        return "", offset, offset
    start, end = spot.base + node.start, spot.base + node.end
    text = spot.tree.data[node.start : max(node.start, offset - spot.base)].decode("utf-8", "replace")
    return text.lstrip("\"'"), start, end


def _fits(item: Offer, typed: str) -> bool:
    text = item.value if isinstance(item.value, str) else json.dumps(item.value)
    return text.lower().startswith(typed.lower()) or typed.lower() in text.lower()


def _offers(spot: Spot) -> Iterator[Offer]:
    pointer, benchmark = spot.pointer, spot.benchmark
    at = next((index for index, part in enumerate(pointer) if part in _ARGUMENTS and index), None)
    if at is not None and at < len(pointer) - 1:
        tool = _tool(spot, pointer[:at])
        if tool is not None:
            yield from _arguments(spot, tool, pointer[at + 1 :], pointer[: at + 1])
        return
    if spot.part == "value" and len(pointer) > 2 and pointer[-1] in _NAMES and isinstance(pointer[-2], int):
        side = _side(spot, pointer[:-1])
        tools = benchmark.tools
        for name in tools.names(side) if tools is not None else ():
            known = tools.get(side, name) if tools is not None else None
            yield Offer(name, "tool", known.effect if known else "")
        return
    yield from _shaped(spot)


def _arguments(spot: Spot, tool: Tool, pointer: Pointer, arguments: Pointer) -> Iterator[Offer]:
    if spot.part == "key":
        if len(pointer) == 1:
            known = _keys(spot.tree.find(arguments))
            for parameter in tool.parameters.values():
                if parameter.name not in known - {pointer[0]}:
                    yield Offer(parameter.name, "field", "required" if parameter.required else "")
        return
    found = tool.parameters.get(str(pointer[0]))
    if found is None:
        return
    schema: Any = found.schema
    for part in pointer[1:]:
        schema = schema.get("items") if isinstance(part, int) else (schema.get("properties") or {}).get(part)
        if not isinstance(schema, dict):
            schema = {}
    for value in schema.get("enum") or ():
        yield Offer(value, "enum")
    if schema.get("type") == "boolean":
        yield from (Offer(value, "value") for value in (True, False))
    name = next((str(part) for part in reversed(pointer) if isinstance(part, str)), "")
    yield from _ids(spot.benchmark, tool, name)


def _ids(benchmark: Benchmark, tool: Tool, argument: str) -> Iterator[Offer]:
    """Yield the ids of the collection that an argument names."""
    if benchmark.database is None:
        return
    from benchlint.checks.entities import digest, learn

    links = learn([digest(task, benchmark) for task in benchmark.tasks], benchmark)
    link = links.of(tool.name, argument)
    if link is None:
        return
    collection = benchmark.database.collections()[link.collections[0]]
    for identifier in collection.records:
        yield Offer(identifier, "id", collection.kind)


def _shaped(spot: Spot) -> Iterator[Offer]:
    """Yield the fields, or the values, that the format allows."""
    shape = _shape_at(_task_shape(spot.benchmark), spot.pointer[:-1] if spot.part == "key" else spot.pointer)
    if spot.part == "key" and isinstance(shape, Record):
        known = _keys(spot.tree.find(spot.pointer[:-1]))
        for name in shape.fields:
            if name not in known - {spot.pointer[-1]}:
                yield Offer(name, "field", "required" if name in shape.required else "")
    elif spot.part == "value" and isinstance(shape, OneOf):
        yield from (Offer(value, "enum") for value in shape.values)


def _task_shape(benchmark: Benchmark) -> Shape | None:
    from benchlint.benchmark.formats.registry import NAMES, by_name

    return getattr(by_name(benchmark.format), "TASK", None) if benchmark.format in NAMES else None


def _shape_at(shape: Shape | None, pointer: Pointer) -> Shape | None:
    shape = _plain(shape)
    for part in pointer:
        if isinstance(shape, Record) and isinstance(part, str):
            shape = shape.fields.get(part)
        elif isinstance(shape, ListOf) and isinstance(part, int):
            shape = shape.item
        else:
            return None
        shape = _plain(shape)
    return shape


def _plain(shape: Shape | None) -> Shape | None:
    while isinstance(shape, (Optional, Either)):
        shape = shape.shape
    return shape


def _tool(spot: Spot, call: Pointer) -> Tool | None:
    tools = spot.benchmark.tools
    if tools is None:
        return None
    named = (_text(spot, (*call, key)) for key in _NAMES)
    name = next((text for text in named if text), "")
    side = _side(spot, call)
    return tools.get(side, name) or tools.get("user" if side == "assistant" else "assistant", name)


def _side(spot: Spot, call: Pointer) -> Requestor:
    return "user" if any(_text(spot, (*call, key)) == "user" for key in _SIDES) else "assistant"


def _text(spot: Spot, pointer: Pointer) -> str:
    node = spot.tree.find(pointer)
    return spot.tree.decode(node).text if node is not None and node.kind == "string" else ""


def _keys(node: Node | None) -> set[Any]:
    return {key.key for key, _ in node.entries} if node is not None and node.kind == "object" else set()


def written(offer: Offer, *, language: str, is_key: bool, follows: bytes) -> str:
    """Write an offer in the syntax of its file; a key brings its colon, unless it has one."""
    value = offer.value
    if language == "yaml" and isinstance(value, str):
        from benchlint.text.yaml_strings import encode_yaml

        text = encode_yaml(value, b"")
    elif language == "python":
        text = repr(value)
    else:
        text = json.dumps(value, ensure_ascii=False)
    return f"{text}: " if is_key and not follows.lstrip().startswith(b":") else text


def complete(session: Session, document: Document, offset: int) -> dict[str, Any] | None:
    """Return the protocol's list of what can stand at an offset of an open text."""
    known = session.findings(document.path)
    found = completions(known[0], document, offset) if known is not None else None
    if found is None:
        return None
    language = LANGUAGES.get(PurePath(document.path).suffix.lower(), "json")
    at = session.bridge.range(document, found.start, found.end)
    follows = document.data[found.end : found.end + 20]
    items = []
    for item in found.offers:
        text = written(item, language=language, is_key=found.is_key, follows=follows)
        text = str(item.value) if found.plain else text
        label = item.value if isinstance(item.value, str) else json.dumps(item.value)
        replaced = document.data[found.start : found.end].decode("utf-8", "replace")
        entry = {"label": label, "kind": _KINDS[item.kind], "textEdit": {"range": at, "newText": text}}
        entry["filterText"] = text if replaced[:1] in ("", '"', "'") else label
        if item.detail:
            entry["detail"] = item.detail
        items.append(entry)
    return {"isIncomplete": not found.complete, "items": items}

"""Import of ToolGuard specifications: policy items of one tool, with references and examples in words."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from benchlint.benchmark.items import ItemsFile
from benchlint.benchmark.policy_items import item_id
from benchlint.benchmark.policy_kind import kind_of
from benchlint.text.document import Document
from benchlint.text.yaml_strings import encode_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator


def add_toolguard(text: str, specification: Document, path: str) -> tuple[str, int]:
    """Return the text of an items file with the items of a specification, and how many are new.

    An item whose first reference or name an entry has already is left out.
    Raises Unreadable where the file is no specification.
    """
    from benchlint.benchmark.loader import Unreadable

    try:
        value = json.loads(specification.data.decode("utf-8-sig"))
    except ValueError as error:
        raise Unreadable(specification.path, f"the file is no JSON: {error}") from None
    except RecursionError:
        raise Unreadable(specification.path, "the values nest too deep to be read") from None
    found = list(_items(value, PurePath(specification.path).stem))
    if not found:
        raise Unreadable(specification.path, "the file is no ToolGuard specification: there are no policy_items in it")
    file = ItemsFile(Document(path, text.encode("utf-8", "replace")))
    known = {entry.id for entry in file.entries} | {entry.text for entry in file.entries}
    parts = []
    for tool, item in found:
        references = [str(reference) for reference in item.get("references") or []]
        words = " ".join((references[0] if references else str(item.get("description", ""))).split())
        if not words or words in known or item_id(words) in known:
            continue
        known |= {words, item_id(words)}
        parts.append(_entry(tool, item, words))
    return text + "".join(parts), len(parts)


def _items(value: Any, tool: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    for part in value if isinstance(value, list) else [value]:
        if isinstance(part, dict):
            name = str(part.get("tool_name") or tool)
            listed = part.get("policy_items") or part.get("policies")
            for item in listed if isinstance(listed, list) else ():
                if isinstance(item, dict) and not item.get("skip"):
                    yield name, item


def _entry(tool: str, item: dict[str, Any], words: str) -> str:
    lines = [f"- id: {item_id(words)}", f"  text: {encode_yaml(words)}", f"  kind: {kind_of(words)}"]
    if tool:
        lines.append(f"  tools: [{tool}]")
    description = " ".join(str(item.get("description", "")).split())
    if description and description != words:
        lines.append(f"  note: {encode_yaml(description)}")
    lines.append("  origin: toolguard")
    for key in ("compliance", "violation"):
        listed = item.get(f"{key}_examples") or (item.get("violating_examples") if key == "violation" else None)
        examples = [" ".join(str(example).split()) for example in listed or []]
        if examples:
            lines += [f"  {key}:", *(f"  - {encode_yaml(example)}" for example in examples)]
    return "\n".join(lines) + "\n"

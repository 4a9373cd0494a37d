"""A small benchmark on the disk, and clients of a server that lints it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.analysis.conftest import TOOLS, task
from tests.lsp.wire import Client

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def written(*tasks: dict[str, Any]) -> str:
    return json.dumps(tasks, indent=2, ensure_ascii=False) + "\n"


def broken(number: int, **more: Any) -> dict[str, Any]:
    """Return a task that calls a tool by a slip of the keys, in a line with accents and an emoji before it."""
    item = task(number, "bok_visit", **more)
    action = item["evaluation_criteria"]["actions"][0]
    item["evaluation_criteria"]["actions"] = [{"info": "é 🎈 ünd", **action}]
    return item


def inline(text: str) -> str:
    """Write each action on one line, so that something stands before its faults."""
    values = json.loads(text)
    parts = [json.dumps(value, ensure_ascii=False) for value in values]
    return "[\n" + ",\n".join(parts) + "\n]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A benchmark with tools; the tasks are the test's."""
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS), encoding="utf-8")
    return tmp_path


@pytest.fixture
def client() -> Iterator[Callable[..., Client]]:
    """Start servers; whatever they write to stderr fails the test."""
    started: list[Client] = []

    def start(*arguments: str, **options: Any) -> Client:
        started.append(Client(*arguments, **options))
        return started[-1]

    yield start
    for item in started:
        item.stop()


def codes(diagnostics: list[dict[str, Any]]) -> list[str]:
    return sorted(item["code"] for item in diagnostics)


def applied(text: str, edits: list[dict[str, Any]], unit: str = "utf-16") -> str:
    """Apply text edits as a client does, from the last to the first."""
    width = {"utf-8": 1, "utf-16": 2}[unit]
    name = {"utf-8": "utf-8", "utf-16": "utf-16-le"}[unit]
    lines = text.split("\n")

    def offset(position: dict[str, int]) -> int:
        line = lines[position["line"]].encode(name)[: position["character"] * width].decode(name)
        return sum(len(item) + 1 for item in lines[: position["line"]]) + len(line)

    places = [(offset(edit["range"]["start"]), offset(edit["range"]["end"]), edit["newText"]) for edit in edits]
    for start, end, new in sorted(places, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def actions(
    client: Client, uri: str, diagnostic: dict[str, Any], only: list[str] | None = None
) -> list[dict[str, Any]]:
    context: dict[str, Any] = {"diagnostics": [diagnostic]}
    if only:
        context["only"] = only
    params = {"textDocument": {"uri": uri}, "range": diagnostic["range"], "context": context}
    return client.request("textDocument/codeAction", params)

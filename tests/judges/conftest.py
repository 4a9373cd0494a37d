from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.judges.endpoint import Endpoint

from benchlint.analysis.snapshot import Snapshot
from benchlint.benchmark.discovery import discover
from benchlint.benchmark.loader import load
from benchlint.catalogue.finding import Severity
from benchlint.catalogue.rule import Rule
from benchlint.judges import llm
from benchlint.judges.llm import LiteLLMModel, ModelOptions
from benchlint.judges.prompt import Asked, ask
from benchlint.judges.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from benchlint.benchmark.model import Benchmark

POLICY = """# Library

## Loans
- The agent must ask for the member id before lending a book.
- A member may have at most three loans.
- The agent must list the details and obtain explicit confirmation before it changes a loan.

## Fines
- A late return costs 2 euros.
"""
TOOLS = [
    {"name": "find_member", "description": "Find a member.", "effect": "read", "parameters": {
        "type": "object", "properties": {"name": {"type": "string"}, "city": {"type": "string"}}}},
    {"name": "get_member", "description": "Look up a member.", "effect": "read", "parameters": {
        "type": "object", "properties": {"member_id": {"type": "string"}}, "required": ["member_id"]}},
    {"name": "lend_book", "description": "Lend a book.", "effect": "write", "parameters": {
        "type": "object", "properties": {"member_id": {"type": "string"}, "book_id": {"type": "string"}}}},
]  # fmt: skip
DATABASE = {
    "members": {f"m{n}": {"member_id": f"m{n}", "name": f"Name {n}", "city": "Uppsala", "loans": [f"b{n}"]}
                for n in range(1, 31)},
    "books": {f"b{n}": {"book_id": f"b{n}", "title": f"Title {n}"} for n in range(1, 31)},
}  # fmt: skip


def task(number: int) -> dict:
    return {
        "id": f"t{number}",
        "description": {"purpose": f"Checks loan {number}."},
        "user_scenario": {"instructions": f"You are member m{number} and want to borrow the book b{number}."},
        "evaluation_criteria": {
            "actions": [
                {"name": "get_member", "arguments": {"member_id": f"m{number}"}},
                {"name": "lend_book", "arguments": {"member_id": f"m{number}", "book_id": f"b{number}"}},
            ],
            "nl_assertions": [f"The agent lends b{number} after the user has said yes."],
        },
    }


def write_benchmark(folder: Path, tasks: list[dict], policy: str = POLICY, database: dict = DATABASE) -> Benchmark:
    """Write a benchmark to a folder and load it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tasks.json").write_text(json.dumps(tasks, indent=1), encoding="utf-8")
    (folder / "policy.md").write_text(policy, encoding="utf-8")
    (folder / "tools.json").write_text(json.dumps(TOOLS), encoding="utf-8")
    (folder / "db.json").write_text(json.dumps(database), encoding="utf-8")
    return load(discover([str(folder)]).layouts[0], Snapshot().read)


def rule(name: str, metric: str, rubric: str = "Look for it.") -> Rule:
    page = f"## What it finds\n\nX.\n\n## Rubric\n\n{rubric}\n"
    return Rule(name, "behaviour", Severity.WARNING, ("judge",), page, metric=metric)


RULES = [
    rule("missing-confirmation", "policy_alignment", "A change without a yes."),
    rule("forbidden-action", "policy_alignment", "An action that the policy forbids."),
    rule("unmet-request", "description_alignment", "A part of the request that nobody serves."),
    rule("ambiguous-instruction", "ambiguity", "An open decision."),
    rule("missing-fallback", "ambiguity", "Nothing says what comes after a refusal."),
    rule("contradictory-policy", "contradictions", "Two items that cannot both hold."),
]


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    return write_benchmark(tmp_path / "library", [task(number) for number in range(1, 21)])


@pytest.fixture
def asked(benchmark: Benchmark) -> dict[str, Asked]:
    """One request a metric, about the first task."""
    return {item.request.metric: item for item in ask(benchmark, RULES, tasks=benchmark.tasks[:1])}


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setattr(llm, "_works", {})
    monkeypatch.setattr(llm, "_refuses", {})
    with Endpoint() as server:
        yield server


@pytest.fixture
def session(endpoint: Endpoint) -> Iterator[Callable[..., Session]]:
    """Make sessions of a model behind the endpoint."""
    made: list[Session] = []

    def make(store=None, purse=None, **options) -> Session:
        chosen = {"model": "openai/judge", "base_url": endpoint.url, "timeout": 20.0, "backoff": 0.001} | options
        made.append(Session(LiteLLMModel(ModelOptions(**chosen)), store, purse))
        return made[-1]

    yield make
    for item in made:
        item.close()

"""Commands run as a user runs them, with judges behind a loopback endpoint."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from tests.judges import conftest
from tests.judges.conftest import write_benchmark
from tests.judges.endpoint import Call, Endpoint, answer
from typer.testing import CliRunner, Result

from benchlint.cli.app import app
from benchlint.judges import llm

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEYS = [name for name in os.environ if name.endswith("_API_KEY")]
CONFIG = """\
[judge]
models = "openai/judge"
base-url = "{url}"
share = ["task", "policy", "records"]
"""
PER_TASK = ("description_alignment", "policy_alignment", "violations", "ambiguity")


@pytest.fixture(autouse=True)
def cache_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the user's own cache of verdicts out of the tests."""
    home = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    return home


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setattr(llm, "_works", {})
    monkeypatch.setattr(llm, "_refuses", {})
    for name in KEYS:
        monkeypatch.delenv(name)
    with Endpoint() as server:
        yield server


@pytest.fixture
def library(tmp_path: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A benchmark of four tasks whose configuration names the endpoint; the working folder."""
    write_benchmark(tmp_path / "library", [task(number) for number in range(1, 5)])
    (tmp_path / "library" / "benchlint.toml").write_text(CONFIG.format(url=endpoint.url))
    monkeypatch.chdir(tmp_path / "library")
    return tmp_path / "library"


def task(number: int) -> dict:
    """Return a task in which checks find nothing."""
    found = conftest.task(number)
    criteria = found["evaluation_criteria"]
    for index, action in enumerate(criteria["actions"]):
        action["action_id"] = f"{number}_{index}"
    return found | {"evaluation_criteria": criteria | {"reward_basis": ["DB", "NL_ASSERTION"]}}


def benchlint_(arguments: str, code: int | None = 0) -> Result:
    """Run a command; check its exit code."""
    env = {"NO_COLOR": "1", "COLUMNS": "100", "BENCHLINT_DEBUG": ""}
    result = CliRunner().invoke(app, arguments.split(), env=env, prog_name="benchlint")
    shown = f"$ benchlint {arguments}\n{result.stdout}{result.stderr}"
    assert "Traceback" not in shown
    assert "crashed" not in shown
    if code is not None:
        assert result.exit_code == code, shown
    return result


def asked(endpoint: Endpoint) -> Counter[str]:
    """Return how many calls came on each metric, and forget them."""
    counts = Counter(call.metric for call in endpoint.calls)
    endpoint.calls.clear()
    return counts


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def without_confirmation(call: Call) -> str:
    """A judge that faults the loan in the first task."""
    text = answer(call)
    if call.metric == "policy_alignment" and "member m1 " in call.user:
        fault = {"rule": "missing-confirmation", "part": 4, "quote": "lend_book", "policy_items": [3]}
        fault |= {"reason": "The loan comes without a yes.", "confidence": 0.9, "rewrite": None}
        text = answer(call, score=3, findings=[fault])
    return text

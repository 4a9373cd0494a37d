"""`benchlint replay` on tau2's own domains, without its cache."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.measure import BIN, SHARED, Budget, process

if TYPE_CHECKING:
    from collections.abc import Iterator

PYTHON = Path(".replay-venv/bin/python")
SECONDS = 10.0
DOMAINS = ("retail", "airline")


def budgets() -> Iterator[Budget]:
    """Measure whole processes."""
    for domain in DOMAINS:
        tasks = SHARED / "tau2" / domain / "tasks.json"
        if not PYTHON.exists() or not tasks.exists():
            print(f"skipped replay of {domain}: the shared data or .replay-venv is not here")
            continue
        command = [str(BIN / "benchlint"), "replay", str(tasks), "--environment", f"tau2:{domain}"]
        run = process([*command, "--python", str(PYTHON), "--no-cache"], rounds=2)
        yield Budget(f"replay {domain}", run.seconds, SECONDS, "s")

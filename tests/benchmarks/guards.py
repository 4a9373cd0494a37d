"""Guards: what both guard sets add to their tasks, and twenty guards over the actions of telecom."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from tests.benchmarks.measure import SHARED, Budget

from benchlint.analysis.snapshot import Snapshot
from benchlint.benchmark.discovery import discover
from benchlint.benchmark.loader import load
from benchlint.guards.guard_set import GuardSet
from benchlint.guards.library import cel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Benchmark

SETS = Path("fixtures/guards")
COUNT = 20


def budgets() -> Iterator[Budget]:
    """Measure in this process, after the imports; the fastest of three."""
    if not (SHARED / "tau2").is_dir():
        return
    cel()
    two = [_read(SHARED / "tau2" / name / "tasks.json", SETS / f"{name}.items.yaml") for name in ("airline", "retail")]
    yield Budget("guards of airline and retail over their tasks", min(_seconds(two) for _ in range(3)), 0.3, "s")
    with tempfile.TemporaryDirectory() as folder:
        items = Path(folder, "telecom.items.yaml")
        telecom = _read(SHARED / "tau2" / "telecom" / "tasks_full.json", items)
        names = sorted({call.name for task in telecom.tasks for call in task.actions})
        items.write_text("items:\n" + "".join(_generated(number, names) for number in range(COUNT)))
        telecom = _read(SHARED / "tau2" / "telecom" / "tasks_full.json", items)
        actions = sum(len(task.actions) for task in telecom.tasks)
        yield Budget(f"{COUNT} guards over {actions} actions", min(_seconds([telecom]) for _ in range(3)), 3, "s")


def _generated(number: int, names: list[str]) -> str:
    """Write a guard that looks at every action and asks something of it."""
    return (
        f"- id: item-{number}\n  guard:\n    tools: [{', '.join(names)}]\n"
        f'    violated: size(action.arguments) > 3 && action.name == "tool_{number}" || size(before) > {100 + number}\n'
        f'    message: "{{action.name}}"\n'
    )


def _read(tasks: Path, items: Path) -> Benchmark:
    (layout,) = discover([str(tasks)]).layouts
    benchmark = load(replace(layout, items=(str(items),)), lambda path: Snapshot().read(path, 10**9))
    _ = (
        benchmark.policy and benchmark.policy.items,
        benchmark.tools,
        benchmark.database,
        items.exists() and benchmark.items,
    )
    if benchmark.database is not None:
        _ = benchmark.database.collections()
    return benchmark


def _seconds(benchmarks: list[Benchmark]) -> float:
    """Return how long compiling and asking takes."""
    started = time.perf_counter()
    for benchmark in benchmarks:
        guards = GuardSet(benchmark)
        for task in benchmark.tasks:
            list(guards.check(task))
    return time.perf_counter() - started

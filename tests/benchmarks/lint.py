"""`benchlint lint` beside check-jsonschema on the same files, in the same run."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.measure import BIN, SHARED, Budget, process

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES = {
    "telecom, 14 MB": SHARED / "tau2/telecom/tasks_full.json",
    "retail, 330 kB": SHARED / "tau2/retail/tasks.json",
}
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["id", "user_scenario"],
        "properties": {
            "id": {"type": "string"},
            "user_scenario": {"type": "object", "required": ["instructions"]},
            "evaluation_criteria": {
                "type": ["object", "null"],
                "properties": {
                    "actions": {
                        "type": ["array", "null"],
                        "items": {"type": "object", "required": ["name", "arguments"]},
                    }
                },
            },
        },
    },
}
MEMORY_MIB = 250
START_SECONDS = 0.15


def budgets() -> Iterator[Budget]:
    """Measure linting, memory and start-up."""
    benchlint = str(BIN / "benchlint")
    for name, arguments in (("--version", ["--version"]), ("explain", ["explain", "unknown-entity"])):
        run = process([benchlint, *arguments], rounds=10)
        yield Budget(f"benchlint {name}", run.seconds, START_SECONDS, "s")
    with tempfile.TemporaryDirectory() as folder:
        schema = Path(folder) / "schema.json"
        schema.write_text(json.dumps(SCHEMA))
        for name, path in FILES.items():
            if not path.exists():
                print(f"skipped {name}: the shared data is not here")
                continue
            peer = process([str(BIN / "check-jsonschema"), "--schemafile", str(schema), str(path)])
            ours = process([benchlint, "lint", "--no-cache", str(path)])
            print(f"{name}: benchlint {ours.seconds:.3f} s, check-jsonschema {peer.seconds:.3f} s")
            yield Budget(f"{name}: benchlint / check-jsonschema", ours.seconds / peer.seconds, 1.0, "x")
            yield Budget(f"{name}: peak memory", ours.peak_mib, MEMORY_MIB, "MiB")

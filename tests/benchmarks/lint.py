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
CALL = {
    "type": "object",
    "required": ["env_type", "func_name", "arguments"],
    "properties": {
        "env_type": {"enum": ["assistant", "user"]},
        "func_name": {"type": "string"},
        "arguments": {"type": "object"},
    },
}
ACTION = {
    "type": "object",
    "required": ["action_id", "name", "arguments"],
    "properties": {
        "name": {"type": "string"},
        "arguments": {"type": "object"},
        "requestor": {"enum": ["assistant", "user"]},
    },
}
CRITERIA = {
    "type": ["object", "null"],
    "properties": {
        "actions": {"type": ["array", "null"], "items": ACTION},
        "env_assertions": {"type": ["array", "null"], "items": CALL},
        "reward_basis": {
            "type": "array",
            "items": {"enum": ["DB", "ENV_ASSERTION", "NL_ASSERTION", "ACTION", "COMMUNICATE"]},
        },
    },
}
STATE = {
    "type": ["object", "null"],
    "properties": {"initialization_actions": {"type": ["array", "null"], "items": CALL}},
}
TASK = {
    "type": "object",
    "required": ["id", "user_scenario"],
    "properties": {
        "id": {"type": "string"},
        "user_scenario": {"type": "object", "required": ["instructions"]},
        "initial_state": STATE,
        "evaluation_criteria": CRITERIA,
    },
}
SCHEMAS = {
    "a schema of two fields": {"type": "array", "items": {"type": "object", "required": ["id", "user_scenario"]}},
    "a small schema of calls and criteria": {"type": "array", "items": TASK},
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
        for name, path in FILES.items():
            if not path.exists():
                print(f"skipped {name}: the shared data is not here")
                continue
            ours = process([benchlint, "lint", "--no-cache", str(path)])
            print(f"{name}: benchlint {ours.seconds:.3f} s")
            for title, schema in SCHEMAS.items():
                file = Path(folder) / "schema.json"
                file.write_text(json.dumps(schema))
                peer = process([str(BIN / "check-jsonschema"), "--schemafile", str(file), str(path)])
                print(f"{name}: check-jsonschema with {title} {peer.seconds:.3f} s")
            yield Budget(f"{name}: benchlint / check-jsonschema ({title})", ours.seconds / peer.seconds, 1.0, "x")
            yield Budget(f"{name}: peak memory", ours.peak_mib, MEMORY_MIB, "MiB")

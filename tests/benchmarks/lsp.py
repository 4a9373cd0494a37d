"""`benchlint serve` beside the JSON server of VS Code: opening a file, and typing in its middle and at its ends."""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.benchmarks.lint import SCHEMAS
from tests.benchmarks.measure import BIN, SHARED, Budget
from tests.lsp.wire import PULL, Client, opening

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SCHEMA = SCHEMAS["a small schema of calls and criteria"]
KEYS = 50
SECONDS_A_KEY = 0.1
OPENINGS = 3
FILES = {
    "retail, 330 kB": (SHARED / "tau2/retail/tasks.json", 20.0),
    "telecom, 14 MB": (SHARED / "tau2/telecom/tasks_full.json", 60.0),
}
"""Each file with the most milliseconds from a key to its diagnostics, p95."""

PLACES: dict[str, Callable[[str], int]] = {
    "the first task": lambda text: text.index(" the "),
    "the last task": lambda text: text.rindex(" the "),
}
"""Where else somebody types: at the ends of the file, where new tasks are added."""

OPEN_SECONDS = 1.0
MEMORY_MIB = 400
PEER = "vscode-langservers-extracted@4.10.0"
SCRATCH = Path(".benchmarks") / PEER.replace("@", "-")


def budgets() -> Iterator[Budget]:
    """Measure opening, keys and memory."""
    peer = _peer()
    for name, (path, limit) in FILES.items():
        if not path.exists():
            print(f"skipped {name}: the shared data is not here")
            continue
        keys, memory = _type([str(BIN / "benchlint"), "serve"], path, {})
        if peer is not None:
            with tempfile.TemporaryDirectory() as folder:
                schema = Path(folder) / "schema.json"
                schema.write_text(json.dumps(SCHEMA))
                theirs, _ = _type(peer, path, _schema_of(path, schema))
            print(f"{name}: benchlint p95 {keys:.1f} ms, vscode-json-language-server p95 {theirs:.1f} ms")
            yield Budget(f"{name}: key to diagnostics / vscode-json-language-server", keys / theirs, 1.0, "x")
        yield Budget(f"{name}: key to diagnostics, p95", keys, limit, "ms")
        for where, place in PLACES.items():
            keys, _ = _type([str(BIN / "benchlint"), "serve"], path, {}, place)
            yield Budget(f"{name}: key in {where} to diagnostics, p95", keys, limit, "ms")
        yield Budget(f"{name}: opening", _open(path), OPEN_SECONDS, "s")
        yield Budget(f"{name}: memory of the server", memory, MEMORY_MIB, "MiB")


def _peer() -> list[str] | None:
    """Return the command of the peer, installed with npm where it is not there yet."""
    program = SCRATCH / "node_modules" / ".bin" / "vscode-json-language-server"
    npm = shutil.which("npm")
    if not program.exists() and npm is not None:
        SCRATCH.mkdir(parents=True, exist_ok=True)
        quiet = ("--silent", "--no-audit", "--no-fund", "--ignore-scripts")
        command = [npm, "install", *quiet, "--prefix", str(SCRATCH), PEER]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    if not program.exists():
        print("skipped vscode-json-language-server: npm cannot install it here")
        return None
    return [str(program), "--stdio"]


def _schema_of(path: Path, schema: Path) -> dict[str, Any]:
    """Return the notification that gives the peer a schema for a file."""
    settings = {
        "json": {
            "validate": {"enable": True},
            "resultLimit": 5000,
            "schemas": [{"fileMatch": [path.name], "url": schema.resolve().as_uri(), "schema": SCHEMA}],
        }
    }
    return {"settings": settings}


def _open(path: Path) -> float:
    """Return the seconds from opening a file to its diagnostics, the fastest of some."""
    seconds = []
    for _ in range(OPENINGS):
        with Client() as client:
            client.initialize(path.parent.resolve(), capabilities=PULL)
            uri = path.resolve().as_uri()
            message = opening(uri, path.read_text(encoding="utf-8"))
            started = time.perf_counter()
            client.write(message)
            client.pull(uri)
            seconds.append(time.perf_counter() - started)
    return min(seconds)


def _middle(text: str) -> int:
    return text.index(" the ", len(text) // 2)


def _type(
    command: list[str], path: Path, settings: dict[str, Any], place: Callable[[str], int] = _middle
) -> tuple[float, float]:
    """Type somewhere in a file; return the 95th percentile in milliseconds, and the peak memory in MiB."""
    text = path.read_text(encoding="utf-8")
    at = place(text)
    line, column = text.count("\n", 0, at), at - text.rindex("\n", 0, at) - 1
    client = Client(command=command)
    client.initialize(path.parent.resolve(), capabilities=PULL, options={"provideFormatter": True})
    if settings:
        client.notify("workspace/didChangeConfiguration", settings)
    uri = client.open(path.resolve(), text)
    known = client.pull(uri).get("resultId")
    milliseconds = []
    start = time.perf_counter()
    for key in range(KEYS):
        time.sleep(max(0.0, start + key * SECONDS_A_KEY - time.perf_counter()))
        pressed = time.perf_counter()
        cursor = {"line": line, "character": column + key}
        client.change(uri, key + 2, {"range": {"start": cursor, "end": cursor}, "text": "x"})
        known = client.pull(uri, known).get("resultId")
        milliseconds.append(1000 * (time.perf_counter() - pressed))
    status = Path(f"/proc/{client.process.pid}/status").read_text()
    memory = int(status.split("VmHWM:")[1].split()[0]) / 1024
    client.process.kill()
    client.process.wait()
    return statistics.quantiles(milliseconds, n=20)[-1], memory

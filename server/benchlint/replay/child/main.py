"""The child process: loads a domain once and runs the expected actions of task after task.

Executed by its path with the user's Python, from 3.8 on. It speaks the
protocol of docs/replay.md over standard input and output; what the domain
prints goes elsewhere.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

PROTOCOL = 1


def part(name: str) -> Any:
    """Load a module that stands beside this one."""
    path = Path(__file__).parent / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"benchlint_replay_{name}", str(path))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Answer messages until there are no more."""
    requests, answers = _channel()
    here = Path(__file__).resolve().parent
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != here]  # here is a module tau2 too
    limits = part("limits")
    domain = None
    for line in requests:
        message = json.loads(line)
        kind = message["type"]
        if kind == "identify":
            try:
                identity = _adapter(message["environment"]).identity()
            except Exception as error:
                answers(type="failed", message=_words(error))
            else:
                answers(type="identity", protocol=PROTOCOL, identity=identity)
        elif kind == "load":
            limits.limit(message.get("memory"))
            try:
                domain = _adapter(message["environment"])
                domain.load()
                runner = part("tasks").Runner(domain, float(message["timeout"]), answers, requests.fileno())
            except BaseException as error:
                answers(type="failed", message=_words(error))
                return
            gc.collect()
            gc.freeze()
            answers(type="loaded")
        elif kind == "task":
            runner.run(message)


def _adapter(environment: str) -> Any:
    """Return what knows an environment: `tau2:retail`, or a folder of tau-bench."""
    if environment.startswith("tau2:"):
        return part("tau2").Domain(environment[len("tau2:") :])
    return part("tau_bench").Domain(environment)


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _channel() -> tuple[Any, Callable[..., None]]:
    """Take standard input and output for the protocol, and give the domain others."""
    requests = os.fdopen(os.dup(0), "rb")
    out = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)

    def answer(**message: Any) -> None:
        data = (json.dumps(message, default=str) + "\n").encode()
        while data:
            data = data[os.write(out, data) :]

    return requests, answer


if __name__ == "__main__":
    if sys.argv[1:2] == ["exec"]:
        part("limits").limit(int(sys.argv[2]))
        os.execvp(sys.argv[3], sys.argv[3:])  # noqa: S606
    main()
